"""The screens of full screen, each with its help in a file of the same name."""

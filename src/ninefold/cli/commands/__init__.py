"""The commands of line mode: a module for each."""

"""What is settled before something starts: forms of one setting in a row."""

"""Where things are kept: in files for the terminal, in a database for the server."""

"""The server: matches between machines, with an HTTP API, live events and a web page."""

"""The server: matches between machines, through an HTTP API with live events."""

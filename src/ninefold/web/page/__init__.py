"""The page: the games in a browser, as HTML made on the server, with a small script for what is live."""

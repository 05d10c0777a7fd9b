"""What can be done to a match on the server, each as one write to the database.

These functions take a `Transaction`, check who asks, go through the match's own authority, and save. They
know nothing of HTTP. The events that they save are for every viewer: they hold nothing secret.
"""

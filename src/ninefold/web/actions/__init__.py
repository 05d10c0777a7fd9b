"""The actions on a match on the server, each within one transaction of the database.

An action for a player checks the token, lets `Match` decide whether the change is allowed, and saves the
match with the events that report the change. Nothing here knows HTTP. Every viewer gets the same events,
so they hold nothing secret.
"""

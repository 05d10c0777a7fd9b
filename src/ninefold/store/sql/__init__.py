"""Matches of a server, in SQLite or PostgreSQL. All SQL is here."""

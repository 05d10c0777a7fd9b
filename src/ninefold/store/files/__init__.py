"""Matches, progress and settings of one user, in files."""

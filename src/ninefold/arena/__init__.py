"""Contests: who is better, settled in pairs of games with honest intervals."""

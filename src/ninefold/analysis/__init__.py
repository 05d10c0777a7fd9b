"""Exact values: `evaluate(state)` for any reachable position of any game."""

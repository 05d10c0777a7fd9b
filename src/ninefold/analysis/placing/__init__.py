"""The duel that Shadow Grid Duel and Pattern Match share, solved: read `tablebase` first."""

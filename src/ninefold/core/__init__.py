"""What all games share: seats, the grid, moves and positions, outcomes, views, errors."""

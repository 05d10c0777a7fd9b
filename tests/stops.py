"""Games of Pattern Match that nobody wins, as written sequences of moves."""

# Nobody can win any more, after the ninth number or after the number that is returned.
DEAD_WHEN_PLACED = "3@1,3 6@1,3 9@2,1 5@2,2 7@2,2 4@3,2 2@3,2 8@3,3 1@3,3"
DEAD_WHEN_RETURNED = "3@1,3 6@1,1 9@2,1 5@1,2 7@2,2 8@1,3 2@3,2 4@2,2 1@3,3 return@1,1"

# Both still can, but neither can force it; the second player is to move.
CIRCLE = "6@3,3 9@2,1 5@2,2 7@2,2 3@2,1 8@3,1 1@2,3 4@2,3 2@3,2 return@3,1 swap@2,2"

"""The courses of Shadow Grid Duel. `core.lessons` says what may stand in a sentence."""

from __future__ import annotations

from functools import partial

from ninefold.core.lessons import Check, Course, Goal, Step
from ninefold.core.puzzles import Task, Theme

step = partial(Step, setup={"target": 15})  # all of them have the same setup

COURSES = (
    Course(
        slug="basics",
        title="How it is played",
        about="Make lines, block lines, and mind the last cell.",
        steps=(
            step(
                title="A line wins",
                moves="8@1,1 9@2,2 2@1,2 3@3,1",
                ask="Three of your own numbers in a line win if they add up to {target}. You have two "
                "in the top row. Put the number beside them that is missing.",
                goal=Goal.COMPLETE,
                done="You win the moment the line stands. Most games are won like this.",
                points=True,
            ),
            step(
                title="Any direction",
                moves="9@1,1 8@1,2 2@2,2 1@3,1",
                ask="Rows, columns and both diagonals count. Complete a line. Each of your numbers can "
                "be used once; the ones you have left are listed with the board.",
                goal=Goal.COMPLETE,
                done="A diagonal is as good as a row.",
            ),
            step(
                title="Only your own numbers",
                moves="6@1,1 5@1,2 7@2,1 9@2,3",
                ask="All three numbers of a line have to be yours. Complete one.",
                goal=Goal.COMPLETE,
                done="Your line, your numbers, {target} in all.",
                mistakes={
                    "4@1,3": "The top row adds up to {target} now, but one of its numbers is Ben's. A "
                    "line with numbers of both players counts for nobody."
                },
            ),
            step(
                title="Blocking",
                moves="4@1,2 5@3,2 8@2,1 9@3,1",
                ask="Ben threatens {threat}. A line needs all three cells: put any of your numbers in "
                "the one he still needs.",
                goal=Goal.BLOCK,
                done="That line is gone for good: numbers never leave the board.",
                points=True,
                checks=(Check(chance=1, keeps=7),),
            ),
            step(
                title="Find the threat yourself",
                moves="7@1,1 1@2,2 5@3,2 4@2,1 8@3,1",
                ask="This time you are O, and Ben is about to win. Find his line and block it.",
                goal=Goal.BLOCK,
                done="He needed {threat}. Before each of your moves, look for the other player's lines.",
                checks=(Check(chance=1),),
            ),
            step(
                title="A full board",
                moves="6@1,2 9@3,2 8@2,1 8@1,3 5@3,1 1@2,3 7@3,3",
                ask="If the board fills up without a line, whoever filled the last cell loses. Ben, who "
                "moved first, will have to do that. Two cells are left: leave him no line, and you win.",
                goal=Goal.WIN,
                within=2,
                done="No line for anyone, and Ben had to fill the board. You win without a line of "
                "your own.",
                checks=(Check(chance=1),),
            ),
            step(
                title="The last cell",
                moves="6@2,3 6@3,3 5@2,1 9@3,1 1@1,2 4@3,2 2@1,3 3@1,1",
                ask="Now you moved first, and the last cell is yours to fill. Only a line saves you.",
                goal=Goal.COMPLETE,
                done="A line counts even on a full board. Any other number would have lost.",
                checks=(Check(chance=1, keeps=1),),
            ),
        ),
        known=(
            "Three of your own numbers in a line that add up to the target win at once.",
            "A line is stopped by filling its last free cell, with any number.",
            "On a full board without a line, the player who moved first loses.",
        ),
        level=2,
        task=Task.WIN,
        theme=Theme.AT_ONCE,
    ),
    Course(
        slug="ideas",
        title="What matters",
        about="Two threats at once, and why time is on the second player's side.",
        steps=(
            step(
                title="Two threats at once",
                moves="8@1,3 2@3,1 9@1,1 3@3,2",
                ask="Ben can block only one cell in a turn. Put a number where it threatens two lines "
                "at once. It has to leave each line a number that you still have.",
                goal=Goal.DOUBLE,
                done="Ben blocks one, and you complete the other.",
                points=True,
                checks=(Check(chance=1, keeps=4),),
            ),
            step(
                title="Again, on your own",
                moves="8@1,1 9@1,2 4@3,1 7@2,1",
                ask="Threaten two lines at once.",
                goal=Goal.DOUBLE,
                done="Cells where several of your lines cross are where double threats come from.",
                checks=(Check(chance=1, keeps=6),),
            ),
            step(
                title="Block and threaten",
                moves="5@1,2 2@3,3 8@3,1 5@2,2",
                ask="Ben threatens {threat}. You have to block, and the number you block with can do "
                "more. Win in three moves: yours, his, yours.",
                goal=Goal.WIN,
                within=3,
                done="When you have to block, ask what else that number can do.",
                mistakes={
                    "9@1,1": "That blocks, but it threatens only one line, and Ben blocks that in turn.",
                },
                checks=(Check(chance=1, keeps=4), Check("9@1,1", chance=0, threats=1)),
            ),
            step(
                title="Time is on your side",
                moves="4@1,3 2@3,1 3@3,3 1@1,2 1@2,1",
                ask="You moved second, so a full board wins for you. You need no line: just stop Ben's, "
                "move after move, until the board is full.",
                goal=Goal.WIN,
                done="The first player has to make something happen. The second only has to prevent it.",
                checks=(Check(chance=1),),
            ),
            step(
                title="Who is winning?",
                moves="4@3,3 3@3,2 9@3,1 6@1,1 3@1,2 9@1,3",
                ask="You moved first, it is your turn, and nobody threatens anything. With best play, "
                "who wins?",
                goal=Goal.WHO,
                done="Ben. You cannot force a line in the three cells that are left, so the board fills "
                "up, and the last number is yours.",
                checks=(Check(chance=0),),
            ),
            step(
                title="So the first player hurries",
                moves="7@1,3 1@2,1 1@1,2 8@3,2",
                ask="You moved first. Win before the board fills up: threaten with every move, so that "
                "Ben has to answer, until one threat becomes two.",
                goal=Goal.WIN,
                within=5,
                done="A threat decides where Ben moves. That is how the first player wins the race.",
                checks=(Check(chance=1, keeps=3),),
            ),
        ),
        known=(
            "Two threats at once cannot both be blocked.",
            "A block that also threatens is worth two moves.",
            "A full board belongs to the second player, so the first player has to force matters.",
        ),
        level=4,
        task=Task.WIN,
        theme=Theme.DOUBLE,
    ),
)

"""The courses of Pattern Match. `core.lessons` says what may stand in a sentence."""

from __future__ import annotations

from fractions import Fraction

from ninefold.core.lessons import Check, Course, Goal, Step
from ninefold.core.puzzles import Task, Theme
from ninefold.core.seat import Seat

HALF = Fraction(1, 2)  # the chance where neither side can force a win
LINE_GONE = "Your only full line is gone, so you can never win. Ben still has his, and wins."

COURSES = (
    Course(
        slug="basics",
        title="How it is played",
        about="A grid of your own, a pool for both, and what happens when it is empty.",
        steps=(
            Step(
                title="A line of your own",
                moves="7@3,3 1@2,1 9@2,3 5@1,1 6@3,2 4@3,2",
                ask="You and Ben each have a grid, and take numbers from one pool: {pool} are left. A "
                "full line on your grid that adds up to fifteen wins. Complete your bottom row.",
                goal=Goal.COMPLETE,
                done="You win at once.",
                points=True,
            ),
            Step(
                title="Any direction",
                moves="2@2,2 6@2,2 1@1,2 3@1,2 4@1,3 8@3,3",
                ask="Rows, columns and both diagonals count. The pool still has {pool}. Complete a line.",
                goal=Goal.COMPLETE,
                done="A diagonal is as good as a row.",
            ),
            Step(
                title="Take what the other needs",
                moves="7@2,1 8@3,1 6@1,2 4@1,1 2@3,3 1@2,2",
                ask="Ben threatens {threat}. You cannot touch his grid, but each number exists only "
                "once: take the one he needs, and put it anywhere on yours.",
                goal=Goal.BLOCK,
                done="Without that number, his line cannot be completed.",
                points=True,
            ),
            Step(
                title="Find what he needs",
                moves="4@1,3 6@3,3 2@3,2 9@2,1 5@1,1 8@2,2",
                ask="Ben is about to win again. The pool has {pool}. Which number must he not get?",
                goal=Goal.BLOCK,
                done="He wanted {threat}. The pool is your shield.",
                checks=(Check(chance=1),),
            ),
            Step(
                title="When the pool is empty",
                moves="8@2,1 9@2,1 4@3,3 3@2,3 7@2,3 5@3,3 2@2,2 6@1,3 1@1,2",
                ask="All nine numbers are placed. Now you, the second player, have to return one of "
                "yours to the pool, and its cell stays empty for good. Return the one that stands "
                "outside your full line.",
                goal=Goal.KEEP,
                done="From now on, each turn swaps one of the mover's numbers for the one in the pool. "
                "Neither of you can force a win here.",
                mistakes=dict.fromkeys(("return@1,3", "return@2,3", "return@3,3"), LINE_GONE),
                checks=(
                    Check(chance=HALF, keeps=1),
                    *(Check(f"return@{cell}", chance=0) for cell in ("1,3", "2,3", "3,3")),
                ),
            ),
            Step(
                title="Swapping",
                moves="1@3,3 4@2,1 3@1,3 6@1,1 9@3,1 2@3,2 7@2,1 8@3,1 5@2,2 return@3,2 swap@2,2",
                ask="The pool holds the {pool}. Swap one of your numbers for it, so that your line adds "
                "up to fifteen.",
                goal=Goal.COMPLETE,
                done="The new number goes where the old one was, and the line stands.",
            ),
        ),
        known=(
            "A full line of fifteen on your own grid wins.",
            "You stop a line by taking the number that it needs from the pool.",
            "When the pool is empty, the second player returns a number, and then both swap.",
        ),
        level=2,
        task=Task.WIN,
        theme=Theme.AT_ONCE,
    ),
    Course(
        slug="ideas",
        title="What matters",
        about="The pool as a weapon, and who is ahead when it is empty.",
        steps=(
            Step(
                title="Two numbers at once",
                moves="8@1,1 7@2,1 4@3,2 9@1,2",
                ask="Ben can take only one number in a turn. Threaten two lines that need different "
                "numbers. The pool has {pool}.",
                goal=Goal.DOUBLE,
                done="He takes one of the numbers, and you use the other.",
                points=True,
                checks=(Check(chance=1),),
            ),
            Step(
                title="First things first",
                moves="6@2,1 3@3,3 1@3,2 7@3,2",
                ask="You would like to build, but look at Ben's grid first. The pool has {pool}.",
                goal=Goal.BLOCK,
                done="He needed {threat}. Only that number kept you in the game, and with it you win.",
                checks=(Check(chance=1, keeps=7),),
            ),
            Step(
                title="Where to put the last number",
                moves="8@1,1 9@1,2 4@1,3 6@3,1 1@2,2 5@1,3 3@2,1 7@3,3",
                ask="Only the {pool} is left, and you have to take it. Then Ben returns a number, and "
                "you swap. Four of your five free cells keep your win: choose one of them.",
                goal=Goal.KEEP,
                done="Now you have a full line, and you can still change it by swapping. Ben has none, "
                "so he can never win.",
                mistakes={"2@3,2": "Now neither of you has a full line, and nobody can ever win."},
                checks=(Check(chance=1, keeps=4), Check("2@3,2", chance=HALF)),
            ),
            Step(
                title="Who is ahead?",
                moves="8@3,1 1@1,2 5@1,1 9@2,2 3@3,3 4@3,3 2@1,2 7@2,1 6@2,1",
                seat=Seat.SECOND,
                ask="The pool is empty, and you have to return a number. Ben has a full line on his "
                "grid, and you have none. With best play, who wins?",
                goal=Goal.WHO,
                done="Ben, whatever you return. Only a full line can still be made to add up, and the "
                "first player has five numbers to swap against your three.",
                checks=(Check(chance=0),),
            ),
            Step(
                title="What to return",
                moves="6@1,2 7@2,1 9@1,3 2@2,2 3@3,2 5@3,3 4@1,1 1@1,1 8@2,1",
                ask="You have to return a number, and Ben can use it at once. Only one of your four "
                "keeps you from losing.",
                goal=Goal.KEEP,
                done="Your full line stays whole. As long as you have it, Ben has to mind what he puts "
                "into the pool.",
                mistakes=dict.fromkeys(("return@1,1", "return@2,2", "return@3,3"), LINE_GONE),
                checks=(
                    Check(chance=HALF, keeps=1),
                    *(Check(f"return@{cell}", chance=0) for cell in ("1,1", "2,2", "3,3")),
                ),
            ),
            Step(
                title="Win by swapping",
                moves="4@1,1 6@3,2 9@3,3 5@3,3 1@3,2 2@1,1 7@3,1 8@3,1 3@2,1 return@1,1",
                ask="Ben has returned the {pool}. You cannot complete a line at once. Swap so that Ben "
                "cannot stop the next one, and win in three moves.",
                goal=Goal.WIN,
                within=3,
                done="With five numbers you have more lines to change than Ben can watch.",
                checks=(Check(chance=1, keeps=3),),
            ),
        ),
        known=(
            "Two lines that need different numbers are too many for one turn.",
            "What you take, the other player cannot have. What you return, the other player can.",
            "When the pool is empty, only full lines count. Keep yours whole.",
        ),
        level=4,
        task=Task.SAVE,
        theme=Theme.BLOCK,
    ),
)

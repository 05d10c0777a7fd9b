"""The courses of Number Grid Battle. `core.lessons` says what may stand in a sentence."""

from __future__ import annotations

from functools import partial

from ninefold.core.lessons import Check, Course, Goal, Step
from ninefold.core.puzzles import Task
from ninefold.core.seat import Seat

step = partial(Step, setup={"grid": "792415863"})  # all of them have the same setup

COURSES = (
    Course(
        slug="basics",
        title="How it is played",
        about="Take cells, add them up, and have more in the end.",
        steps=(
            step(
                title="Take a cell",
                moves="0,1 2,0 0,0 2,1 1,2 1,0 2,2 0,2",
                ask="One cell is left, and it is your turn. Take it: its number is added to your score.",
                goal=Goal.WIN,
                within=1,
                done="All cells are taken, and the larger sum wins: yours.",
                points=True,
            ),
            step(
                title="The most",
                moves="0,1 2,0 0,0 2,1 1,2 1,0",
                ask="You have {me}, Ben has {them}, and {left} cells are left. Take the largest number.",
                goal=Goal.MOST,
                done="That adds the most, and Ben cannot have it.",
                points=True,
            ),
            step(
                title="The place does not matter",
                ask="Nothing is taken yet. The center is worth no more than a corner: only the numbers "
                "count. Take the largest.",
                goal=Goal.MOST,
                done="There are no lines and no neighbors in this game. Look at the numbers alone.",
            ),
            step(
                title="Who has won?",
                moves="0,1 2,0 0,0 2,1 1,2 1,0 2,2",
                ask="You moved second and have {me}. Ben has {them}. You take one of the two cells that "
                "are left, and Ben gets the other. Who wins?",
                goal=Goal.WHO,
                done="Ben. All nine numbers add up to {total}, so whoever has more than half has won, "
                "whatever is still to come. An odd total can never be split evenly: there are no ties.",
                checks=(Check(chance=0),),
            ),
            step(
                title="To the end",
                moves="0,1 2,0 1,2 0,0",
                ask="You have {me}, Ben has {them}. Take the right cell each time, and win.",
                goal=Goal.WIN,
                done="Well counted.",
                mistakes={"1,0": "That leaves Ben {say 2,1}, and he wins by {margin 1,0}."},
                checks=(Check(chance=1, keeps=1), Check("1,0", chance=0)),
            ),
        ),
        known=(
            "Every cell adds its number to your score, wherever it is.",
            "The larger sum wins, and there are no ties.",
            "The first player takes one cell more than the second.",
        ),
        level=2,
        task=Task.LEAST,
    ),
    Course(
        slug="ideas",
        title="What matters",
        about="Why the largest is right, and how to count ahead.",
        steps=(
            step(
                title="What you leave, Ben takes",
                moves="1,2 2,0",
                ask="You have {me}, Ben has {them}. Only one cell keeps your win. Take it.",
                goal=Goal.KEEP,
                done="The largest number counts for you twice: you have it, and Ben does not. That is "
                "why it is never wrong.",
                points=True,
                mistakes={"0,0": "Now Ben takes {say 0,1}, and wins by {margin 0,0}."},
                checks=(Check(chance=1, keeps=1), Check("0,0", chance=0)),
            ),
            step(
                title="When the other player slips",
                moves="2,1 0,1 0,0",
                ask="You moved second. Ben had {say 2,0} in reach and left it. Punish that.",
                goal=Goal.KEEP,
                done="Now you win by {margin}. Taking anything but the largest is risky, and here it "
                "cost Ben the game.",
                checks=(Check(chance=1, keeps=1),),
            ),
            step(
                title="How to start",
                ask="Nothing is taken, and you start. Five of the nine cells keep your win. Take one of "
                "them.",
                goal=Goal.KEEP,
                done="The larger, the safer: with {say 0,1} you win by {margin 0,1}, with the smallest "
                "of the five by only {margin 1,2}.",
                mistakes={"1,0": "Ben takes {say 0,1} and wins by {margin 1,0}."},
                checks=(Check(chance=1, keeps=5), Check("1,0", chance=0)),
            ),
            step(
                title="Count ahead",
                moves="0,1 2,0 0,0 2,1",
                ask="You have {me}, Ben has {them}, and it is your turn. Suppose both always take the "
                "largest number left. By how many points do you win? If you lose, answer with a minus.",
                goal=Goal.COUNT,
                done="Sort what is left from large to small: every second number is yours, beginning "
                "with the largest. You win by {margin}.",
            ),
            step(
                title="Count as the second player",
                moves="2,1 0,1 0,0 2,0 1,2",
                ask="You moved second. You have {me}, Ben has {them}, and it is your turn. By how many "
                "points do you win? If you lose, answer with a minus.",
                goal=Goal.COUNT,
                done="You win by {margin}: Ben has more so far, but the largest number left is yours.",
                checks=(Check(chance=1),),
            ),
            step(
                title="Who is better off?",
                seat=Seat.SECOND,
                ask="Ben is about to make the first move of the game. With best play, who wins?",
                goal=Goal.WHO,
                done="Ben, by {margin}. He gets the larger number of each pair, and one cell more. As "
                "the second player you have to wait for a mistake.",
                checks=(Check(chance=0),),
            ),
            step(
                title="Play it out",
                moves="1,0",
                ask="Ben started with one of the smaller numbers, and that was the mistake. Win the "
                "game.",
                goal=Goal.WIN,
                done="You won as the second player. It takes one mistake, and no more of your own.",
                checks=(Check(chance=1, keeps=1),),
            ),
        ),
        known=(
            "The largest number left is never wrong.",
            "Count ahead by sorting what is left and dealing it out in turn.",
            "The first player wins with best play. The second needs a mistake.",
        ),
        level=5,
        task=Task.COUNT,
    ),
)

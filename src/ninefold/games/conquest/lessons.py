"""The courses of Grid Conquest. `core.lessons` says what may stand in a sentence."""

from __future__ import annotations

from fractions import Fraction

from ninefold.core.lessons import Check, Course, Goal, Step
from ninefold.core.puzzles import Task
from ninefold.core.seat import Seat

SMALL = {"size": 2}  # a board where both can hold the same number of cells

COURSES = (
    Course(
        slug="basics",
        title="How it is played",
        about="Claim cells, challenge for cells, and break ties.",
        steps=(
            Step(
                title="Claim a cell",
                moves="claim:8 claim:5 claim:4 claim:2 claim:6 claim:1 claim:3 claim:7",
                ask="You and Ben hold {mycells} cells each, and one is empty. The game ends when the "
                "last empty cell is claimed, and more cells win. Claim it.",
                goal=Goal.WIN,
                within=1,
                done="Five cells to four. Which cells you hold never matters, only how many.",
                points=True,
            ),
            Step(
                title="Challenge a cell",
                moves="claim:1 claim:6 claim:4 claim:7 claim:2 claim:5 challenge:5 bid:1 bid:5 "
                "challenge:2 bid:4 bid:2",
                ask="Ben holds {theircells} cells, and you hold {mycells}. Instead of claiming, you may "
                "challenge one of his: both choose one of their numbers in secret, and the higher one "
                "takes the cell. You have {hand}, he has {theirhand}. Challenge any of his cells.",
                goal=Goal.KEEP,
                done="A challenge takes your whole turn, so it has to be worth it. Here it wins, and a "
                "claim would have lost.",
                mistakes={"claim:3": "Ben simply claims another cell and stays ahead."},
                checks=(Check(chance=1), Check("claim:3", chance=0)),
            ),
            Step(
                title="Choose a number",
                moves="claim:7 claim:8 claim:3 claim:2 claim:4 claim:9 claim:1 claim:6 challenge:9 "
                "bid:3 bid:5 challenge:4 bid:2 bid:2 challenge:6",
                ask="You have challenged a cell. Your numbers are {hand}, Ben's are {theirhand}. Choose "
                "one that is higher than anything he has: only that is sure to take the cell.",
                goal=Goal.WIN,
                done="The higher number took the cell, and both numbers are used up.",
                checks=(Check(chance=1, keeps=1),),
            ),
            Step(
                title="Equal numbers",
                moves="claim:6 claim:9 claim:2 claim:3 challenge:9 bid:4 bid:4 claim:7 claim:8 claim:5 "
                "claim:1 challenge:1 bid:1 bid:3 challenge:5",
                seat=Seat.SECOND,
                ask="Now Ben challenges one of yours. If both numbers are equal, the owner keeps the "
                "cell. You have {hand}, he has {theirhand}. Which number is sure to keep it?",
                goal=Goal.KEEP,
                done="Even his highest number only ties with it, and a tie goes to the owner.",
                checks=(Check(chance=1, keeps=1),),
            ),
            Step(
                title="Unused numbers",
                setup=SMALL,
                moves="claim:1 claim:4 challenge:4 bid:1 bid:5 claim:2",
                ask="On a board with an even number of cells, both may end up with the same number. "
                "Then the sum of the unused numbers decides. You have {hand}, he has {theirhand}. What "
                "now?",
                goal=Goal.KEEP,
                done="The last cell makes it even, and your unused numbers add up to more. You win.",
                checks=(Check(chance=1, keeps=1),),
            ),
            Step(
                title="Sudden death",
                setup=SMALL,
                moves="claim:1 claim:2 claim:3 claim:4 challenge:2 bid:2 bid:5 challenge:1 bid:3 bid:4",
                ask="If cells and sums are equal when the board fills up, the game goes on: every turn "
                "is a challenge until somebody holds more cells. Challenge, then choose the number that "
                "wins.",
                goal=Goal.WIN,
                done="One cell more, and it is over. In sudden death, sums do not count anymore.",
                checks=(Check(chance=1),),
            ),
        ),
        known=(
            "More cells win when the last empty cell is claimed.",
            "A challenge costs both players a number, and a tie goes to the owner.",
            "With equal cells, unused numbers decide. If they are equal too, sudden death does.",
        ),
        level=2,
        task=Task.CHANCE,
    ),
    Course(
        slug="ideas",
        title="What matters",
        about="When to challenge, why to mix, and what a number is worth.",
        steps=(
            Step(
                title="When you are ahead",
                moves="claim:3 claim:2 claim:7 claim:4 claim:8 challenge:8 bid:4 bid:4",
                ask="You hold {mycells} cells, Ben holds {theircells}, and it is your turn. Claim an "
                "empty cell, or challenge one of his?",
                goal=Goal.KEEP,
                done="A claim is certain, and you are ahead: with it you win for sure. After a "
                "challenge it would be {chance challenge:2}.",
                checks=(Check(chance=1),),
            ),
            Step(
                title="When you are behind",
                moves="claim:4 claim:6 claim:8 claim:7 claim:9 challenge:8 bid:5 bid:4 claim:1 claim:2",
                ask="You hold {mycells} cells, Ben holds {theircells}, and {left} are empty. What keeps "
                "the best chance?",
                goal=Goal.KEEP,
                done="Claims alone would leave you behind. A challenge wins {chance}: not much, but all "
                "there is.",
                mistakes={"claim:3": "Now each of you gets one more cell, and Ben stays ahead."},
                checks=(Check("claim:3", chance=0),),
            ),
            Step(
                title="Do not be predictable",
                moves="claim:8 claim:5 claim:7 claim:2 challenge:2 bid:1 bid:3 claim:6 challenge:5 "
                "bid:3 bid:2 challenge:8 bid:5 bid:4 challenge:8",
                ask="A challenge is open. You have {hand}, Ben has {theirhand}. If he knew your number, "
                "he could always answer it well. Which of your numbers should you be ready to choose?",
                goal=Goal.MIX,
                done="{mix} Then it does not matter what Ben guesses: you win {chance}.",
                checks=(Check(chance=Fraction(1, 2)),),
            ),
            Step(
                title="Not every number belongs",
                moves="claim:3 claim:5 claim:1 claim:8 claim:2 challenge:3 bid:1 bid:3 claim:7 "
                "challenge:3 bid:3 bid:5 challenge:8",
                ask="You have {hand}, Ben has {theirhand}. One of your numbers is never right here. "
                "Which ones do you mix?",
                goal=Goal.MIX,
                done="{mix} High to take the cell, low to lose cheaply. What lies between does neither.",
                checks=(Check(chance=Fraction(3, 4)),),
            ),
            Step(
                title="What a cell is worth",
                moves="claim:2 claim:6 claim:1 challenge:2 bid:4 bid:2 challenge:2 bid:1 bid:2 claim:7 "
                "claim:5 challenge:5",
                ask="You have challenged a cell, and you are ahead. You have {hand}, Ben has "
                "{theirhand}. Choose a number that keeps your win, whatever he chooses.",
                goal=Goal.KEEP,
                done="You can do without this cell, but not without your highest number: it protects "
                "all your others.",
                mistakes={
                    "bid:5": "Ben answers with his own five: the cell stays his, and your best number "
                    "is gone for nothing."
                },
                checks=(Check(chance=1, keeps=2), Check("bid:5 bid:5", chance=0)),
            ),
            Step(
                title="What a number is worth late",
                moves="claim:2 claim:7 challenge:7 bid:3 bid:5 claim:1 claim:3 challenge:3 bid:3 bid:2 "
                "claim:6 challenge:6 bid:1 bid:1 challenge:7",
                ask="You have challenged a cell with {hand} in hand, and Ben has {theirhand}. Win the "
                "game from here.",
                goal=Goal.WIN,
                done="Your lower number would only have tied with his best, and a tie goes to the "
                "owner. Late in the game, the highest number takes a cell, or holds one.",
                checks=(Check(chance=1, keeps=1),),
            ),
        ),
        known=(
            "Ahead, claim. Behind, challenge.",
            "Mix your numbers: a number that can be guessed can be answered.",
            "Numbers are worth more late, and the highest one guards all your cells.",
        ),
        level=4,
        task=Task.MIX,
    ),
)

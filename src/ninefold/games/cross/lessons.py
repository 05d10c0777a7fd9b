"""The courses of Number Cross. `core.lessons` says what may stand in a sentence."""

from __future__ import annotations

from ninefold.core.lessons import Check, Course, Goal, Step
from ninefold.core.puzzles import Task

COURSES = (
    Course(
        slug="basics",
        title="How it is played",
        about="Claim rows and columns, and mind the tie.",
        steps=(
            Step(
                title="Claim a line",
                setup={"grid": "154798362"},
                moves="Col3 Col2 Row3 Col1",
                ask="You claim a whole row or column, and all three of its numbers are added to your "
                "score. Two lines are left. Claim the one with the larger sum.",
                goal=Goal.MOST,
                done="{gain Row2} more for you.",
                points=True,
            ),
            Step(
                title="Numbers count in both directions",
                setup={"grid": "894625317"},
                moves="Col3 Row1 Row2 Row3",
                ask="Every number stands in a row and in a column, and counts in each. Where two of "
                "your lines cross, it counts for you twice. You have {me}, Ben has {them}: claim the "
                "line that wins.",
                goal=Goal.WIN,
                within=2,
                done="You claimed three lines, and so did Ben. Yours add up to more.",
                mistakes={"Col2": "That adds only {gain Col2}, and leaves Ben {gain Col1}."},
                checks=(Check(chance=1, keeps=1), Check("Col2", chance=0)),
            ),
            Step(
                title="The tie",
                setup={"grid": "485796312"},
                moves="Col3 Row2 Col2 Row1 Col1",
                ask="You moved second. Ben has {them} and is done. One line is left. Claim it.",
                goal=Goal.WIN,
                within=1,
                done="Both have {them}: a tie. And a tie goes to the player who moved second: you.",
                points=True,
            ),
            Step(
                title="The tie, from the other side",
                setup={"grid": "485796312"},
                moves="Col3 Row2 Col2 Row1",
                ask="The same game a move earlier, and now you are the one who moved first. You have "
                "{me}, Ben has {them}. Who wins?",
                goal=Goal.WHO,
                done="Ben. The best you can reach is a tie, and that is his.",
                checks=(Check(chance=0),),
            ),
            Step(
                title="More than half",
                setup={"grid": "496857213"},
                moves="Col3 Row2",
                ask="All six lines add up to {total}. You moved first, so half of that is not enough "
                "for you. Claim the line that wins.",
                goal=Goal.KEEP,
                done="With best play you win by {margin} from here.",
                mistakes={"Col2": "With best play that ends in a tie, and the tie is Ben's."},
                checks=(Check(chance=1, keeps=1), Check("Col2", chance=0)),
            ),
        ),
        known=(
            "A line counts in full: all three numbers, even those that other lines cross.",
            "The larger sum of three lines wins.",
            "A tie goes to the player who moved second.",
        ),
        level=2,
        task=Task.COUNT,
    ),
    Course(
        slug="ideas",
        title="What matters",
        about="Why the largest line is right, and what a tie is worth.",
        steps=(
            Step(
                title="The largest line",
                setup={"grid": "542689713"},
                ask="You start. Add up the lines and claim the largest.",
                goal=Goal.MOST,
                done="It is the only first move that wins here. A claimed line stays as large as it is, "
                "whoever crosses it, so what you leave is what Ben takes.",
                points=True,
                mistakes={"Col1": "{gain Col1} is a good line, but Ben takes {gain Row2} and wins."},
                checks=(Check(chance=1, keeps=1), Check("Col1", chance=0)),
            ),
            Step(
                title="As the second player",
                setup={"grid": "295718436"},
                moves="Row2 Row1 Col2",
                ask="You have {me}, Ben has {them}. Claim the line that keeps your win.",
                goal=Goal.KEEP,
                done="He led by {lead}, but he had claimed one line more. Compare only when both have "
                "claimed the same number of lines.",
                checks=(Check(chance=1, keeps=1),),
            ),
            Step(
                title="Count ahead",
                setup={"grid": "743619852"},
                moves="Col2 Col3",
                ask="You have {me}, Ben has {them}, and it is your turn. Both always claim the largest "
                "line left. By how many points do you win? If you lose, answer with a minus.",
                goal=Goal.COUNT,
                done="Sort the lines that are left, deal them out in turn, and add. You win by {margin}.",
                checks=(Check(chance=1),),
            ),
            Step(
                title="Half is enough",
                setup={"grid": "718492365"},
                moves="Col3 Row1 Col2",
                ask="You moved second, so a tie is enough. You have {me}, Ben has {them}. Find the line "
                "that gets you there.",
                goal=Goal.KEEP,
                done="It will be a tie, and that is as good as a win for you.",
                mistakes={"Row3": "One point short of a tie is two points behind in the end: Ben wins."},
                checks=(Check(chance=1, keeps=1), Check("Row3", chance=0)),
            ),
            Step(
                title="Who is winning?",
                setup={"grid": "831745296"},
                ask="You start, and each row has a column with the same sum. With best play, who wins?",
                goal=Goal.WHO,
                done="Ben. Whatever you claim, he claims the line with the same sum, and the tie is his.",
                checks=(Check(chance=0),),
            ),
            Step(
                title="Play it out",
                setup={"grid": "621849537"},
                ask="A whole game, and you start. Win it.",
                goal=Goal.WIN,
                done="That was perfect play.",
                checks=(Check(chance=1, keeps=1),),
            ),
        ),
        known=(
            "The largest line left is never wrong.",
            "Compare scores when both have claimed the same number of lines.",
            "The second player needs half of everything, and the first needs more.",
        ),
        level=5,
        task=Task.COUNT,
    ),
)

"""The buffers that the C kernel and its plain Python twin read and write.

`tablebase` explains outlines, slots, tokens, fillings, kinds and codes.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

# A record of the plan describes one outline with RECORD integers: its ply, then at these offsets
RECORD = 117
SLOTS = 1  # how many slots each seat has
STARTS = 3  # where the kinds of each seat's fillings start
LINES = 5  # two lines per seat, each as three places in its fillings; -1 where there is no line
MOVE_COUNT = 17  # how many slots are free
MOVES = 18  # MOVE integers for each free slot, about the move that takes it
# A move is the outline after it, and for each seat five weights: what a token on each of the seat's slots
# adds to the number of its filling there. The mover's new slot comes last.
MOVE = 11

HAS_LINE = 0xFFFF  # in place of the kind of a filling that has a winning line: the game is over
SIZES = (1, 9, 72, 504, 3024, 15120)  # how many fillings 0, 1, 2, ... slots have


@dataclass(frozen=True, slots=True)
class Job:
    """A tablebase to fill in, as plain buffers. The full outlines are filled in already."""

    plan: array[int]  # "i": the outlines, full ones first, as records
    tokens: bytes  # of all fillings, those of fewer slots first
    index: array[int]  # "H": the place of a filling by its number, those of fewer slots first
    fits: bytes  # [81*a + 9*b + c]: whether these tokens win on a line
    win_at: bytes  # [ply]: the code if the mover there completes a line
    kinds: array[int]  # "H": of all fillings in all outlines, the first player's before the second's
    counts: array[int]  # "i": of kinds in all outlines, the first player's before the second's
    codes: bytes  # of the full outlines

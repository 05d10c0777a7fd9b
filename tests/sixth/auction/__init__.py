"""A game with secrets from its first move on, and no solver of its own.

It has no parser, no words and no script: whatever is said about a choice that is still secret is said by
`show`.
"""

from ninefold.core.game import Game
from tests.sixth.auction import rules
from tests.sixth.auction.example import EXAMPLE
from tests.sixth.auction.view import spot, view

GAME = Game(
    slug="auction",
    title="Silent Auction",
    summary="Bid for three prizes in secret.",
    options=rules.OPTIONS,
    moves=rules.BIDS,
    begin=rules.begin,
    view=view,
    spot=spot,
    starter=None,
    example=EXAMPLE,
)
rules.Auction.game = GAME

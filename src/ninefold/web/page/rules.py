"""The rules of each game, with an example to step through."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.game import Game
from ninefold.games import editions_of, every_game, load
from ninefold.web.page.example import example_picture, stage_example
from ninefold.web.page.explorer import position_url
from ninefold.web.page.preferences import COMPUTERS, SIDES, preferences_of
from ninefold.web.page.rendering import game_of, render_page
from ninefold.web.requests import parse_number, root_of

if TYPE_CHECKING:
    from markdown_it.token import Token

LEAD = 2  # chapters before the example: what the game is about, and its setup
FOLDED = ("Rulings", "How to type a move")  # chapters that few readers of the page need


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str  # empty for what comes before the first heading
    text: str  # as HTML


@lru_cache(maxsize=16)
def chapters(slug: str) -> tuple[Chapter, ...]:
    """A game's rules."""
    return split_chapters(load(slug).rules)


def split_chapters(text: str) -> tuple[Chapter, ...]:
    """Split Markdown at its second-level headings. The first-level one is left to the page."""
    from markdown_it import MarkdownIt  # slow to import, and rarely needed

    markdown = MarkdownIt("commonmark", {"html": False})
    found: list[tuple[str, list[Token]]] = [("", [])]
    tokens = iter(markdown.parse(text))
    for token in tokens:
        if token.type == "heading_open" and token.tag in ("h1", "h2"):
            title = next(tokens).content
            next(tokens)  # the heading's end
            if token.tag == "h2":
                found.append((title, []))
        else:
            found[-1][1].append(token)
    render = partial(markdown.renderer.render, options=markdown.options, env={})
    return tuple(Chapter(title, str(render(part))) for title, part in found)


async def list_games(request: Request) -> Response:
    """All games, each with a picture of its example."""
    found = [(game, example_picture(game.slug), editions_of(game)[1:]) for game in every_game()]
    return render_page(request, "rules_list.html", games=found)


async def show(request: Request) -> Response:
    """The rules of one game."""
    game = game_of(request)
    found = chapters(game.slug)
    return render_page(
        request,
        "rules.html",
        game=game,
        editions=[one for one in editions_of(game) if one is not game],
        lead=found[:LEAD],
        chapters=[chapter for chapter in found[LEAD:] if chapter.title not in FOLDED],
        folded=[chapter for chapter in found if chapter.title in FOLDED],
        stage=stage_example(game, _step(request, game)),
        explore=partial(position_url, root_of(request)),
        computers=COMPUTERS,
        sides=SIDES,
        preferences=preferences_of(request),
    )


def _step(request: Request, game: Game) -> int:
    """The step of the example that the URL asks for; the start by default. Raises 404."""
    text, last = request.query_params.get("step", "0"), len(game.example.moves)
    step = parse_number(text, last)
    if step is None:
        raise HTTPException(404, f"The example of {game.title} has the steps 0 to {last}.")
    return step

"""Pages to read: the rules of each game with an example to step through, and what Ninefold is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

import ninefold
from ninefold.core.game import Game
from ninefold.games import every_game, load
from ninefold.web.page.example import example_picture, stage
from ninefold.web.page.explorer import address
from ninefold.web.page.figures import Figures, known
from ninefold.web.page.rendering import game_of, page
from ninefold.web.page.usual import COMPUTERS, SIDES, usual_of
from ninefold.web.requests import number_in, server_of

if TYPE_CHECKING:
    from markdown_it.token import Token

LEAD = 2  # chapters before the example: what the game is about, and how it begins
RULINGS = "Rulings"  # the chapter on what the rule books leave open
RELOAD = 4  # seconds until a page whose figures were not complete is asked for again

_figures = Figures()


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str  # empty for what comes before the first heading
    text: str  # as HTML


@lru_cache(maxsize=16)
def chapters(slug: str) -> tuple[Chapter, ...]:
    """The rules of a game."""
    return split(load(slug).rules)


def split(text: str) -> tuple[Chapter, ...]:
    """Markdown as chapters, one for each second heading. The first heading is the page's own."""
    from markdown_it import MarkdownIt  # slow to import, and not needed by everybody

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


async def rules_list(request: Request) -> Response:
    """The games, each with a picture of its example one move before the end."""
    found = [(game, example_picture(game.slug)) for game in every_game()]
    return page(request, "rules_list.html", games=found)


async def rules(request: Request) -> Response:
    game = game_of(request)
    found = chapters(game.slug)
    return page(
        request,
        "rules.html",
        game=game,
        lead=found[:LEAD],
        chapters=[chapter for chapter in found[LEAD:] if chapter.title != RULINGS],
        rulings=next(chapter for chapter in found if chapter.title == RULINGS),
        stage=stage(game, _step(request, game)),
        explore=_explore(request),
        computers=COMPUTERS,
        sides=SIDES,
        usual=usual_of(request),
    )


def _step(request: Request, game: Game) -> int:
    """The step of the example that an address asks for, by default its start."""
    text, last = request.query_params.get("step", "0"), len(game.example.moves)
    step = number_in(text, last)
    if step is None:
        raise HTTPException(404, f"The example of {game.title} has the steps 0 to {last}.")
    return step


def _explore(request: Request) -> Callable[..., str]:
    """Where the explorer shows a game's position."""
    return partial(address, server_of(request).root_path)


async def about(request: Request) -> Response:
    """What is known so far, at once; while that is not all, the browser asks again by itself."""
    complete = _figures.complete  # before the rest is looked at, which may be more by then
    found = _figures.found
    answer = page(
        request,
        "about.html",
        games=[known(game, found.get(game.slug)) for game in every_game()],
        explore=_explore(request),
        complete=complete,
        positions=sum(solved.positions for one in found.values() for solved in one),
        version=ninefold.__version__,
    )
    if not complete:
        answer.headers["Refresh"] = str(RELOAD)
        _figures.begin()
    return answer

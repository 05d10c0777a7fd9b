"""The about page, with what is known exactly about every game."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

import ninefold
from ninefold.analysis.solve import Solved, solve
from ninefold.core.errors import SetupError
from ninefold.games import every_game, load
from ninefold.show.moves import say_move
from ninefold.show.solutions import best_openings, meaning, openings_text, result, setup_name
from ninefold.web.jobs import Jobs, Lane
from ninefold.web.page.explorer import position_url
from ninefold.web.page.rendering import render_page
from ninefold.web.requests import root_of, server_of

log = logging.getLogger("ninefold.web")

RELOAD = 4  # seconds after which a page that was not complete reloads


class Solutions:
    """What the solver has found so far, by game: all setups, or none if they are too many."""

    def __init__(self) -> None:
        self.found: Mapping[str, tuple[Solved, ...]] = {}
        self.complete = False
        self._solving: asyncio.Task[None] | None = None

    def begin(self, jobs: Jobs) -> None:
        """Start the solver in the background, unless it has been started before."""
        if self._solving is None or self._solving.done():
            self._solving = asyncio.create_task(self._solve(jobs))

    async def _solve(self, jobs: Jobs) -> None:
        for game in every_game():
            try:
                self.found = {
                    **self.found,
                    game.slug: await jobs.run(Lane.NOBODY, _solve_game, game.slug),
                }
                continue
            except SetupError:
                log.info("%s has too many setups to solve them all", game.slug)
            except Exception:
                log.exception("could not solve %s", game.slug)
            self.found = {**self.found, game.slug: ()}
        self.complete = True


def _solve_game(slug: str) -> tuple[Solved, ...]:
    return tuple(solve(load(slug), {}))


def _say_openings(solved: Solved) -> str:
    """What to say about the first move of a setup: the best ones, or why none is listed."""
    openings = best_openings(solved)
    start = solved.game.set_up(solved.setup) if openings else None
    listed = ", ".join(say_move(start, move) for move in openings) if start else ""
    return openings_text(solved) or listed


_solutions = Solutions()


async def show(request: Request) -> Response:
    """What is known so far. While that is not everything, the browser reloads the page by itself."""
    complete = _solutions.complete  # read first, since the solver may finish a moment later
    found = _solutions.found
    response = render_page(
        request,
        "about.html",
        games=[(game, found.get(game.slug)) for game in every_game()],
        meaning=meaning,
        setup_name=setup_name,
        result=result,
        say_openings=_say_openings,
        explore=partial(position_url, root_of(request)),
        complete=complete,
        positions=sum(solved.positions for one in found.values() for solved in one),
        version=ninefold.__version__,
    )
    if not complete:
        response.headers["Refresh"] = str(RELOAD)
        _solutions.begin(server_of(request).jobs)
    return response

"""Find the better move: the position before the move that lost a match, to try again."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.errors import NinefoldError
from ninefold.show.board import describe_settings, draw
from ninefold.show.choosing import Half, ask_other_half, chosen_part, links_of, marked
from ninefold.show.moves import cast_of
from ninefold.show.reviews import answer_try, ask_better_move, say_solution, tags_of_better
from ninefold.store.sql import Room
from ninefold.study.facts import choices_of
from ninefold.study.reviews import Judged
from ninefold.web.page.rendering import page
from ninefold.web.requests import server_of


async def puzzle(request: Request, room: Room, one: Judged) -> Response:
    """The position before a move, as its player saw it. Every legal move can be tried."""
    query, match, cast = request.query_params, room.match, cast_of(room.match)
    game, state = match.game, match.states[one.number - 1]
    view = state.view(one.seat)
    choices = await asyncio.to_thread(choices_of, state, one.seat)
    drawing = draw(game, view, cast)
    path = f"{server_of(request).root_path}/m/{room.id}/review"

    def again(half: Half) -> str:
        return f"{path}?{urlencode({'find': 1, **half}, safe='@,:')}"

    refusal, chosen, tried = "", None, None
    try:
        chosen = chosen_part(drawing, query)
        if text := query.get("try"):
            move = game.parse(text)
            state.play(move, one.seat)
            tried = answer_try(state, one, choices, str(move), cast)
    except NinefoldError as error:
        refusal = str(error)
    shown = query.get("show") == "1"
    return page(
        request,
        "find.html",
        status=422 if refusal else 200,
        room=room,
        game=game,
        cast=cast,
        one=one,
        view=view,
        refusal=refusal,
        tried=tried,
        shown=shown,
        answer=say_solution(state, one, choices, cast),
        question=ask_better_move(match, one, cast),
        chosen=chosen,
        drawing=drawing,
        settings=describe_settings(game, view.setup),
        links=links_of(drawing, chosen, lambda move: again({"try": move}), again),
        tags=marked(tags_of_better(drawing, chosen, one) if shown else {}, chosen),
        again=again,
        back=f"{path}?{urlencode({'at': one.number, 'eyes': str(one.seat)})}",
        choose=ask_other_half(game.words.choose(view, cast), chosen),
    )

"""The program with its input from a pipe: whole games, setup, resuming, files and streams."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import ninefold
from ninefold import SEATS, SLUGS, Game, Seat
from ninefold.cli.console import Console
from ninefold.cli.markdown import render
from ninefold.cli.voice import Voice, voice_for
from ninefold.commands import COMMANDS
from ninefold.core.cast import Cast
from ninefold.games import GAMES, VARIANTS
from ninefold.match import Record
from ninefold.match.record import NAME_LIMIT
from ninefold.match.sitting import Sitting
from ninefold.show.moves import cast_of
from ninefold.show.offers import say_next_start
from ninefold.show.scene import scene_at, scene_of
from ninefold.store.files.matches import Matches, MatchFile
from tests.cli.questions import answers_of, whole_match
from tests.cli.session import (
    BATTLE,
    CONQUEST,
    CROSS,
    GRID,
    NAMES,
    Session,
    at_random,
    flags,
    id_in,
    lines,
    moves_of,
    only_file,
    only_id,
    only_saved,
    oracle,
    program,
    run,
    saved_matches,
)
from tests.program import PROGRAM
from tests.setups import Setup, every_game, every_table, setups_of

NAME = f"1 to {NAME_LIMIT} printable characters"
# The first player takes the better lines of GRID.
FIRST_WINS = ("Row3", "row 1", "c3", "COL 1", " r2 ", "column2")
FIRST_WINS_MOVES = ["Row3", "Row1", "Col3", "Col1", "Row2", "Col2"]


# Whole games


@every_table
def test_a_game_is_played_to_its_end(slug: str, setup: Setup) -> None:
    match = whole_match(slug, setup)
    typed = answers_of(match)
    session = run("play", slug, *NAMES, *flags(setup), typed=[line for line, _ in typed])
    assert (session.status, session.err) == (0, "")
    assert (moves_of(only_saved()), only_saved().state) == (moves_of(match), match.state)
    assert match.state.outcome is not None
    cast = cast_of(only_saved())
    said = voice_for(match).ending(scene_at(Sitting(match=match, seats=SEATS), cast))
    asked = say_next_start("Rematch?", match.game, cast)
    assert session.out.endswith("\n".join(["", *said, "", f"{asked} [y/N] \n"]))
    assert all(line.isprintable() for line in session.out.splitlines())
    for (line, secret), exchange in zip(typed, session.exchanges, strict=False):
        assert re.match(rf".*:\s{'' if secret else re.escape(line)}\n", exchange)


@every_game
def test_a_process_of_its_own_plays_the_same_game(game: Game) -> None:
    setup = setups_of(game)[-1]
    typed = lines(*(line for line, _ in answers_of(whole_match(game.slug, setup))))
    words = ("play", game.slug, *NAMES, *flags(setup))
    assert program(*words, typed=typed) == run(*words, typed=typed)
    first, second = saved_matches()
    assert first.outcome == second.outcome


@every_game
def test_a_game_resumed_after_every_turn_ends_like_any_other(game: Game) -> None:
    setup = setups_of(game)[0]
    match = whole_match(game.slug, setup)
    run("play", game.slug, *NAMES, *flags(setup))
    for turn in match.turns:
        session = run("resume", typed=[str(one.move) for one in turn.written])
        assert session.status == (0 if turn.stop == len(match.played) else 1)
    assert only_saved().state == match.state


def test_lines_may_end_as_they_do_elsewhere() -> None:
    usual, typed = run(*CROSS, typed=FIRST_WINS), lines(*FIRST_WINS)
    assert moves_of(only_saved()) == FIRST_WINS_MOVES
    assert run(*CROSS, typed=typed.replace(b"\n", b"\r\n")) == usual
    assert run(*CROSS, typed=typed[:-1]) == usual


# Setting up


@every_table
def test_a_game_is_set_up_by_flags(slug: str, setup: Setup) -> None:
    session = run("play", slug, "--name1", "Alice", "--name2", "Bob", *flags(setup))
    assert session.status == 1  # nothing was typed
    match = only_saved()
    assert match.state.setup == setup
    assert [player.name for player in match.players] == ["Alice", "Bob"]
    assert "Alice" in session.out


@pytest.mark.parametrize("grid", ["792415863", "7 9 2 / 4 1 5 / 8 6 3", "792,415,863"])
def test_a_grid_may_be_written_with_blanks(grid: str) -> None:
    run("play", "cross", f"--grid={grid}")
    assert only_saved().state.setup == {"grid": "792415863"}


@pytest.mark.parametrize(
    ("words", "typed", "names", "targets"),
    [
        ([], ["Alice", "Bob", "17"], ["Alice", "Bob"], [17]),
        (["--name2", "Bob"], ["Alice", "11"], ["Alice", "Bob"], [11]),
        (["--seed", "1"], ["", "", ""], ["Player 1", "Player 2"], range(10, 21)),
    ],
    ids=["all", "the rest", "left blank"],
)
def test_shadow_asks_for_names_and_the_target_that_no_flag_gives(
    words: list[str], typed: list[str], names: list[str], targets: Sequence[int]
) -> None:
    session = run("play", "shadow", *words, typed=typed)
    match = only_saved()
    assert [player.name for player in match.players] == names
    assert match.state.setup["target"] in targets
    assert f"Player 1, enter your name: {typed[0]}\n" in session.out
    assert f"Secret Target Number agreed upon: {match.state.setup['target']}\n" in session.out


def test_names_and_a_target_are_asked_for_until_they_are_right() -> None:
    names = ["x" * (NAME_LIMIT + 1), "\x07", "a\x1b[31mb"]
    targets = ["9", "21", "abc", "15.0", "-15", "1\uff15"]
    typed = [*names, "Player 2", "Player 2", "", "Bob", *targets, "15"]
    out = run("play", "shadow", typed=typed).out
    assert out.count(f"A name must have {NAME}.") == len(names)
    assert out.count("Player 2 is already at this table. Choose another name.") == 2
    for wrong in targets:
        assert f'"{wrong}" is not a valid target. It must be a whole number from 10 to 20.' in out
    assert [player.name for player in only_saved().players] == ["Player 2", "Bob"]
    assert only_saved().state.setup == {"target": 15}


def test_blanks_around_and_in_a_name_are_tidied() -> None:
    run("play", "cross", "--name1", "  Ann   Lee ")
    assert only_saved().players[0].name == "Ann Lee"


@pytest.mark.parametrize("before", [[], ["Alice"], ["Alice", "Bob"]], ids=["name", "name 2", "target"])
def test_commands_are_understood_before_the_game(before: list[str]) -> None:
    ways = ["help", "?", "rules", "HELP", "board", "undo", "resign", "stop", "hint", "eval"]
    session = run("play", "shadow", typed=[*before, *ways])
    assert (session.status, saved_matches()) == (1, [])
    assert "input ended before the game began" in session.err
    *answered, asked = session.exchanges[len(before) :]
    for word, exchange in zip(ways, answered, strict=True):
        assert exchange.startswith(f"{asked.strip()} {word}\n")
        if word == "rules":
            assert rendered(ninefold.load("shadow")) in exchange
        elif word.lower() in ("help", "?"):
            assert "You can also type rules or quit." in exchange
            assert re.search("Type a name|10 to 20", exchange)
        else:
            assert "The game has not started yet." in exchange
    assert run("play", "shadow", typed=[*before, "quit"]).status == 0
    assert saved_matches() == []


@every_game
def test_the_same_seed_deals_the_same_game_and_without_one_deals_differ(game: Game) -> None:
    deals = []
    for seed in ("1", "1", "2", "3", "some words", *[None] * 8):
        words = [] if seed is None else ["--seed", seed]
        run("play", game.slug, *NAMES, *words, typed=[""])
        deals.append(str(saved_matches()[-1].state.setup))
    assert deals[0] == deals[1]
    drawn = any(option.draw for option in game.options)
    assert (len(set(deals[:5])) > 1) == (len(set(deals[5:])) > 1) == drawn


@pytest.mark.parametrize(("first", "starter"), [("1", "Player 1"), ("2", "Player 2"), (None, "Player 1")])
def test_the_players_choose_who_starts_and_keep_their_marks(first: str | None, starter: str) -> None:
    out = run(*BATTLE, *([] if first is None else ["--first", first]), typed=["0 0"]).out
    mark = "XO"[starter == "Player 2"]
    assert f"\n\n{starter} ({mark}), it's your turn." in out
    assert f"| {mark}  | 2 | 3 |" in out
    assert only_saved().player(Seat.FIRST).name == starter


def test_a_random_draw_lets_either_start_and_the_seed_decides() -> None:
    for seed in (*range(8), *range(8)):
        run("play", "cross", "--first", "random", "--seed", str(seed))
    drawn = starters()
    assert set(drawn) == {"Player 1", "Player 2"}
    assert drawn[:8] == drawn[8:]


# Wrong usage

ODD = "an odd number from 1 to 99"
USAGE: list[tuple[list[str], str]] = [
    ([], "name a command"),
    (["fly"], "play"),
    (["play"], "GAME"),
    (["play", "chess"], ", ".join(SLUGS)),
    (["play", "shadow", "--grid", GRID], "--target"),
    (["play", "cross", "--grid", "0" * 5000], "like 792415863"),
    (["play", "cross", "--size", "3"], "--grid"),
    (["play", "pattern", "--target", "15"], "no settings"),
    (["play", "cross", "--first", "3"], "'1', '2', 'random'"),
    *((["play", "cross", "--best-of", number], ODD) for number in ("2", "0", "101", "three")),
    (["play", "cross", "--name1", ""], NAME),
    (["play", "cross", "--name2", "x" * (NAME_LIMIT + 1)], NAME),
    (["play", "cross", "--name1", "\x1b[2J"], NAME),
    (["play", "cross", "--name1", "Al", "--name2", "Al"], "need different names"),
    (["play", "cross", "--name1", "Player 2"], "need different names"),
    (["play", "cross", "--name2", "Player 1"], "need different names"),
    (["play", "cross", "--colour"], "--colour"),
    (["play", "cross", "battle"], "battle"),
    (["rules"], "GAME"),
    (["rules", "chess"], ", ".join(SLUGS)),
    (["perft", "cross"], "DEPTH"),
    *((["perft", "cross", depth], "a whole number from 0") for depth in ("x", "1.5", "1000", "²")),
    (["perft", "cross", "-1"], ""),
    (["completion"], "SHELL"),
    (["completion", "tcsh"], "bash"),
    *(
        ([*command, f"--{option.name}", wrong], option.allowed)
        for game in ninefold.every_game()
        for option in game.options
        for wrong in ("", "x", "0", "112345678", "3x3")
        for command in (["play", game.slug], ["perft", game.slug, "1"])
    ),
]


@pytest.mark.parametrize(("words", "allowed"), USAGE, ids=lambda value: str(value)[:40])
def test_wrong_usage_says_what_is_allowed(words: list[str], allowed: str) -> None:
    session = run(*words, typed=["quit"])
    assert (session.status, session.out) == (2, "")
    assert allowed in session.err
    assert all(line.isprintable() for line in session.err.splitlines())
    assert saved_matches() == []


def test_wrong_usage_is_status_2_of_the_process_too() -> None:
    assert program("play", "chess").status == 2
    assert program().status == 2


# Secret numbers


def without_what_differs(text: str) -> str:
    return re.sub(r"ninefold resume \w+|2\d{3}-\d\d-\d\dT[\d:+]+", "", text)


@pytest.mark.parametrize("more", [(), ("9",), ("help",), ("board",), ("quit",), ("undo",)])
def test_until_both_numbers_are_in_nothing_depends_on_the_first(more: tuple[str, ...]) -> None:
    seen = set()
    for number in "12345":
        session = run(*CONQUEST, typed=["claim 1", "challenge 1", number, *more])
        path = only_file()
        seen.add(without_what_differs(session.out + session.err + path.read_text()))
        path.unlink()
    assert len(seen) == 1


def test_numbers_from_a_pipe_are_not_echoed() -> None:
    out = run(*CONQUEST, typed=["claim 1", "challenge 1", "4", "2"]).out
    asked = "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: \n"
    assert out.count(asked) == 2
    assert f"{asked}Waiting for Player 1 to select their challenge number...\n" in out
    assert "- Your number: 4\n- Opponent's number: 2\n" in out
    for chooser, other in (("Player 2", "Player 1"), ("Player 1", "Player 2")):
        assert f"{chooser}, choose your number in secret. {other}, please look away.\n" in out


def test_the_first_number_is_not_on_disk_until_the_second_is_in() -> None:
    run(*CONQUEST, typed=["claim 1", "challenge 1", "4"])
    assert "bid" not in only_file().read_text()
    run("resume", typed=["4", "2"])
    assert moves_of(only_saved()) == ["claim:1", "challenge:1", "bid:4", "bid:2"]


# Resuming


def test_resuming_shows_the_position_and_who_plays() -> None:
    run(*CROSS, "--name1", "Alice", typed=["Row1", "Col2", "quit"])
    out = run("resume", typed=["quit"]).out
    assert out.startswith("Number Cross: Alice against Player 2, 2 moves so far.\n")
    assert "Alice holds Row1, 6 in all." in out
    assert "Alice's Turn:" in out


def test_resume_without_an_id_continues_the_last_unfinished_match() -> None:
    run(*CROSS, typed=["Row1", "quit"])
    run(*CROSS, typed=["Row2", "quit"])
    run(*CROSS, typed=["Row3", "resign"])
    run("resume", typed=["Col1", "quit"])
    assert sorted(moves_of(match) for match in saved_matches()) == [["Row1"], ["Row2", "Col1"], ["Row3"]]


def test_a_match_that_cannot_be_resumed_is_refused_with_a_reason() -> None:
    nothing = "ninefold: There is no unfinished match. `ninefold play GAME` starts one.\n"
    assert run("resume") == Session(1, "", nothing)
    for unknown in ("zzzzz", "", "../../etc/passwd", "x" * 999):
        session = run("resume", unknown)
        assert (session.status, session.out) == (1, "")
        assert session.err.startswith("ninefold: There is no match ")
    run(*CROSS, typed=["resign"])
    over = f"ninefold: Match {only_id()} is over. `ninefold replay {only_id()}` shows it.\n"
    assert run("resume", only_id()) == Session(1, "", over)


def test_a_damaged_match_is_not_resumed() -> None:
    run(*CROSS, typed=["Row1", "Row2"])
    path = only_file()
    path.write_text(path.read_text().replace("Row2", "Row1"))
    session = run("resume", path.stem)
    assert session.status == 1
    assert 'Move 2, "Row1": ' in session.err


def test_a_match_that_is_being_played_is_not_resumed() -> None:
    run(*CROSS, typed=["Row1"])
    saved, _ = Matches().resume(only_id())
    with saved:
        session = run("resume", saved.id)
    assert session.status == 1
    assert "is being played in another window" in session.err


# Several games


def starters() -> list[str]:
    return [match.player(Seat.FIRST).name for match in saved_matches()]


@pytest.mark.parametrize(
    ("words", "typed", "started", "scores", "winner"),
    [
        (["3"], ["resign"] * 3, [1, 2, 1], ["0 1", "1 1", "1 2"], 2),
        (["3", "--first", "2"], ["resign"] * 3, [2, 1, 2], ["1 0", "1 1", "2 1"], 1),
        (["3"], ["resign", *FIRST_WINS], [1, 2], ["0 1", "0 2"], 2),
        (["1"], ["resign"], [1], ["0 1"], 2),
    ],
    ids=["all games", "the other first", "decided", "one game"],
)
def test_in_a_series_the_players_take_turns_starting_until_it_is_decided(
    words: list[str], typed: list[str], started: list[int], scores: list[str], winner: int
) -> None:
    session = run(*CROSS, "--best-of", *words, typed=typed)
    assert (session.status, session.err) == (0, "")
    assert starters() == [f"Player {number}" for number in started]
    assert re.findall(r"Next game\. Player (\d) starts\.", session.out) == [str(n) for n in started[1:]]
    assert re.findall(r"Series: Player 1 (\d), Player 2 (\d)\.", session.out) == [
        tuple(score.split()) for score in scores
    ]
    assert f"\nPlayer {winner} wins the best of {words[0]}!\n" in session.out


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_series_survives_being_left(left: int) -> None:
    session = run(*CROSS, "--best-of", "3", typed=[*["resign"] * left, "Row1", "quit"])
    assert session.status == 0
    session = run("resume", id_in(session.err), typed=["undo", *["resign"] * (3 - left)])
    assert session.status == 0
    assert starters() == ["Player 1", "Player 2", "Player 1"]
    assert "Series: Player 1 1, Player 2 2.\nPlayer 2 wins the best of 3!\n" in session.out


def test_a_series_keeps_its_settings_when_it_is_left() -> None:
    run("play", "conquest", "--size", "2", "--best-of", "3", typed=["quit"])
    run("resume", typed=["resign", "resign", "quit"])
    assert [match.state.setup for match in saved_matches()] == [{"size": 2}] * 3


def test_a_series_deals_each_game_again_unless_a_grid_was_given() -> None:
    run("play", "cross", "--seed", "1", "--best-of", "5", typed=["resign"] * 5)
    assert len({match.state.setup["grid"] for match in saved_matches()}) > 1
    run(*CROSS, "--best-of", "3", typed=["resign"] * 3)
    assert [match.state.setup["grid"] for match in saved_matches()[-3:]] == [GRID] * 3


@pytest.mark.parametrize(("typed", "status"), [([], 1), (["quit"], 0)], ids=["end of input", "quit"])
@pytest.mark.parametrize("resumed", [False, True])
def test_a_series_may_be_left_between_two_games(typed: list[str], status: int, resumed: bool) -> None:
    """Shadow asks for a target before each game."""
    words, lobby = ("play", "shadow", "--best-of", "3"), ["Alice", "Bob", "15"]
    if resumed:
        run(*words, typed=[*lobby, "quit"])
        session = run("resume", typed=["resign", *typed])
    else:
        session = run(*words, typed=[*lobby, "resign", *typed])
    assert session.status == status
    assert ("input ended before the next game began" in session.err) == (status == 1)


def test_a_target_is_asked_for_in_every_game_of_a_series() -> None:
    run("play", "shadow", "--best-of", "3", typed=["A", "B", "15", "resign", "16", "resign", "17"])
    assert [match.state.setup["target"] for match in saved_matches()] == [15, 16, 17]


def test_a_rematch_lets_the_other_start_and_a_series_follows_a_series() -> None:
    typed = ["resign", "help", "y n", "y", "resign", " Yes ", "quit"]
    session = run(*CROSS, "--best-of", "1", typed=typed)
    assert session.out.count("Type y for a rematch, or n to stop.") == 2
    assert starters() == ["Player 1", "Player 2", "Player 1"]
    for starter in ("Player 2", "Player 1"):
        assert f"Rematch? {starter} starts. [y/N] " in session.out
        assert f"Next game. {starter} starts." in session.out
    assert "Series: Player 1 1, Player 2 0.\nPlayer 1 wins the best of 1!\n" in session.out


@pytest.mark.parametrize("no", ["", "n", "no", "quit"])
def test_without_a_yes_there_is_no_rematch(no: str) -> None:
    assert run(*CROSS, typed=["resign", no, "Row1"]).status == 0
    assert len(saved_matches()) == 1


# History and replay


def test_without_matches_the_history_says_so() -> None:
    assert run("history") == Session(0, "No matches yet. `ninefold play GAME` starts one.\n", "")
    assert run("history", "--json") == Session(0, "[]\n", "")


def test_the_history_lists_matches_from_the_last_played() -> None:
    run(*CROSS, "--name1", "Alice", typed=["Row1", "quit"])
    run(*BATTLE, typed=["0 0", "resign"])
    run(*CONQUEST, typed=["quit"])
    head, *rows = run("history").out.splitlines()
    assert head.split("  ")[0] == "ID"
    assert [row.split()[3] for row in rows] == ["conquest", "battle", "cross"]
    assert rows[1].endswith("Player 1 - Player 2  1      Player 1 won (resigned)")
    assert rows[2].endswith("Alice - Player 2     1      unfinished")
    assert [row.split()[0] for row in rows] == [entry.id for entry in Matches().entries()]


def test_the_history_as_json() -> None:
    run(*CROSS, "--name1", "Zoë", typed=["Row1", "quit"])
    run(*BATTLE, typed=["resign"])
    battle, cross = json.loads(run("history", "--json").out)
    assert (cross["game"], cross["setup"]) == ("cross", {"grid": GRID})
    assert cross["players"][0]["name"] == "Zoë"
    assert (cross["moves"], cross["result"]) == (1, None)
    assert Path(cross["file"]).stem == cross["id"]
    assert battle["result"] == {"winner": "second", "reason": "resigned"}


def test_the_history_lists_damaged_files_as_such() -> None:
    run(*CROSS, typed=["Row1", "quit"])
    (Matches().folder / "aaaaa.json").write_text("{}")
    session = run("history")
    assert session.status == 0
    assert re.search(r"^aaaaa .*damaged: This is not a match record\.$", session.out, re.MULTILINE)
    problems = {entry["id"]: entry.get("problem") for entry in json.loads(run("history", "--json").out)}
    assert problems["aaaaa"] == "This is not a match record."


@every_game
def test_a_match_is_replayed_turn_by_turn(game: Game, tmp_path: Path) -> None:
    match = whole_match(game.slug, setups_of(game)[0])
    path = tmp_path / "elsewhere.txt"
    path.write_text(match.shared_record().to_json())
    session = run("replay", str(path))
    assert (session.status, session.err) == (0, "")
    shown = re.findall(r"^Turn (\d+): (.*)$", session.out, re.MULTILINE)
    assert [count for count, _ in shown] == [str(n + 1) for n in range(len(match.turns))]
    assert all(re.search(r"\bPlayer [12]\b.*\.$", text) for _, text in shown)
    assert match.outcome is not None
    last = session.out.split(f"Turn {len(match.turns)}: ")[1]
    assert re.search(rf"^{match.player(match.outcome.winner).name} wins\b", last, re.MULTILINE)
    assert run("replay", str(path), "--json") == Session(0, path.read_text(), "")


def test_a_saved_match_is_replayed_by_its_id() -> None:
    run(*CROSS, typed=["Row1", "resign"])
    session = run("replay", only_id())
    assert session.out.endswith("Player 1 wins.\nPlayer 2 resigned.\n")
    assert run("replay", str(only_file())) == session
    assert run("replay", only_id(), "--json") == Session(0, only_file().read_text(), "")


def test_a_forfeited_match_is_replayed_with_its_end(tmp_path: Path) -> None:
    match = oracle("cross", {"grid": GRID}, ["Row1"])
    match.forfeit(Seat.SECOND, "The program stopped answering.")
    (tmp_path / "record.json").write_text(match.shared_record().to_json())
    session = run("replay", str(tmp_path / "record.json"))
    assert session.status == 0
    assert session.out.endswith("Player 1 wins.\nPlayer 2 could not continue.\n")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not valid JSON"),
        (b"\xff\xff", "not text"),
        (b"[" * 100_000, "not valid JSON"),
        (b'{"ninefold": 7}', "version"),
        (
            oracle("cross", {"grid": GRID}, ["Row1", "Row2", "Row3"])
            .shared_record()
            .to_json()
            .replace("Row3", "Row1")
            .encode(),
            'Move 3, "Row1"',
        ),
    ],
    ids=["empty", "not text", "deep", "version", "illegal"],
)
@pytest.mark.parametrize("flag", [[], ["--json"]])
def test_a_damaged_record_is_refused(
    tmp_path: Path, content: bytes, reason: str, flag: list[str]
) -> None:
    (tmp_path / "record.json").write_bytes(content)
    session = run("replay", str(tmp_path / "record.json"), *flag)
    assert (session.status, session.out) == (1, "")
    assert session.err.startswith("ninefold: ")
    assert reason in session.err
    assert session.err.count("\n") == 1


@pytest.mark.parametrize("name", ["zzzzz", "nowhere/record.json", "/", ".", "", "x" * 300, "\udcff"])
def test_what_is_neither_a_match_nor_a_file_is_not_replayed(name: str) -> None:
    session = run("replay", name)
    assert session.status == 1
    assert session.err.startswith("ninefold: There is no match ")


# Rules, perft, completion, help


def rendered(game: Game) -> str:
    return "".join(f"{line}\n" for line in render(game.rules, None, str))


@every_game
def test_the_rules_are_printed(game: Game) -> None:
    session = run("rules", game.slug)
    assert session == run("rules", game.slug.upper()) == Session(0, rendered(game), "")
    assert session.out.startswith(f"{game.title}\n\n")
    assert not re.search(r"^#|\*\*|`|\B\*\w", session.out, re.MULTILINE)
    assert session.out.split() == re.sub(r"[*`]|^#+", "", game.rules, flags=re.MULTILINE).split()


PERFT = [
    ("cross", 0, [], 1),
    ("cross", 6, [], 720),
    ("cross", 7, [], 720),
    ("battle", 9, ["--grid", GRID], 362_880),
    ("shadow", 2, ["--target", "15"], 81 * 8 * 9),
    ("pattern", 2, [], 81 * 8 * 9),
    ("conquest", 2, [], 9 * (8 + 25)),
    ("conquest", 1, ["--size", "4"], 16),
]


@pytest.mark.parametrize(("slug", "depth", "given", "count"), PERFT)
def test_perft_counts_sequences_of_turns(slug: str, depth: int, given: list[str], count: int) -> None:
    words = ("perft", slug, str(depth), *given, "--seed", "1")
    session = run(*words)
    assert session.status == 0
    assert session.out.endswith(f": {count} sequences of {depth} turns\n")
    data = json.loads(run(*words, "--json").out)
    assert (data["game"], data["depth"], data["count"]) == (slug, depth, count)
    for flag, value in zip(given[::2], given[1::2], strict=True):
        assert str(data["setup"][flag.removeprefix("--")]) == value


def test_perft_goes_as_deep_as_it_allows() -> None:
    refused = run("perft", "cross", "1000").err
    (deepest,) = re.findall(r"from 0 to (\d+)", refused)
    assert run("perft", "cross", deepest).out.endswith(f": 720 sequences of {deepest} turns\n")


def begins(letter: str) -> list[str]:
    return [slug for slug in GAMES | VARIANTS if slug.startswith(letter)]


COMPLETIONS = [
    ([], list(COMMANDS)),
    ([""], list(COMMANDS)),
    (["pl"], ["play"]),
    (["x"], []),
    (["play", ""], list(GAMES | VARIANTS)),
    (["play", "c"], begins("c")),
    (["rules", "s"], begins("s")),
    (["perft", "b"], begins("b")),
    (["play", "cross", "--first", ""], ["1", "2", "random"]),
    (["play", "cross", "--first", "r"], ["random"]),
    (["play", "cross", "--first", "1", "--na"], ["--name1", "--name2"]),
    (["play", "--first", "1", "c"], begins("c")),
    (["play", "cross", "--seed", ""], []),
    (["play", "cross", ""], []),
    (["--plain", "ru"], ["rules"]),
    (["--pl"], ["--plain"]),
    (["completion", ""], ["bash", "zsh", "fish"]),
    (["history", "--j"], ["--json"]),
    (["play", "cross", "--p2", "pe"], ["person", "perfect"]),
    (["play", "cross", "--p1", "sight:9"], ["sight:9"]),
    (["play", "cross", "--voice", ""], ["book", "own"]),
    (["puzzle", "cross", "--task", "w"], ["win"]),
    (["puzzle", "cross", "--theme", "bl"], ["block"]),
    (["puzzle", "cross", "--grade", "9"], ["9"]),
    (["resume", ""], []),
    (["replay", ""], [":files"]),
    (["replay", "x", ""], []),
    (["rules", "x"], []),
]


@pytest.mark.parametrize(("words", "expected"), COMPLETIONS, ids=str)
def test_words_are_completed(words: list[str], expected: list[str]) -> None:
    session = run("--complete", *words)
    assert (session.status, session.err) == (0, "")
    assert session.out.split() == expected


def test_a_mistyped_command_gets_a_suggestion() -> None:
    session = run("reveiw")
    assert session.status == 2
    assert "there is no command 'reveiw'. Did you mean review?" in session.err


def test_matches_are_completed_by_their_ids() -> None:
    run(*CROSS, typed=["quit"])
    id = only_id()
    assert run("--complete", "resume", id[:2]).out.split() == [id]
    assert run("--complete", "replay", id[:2]).out.split() == [id, ":files"]


def test_only_what_can_be_resumed_is_completed_for_resume() -> None:
    run(*CROSS, typed=["resign", "n"])
    only_file().with_name("zzzzz.json").write_text("{")
    assert run("--complete", "resume", "").out.split() == []
    assert len(run("--complete", "replay", "").out.split()) == 3


def test_every_flag_of_every_command_is_completed() -> None:
    for command in COMMANDS:
        shown = re.split("examples?:", run(command, "--help").out)[0]
        flags = set(re.findall(r"(?<![\w`-])--[a-z0-9-]+", shown))
        assert flags <= set(run("--complete", command, "-").out.split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed(shell: str) -> None:
    session = run("completion", shell)
    assert session.status == 0
    assert "ninefold --complete" in session.out


with_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


def in_bash(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=300)


@with_bash
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("ninefold ru", ["rules"]),
        ("ninefold play sh", ["shadow", "shadow-fair"]),
        ("ninefold play x", []),
        ("ninefold review x", ["files", "too"]),
        ("ninefold puzzle cross --theme qu", ["quiet\\", "move"]),  # one word, for the shell
    ],
)
def test_bash_completes_with_the_script(typed: str, completed: list[str]) -> None:
    done = in_bash(f"""
        ninefold() {{ {" ".join(PROGRAM)} "$@"; }}
        compopt() {{ [ "$2" = default ] && printf '%s\\n' files too; }}
        eval "$(ninefold completion bash)"
        COMP_WORDS=({typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _ninefold && printf '%s\\n' "${{COMPREPLY[@]}}"
    """)
    assert done.stdout.split() == completed


def test_the_version() -> None:
    session = run("--version")
    assert session.status == 0
    assert session.out.startswith(f"ninefold {ninefold.__version__}")


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_shows_an_example(command: str | None) -> None:
    session = run(*([] if command is None else [command]), "--help")
    assert session.status == 0
    assert re.search(r"^examples?:$", session.out, re.MULTILINE)
    assert f"  ninefold {command or 'play'}" in session.out


def test_help_lists_every_command() -> None:
    out = run("--help").out
    for command, summary in COMMANDS.items():
        assert re.search(rf"^ +{command}\s+{summary}$", out, re.MULTILINE)


# The size of the screen

# The books' own questions name every cell, and what may be typed is one sentence.
MAY_BE_LONGER = re.compile(r"Type |Enter the |Select a challenge number |Agree on ")


@every_table
def test_every_turn_fits_a_screen_of_80_by_24(slug: str, setup: Setup) -> None:
    for seed in range(4):
        match = at_random(slug, setup, seed)
        session = run("play", slug, *NAMES, *flags(setup), typed=moves_of(match))
        assert len(saved_matches()[-1].played) == match.ply
        for screen in session.exchanges[: len(match.played) - 1]:  # the last one has the ending as well
            assert screen.count("\n") <= 24
        for line in session.out.splitlines():
            own = match.game.script is None and line.endswith(".")  # our sentences may go on below
            assert len(line) <= 80 or own or MAY_BE_LONGER.match(line)


@every_table
def test_boards_fit_80_columns_with_the_longest_names(slug: str, setup: Setup) -> None:
    cast = Cast(("W" * NAME_LIMIT, "M" * NAME_LIMIT))
    match = at_random(slug, setup, 0)
    for state in match.states:
        for voice in (voice_for(match), Voice()):
            for line in voice.board(scene_of([state], [], Seat.FIRST, cast)):
                assert len(line) <= 80


# Disks and pipes that fail


def in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "data"))


def too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / ("x" * 300)))


def read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/proc/data")


@pytest.mark.parametrize("spoil", [in_the_way, too_long, read_only])
def test_a_disk_that_cannot_be_written_is_reported_once_and_the_game_goes_on(
    spoil: Callable[[Path, pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = run(*CROSS, typed=FIRST_WINS)
    spoil(tmp_path, monkeypatch)
    session = run(*CROSS, typed=FIRST_WINS)
    assert (session.status, session.out) == (0, usual.out)
    assert session.err.count("\n") == 1
    assert session.err.startswith("ninefold: the match cannot be saved (")
    assert "The game goes on" in session.err
    assert run("history").status == 0


def no_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_a_full_disk_is_reported_once_and_the_game_goes_on() -> None:
    session = program(*CROSS, typed=lines(*FIRST_WINS), preexec=no_room)
    assert session.status == 0
    assert session.err.count("the match cannot be saved (") == session.err.count("\n") == 1
    assert "Player 1 wins the game!" in session.out
    assert list(Matches().folder.iterdir()) == []


def test_a_disk_that_fills_up_keeps_what_it_has() -> None:
    run(*CROSS, typed=["Row1", "quit"])
    before = only_file().read_bytes()
    session = program("resume", typed=lines("Row2", "quit"), preexec=no_room)
    assert session.status == 0
    assert "the match could not be saved" in session.err
    assert "The match is saved" not in session.err
    assert only_file().read_bytes() == before


@pytest.mark.parametrize("ends", [["quit"], []])
def test_whoever_leaves_is_not_told_that_the_match_is_saved_if_it_is_not(
    ends: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way(tmp_path, monkeypatch)
    session = run(*CROSS, typed=["Row1", *ends])
    assert "The match is saved" not in session.err
    assert "the match could not be saved" in session.err
    assert session.status == (0 if ends else 1)


def test_a_disk_that_recovers_is_reported_too(monkeypatch: pytest.MonkeyPatch) -> None:
    save = MatchFile.save
    calls = iter(range(100))

    def sometimes(self: MatchFile, record: Record) -> None:
        if next(calls) in (1, 2, 4):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        save(self, record)

    monkeypatch.setattr(MatchFile, "save", sometimes)
    session = run(*CROSS, typed=FIRST_WINS)
    assert session.status == 0
    failed, saved, *_ = reports = session.err.splitlines()
    assert reports == [failed, saved] * 2
    assert failed.startswith("ninefold: the match cannot be saved (No space left on device: ")
    assert saved == "ninefold: the match is saved again."
    assert moves_of(only_saved()) == FIRST_WINS_MOVES


@pytest.mark.parametrize(
    "words", [["play", "battle"], ["history"], ["rules", "conquest"], ["replay", "any"]]
)
def test_a_closed_pipe_causes_no_traceback(words: list[str]) -> None:
    if words[0] in ("history", "replay"):
        run(*CROSS, typed=FIRST_WINS)
        words = [only_id() if word == "any" else word for word in words]
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as nobody:
        done = subprocess.run(
            [*PROGRAM, *words], input=b"0 0\n" * 10, stdout=nobody, stderr=subprocess.PIPE, timeout=300
        )
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert done.returncode == 1


@with_bash
def test_piping_a_session_to_head_causes_no_traceback() -> None:
    done = in_bash(f"yes '' | {' '.join(PROGRAM)} play cross --seed 1 | head -1")
    assert done.stdout == "Welcome to Number Cross!\n"
    assert "Traceback" not in done.stderr


@with_bash
@pytest.mark.parametrize(
    ("words", "redirection", "status"),
    [
        ("play cross", "<&-", 1),
        ("rules cross", ">&-", None),
        ("rules cross", "2>&-", 0),
        ("rules cross", ">/dev/full", 1),
        ("history", ">/dev/full", 1),
        ("play chess", "2>&-", 2),
    ],
)
def test_closed_and_full_streams_cause_no_traceback(
    words: str, redirection: str, status: int | None
) -> None:
    done = in_bash(f"{' '.join(PROGRAM)} {words} {redirection}")
    assert "Traceback" not in done.stderr
    assert status is None or done.returncode == status


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    program(*CROSS, typed=b"\xef\xbb\xbfRow1\n")
    assert moves_of(only_saved()) == ["Row1"]


def test_bytes_that_are_no_text_are_refused_like_any_other_input() -> None:
    typed = b"\xff\xfe\xfd\nRow1\n\xc3\x28 Row2\nRow\x002\nCol3\n"
    session = program(*CROSS, typed=typed)
    assert session.status == 1
    assert moves_of(only_saved()) == ["Row1", "Col3"]
    assert session.out.count("is not a line.") == 3


def test_an_endless_line_is_refused_like_any_other_input() -> None:
    session = run(*CROSS, typed=["Row" * 100_000, "Row1"])
    assert moves_of(only_saved()) == ["Row1"]
    refusal = next(line for line in session.out.splitlines() if "is not a line." in line)
    assert len(refusal) < 200


def test_color_flags_are_taken_before_and_after_the_command() -> None:
    for flag in ("--no-color", "--plain"):
        assert run(*CROSS, flag, typed=["quit"]).status == 0
        assert run(flag, *CROSS, typed=["quit"]).status == 0


def test_each_move_is_on_disk_before_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    on_disk: list[list[str]] = []
    ask = Console.ask

    def looked(self: Console, prompt: str, *, secret: bool = False) -> str:
        if Matches().entries() and "Rematch" not in prompt:
            on_disk.append(moves_of(only_saved()))
        return ask(self, prompt, secret=secret)

    monkeypatch.setattr(Console, "ask", looked)
    run(*CROSS, typed=FIRST_WINS)
    assert on_disk == [FIRST_WINS_MOVES[:count] for count in range(len(FIRST_WINS_MOVES))]


# How to continue


def test_the_command_to_continue_names_the_program_as_the_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = tmp_path / "bin" / "ninefold"
    called.parent.mkdir()
    called.write_text("#!/bin/sh\n")
    called.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bin/ninefold", "play"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "To continue: bin/ninefold resume " in run(*CROSS, typed=["quit"]).err
    monkeypatch.setenv("PATH", str(called.parent))
    assert "To continue: ninefold resume " in run(*CROSS, typed=["quit"]).err

"""The home screen: what is waiting for you, the games, and everything else."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList, Static

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.words import comma_list, pluralize
from ninefold.games import every_game
from ninefold.show.lessons import NEW_HERE
from ninefold.show.moves import capitalize, say_players
from ninefold.show.puzzles import say_day
from ninefold.store.files.matches import Entry, all_entries
from ninefold.store.files.progress import PuzzleProgress, PuzzleResult, lesson_progress
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label
from ninefold.table.file import FileTable
from ninefold.tui.forms.explorer import ExplorerForm
from ninefold.tui.forms.settings import SettingsScreen
from ninefold.tui.forms.setup import SetupForm
from ninefold.tui.keybar import KeyBar
from ninefold.tui.listing import Listing
from ninefold.tui.screens.learn import CourseList
from ninefold.tui.screens.lobby import Lobby
from ninefold.tui.screens.match import MatchScreen
from ninefold.tui.screens.matches import MatchList
from ninefold.tui.screens.puzzle import Solving
from ninefold.tui.screens.puzzles import PuzzleList
from ninefold.tui.screens.rules import GAME_KEYS
from ninefold.tui.screens.screen import Leaf

# By letter: the word, what it is for, and the action. The first three say what it is about today.
WAITING = {
    "c": ("continue", "an unfinished match", "continue"),
    "t": ("today's puzzle", "the same for everybody", "solve_today"),
    "l": ("learn", "a game in three minutes", "open('l')"),
}
ENTRIES = {
    "p": ("puzzles", "any puzzle, and those that you did not solve", "open('p')"),
    "m": ("matches", "continue, replay, review or delete your matches", "open('m')"),
    "x": ("explorer", "try any position, with the exact value of every move", "explore"),
    "o": ("online", "play or watch on a server", "open('o')"),
    "r": ("rules", "the rules of every game, with an example", "rules"),
    "s": ("settings", "your name, the computer's level, colors", "open('s')"),
    "q": ("quit", "leave Ninefold", "quit"),
}
SCREENS = {"l": CourseList, "p": PuzzleList, "m": MatchList, "o": Lobby, "s": SettingsScreen}
ACTIONS = {letter: action for letter, (_, _, action) in {**WAITING, **ENTRIES}.items()}

GRID = ("┌───┬───┬───┐", "│ N │ I │ N │", "│ E │ F │ O │", "│ L │ D │ 9 │", "└───┴───┴───┘")
WELCOME = (
    "",
    "Five games with numbers on a small grid.",
    "Easy to learn, and solved to the last move:",
    "the computer can show you what every move is worth.",
    "",
)
NARROW = 76  # columns; in fewer, only what is waiting is explained


def _say(word: str, what: str) -> str:
    """An entry in the list of keys."""
    return capitalize(f"{word}: {what}")


class Home(Leaf):
    """A list; a letter or a digit is enough."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "play(0)", "Play", key_display=GAME_KEYS, tooltip="Play a game"),
        *(Binding(str(n), f"play({n - 1})", show=False) for n in range(2, 10)),
        *(
            Binding(letter, action, word.capitalize(), tooltip=_say(word, what), show=letter in "tlq")
            for letter, (word, what, action) in {**WAITING, **ENTRIES}.items()
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.games = every_game()
        self._unfinished: list[Entry] = []
        self._new = False  # nothing was played or learned yet

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="banner", markup=False)
        yield Listing()
        yield KeyBar()

    def on_mount(self) -> None:
        self.write_head("")
        lines = zip(GRID, WELCOME, strict=True)
        self.write("banner", "\n".join(f"  {drawn}   {text}".rstrip() for drawn, text in lines))

    def on_screen_resume(self) -> None:
        """See what is waiting; it may have changed meanwhile."""
        entries = all_entries()
        self._unfinished = [entry for entry in entries if entry.unfinished]
        self._new = not entries and not lesson_progress().results
        self._list()
        self.refresh_bindings()

    def on_resize(self, event: events.Resize) -> None:
        self._list()

    def _list(self) -> None:
        narrow = self.app.size.width < NARROW
        rows = [(key, WAITING[key][0], what) for key, what in self._say_waiting().items()]
        rows += [(str(number), game.title, game.brief) for number, game in enumerate(self.games, 1)]
        rows += [(letter, word, what) for letter, (word, what, _) in ENTRIES.items()]
        shown = [row if row[0] in WAITING or not narrow else (*row[:2], "") for row in rows]
        self.query_one(Listing).show([(row[0], row) for row in shown])

    def _say_waiting(self) -> dict[str, str]:
        """What is waiting, by letter."""
        found, day, progress = {}, today(), PuzzleProgress()
        if self._unfinished and (match := self._unfinished[0].match) is not None:
            others = len(self._unfinished) - 1
            more = f", and {pluralize(others, 'other')}" if others else ""
            found["c"] = f"{match.game.title}, {say_players(match)}{more}"
        solved = progress.results.get(str(day), PuzzleResult()).solved
        streak = progress.streak(day)
        row = [*(["solved"] if solved else []), *([f"{streak} in a row"] if streak > 1 else [])]
        found["t"] = f"{say_day(day)}{f' ({comma_list(row)})' if row else ''}"
        found["l"] = NEW_HERE if self._new else WAITING["l"][1]
        return found

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        key = str(event.option.id)
        await self.run_action(f"play({int(key) - 1})" if key.isdigit() else ACTIONS[key])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "leave":  # there is nothing to go back to
            return False
        return action != "continue" or bool(self._unfinished)

    def action_play(self, place: int) -> None:
        if place < len(self.games):
            self.app.push_screen(SetupForm(self.games[place]))

    @property
    def _game(self) -> Game:
        """The game with the cursor, else the first."""
        listed = self.query_one(Listing)
        key = str(listed.get_option_at_index(listed.highlighted or 0).id)
        return self.games[int(key) - 1 if key.isdigit() else 0]

    def action_continue(self) -> None:
        """The only unfinished match at once, else one from the list."""
        entry, *others = self._unfinished
        if others or entry.link:
            self.app.push_screen(MatchList(unfinished=True))
            return
        try:
            self.app.push_screen(MatchScreen(FileTable.resume(entry.id)))
        except NinefoldError as error:
            self.app.notify(str(error), markup=False)

    @work(exclusive=True)
    async def action_solve_today(self) -> None:
        label = Label(day=today())
        found = await asyncio.to_thread(label.find)
        if self.is_current:
            self.app.push_screen(Solving(label, found))

    def action_open(self, letter: str) -> None:
        self.app.push_screen(SCREENS[letter]())

    def action_explore(self) -> None:
        self.app.push_screen(ExplorerForm(self._game))

    def action_rules(self) -> None:
        self.nine.show_rules(self._game)

    def action_quit(self) -> None:
        self.app.exit()

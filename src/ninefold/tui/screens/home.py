"""The menu: the games, and everything else there is."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList, Static

from ninefold.core.game import Game
from ninefold.games import every_game
from ninefold.show.lessons import NEW_HERE
from ninefold.show.moves import say_players
from ninefold.store.files.matches import all_entries
from ninefold.tui.forms.explorer import ExplorerForm
from ninefold.tui.forms.settings import SettingsScreen
from ninefold.tui.forms.setup import SetupForm
from ninefold.tui.keybar import KeyBar
from ninefold.tui.listing import Listing
from ninefold.tui.screens.learn import CourseList
from ninefold.tui.screens.lobby import Lobby
from ninefold.tui.screens.matches import MatchList
from ninefold.tui.screens.puzzles import PuzzleList
from ninefold.tui.screens.rules import GAME_KEYS
from ninefold.tui.screens.screen import Leaf

# By letter: the word, what it is for, and the action.
ENTRIES = {
    "c": ("continue", "go on with an unfinished match", "matches(True)"),
    "m": ("matches", "step through, review or delete your matches", "matches(False)"),
    "n": ("learn", "new to a game? learn it in three minutes", "learn"),
    "p": ("puzzles", "solve the puzzle of the day, or any other", "puzzles"),
    "x": ("explorer", "play out any position, with the value of every move", "explore"),
    "o": ("online", "play or watch on a server", "online"),
    "r": ("rules", "read the rules, and step through an example", "rules"),
    "s": ("settings", "your name, the computer's level, colors", "settings"),
    "q": ("quit", "leave", "quit"),
}


GRID = ("┌───┬───┬───┐", "│ N │ I │ N │", "│ E │ F │ O │", "│ L │ D │ 9 │", "└───┴───┴───┘")


class Home(Leaf):
    """A list; a letter or a digit is enough."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "play(0)", "Play", key_display=GAME_KEYS, tooltip="Play a game"),
        *(Binding(str(n), f"play({n - 1})", show=False) for n in range(2, 10)),
        *(
            Binding(letter, action, word.capitalize(), tooltip=what.capitalize(), show=letter == "q")
            for letter, (word, what, action) in ENTRIES.items()
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.games = every_game()

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="banner", markup=False)
        games = [(str(number), game.title, game.brief) for number, game in enumerate(self.games, 1)]
        entries = [(letter, word, what) for letter, (word, what, _) in ENTRIES.items()]
        yield Listing([(row[0], row) for row in (*games, *entries)])
        yield KeyBar()

    def on_mount(self) -> None:
        self.write_head("")

    def on_screen_resume(self) -> None:
        """Say what there is to go on with; it may have changed meanwhile."""
        unfinished = next((entry.match for entry in all_entries() if entry.unfinished), None)
        said = f"{NEW_HERE} Press n."
        if unfinished is not None:
            said = f"c: continue {unfinished.game.title}, {say_players(unfinished)}"
        beside = ("", "Five games with numbers, solved to the last move.", "", said, "")
        lines = zip(GRID, beside, strict=True)
        self.write("banner", "\n".join(f"  {drawn}   {text}".rstrip() for drawn, text in lines))

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        key = str(event.option.id)
        await self.run_action(f"play({int(key) - 1})" if key.isdigit() else ENTRIES[key][2])

    def action_play(self, place: int) -> None:
        if place < len(self.games):
            self.app.push_screen(SetupForm(self.games[place]))

    @property
    def _game(self) -> Game:
        """The game with the cursor, else the first."""
        place = self.query_one(OptionList).highlighted or 0
        return self.games[place if place < len(self.games) else 0]

    def action_matches(self, unfinished: bool) -> None:
        self.app.push_screen(MatchList(unfinished=unfinished))

    def action_learn(self) -> None:
        self.app.push_screen(CourseList())

    def action_puzzles(self) -> None:
        self.app.push_screen(PuzzleList())

    def action_explore(self) -> None:
        self.app.push_screen(ExplorerForm(self._game))

    def action_rules(self) -> None:
        self.nine.show_rules(self._game)

    def action_settings(self) -> None:
        self.app.push_screen(SettingsScreen())

    def action_online(self) -> None:
        self.app.push_screen(Lobby())

    def action_quit(self) -> None:
        self.app.exit()

    def action_leave(self) -> None:
        """There is nothing to go back to."""

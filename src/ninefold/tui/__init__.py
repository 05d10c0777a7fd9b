"""Full screen: the games at a terminal, drawn with Textual.

    command         `ninefold tui`, and where it cannot work
    app             the program: its themes, and the keys that work everywhere
    screens         what all screens have in common; dialogs, keybar, form and listing are parts
    home            the menu; settings is its form
    setup           the form before a game
    board           one grid, drawn cell by cell
    beside          players, numbers and moves beside the boards, as text
    position        boards and what lies beside them, and choosing a move there by keys and mouse
    match           the screen of a match; background is for work that has to wait for a server
    lobby           what can be done on a server; link_form asks for a link, connecting takes a seat
    matches         the matches that are kept
    steps           screens that go through moves
    replay          a match to step through; review adds the judgments, chart draws the chances, and
                    better_move asks for one
    rules           the rules of a game and its example
    explorer        the value of every move; explorer_form comes before it
    puzzles         the list of puzzles; puzzle_form asks for another one, and puzzle is the screen of one
    too_small       what is shown in a window that is too small

A screen is a file of behavior and one of help (`.md`) of the same name; all style is in `app.tcss`. What
is drawn and said comes from `show`.
"""

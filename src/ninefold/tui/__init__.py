"""Full screen: the games at a terminal, drawn with Textual.

    command     `ninefold tui`, and where it cannot work
    app         the program: its themes, and the keys that work everywhere
    home        the menu
    setup       what is settled before a game
    board       one grid, drawn cell by cell
    position    boards and what lies beside them, and choosing a move there by keys and mouse
    sitting     a match that is played at this screen
    online      a match on a server; background is for work that has to wait for one
    table       the screen of a match
    lobby       what can be done on a server; join is the form for a link, and reach leads to the table
    stepping    going through moves that were made
    rules       the rules of a game and its example
    matches     the matches that are kept
    replay      a match to step through; review adds the judgments, chart draws the chances, and find
                asks for the better move
    exploring   the form before the explorer, which shows the value of every move
    puzzles     the list of puzzles; posing is the form for another one, and puzzle the screen of one
    dialogs     questions, the cover between secret choices, and help

A screen is a file of behavior, one of style (`.tcss`) and one of help (`.md`) of the same name. What is
drawn and said comes from `show`.
"""

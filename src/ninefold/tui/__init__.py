"""Full screen: the games at a terminal, drawn with Textual.

    command         `ninefold tui`, and where it cannot work
    app             the program: its themes, and the keys that work everywhere
    screens/        a module for each screen; `screen` is what all have in common, `steps` what those have
                    that go through moves, and `dialogs` are questions in front of them
    forms/          what is settled before something starts; `form` is what all have in common
    board/          boards and what lies beside them; `position` chooses a move there by keys and mouse
    connecting      coming to a match on a server; `background` is for work that has to wait for one
    keybar, listing the last line, and lists to choose from

A screen or form is a file of behavior and one of help (`.md`) of the same name; all style is in
`app.tcss`. What is drawn and said comes from `show`.
"""

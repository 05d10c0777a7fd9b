"""A match that somebody sits at: who moves here, what may be done now, and where it is kept.

A `Table` is plain and blocking. What changes the match raises NinefoldError where it is refused. What
comes from elsewhere is told by a callback, in a thread of the table's own. Line mode and full screen sit
at the same tables and keep only asking and drawing.

    table    what every table can do
    file     a match between people at one screen and computers, kept in a file
    server   a match on a server, played from a seat or watched
"""

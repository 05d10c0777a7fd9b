"""How facts look and sound in every interface: boards made of parts, and sentences for one reader.

    board       a view as parts that can be pointed at
    scene       a position with everything that is drawn around it
    sides       what each player has: numbers, a score, a secret choice
    choosing    a move that is half chosen
    values      exact values in words and as tags
    moves       moves and news in words
    status      whose turn it is, and what to do
    endings     how a match ended
    offers      what players offer each other
    hints       the facts behind a hint
    reviews     a review in sentences
    solutions   solved games in words
    board_text  a scene's boards as text, or in words
    layout      text fitted to the width of a screen

An interface draws what this package gives it and sends moves back as text.
"""

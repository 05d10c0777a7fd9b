"""The laboratory: what is true of a game, which claims of its book are false, fairer versions."""

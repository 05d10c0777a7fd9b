"""What can sit in a seat: a person, or a computer of any strength."""

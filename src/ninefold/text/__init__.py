"""The games in text, for language models: prompts, answers, and what each decision gave away.

    prompt      a position as text, made from a view
    reading     which move an answer means, or how it failed
    twins       the same position with other cells, other numbers or other names
    episode     one decision in text, from the prompt to its exact score
    endpoint    asks a model at an OpenAI-compatible address
    chat        `ninefold chat`: a model as an ordinary program that plays
    runs        asks a player in many positions or games, and keeps every answer
    report      the figures of a run; `page` makes them one HTML page
    evaluate    `ninefold evaluate`
    dataset     `ninefold dataset`

`inspect_tasks` and `openenv_server` offer the same episodes to Inspect AI and OpenEnv; each imports the
library that it adapts to.
"""

"""A scene's boards as text, with the panels below; or in words, for a screen reader."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.show.board import Grid, Part
from ninefold.show.layout import Screen, beside
from ninefold.show.scene import Scene

LINES, SCORE = "Lines", "Score"  # the titles of panels


def write_board(scene: Scene, screen: Screen) -> list[str]:
    """The boards and panels of a scene. A cell shows its number and its owner's mark."""
    grids, panels = scene.drawing.grids, _write_panels(scene)
    if screen.plain:
        return [line for grid in grids for line in _describe_grid(grid, scene.cast)] + panels[1:]
    blocks = [
        [*([grid.title] if grid.title else []), *_write_grid(grid, scene.cast, screen)] for grid in grids
    ]
    return [*beside(blocks, screen.width()), *panels]


def _describe_grid(grid: Grid, cast: Cast) -> list[str]:
    """A grid in words, one line per row, for a screen reader."""
    lines = [f"{grid.title}:"] if grid.title else []
    for number, row in enumerate(grid.rows, 1):
        head, _, column = row[0].label.partition(",")
        begin = f"Row {head or number}" if column or not head else f"Cells {head} to {row[-1].label}"
        lines.append(f"{begin}: {', '.join(_describe_part(part, cast) for part in row)}.")
    return [*lines, *(f"{part.says}." for part in (*grid.row_lines, *grid.column_lines))]


def _describe_part(part: Part, cast: Cast) -> str:
    """`empty`, `5`, `5 yours`, and where cells have numbers of their own `cell 3 free`."""
    holds = [part.text] if part.text else []
    if part.owner is not None:
        holds.append(cast.owner(part.owner))
    if "," in part.label or not part.label:
        return " ".join(holds) or "empty"
    return f"{part.label} {' '.join(holds) or 'free'}"


def _write_panels(scene: Scene) -> list[str]:
    cast, panels = scene.cast, scene.drawing.panels
    said = [f"{title}: {text}" for title, text in scene.settings]
    scores = {cast.mark(seat): scene.view.panel("score", seat) for seat in cast.players}
    merged = {one.mark for one in panels if one.title == LINES and scores[one.mark] is not None}
    for one in panels:
        if one.mark in merged and one.title == LINES:  # with the score that they make
            said.append(f"{one.name} ({one.mark}) {scores[one.mark]}: {one.text}")
        if one.mark in merged and one.title in (LINES, SCORE):
            continue
        if one.key == "turns" and scene.settings:  # on one line, because a large board leaves few
            said[0] += f"   {one.title}: {one.text}"
            continue
        whose = f"{one.name} ({one.mark}), " if one.mark else ""
        title = one.title[0].lower() + one.title[1:] if whose else one.title
        said.append(f"{whose}{title}: {one.text}")
    return ["", *said] if said else []


def _write_grid(grid: Grid, cast: Cast, screen: Screen) -> list[str]:
    """A grid with its rows and columns labeled the way cells are typed."""
    width = max(5, *(len(_face(part)) + 2 for row in grid.rows for part in row))
    rule = "  +" + "+".join("-" * width for _ in range(grid.width)) + "+"
    heads = [part.label.partition(",")[2] for part in grid.rows[0]]
    lines = ["   " + " ".join(head.center(width) for head in heads).rstrip()] if any(heads) else []
    lines.append(rule)
    for number, row in enumerate(grid.rows):
        head = row[0].label.partition(",")[0] if any(heads) else ""
        cells = "|".join(_paint(part, _face(part).center(width), cast) for part in row)
        claimed = f"  {_line(grid.row_lines[number])}" if grid.row_lines else ""
        lines += [f"{head:2}|{cells}|{claimed}".rstrip(), rule]
    sums = [f"   {_line(part)}" for part in grid.column_lines]
    return [*lines, *(["".join(sums)] if sums and len("".join(sums)) <= screen.width() else sums)]


def _face(part: Part) -> str:
    return f"{part.text} {part.mark}".strip() or ("." if "," in part.label else part.label)


def _line(part: Part) -> str:
    return f"{part.label} = {part.text}" + (f" {part.mark}" if part.mark else "")


def _paint(part: Part, text: str, cast: Cast) -> str:
    return text if part.owner is None else cast.paint(part.owner, text)

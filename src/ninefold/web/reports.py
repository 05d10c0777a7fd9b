"""Reports, served as they are from the folder that `serve --reports` names."""

from __future__ import annotations

from html import escape
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from ninefold.show.sheets import sheet
from ninefold.web.requests import root_of, server_of

PAGE = "report.html"
TYPES = {
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".csv": "text/csv",
    ".svg": "image/svg+xml",
}
STYLE = "li { margin: 6px 0 }"  # each link is large enough for a finger
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
}


async def list_reports(request: Request) -> Response:
    """The report, if the folder is that of a contest; else a list of those in its subfolders."""
    folder, here = _folder(request), f"{root_of(request)}/reports"
    if (folder / PAGE).is_file():
        return RedirectResponse(f"{here}/{PAGE}")
    names = sorted(found.parent.name for found in folder.glob(f"*/{PAGE}"))
    links = "".join(
        f'<li><a href="{here}/{quote(name)}/{PAGE}">{escape(name)}</a></li>' for name in names
    )
    listed = f"<ul>{links}</ul>" if names else "<p>There are no reports yet.</p>"
    return HTMLResponse(sheet("Reports", ["<h1>Reports</h1>", listed], STYLE), headers=HEADERS)


async def serve_file(request: Request) -> Response:
    """A file of a report. Nothing outside the folder, and nothing hidden."""
    folder = _folder(request).resolve()
    parts = [*request.path_params.values()]
    path = folder.joinpath(*parts)
    allowed = path.suffix in TYPES and not any(part.startswith(".") or "\\" in part for part in parts)
    if not allowed or not path.is_file() or not path.resolve().is_relative_to(folder):
        raise HTTPException(404, "There is nothing at this address.")
    return FileResponse(path, media_type=TYPES[path.suffix], headers=HEADERS)


def _folder(request: Request) -> Path:
    folder = server_of(request).reports
    if folder is None:
        raise HTTPException(404, "There is nothing at this address.")
    return folder

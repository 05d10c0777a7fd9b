"""How soon the mover's browser and the opponent's show a move, while others play too.

python -m benchmarks.page [--matches N] [--games N]

Two Chromium contexts play Number Grid Battle on the page. A move is timed from the click until
the mover's browser draws it, and until the opponent's does. Meanwhile the given number
of other matches are played through the API, each with a move every two seconds. It also counts the bytes
of a first visit to the home page.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.server import free_port, serve, stop_at_end, wait_for
from benchmarks.server_clients import HOST

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
GRID = "792415863"
CELLS = [f"{row},{column}" for row in range(3) for column in range(3)]
PACE = 2.0  # seconds between two moves of one of the other matches
THREADS = 4

CLICKED = """cell => {
  const one = document.getElementById(cell);
  one.addEventListener("pointerdown", () => {
    window.clicked = performance.timeOrigin + performance.now();
  }, {once: true});
  one.addEventListener("click", (event) => { window.pressed = event.timeStamp; }, {once: true});
  window.drawn = 0;
  const look = new MutationObserver(() => {
    if (!one.classList.contains("pending")) return;
    look.disconnect();
    requestAnimationFrame((frame) => { window.drawn = frame - window.pressed; });
  });
  look.observe(one, {attributes: true});
}"""
WATCH = """() => {
  window.seen = 0;
  const before = document.getElementById("main").dataset.ply;
  const look = new MutationObserver(() => {
    if (document.getElementById("main").dataset.ply === before) return;
    look.disconnect();
    requestAnimationFrame(() => { window.seen = performance.timeOrigin + performance.now(); });
  });
  look.observe(document.body, {childList: true});
}"""


@contextmanager
def run_server() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="ninefold-bench-") as folder:
        port = free_port()
        process = serve(Path(folder), port)
        with stop_at_end([process]):
            base = f"http://{HOST}:{port}"
            wait_for(f"{base}/readyz", process)
            yield base


class Others:
    """The other matches: a few threads make moves in them at an even pace."""

    def __init__(self, base: str, count: int) -> None:
        self.moves = 0
        self._base = base
        self._ending = threading.Event()
        shares = [count // THREADS + (k < count % THREADS) for k in range(THREADS)]
        self._threads = [threading.Thread(target=self._play, args=(share,)) for share in shares if share]
        for thread in self._threads:
            thread.start()

    def _play(self, count: int) -> None:
        with httpx.Client(base_url=f"{self._base}/api/v1", trust_env=False) as client:
            matches = [self._create(client) for _ in range(count)]
            due = time.monotonic()
            for k in itertools.cycle(range(count)):
                due += PACE / count
                if self._ending.wait(max(0.0, due - time.monotonic())):
                    return
                match, tokens, ply = matches[k]
                body = {"move": CELLS[ply], "ply": ply}
                headers = {"Authorization": f"Bearer {tokens[ply % 2]}"}
                client.post(f"/matches/{match}/moves", json=body, headers=headers).raise_for_status()
                self.moves += 1
                matches[k] = (match, tokens, ply + 1) if ply < 8 else self._create(client)

    def _create(self, client: httpx.Client) -> tuple[str, list[str], int]:
        person = {"kind": "person"}
        wanted = {"game": "battle", "setup": {"grid": GRID}, "first": person, "second": person}
        made = client.post("/matches", json=wanted).json()
        return made["match"], [held["token"] for held in made["held"]], 0

    def end(self) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()


def start_match(browser: Browser, base: str) -> tuple[Page, Page]:
    """Seat two people in a new match, each in their own browser; the first player's page comes first."""
    host, guest = (browser.new_context().new_page() for _ in range(2))
    host.goto(f"{base}/new/battle")
    host.check("input[name=against][value=friend]")
    host.check("input[name=side][value=first]")
    host.click("button.first")
    host.wait_for_url("**/m/*")
    guest.goto(host.url)
    guest.click("#do-join")
    guest.wait_for_selector(".seat .you")
    host.wait_for_selector("button.cell")
    return host, guest


def time_moves(browser: Browser, base: str) -> list[tuple[float, float]]:
    """Play a match. Returns for each move the milliseconds until the mover and the opponent see it."""
    players = start_match(browser, base)
    found = []
    for ply in range(9):
        mover, other = players[ply % 2], players[1 - ply % 2]
        mover.wait_for_selector("button.cell")
        other.evaluate(WATCH)
        cell = mover.locator("button.cell").first
        mover.evaluate(CLICKED, cell.get_attribute("id"))
        cell.click()
        other.wait_for_selector(f'main[data-ply="{ply + 1}"]')
        while not (seen := other.evaluate("window.seen")):
            other.wait_for_timeout(1)
        found.append((mover.evaluate("window.drawn"), seen - mover.evaluate("window.clicked")))
    for page in players:
        page.context.close()
    return found


def measure_first_visit(browser: Browser, base: str) -> int:
    """How many bytes the first visit to the home page transfers."""
    context = browser.new_context()
    page = context.new_page()
    wire = context.new_cdp_session(page)
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    wire.send("Network.enable")
    page.goto(base, wait_until="networkidle")
    context.close()
    return int(sum(sizes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=200, help="other matches in play (default 200)")
    parser.add_argument(
        "--games", type=int, default=12, help="games to time, of 9 moves each (default 12)"
    )
    arguments, _ = parser.parse_known_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("This needs Debian's chromium.")
    with run_server() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        print(f"first view of the home page: {measure_first_visit(browser, base):,} bytes over the wire")
        for count in (0, arguments.matches):
            others = Others(base, count)
            began = time.monotonic()
            moves = list(itertools.chain(*(time_moves(browser, base) for _ in range(arguments.games))))
            own, times = (sorted(kind) for kind in zip(*moves, strict=True))
            pace = others.moves / (time.monotonic() - began)
            others.end()
            late = quantiles(times, n=20)[-1]
            print(
                f"{count:4} other matches, {pace:3.0f} moves/s there: {len(times)} moves reach the "
                f"opponent after {median(times):.0f} ms (median), {late:.0f} ms (95%), "
                f"{times[-1]:.0f} ms (max); the mover after {median(own):.0f} ms (median), "
                f"{own[-1]:.0f} ms (max)"
            )
        browser.close()


if __name__ == "__main__":
    main()

"""What chapter 1 costs a reader: bytes, the time of a step, the time of a live Run. `python -m bench.chapter`

Builds the site, serves it on loopback and measures it in headless Chromium, all in one run. Prints medians with their
spread, and each figure beside its goal. Needs the test set-up (`python3 -m tests` makes it). Nothing here is a test: a
machine that does other work at the same time gives larger figures.
"""

import argparse
import gzip
import json
import platform
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import CDPSession, Page, Request, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "site")]

FRAME_MS = 1000 / 60
WARM_UPS = 5  # requests to Python whose times are not counted
LEAST_ROUNDS = WARM_UPS + 1
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]

# Steps a widget forward and back, each at rest before the next.
STEP_JS = """async ([id, rounds, pause]) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  for (let i = 0; i < rounds; i++) {
    document.querySelector(`#${id} [data-act=${i % 2 ? 'previous' : 'next'}]`).click();
    await frame();
    await new Promise((done) => setTimeout(done, pause));
  }
}"""

# What the page's thread does from a click to the new picture, by the names of Chromium's trace, up to the commit.
DRAWING = ("EventDispatch", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"]

ASK_JS = """async (requests) => {
  const times = [];
  for (const request of requests) {
    const start = performance.now();
    const answer = await gpuLab.ask(request);
    if (answer.problem) throw new Error(answer.problem);
    times.push(performance.now() - start);
  }
  return times;
}"""


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 0 unless something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.chapter", description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=30, help="repetitions of each timed action (default 30)")
    rounds: int = parser.parse_args(arguments).rounds
    if rounds < LEAST_ROUNDS:
        allowed = f"{LEAST_ROUNDS} or more, as the first {WARM_UPS} are not counted"
        parser.error(f"--rounds: given {rounds}; allowed: {allowed}")
    from builder.address import Address
    from builder.browsers import chromium
    from builder.model import lab_model
    from builder.output import write_site
    from builder.site import build_site
    from tests.serving import served

    path = chromium()
    if path is None:
        print("No Chromium here: python3 -m tests installs one.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        write_site(Path(folder), build_site(ROOT, lab_model(), Address()))
        with served(Path(folder)) as server:
            browser = driver.chromium.launch(executable_path=path, args=FLAGS)
            print(f"{platform.platform()}, Python {platform.python_version()}, Chromium {browser.version}\n")
            row("what", "measured", "goal")
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            bytes_of_page(page, server.address, Path(folder))
            steps(page, rounds)
            live(page, rounds)
            browser.close()
    return 0


def row(what: str, measured: str, goal: str) -> None:
    """One line of the table."""
    print(f"{what:<58} {measured:<34} {goal}", flush=True)


def spread(values: list[float]) -> str:
    """Median, and the range of the middle nine tenths."""
    ordered = sorted(values)
    low, high = ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]
    return f"{statistics.median(ordered):.1f} ms ({low:.1f} to {high:.1f})"


def bytes_of_page(page: Page, address: str, folder: Path) -> None:
    """Requests and gzipped bytes until the chapter steps; nothing of Pyodide may be among them."""
    asked: list[str] = []

    def remember(request: Request) -> None:
        asked.append(request.url)

    page.on("request", remember)
    page.goto(address + "reuse.html", wait_until="networkidle")
    page.remove_listener("request", remember)
    total = sum(len(gzip.compress((folder / url.removeprefix(address)).read_bytes(), 9)) for url in asked)
    row("chapter without Python: requests", str(len(asked)), "at most 12")
    row("chapter without Python: bytes, gzip -9", f"{total / 1000:.1f} kB", "at most 100 kB")
    row("  of it from Pyodide", str(sum("pyodide" in url for url in asked)) + " requests", "0")


def steps(page: Page, rounds: int) -> None:
    """The processor time of a prepared step on the page's own thread: script, styles, layout and painting.

    Processor time, not the clock, so that what other programs take of this machine counts less. At a reader's pace the
    next step has been worked out ahead; with no pause it has not.
    """
    session: CDPSession = page.context.new_cdp_session(page)
    for rate in (1, 4):
        session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
        for widget in ("dot-product", "tile-walk", "load-count"):
            page.locator(f'#{widget} [data-part="shortcuts"] button').get_by_text("8", exact=False).first.click()
            page.locator(f"#{widget}").scroll_into_view_if_needed()
            for pause_ms, pace in ((250, "a reader's pace"), (0, "no pause")):
                page.evaluate(STEP_JS, [widget, 4, pause_ms])
                measured = drawing_ms(page, widget, rounds, pause_ms)
                goal = f"one frame, {FRAME_MS:.1f} ms" if rate == 4 else ""
                row(f"step of {widget}, n = 8, processor 1/{rate}, {pace}", spread(measured), goal)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})


def drawing_ms(page: Page, widget: str, rounds: int, pause_ms: int) -> list[float]:
    """For each step the processor time, in ms, from the click to the end of the first picture after it."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.evaluate(STEP_JS, [widget, rounds, pause_ms])
    events = json.loads(browser.stop_tracing())["traceEvents"]
    named = [e for e in events if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain"]
    threads = {(e["pid"], e["tid"]) for e in named}
    work = [e for e in events if e.get("ph") == "X" and e["name"] in DRAWING and (e["pid"], e["tid"]) in threads]
    found: list[float] = []
    drawn, inside = True, 0
    for event in sorted(work, key=lambda each: each["ts"]):
        if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "click":
            if not drawn:
                break
            found.append(0.0)
            drawn = False
        if drawn or event["ts"] < inside:
            continue  # between two steps, or a part of what is counted already
        inside = event["ts"] + event["dur"]
        found[-1] += event["tdur"] / 1000
        drawn = event["name"] == "Commit"
    if not drawn:
        raise RuntimeError("Chromium's trace lacks the commit of a step, so where the step ends is not known")
    return found


def live(page: Page, rounds: int) -> None:
    """A Run with n = 64, each of another output, once Python is up; and steps early and late in one trace."""
    page.evaluate("gpuLab.start()")
    views = {
        "dot-product": [{"n": "64", "row": str(i % 64), "inputs": "distinct"} for i in range(rounds)],
        "tile-walk, T = 16": [{"n": "64", "tile": "16", "i": str(i % 4), "j": str(i // 4 % 4)} for i in range(rounds)],
        "load-count": [{"n": "64", "row": str(i % 64)} for i in range(rounds)],
    }
    for name, settings in views.items():
        widget = name.split(",")[0]
        requests = [{"op": "view", "widget": widget, "settings": each} for each in settings]
        page.evaluate(ASK_JS, requests[:WARM_UPS])
        times = page.evaluate(ASK_JS, requests[WARM_UPS:])
        row(f"live Run of {name}, n = 64", spread(times), "100 ms")
    early, late = (
        page.evaluate(
            ASK_JS,
            [{"op": "frame", "widget": "dot-product", "settings": {"n": "64"}, "step": str(step)} for step in numbers],
        )
        for numbers in (range(1, 16), range(50, 65))
    )
    row("live step 1 to 15 of 64", spread(early), "")
    row("live step 50 to 64 of 64", spread(late), "as the early ones")
    row("  ratio of the medians, late / early", f"{statistics.median(late) / statistics.median(early):.2f}", "about 1")


if __name__ == "__main__":
    sys.exit(main())

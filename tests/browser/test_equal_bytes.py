"""Equal bytes: what Pyodide answers in a real browser is, letter for letter, what CPython says here."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from lab.bridge import Session
from lab.catalogue import language_named
from lab.page import listed
from lab.registry import MEASURED, WIDGETS
from sim.tl.exercises import KERNEL_EXERCISES
from sim.words import speaking
from tests.measured.files import BENCH, COUNTERS, text

OWN = json.dumps([{"name": "my.json", "text": text(BENCH)}, {"name": "counted.json", "text": text(COUNTERS)}])
DECIMALS = "0.1 0.2 -0.3\n1e-3 25 4.75"
ONE_PHASE = KERNEL_EXERCISES["k_loop"].solution.replace("tl.cdiv(K, BK)", "1")
OPEN = [
    ("dot-product", {"n": "13", "row": "12", "column": "5"}, "9"),
    ("dot-product", {"a": DECIMALS, "b": "1.5\n-2\n0.125", "row": "1"}, "3"),
    ("dot-product", {"a": "1 2 3\n4 5 6", "b": "7,8\n9,10\n11,12", "column": "1"}, "2"),
    ("dot-product", {"a": "1 2\n3", "b": "1"}, "1"),
    ("tile-walk", {"n": "64", "tile": "24", "i": "2", "j": "1", "inputs": "distinct"}, "3"),
    ("tile-walk", {"n": "7", "tile": "3", "i": "2", "j": "2"}, "x"),
    ("tile-walk", {"n": "5", "tile": "9"}, "1"),
    ("tile-waits", {"n": "6", "tile": "4"}, "2"),
    ("load-count", {"n": "4096"}, "2"),
    ("load-count", {"n": "37"}, "5"),
    ("new-case", {"case": "17"}, "1"),
    ("tile-masks", {"m": "7", "n": "5", "k": "9", "bm": "3", "bn": "4", "bk": "5", "fault": "joined-guard"}, "3"),
    ("tile-reuse", {"bm": "96", "bn": "48", "bk": "32", "dtype": "float32", "stages": "3", "warps": "8"}, "6"),
    ("exit-check", {"case": "77"}, "3"),
    ("exercise", {"source": "def matmul(a, b):\n    return [[0.1 + 0.2]]\n"}, "1"),
    ("exercise", {"source": "def matmul(a, b)\n    pass\n"}, "1"),
    (
        "kernel-stepper",
        {"m": "7", "n": "9", "k": "10", "bm": "4", "bn": "4", "bk": "4", "dtype": "bf16", "program": "5"},
        "30",
    ),
    ("kernel-stepper", {"fault": "no-other", "inputs": "distinct", "dtype": "fp32"}, "41"),
    ("kernel-lines", {"config": "sm90-float16-64-any"}, "25"),
    ("kernel-exercise", {"name": "k_loop", "source": ONE_PHASE}, "1"),
    ("kernel-editor", {"source": "import triton\n\n@triton.jit\ndef f(a_ptr):\n    x = a_ptr +\n"}, "1"),
    ("program-order", {"m": "8192", "n": "5000", "k": "64", "bm": "128", "bn": "128", "bk": "32", "w": "40"}, "1999"),
    ("tile-cache", {"rows": "17", "columns": "9", "phases": "5", "in_flight": "12", "capacity": "30"}, "4"),
    ("no-such", {}, "1"),
    ("ladder", {"format": "float32 tf32", "way": "call", "shape": "1024 1024 65536"}, "1"),
    ("ladder", {"shape": "512, 256 x 1024", "own": OWN}, "1"),
    ("ladder", {"shape": "1 2 3"}, "1"),
    ("against-torch", {"kernel": "split_k", "format": "float32 ieee", "way": "call"}, "1"),
    ("roofline", {"format": "float16", "show": "all", "own": OWN}, "1"),
    ("own-results", {"own": OWN}, "1"),
    ("own-results", {"own": json.dumps([{"name": "x.json", "text": "{"}])}, "1"),
    ("count-and-time", {"format": "bfloat16", "shape": "4095 4097 4099"}, "1"),
    ("same-loads", {"n": "100"}, "1"),
    ("bench-lies", {"case": "23"}, "1"),
]
CHINESE = ("dot-product", "load-count", "new-case", "tile-waits", "tile-walk")  # what speaks it, as chapter 1 does
SPOKEN = [*((name, "en") for name in sorted(WIDGETS)), *((name, "zh-Hans") for name in CHINESE)]
OPEN_SPOKEN = [*(("en", *each) for each in OPEN), *(("zh-Hans", *each) for each in OPEN if each[0] in CHINESE)]


@pytest.fixture(scope="module")
def live(chromium, site_address) -> Any:
    """Pages whose Python is up: asks many requests of one widget at once."""
    pages: dict[str, Page] = {}

    def ask(requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        measured = bool(requests) and requests[0]["widget"] in MEASURED
        place = "measure.html" if measured else "kernel.html"  # the page whose Python has all that the widget needs
        if requests and requests[0]["lang"] == "zh-Hans":
            place = "zh/reuse.html"
        if place not in pages:
            pages[place] = chromium.new_page()
            pages[place].goto(site_address + place)
        script = "all => Promise.all(all.map(one => gpuLab.ask(one)))"
        answers: list[dict[str, Any]] = pages[place].evaluate(script, requests)
        return answers

    yield ask
    for page in pages.values():
        page.close()


@pytest.mark.parametrize(("name", "lang"), SPOKEN)
def test_every_prepared_frame_and_panel(live, name: str, lang: str) -> None:
    """In portions, because the page gives up on a request after ten seconds."""
    with speaking(language_named(lang)):
        views = listed(name)
    for view in views.values():
        ask = {"widget": name, "settings": view["settings"], "lang": lang}
        frames = live([{"op": "frame", **ask, "step": str(step + 1)} for step in range(view["count"])])
        assert [answer["frame"] for answer in frames] == view["frames"]
        panels = [panel for panel in view["panels"] if panel != "code"]
        answers = live([{"op": "panel", **ask, "panel": panel} for panel in panels])
        assert {panel: answer["html"] for panel, answer in zip(panels, answers, strict=True)} == {
            panel: view["panels"][panel] for panel in panels
        }
        whole = live([{"op": "view", **ask}])[0]["view"]
        prepared = {part: value for part, value in view.items() if part not in ("frames", "panels")}
        assert whole == prepared | {"panels": {name: html for name, html in view["panels"].items() if name == "code"}}


@pytest.mark.parametrize(("lang", "name", "settings", "step"), OPEN_SPOKEN)
def test_sample_of_open_settings(live, lang: str, name: str, settings: dict[str, str], step: str) -> None:
    request = {"op": "view", "widget": name, "settings": settings, "step": step, "lang": lang}
    [answer] = live([request])
    assert answer == json.loads(Session().handle(json.dumps(request)))

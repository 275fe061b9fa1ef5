"""One is singular: no widget says "1 rows", whatever is asked of it."""

import re
from collections.abc import Iterator

import pytest

from lab.problem import Problem
from lab.registry import WIDGETS
from lab.views import open_scene, reply
from lab.widget import Scene

COUNTED = (
    "accesses|bytes|cases|columns|elements|inputs|lanes|launches|loads|outputs|phases|places|products|programs|rows|slots|"
    "steps|tiles|times|widths"
)
# A label with a number, as in "T = 1 loads" or "phase 1 loads", counts nothing.
SLIP = re.compile(rf"(?<![\w.,/–\]-])(?<!= )(?<!× )(?<![pP]hase )1 (?:K |row |column )?(?:{COUNTED})\b")
ONES = (
    ("dot-product", {"n": "1"}),
    ("dot-product", {"n": "1", "row": "1"}),
    ("dot-product", {"n": "1", "column": "1"}),
    ("dot-product", {"a": "1 2", "b": "1 2"}),
    ("tile-walk", {"n": "4", "tile": "4"}),
    ("tile-walk", {"n": "1", "tile": "1"}),
    ("tile-masks", {"m": "1"}),
    ("tile-masks", {"n": "1"}),
    ("tile-masks", {"m": "1", "n": "1", "k": "1", "bm": "1", "bn": "1", "bk": "1"}),
    ("load-count", {"n": "1", "tile": "1"}),
    ("new-case", {"case": "0"}),
    ("exit-check", {"case": "4"}),
    ("exit-check", {"case": "5"}),
    ("program-order", {"w": "1"}),
    ("program-order", {"m": "1"}),
    ("tile-cache", {"in_flight": "1", "rows": "1", "columns": "1", "phases": "1"}),
    ("tile-reuse", {"bm": "1", "bn": "1", "bk": "1"}),
    ("tile-waits", {"n": "1", "tile": "1"}),
)


def sentences(scene: Scene) -> Iterator[str]:
    """All that a scene says, without its tags."""
    for step in range(min(scene.count, 12)):
        frame = scene.frame(step)
        yield from (frame.say, frame.html)
    for ask in scene.asks:
        answers = reply(ask)
        yield from (answers["right"], answers["other"], *answers["known"].values())


@pytest.mark.parametrize(("name", "settings"), ONES)
def test_one_is_singular(name, settings):
    try:
        said = [re.sub(r"<[^>]+>", " ", each) for each in sentences(open_scene(WIDGETS[name], settings))]
    except Problem as problem:
        said = [problem.sentence]
    assert [slip.group() for each in said for slip in SLIP.finditer(each)] == []


def test_a_slip_is_found():
    assert SLIP.search("C has 1 rows, counted from 0")
    assert not SLIP.search("T = 1 loads 128 inputs, in 11 rows")

"""A run without a browser: what a stopped one has measured is printed and written, and a lost visit is told of."""

import json
from contextlib import contextmanager

from bench.peers import __main__ as peers
from bench.peers import browsers, pages

SEEN = {"steppable_ms": 250, "live_ms": 1000, "interaction_ms": [1, 9, 2], "longest_ms": None, "first": "k"}


def pretend(monkeypatch, visit):
    @contextmanager
    def engine(name):
        yield f"{name} 1.0", visit

    monkeypatch.setattr(peers, "build_site", lambda *_: {})
    monkeypatch.setattr(pages, "stand_up", lambda *_: {})
    monkeypatch.setattr(browsers, "engine", engine)


def test_what_a_stopped_run_has_measured_is_not_lost(monkeypatch, tmp_path, capsys):
    opened = []

    def visit(host, path, profile, throttled):
        opened.append((path, throttled))
        if len(opened) == 4:
            raise KeyboardInterrupt
        return dict(SEEN)

    pretend(monkeypatch, visit)
    status = peers.main(["--rounds", "3", "--engines", "firefox", "--output", str(tmp_path / "runs.json")])

    told, runs = capsys.readouterr(), json.loads((tmp_path / "runs.json").read_text())
    assert status == 1
    assert "Not measured: the rest, as you stopped it" in told.err
    assert "firefox: first steppable frame, cold" in told.out
    visited = [(one["page"], one["temper"]) for one in runs["visits"]]
    assert visited == [("read", "cold"), ("read", "warm"), ("live", "cold")]
    counted = {"wire_bytes": 0, "body_bytes": 0, "requests": 0}
    expected = {"steppable_ms": 250, "live_ms": 1000, "interaction_ms": 2, **counted}
    assert runs["visits"][0]["figures"] == expected
    assert runs["about"]["versions"] == {"firefox": "firefox 1.0"}


def test_a_lost_visit_is_told_of_and_the_rest_goes_on(monkeypatch, capsys):
    def visit(host, path, profile, throttled):
        if path.startswith("/bare/"):
            raise TimeoutError("no result\nand more")
        return dict(SEEN)

    pretend(monkeypatch, visit)

    assert peers.main(["--rounds", "1", "--engines", "firefox"]) == 1
    told = capsys.readouterr()
    assert "Not measured: firefox, bare Pyodide worker page, free: no result\n" in told.err
    assert "PyScript on MicroPython, warm: first live result" in told.out

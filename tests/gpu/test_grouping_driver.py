"""The times by GROUP_M: nobody is always first, and nobody waits in between."""

import pytest
import torch

from gpu.counters import grouping_driver as driver


class Mark:
    """An event of a queue whose clock is the number of launches so far."""

    def __init__(self, at: int) -> None:
        self.at = at

    def elapsed_time(self, later: "Mark") -> float:
        return float(later.at - self.at)


def test_each_round_begins_with_the_next_place() -> None:
    assert [driver.places(turn, 3) for turn in range(4)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]


def test_launches_take_turns_and_the_host_waits_at_the_end_only(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    took = {"a": 1, "b": 4}

    def timed(run: driver.Launcher, flush: object) -> tuple[Mark, Mark]:
        run()
        return Mark(0), Mark(took[done[-1]] if len(done) > 4 else 99)  # the two warm-up rounds are slow

    monkeypatch.setattr(driver, "WARM_UP_ROUNDS", 2)
    monkeypatch.setattr(driver, "REPEATS", 3)
    monkeypatch.setattr(driver, "check", lambda shape: None)
    monkeypatch.setattr(driver, "random_normal", lambda shape: (None, None, None))
    monkeypatch.setattr(driver, "launchers", lambda *given: [lambda: done.append("a"), lambda: done.append("b")])
    monkeypatch.setattr(driver, "timed", timed)
    monkeypatch.setattr(torch, "empty", lambda *size, **options: None)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: done.append("wait"))

    found = driver.times((8, 8, 8))

    assert done == ["a", "b", "b", "a", "a", "b", "b", "a", "a", "b", "wait"]
    assert [(one["min"], one["median"], one["launches"]) for one in found] == [(1.0, 1.0, 3), (4.0, 4.0, 3)]

"""What `bench.tl` times, with no more imports than the page's own Python has: it runs there, too."""

import importlib
import json
import sys
from collections.abc import Callable
from typing import Any

from sim.inputs import formula_a, formula_b
from sim.tiling import Tiling

Clock = Callable[[], float]


def measured(source: str, rounds: int, clock: Clock) -> str:
    """Every time in milliseconds, as JSON: name -> list of times. `source` is the teaching kernel's file.

    `clock` gives the seconds of work that the process has done so far.

    The imports are those of a page that has the rest of the model already: the first one brings what sim.tl needs of
    the standard library, too, the others do not.
    """
    importlib.import_module("lab.bridge")
    times = {"first import of sim.tl": [_import_ms(clock)]}
    times["import of sim.tl again"] = [_import_ms(clock) for _ in range(rounds)]
    for name, action in _launches(source).items():
        times[name] = [_launch_ms(action, clock) for _ in range(rounds)]
    return json.dumps({"python": f"{sys.version.split()[0]} {sys.platform}", "times": times})


def _import_ms(clock: Clock) -> float:
    for loaded in [module for module in sys.modules if module.startswith("sim.tl")]:
        del sys.modules[loaded]
    start = clock()
    importlib.import_module("sim.tl.matmul")
    return 1000 * (clock() - start)


def _launches(source: str) -> dict[str, Callable[[], Any]]:
    run_matmul = importlib.import_module("sim.tl.matmul").run_matmul
    a, b, whole = formula_a(64, 64), formula_b(64, 64), Tiling(64, 64, 64, 16, 16, 16)
    small_a, small_b, small = formula_a(5, 5), formula_b(5, 7), Tiling(5, 7, 5, 2, 3, 2)

    def traced() -> Any:
        done = run_matmul(source, small_a, small_b, small, program=0, mode="lesson")
        json.dumps(done.json())
        return done

    return {
        "64 x 64 x 64 in 16-wide tiles": lambda: run_matmul(source, a, b, whole),
        "64 x 64 x 64, one program recorded": lambda: run_matmul(source, a, b, whole, program=0),
        "5 x 7 x 5 in tiles 2 x 3 x 2, full trace as JSON": traced,
    }


def _launch_ms(action: Callable[[], Any], clock: Clock) -> float:
    start = clock()
    done = action()
    taken = 1000 * (clock() - start)
    if done.failure is not None or done.reports:
        raise RuntimeError(f"the run went wrong: {done.failure or done.reports[0]}")
    return taken

"""The stored results of ``gpu/results``: whole in the repository, without what nobody reads in the page's archive."""

import json
from fractions import Fraction
from functools import lru_cache
from importlib.util import find_spec
from pathlib import PurePath
from typing import Any

from lab.problem import Problem
from sim.measured.party import Party, gather
from sim.measured.reading import read
from sim.measured.records import Counters, Run

OURS = ("h200-matmul-half.json", "h200-matmul-float32-ieee.json", "h200-matmul-float32-tf32.json", "h200-counters.json")
SWEEP = "h200-group-m.json"  # of which only the clocks are read here
FOLDER = "results"


def ours() -> Party:
    """What is stored of our GPU. Raises Problem when a file is missing."""
    return _party(tuple(_text(name) for name in OURS))


def falling_clocks() -> tuple[Fraction, Fraction]:
    """MHz of the multiprocessors before and after a lasting measurement that was stored."""
    clocks = json.loads(_text(SWEEP))["clocks"]
    return Fraction(clocks["start"]["sm_mhz"]), Fraction(clocks["end"]["sm_mhz"])


def read_own(text: str, name: str) -> Run | Counters:
    """A reader's file. Raises sim.measured's Unreadable. The last few are remembered: every plot of a page asks."""
    return _read(text, name)


@lru_cache(maxsize=1)
def _party(texts: tuple[str, ...]) -> Party:
    (party,) = gather((_read(text, name) for text, name in zip(texts, OURS, strict=True)), "ours")
    return party


@lru_cache(maxsize=12)
def _read(text: str, name: str) -> Run | Counters:
    return read(text, name)


def _text(name: str) -> str:
    spec = find_spec("gpu")
    if spec is None or spec.origin is None or spec.loader is None:
        raise Problem(f"result: given {name}; allowed: none, for no results lie beside this package")
    loader: Any = spec.loader
    try:
        data: bytes = loader.get_data(str(PurePath(spec.origin).with_name(FOLDER) / name))
    except OSError:
        raise Problem(f"result: given {name}; allowed: one that is stored in gpu/{FOLDER}") from None
    return data.decode("utf-8")

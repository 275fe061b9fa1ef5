"""The builder's door to `lab`: the four questions that a build asks it."""

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.assets import python_sources


@dataclass(frozen=True)
class Model:
    """What `lab` answers. Each call raises lab.problem.Problem for an author's mistake.

    `element(widget, settings, id)` gives a widget's HTML; `listed(widget, settings)` its prepared
    views by key, those of the settings that a page opens with among them;
    `wrong_answers(widget, settings)` a table of likely wrong answers;
    `quote(expression)` a quoted number's text; `checked_by(expression)` what checked it. `version` stands for all
    sources that decide the answers, so that answers may be kept between builds; empty when nothing may be kept.
    """

    element: Callable[[str, dict[str, str], str], str]
    listed: Callable[[str, Sequence[dict[str, str]]], Mapping[str, Any]]
    wrong_answers: Callable[[str, dict[str, str]], str]
    quote: Callable[[str], str]
    checked_by: Callable[[str], str]
    version: str = ""


def lab_model() -> Model:
    """The model of the repository's own `lab`."""
    before = _version()
    from lab import page, quotes

    version = before if before == _version() else ""  # a source that is being written: keep nothing
    return Model(page.element, page.listed, page.wrong_answers, quotes.quote, quotes.checked_by, version)


def _version() -> str:
    """A hash of this Python, and of all of `sim` and `lab`, with what they read."""
    sources = python_sources(Path(__file__).resolve().parents[2], ("kernels", "results"))
    digest = hashlib.sha256(sys.version.encode())
    for name, data in sorted(sources.items()):
        digest.update(f"\0{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()

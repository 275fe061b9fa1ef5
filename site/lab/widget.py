"""The contract of a widget: from settings to a scene, from a scene to its frames.

A widget module holds one ``WIDGET``. Its ``scene`` function takes canonical settings and returns a Scene whose frames
are made one at a time, on demand, so that the last step of a long trace costs what the first one costs. All is pure.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lab.controls import Control, Settings
from lab.markup import Html
from lab.problem import Problem, given
from sim.mistakes import Mistake
from sim.words import later, say


@dataclass(frozen=True)
class Frame:
    """One step: a picture, and the sentence that says what happened in it."""

    html: Html
    say: str


@dataclass(frozen=True)
class Ask:
    """Something to predict. ``answer`` is the right text, ``why`` how it comes about; ``choices`` makes it a menu."""

    name: str
    label: str
    answer: str
    why: str
    mistakes: tuple[tuple[str, Mistake], ...] = ()
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Shortcut:
    """A button that sets some settings at once."""

    label: str
    set: Mapping[str, str]
    pressed: bool = False


@dataclass(frozen=True)
class Stride:
    """A way to step further than by one: to the next of some steps, or into other settings at the same step.

    ``label`` says what it steps by: K phase, program. ``stops`` are steps from 0; without them ``before`` and ``after``
    are the settings to change, None where there are none that way.
    """

    label: str
    stops: tuple[int, ...] = ()
    before: Mapping[str, str] | None = None
    after: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Program:
    """Code that a reader can take away: it gives the numbers on the page when it is run.

    ``summary`` says in a line what it computes; ``cells`` are its parts, each a cell of the notebook.
    """

    filename: str
    summary: str
    cells: tuple[str, ...]

    @property
    def text(self) -> str:
        """The program as one file."""
        return "\n".join(self.cells)


@dataclass(frozen=True)
class Scene:
    """A widget under one setting. ``frame`` takes a step from 0; ``unlinked`` settings stay out of links."""

    settings: dict[str, str]
    count: int
    frame: Callable[[int], Frame]
    asks: tuple[Ask, ...] = ()
    shortcuts: tuple[tuple[str, tuple[Shortcut, ...]], ...] = ()
    strides: tuple[Stride, ...] = ()
    panels: Mapping[str, Callable[[], Html]] = field(default_factory=dict)
    program: Program | None = None
    note: str = ""
    unlinked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Widget:
    """What a page says around the frames, and how to make them.

    ``picks`` names the settings that a click into C chooses: the page says that their fields do the same.
    """

    name: str
    title: str
    question: str
    controls: tuple[Control, ...]
    assumptions: tuple[str, ...]
    scene: Callable[[dict[str, str]], Scene]
    listed: tuple[Settings, ...]
    panel_titles: Mapping[str, str] = field(default_factory=dict)
    own_inputs: tuple[str, ...] = ()
    run_label: str = later("Run")
    steps: bool = True
    fixed: tuple[str, ...] = ()
    limits_title: str = later("What this model leaves out")
    picks: tuple[str, ...] = ()

    def step(self, raw: str | int | None, count: int, keep: bool = False) -> tuple[int, str]:
        """(step from 0, notice) of a step as an address writes it, from 1. A bad one gives the first and says so.

        With ``keep`` it is the step of another trace, which may be longer: then the last one is meant.
        """
        text = "1" if raw is None else str(raw).strip()
        if keep and text.isascii() and text.isdigit():
            text = str(min(int(text[:9]), count))
        if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= count:
            return int(text) - 1, ""
        return 0, given(say("step"), text, say("a whole number from {low} to {high}", low=1, high=count)).sentence


def bounded(settings: Settings, name: str, label: str, high: int, reason: str, low: int = 0) -> int:
    """A setting whose upper end depends on another one. Raises Problem with the reason."""
    value = int(settings[name])
    if not low <= value <= high:
        allowed = f"{low}" if low == high else say("a whole number from {low} to {high}", low=low, high=high)
        sentence = say(
            "{what}: given {value}; allowed: {allowed} ({reason})",
            what=label,
            value=value,
            allowed=allowed,
            reason=reason,
        )
        raise Problem(sentence, name)
    return value

"""Settings of a widget: what a reader may choose, how it is written in an address, how it is checked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from lab.markup import Html, join, number, tag
from lab.problem import given
from sim.words import say

LONGEST_MATRIX_TEXT = 60_000
LONGEST_CODE = 20_000


@dataclass(frozen=True)
class Integer:
    """A whole number from ``low`` to ``high``, typed in a box. ``label`` is lower case, as in a sentence."""

    name: str
    label: str
    default: int
    low: int
    high: int

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return say("a whole number from {low} to {high}", low=number(self.low), high=number(self.high))

    def read(self, raw: str) -> str:
        """The canonical text of ``raw``. Raises Problem when it is no such number."""
        cleaned = raw.strip().replace("\u2212", "-")
        if not re.fullmatch(r"-?[0-9]{1,20}", cleaned) or not self.low <= int(cleaned) <= self.high:
            raise given(say(self.label), raw, self.allowed, self.name)
        return str(int(cleaned))

    def field(self, value: str) -> Html:
        """The label with its text box."""
        box = tag(
            "input",
            name=self.name,
            type="text",
            inputmode="numeric",
            autocomplete="off",
            size=max(3, len(str(self.high))),
            value=value,
            data_kind="integer",
            data_min=self.low,
            data_max=self.high,
            data_allowed=self.allowed,
            data_label=say(self.label),
        )
        return tag("label", tag("span", capital(say(self.label))), box)


@dataclass(frozen=True)
class Choice:
    """One of a few named options: ``options`` are pairs of value and label."""

    name: str
    label: str
    default: str
    options: tuple[tuple[str, str], ...]

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return ", ".join(value for value, _ in self.options)

    def read(self, raw: str) -> str:
        """``raw`` when it is an option. Raises Problem otherwise."""
        if raw not in dict(self.options):
            raise given(say(self.label), raw, self.allowed, self.name)
        return raw

    def field(self, value: str) -> Html:
        """The label with its menu."""
        options = join(
            *(tag("option", say(label), value=option, selected=option == value) for option, label in self.options)
        )
        label = say(self.label)
        menu = tag("select", options, name=self.name, autocomplete="off", data_kind="choice", data_label=label)
        return tag("label", tag("span", capital(label)), menu)


@dataclass(frozen=True)
class ShapeText:
    """M, N and K of a product, typed in one box: ``4096 11008 4096``."""

    name: str
    label: str
    default: str
    most: int = 2**31 - 1

    def read(self, raw: str) -> str:
        """The three numbers with one space between them. Raises Problem when it is no such text."""
        found = re.fullmatch(r"\s*(\d{1,10})[\s,x×]+(\d{1,10})[\s,x×]+(\d{1,10})\s*", raw)
        numbers = [int(text) for text in found.groups()] if found else []
        if not numbers or not all(1 <= each <= self.most for each in numbers):
            allowed = say("three whole numbers M N K, each from 1 to {most}", most=number(self.most))
            raise given(say(self.label), raw, allowed, self.name)
        return " ".join(str(each) for each in numbers)

    def field(self, value: str) -> Html:
        """The label with its text box."""
        label = say(self.label)
        box = tag("input", name=self.name, type="text", autocomplete="off", size=20, value=value, data_label=label)
        return tag("label", tag("span", capital(label)), box)


@dataclass(frozen=True)
class MatrixText:
    """A person's own matrix as they typed or pasted it; empty means that the inputs menu decides."""

    name: str
    label: str
    default: str = ""
    example: str = "1 2 3\n4 5 6"

    def read(self, raw: str) -> str:
        """``raw`` with each run of blanks and new lines made short. Raises Problem when it is far too long."""
        if len(raw) > LONGEST_MATRIX_TEXT:
            raise given(say(self.label), raw, _at_most(LONGEST_MATRIX_TEXT), self.name)
        rows = (
            re.sub(r"[ \u00a0]+", " ", row.strip(" \r")) for row in raw.strip("\r\n ").replace("\r\n", "\n").split("\n")
        )
        return "\n".join(row for row in rows if row)

    def field(self, value: str) -> Html:
        """The label with its text area."""
        area = tag(
            "textarea",
            value,
            name=self.name,
            rows=4,
            cols=24,
            autocomplete="off",
            spellcheck="false",
            data_kind="matrix",
            data_label=say(self.label),
            placeholder=self.example,
        )
        return tag("label", tag("span", capital(say(self.label))), area)


@dataclass(frozen=True)
class Code:
    """A reader's own program. It never stands in an address: code does not run from a link."""

    name: str
    label: str
    default: str

    def read(self, raw: str) -> str:
        """``raw`` with plain line ends. Raises Problem when it is far too long."""
        if len(raw) > LONGEST_CODE:
            raise given(say(self.label), raw, _at_most(LONGEST_CODE), self.name)
        return raw.replace("\r\n", "\n").replace("\r", "\n")

    def field(self, value: str) -> Html:
        """The label with its text area, which a script may turn into an editor."""
        area = tag(
            "textarea",
            "\n",
            value,
            name=self.name,
            rows=min(max(value.count("\n") + 2, 10), 16),
            cols=72,
            autocomplete="off",
            autocapitalize="off",
            spellcheck="false",
            data_kind="code",
            data_label=say(self.label),
            data_keys=say("Tab leaves the editor. Ctrl+] and Ctrl+[ indent, Ctrl+Z undoes, Ctrl+/ comments lines out."),
        )
        return tag("label", tag("span", capital(say(self.label))), area, class_="w-code")


class Control(Protocol):
    """A setting: ``read`` gives the canonical text of what was typed, ``field`` the label with its field."""

    @property
    def name(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def default(self) -> str | int: ...

    def read(self, raw: str) -> str:
        """The canonical text. Raises Problem for what is not allowed."""
        ...

    def field(self, value: str) -> Html:
        """The HTML that a reader changes it with."""
        ...


Settings = Mapping[str, str]


def read_settings(controls: tuple[Control, ...], raw: Settings) -> dict[str, str]:
    """Every control's canonical text, defaults where nothing was given. Raises Problem for a bad name or value."""
    known = {control.name for control in controls}
    for name in raw:
        if name not in known:
            raise given(say("setting"), name, ", ".join(control.name for control in controls), "")
    return {
        control.name: control.read(raw[control.name]) if control.name in raw else str(control.default)
        for control in controls
    }


def _at_most(characters: int) -> str:
    return say("at most {n} characters", n=number(characters))


def capital(label: str) -> str:
    """The label as it stands before a field: its first letter large."""
    return label[:1].upper() + label[1:]

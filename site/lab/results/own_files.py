"""A reader's own result files: a setting that holds their text, and the parties that they make beside ours."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from lab.markup import Html, tag
from lab.problem import Problem, given
from lab.results.stored import ours, read_own
from sim.measured.fields import Unreadable
from sim.measured.party import Party, gather
from sim.measured.reading import slim

MOST_FILES = 4
MOST_BYTES = 8_000_000  # of one file; the page asks for no more
NAME = "own"


@dataclass(frozen=True)
class OwnFiles:
    """Files that were chosen or dropped: a JSON list of objects with ``name`` and ``text``, or nothing.

    It never stands in an address. Its canonical text has of each file what is read of it, and the last of a name only.
    """

    name: str = NAME
    label: str = "your files"
    default: str = ""

    def read(self, raw: str) -> str:
        """The canonical text. Raises Problem that names the file and what is wrong with it."""
        return _canonical(raw, self.name) if raw.strip() else ""

    def field(self, value: str) -> Html:
        """The place to drop files on, with a button that chooses some and one that forgets them."""
        picker = tag(
            "label",
            tag("span", "Choose files, or drop them anywhere on this page"),
            tag("input", type="file", multiple=True, accept=".json,application/json", data_act="file"),
        )
        forget = tag("button", "Forget my files", type="button", data_act="forget", hidden=True)
        return tag("div", picker, forget, self.hidden(value), class_="w-file")

    def hidden(self, value: str) -> Html:
        """The same setting where only a plot stands: filled from the place above."""
        return tag(
            "input",
            type="hidden",
            name=self.name,
            value=value,
            data_kind="file",
            data_label=self.label,
            data_most=MOST_BYTES,
        )


def parties(own: str) -> tuple[Party, ...]:
    """Ours, then those of the canonical text of a reader's files."""
    return (ours(), *_theirs(own))


@lru_cache(maxsize=2)
def _theirs(own: str) -> tuple[Party, ...]:
    return gather((read_own(entry["text"], entry["name"]) for entry in json.loads(own or "[]")), "yours")


@lru_cache(maxsize=4)
def _canonical(raw: str, field: str) -> str:
    try:
        entries = json.loads(raw)
        pairs = [(str(entry["name"]), str(entry["text"])) for entry in entries]
    except (ValueError, TypeError, KeyError):
        raise given("your files", raw, "a list of files, each with a name and a text", field) from None
    kept: dict[str, str] = {}
    for path, text in pairs:
        name = PurePosixPath(path).name[:60] or "a file without a name"
        try:
            kept[name] = slim(text, name)
        except Unreadable as error:
            raise Problem(f"{error}. What is shown stays as it was.", field) from None
    if len(kept) > MOST_FILES:
        raise Problem(f"your files: given {len(kept)}; allowed: at most {MOST_FILES} at once", field)
    return json.dumps([{"name": name, "text": text} for name, text in kept.items()], ensure_ascii=False)

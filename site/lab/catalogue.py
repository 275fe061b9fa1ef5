"""Catalogues: a file ``languages/NAME.po`` for each language, in gettext's format, read without gettext's module.

    #: site/lab/page.py
    msgctxt "chapter"
    msgid "Next"
    msgstr "下一章"

The format is described at https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html. Comments are free; the
header's ``Language`` is HTML's tag, ``X-Name`` the language's own name, ``Plural-Forms`` a rule in gettext's form.
"""

import json
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from lab.problem import Problem, given
from sim.words import ENGLISH, Language, key

LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d)\])?\s+)?("(?:[^"\\]|\\.)*")')
RULE = re.compile(r"[n0-9%<>=!&|?:() ]+")


@dataclass
class Entry:
    """One text of a catalogue: ``line`` is where it begins, counted from 1, ``forms`` are its translations."""

    line: int
    context: str = ""
    one: str = ""
    many: str = ""
    forms: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Catalogue:
    """A whole file: what its header says, and its entries."""

    header: Mapping[str, str]
    entries: tuple[Entry, ...]

    @property
    def language(self) -> Language:
        """The language, to be spoken. Raises Problem for a plural rule that is none."""
        texts = {key(entry.one, entry.context): tuple(entry.forms) for entry in self.entries}
        return Language(self.header["Language"], texts, plural_form(self.header.get("Plural-Forms", "")))


def read_catalogue(text: str) -> Catalogue:
    """A catalogue from a file's text. Raises Problem, whose ``field`` is the line, for what is no such file."""
    entries: list[Entry] = []
    part, form = "msgstr", 0
    for at, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = LINE.fullmatch(line.strip())
        if not found or not (found[1] or entries):
            raise Problem(
                f"{line[:40]!r} given; allowed: msgctxt, msgid, msgid_plural, msgstr, each with “text”", str(at)
            )
        if found[1] == "msgctxt" or (found[1] == "msgid" and part != "msgctxt"):
            entries.append(Entry(at))
        if found[1]:
            part, form = found[1], int(found[2] or 0)
        _add(entries[-1], part, form, json.loads(found[3]))
    header = dict(re.findall(r"(.+?): *(.*)\n", "".join(entries[0].forms) if entries else ""))
    if "Language" not in header:
        raise Problem("a catalogue without Language in its header given; required: “Language: zh-Hans\\n”", "1")
    return Catalogue(header, tuple(entries[1:]))


def _add(entry: Entry, part: str, form: int, text: str) -> None:
    """A part goes on over several lines of text."""
    if part == "msgctxt":
        entry.context += text
    elif part == "msgid":
        entry.one += text
    elif part == "msgid_plural":
        entry.many += text
    else:
        entry.forms += [""] * (form + 1 - len(entry.forms))
        entry.forms[form] += text


def plural_form(rule: str) -> Callable[[int], int]:
    """The function of ``nplurals=2; plural=(n != 1);``. Raises Problem for anything else."""
    found = re.fullmatch(r"\s*nplurals\s*=\s*(\d)\s*;\s*plural\s*=([^;]+);?\s*", rule)
    if not found or not RULE.fullmatch(found[2]):
        raise given("Plural-Forms", rule, "nplurals=COUNT; plural=RULE; with n, numbers and C's operators")
    words = found[2].replace("&&", " and ").replace("||", " or ").replace("!=", "<>")
    try:
        code = compile(_python(words.replace("!", " not ").replace("<>", "!=").strip()), "<Plural-Forms>", "eval")
    except SyntaxError:
        raise given("Plural-Forms", rule, "a rule in C's syntax") from None
    return lambda n: int(eval(code, {"__builtins__": {}, "n": n}))  # nothing but numbers and operators, as RULE says


def _python(rule: str) -> str:
    """C's ``condition ? this : that``, also within that, as Python's ``this if condition else that``."""
    rule = rule.strip()
    while rule.startswith("(") and _closing(rule) == len(rule) - 1:
        rule = rule[1:-1].strip()
    condition, question, rest = rule.partition("?")
    this, _, that = rest.partition(":")
    return f"({_python(this)} if {condition} else {_python(that)})" if question else rule


def _closing(rule: str) -> int:
    """The place of the bracket that closes the first one."""
    depth = 0
    for at, sign in enumerate(rule):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if not depth:
            return at
    return -1


@lru_cache(maxsize=4)
def language_named(tag: str) -> Language:
    """The language of a page, by HTML's tag. Raises Problem when it did not come along."""
    if tag == ENGLISH.tag:
        return ENGLISH
    for name in (tag, tag.partition("-")[0]) if re.fullmatch(r"[A-Za-z-]+", tag) else ():
        try:
            data = pkgutil.get_data("lab", f"languages/{name}.po")
        except OSError:
            continue
        found = read_catalogue((data or b"").decode("utf-8"))
        if found.header["Language"] == tag:
            return found.language
    raise given("language", tag, "en, and what the site was built with")

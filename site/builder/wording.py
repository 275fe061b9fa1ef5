"""Every text that the code marks for translation: `say`, `say_for`, `counted`, `some` and `later`, with file and line.

In Python, where they are imported from `sim.words` or `lab.markup`, the marks are calls with the text written out, and
`say` alone in templates and, with double quotes, in scripts. A text in another form would never reach a catalogue, so
it is refused.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import jinja2
from jinja2 import nodes

from builder.mistakes import Mistakes
from sim.words import key

SAID_IN_SCRIPT = re.compile(r'(?<![.\w$])say\(\s*(?:("(?:[^"\\\n]|\\.)*")|(?=[`\'(\w]))')
MARKS_FROM = ("sim.words", "lab.markup")
FORM = "a text written out in quotes, its values as {names}"


@dataclass(frozen=True)
class Wording:
    """A text where it stands; `many` is its plural, empty for most."""

    file: str
    line: int
    one: str
    many: str = ""
    context: str = ""

    @property
    def key(self) -> str:
        """What a catalogue knows it by."""
        return key(self.one, self.context)


def in_python(source: str, file: str, mistakes: Mistakes) -> Iterator[Wording]:
    """The texts of a Python file."""
    if not any(name in source for name in MARKS_FROM):
        return  # most files: parsing them all would take a build a second
    every = list(ast.walk(ast.parse(source)))
    imports = (node for node in every if isinstance(node, ast.ImportFrom) and node.module in MARKS_FROM)
    marks = {alias.name for node in imports for alias in node.names}
    for node in every:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        texts = [each.value if isinstance(each, ast.Constant) else each for each in node.args]
        named = {each.arg: each.value.value for each in node.keywords if isinstance(each.value, ast.Constant)}
        at = {"say": 0, "later": 0, "say_for": 1, "counted": 1, "some": 1}.get(node.func.id)
        if at is None or node.func.id not in marks or len(texts) <= at:
            continue
        if isinstance(texts[at], ast.Name | ast.Attribute | ast.Subscript):
            continue  # a variable holds what `later` marked
        if not isinstance(texts[at], str):
            mistakes.add(file, node.lineno, f"{node.func.id} of a text put together given; allowed: {FORM}")
            continue
        one, rest = str(texts[at]), [str(each) for each in texts[at + 1 :]]
        if node.func.id in ("counted", "some"):
            plural = rest[0] if rest else one + "s"
            yield Wording(file, node.lineno, f"{{n}} {one}", f"{{n}} {plural}")
        else:
            many = rest[0] if node.func.id == "say_for" else ""
            yield Wording(file, node.lineno, one, many, str(named.get("context", "")))


def in_template(source: str, file: str, mistakes: Mistakes) -> Iterator[Wording]:
    """The texts of a Jinja template."""
    for call in jinja2.Environment().parse(source).find_all(nodes.Call):
        if not (isinstance(call.node, nodes.Name) and call.node.name == "say"):
            continue
        if not (call.args and isinstance(call.args[0], nodes.Const)):
            mistakes.add(file, call.lineno, f"say of a text put together given; allowed: {FORM}")
            continue
        named = {each.key: each.value.value for each in call.kwargs if isinstance(each.value, nodes.Const)}
        yield Wording(file, call.lineno, str(call.args[0].value), "", str(named.get("context", "")))


def in_script(source: str, file: str, mistakes: Mistakes) -> Iterator[Wording]:
    """The texts of a page's script."""
    for found in SAID_IN_SCRIPT.finditer(source):
        line = source.count("\n", 0, found.start()) + 1
        if found[1]:
            yield Wording(file, line, json.loads(found[1]))
        elif not source[: found.start()].endswith("function "):
            mistakes.add(file, line, f"say of a text put together given; allowed: {FORM}")


def said_script(source: str, texts: dict[str, str]) -> str:
    """The script with every text exchanged for its translation: so a page carries no texts that it does not show."""

    def exchanged(found: re.Match[str]) -> str:
        if not found[1]:
            return found[0]
        text = json.loads(found[1])
        return found[0].replace(found[1], json.dumps(texts.get(text, text), ensure_ascii=False))

    return SAID_IN_SCRIPT.sub(exchanged, source)


def imports_of(root: Path, names: Iterable[str]) -> set[str]:
    """The files of `sim` and `lab`, relative to `root`, that modules such as `lab.page` are made of, themselves too."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        file = ("site/" if name.startswith("lab") else "") + name.replace(".", "/") + ".py"
        if file in found or not name.startswith(("lab.", "sim.")) or not (root / file).is_file():
            continue
        found.add(file)
        for node in ast.walk(ast.parse((root / file).read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found

"""One file out of two: a program that imports a function of the repository gets the function's own text instead."""

import ast
import re
from pathlib import PurePosixPath

REGION = re.compile(r"^[ \t]*# (?:end)?region \S+[ \t]*\n", re.MULTILINE)


class InliningError(Exception):
    """One sentence: why the import cannot be replaced."""


def inlined(text: str, source: str, file: str) -> str:
    """`text` with its line `from package.module import name` replaced by the definition of `name` in `source`.

    `file` is the place of `source`, as in `gpu/teaching.py`. The definition stands as it is written there, decorators
    and comments included, less the marks of regions. Raises InliningError where either is not to be found.
    """
    module = ".".join(PurePosixPath(file).with_suffix("").parts)
    line = re.search(rf"^from {re.escape(module)} import (\w+)\b.*\n", text, re.MULTILINE)
    if not line:
        raise InliningError(f"no line 'from {module} import …' in the program")
    definitions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    node = next((node for node in definitions if node.name == line[1]), None)
    if node is None:
        raise InliningError(f"no {line[1]} in {file}")
    first = min(each.lineno for each in (*node.decorator_list, node))
    part = "".join(source.splitlines(keepends=True)[first - 1 : node.end_lineno])
    whole = REGION.sub("", part + "\n").strip("\n")
    return f"{text[: line.start()].rstrip()}\n\n\n{whole}\n\n\n{text[line.end() :].lstrip()}"

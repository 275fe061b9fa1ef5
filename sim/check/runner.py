"""Run a reader's text: load it once, call its function, and tell every trouble by the reader's own line."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, TracebackType
from typing import Any

from sim.check.surroundings import NotHere, Printed, surroundings
from sim.counted import TICK, compiled

FILE = "<your code>"
DEEPEST = 120
GLOSS = {
    "IndexError": "an index lies outside its list; indices run from 0 to the length minus 1",
    "NameError": "a name is used that has no value yet",
    "UnboundLocalError": "a name is used before it gets a value in this function",
    "ZeroDivisionError": "something is divided by zero",
    "RecursionError": "the function calls itself too deep, perhaps without end",
    "MemoryError": "there is not enough memory for it",
}


class _Stopped(BaseException):
    """The step limit is reached."""


@dataclass(frozen=True)
class Trouble:
    """Why there is no result. ``kind`` is syntax, name, error or steps; ``error`` the exception's name or empty."""

    kind: str
    sentence: str
    line: int | None = None
    line_text: str = ""
    error: str = ""


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a value, or trouble; and what it printed."""

    value: Any
    trouble: Trouble | None
    printed: str


class Program:
    """A loaded text. ``steps`` counts the current call; it is stopped when ``step_limit`` is passed."""

    def __init__(self, source: str, step_limit: int) -> None:
        self.source = source
        self.step_limit = step_limit
        self.names: dict[str, Any] = {}
        self.loaded = Outcome(None, None, "")
        self._steps = 0
        self._printed = Printed()
        try:
            code = compiled(source, FILE)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            self.loaded = Outcome(None, _syntax_trouble(error, source), "")
            return
        self.names |= {"__name__": "exercise", "__builtins__": surroundings(self._printed), TICK: self._tick}
        self.loaded = self._run(lambda: exec(code, self.names))

    def call(self, name: str, arguments: list[Any]) -> Outcome:
        """Call one function of the program with ``arguments``, which it may change."""
        function = self.names[name]
        return self._run(lambda: function(*arguments))

    def _run(self, work: Callable[[], Any]) -> Outcome:
        self._steps = 0
        deepest = sys.getrecursionlimit()
        sys.setrecursionlimit(min(deepest, _depth() + DEEPEST))
        trouble: Trouble | None = None
        value = None
        try:
            value = work()
        except BaseException as error:
            sys.setrecursionlimit(deepest)
            trouble = self._trouble(error)
        finally:
            sys.setrecursionlimit(deepest)
        return Outcome(value, trouble, self._printed.taken())

    def _tick(self) -> bool:
        self._steps += 1
        if self._steps > self.step_limit:
            raise _Stopped
        return True

    def _trouble(self, error: BaseException) -> Trouble:
        line = _line(error.__traceback__)
        text = line_text(self.source, line)
        where = f"Line {line}, `{text}`: " if line else ""
        if isinstance(error, _Stopped):
            sentence = f"{where}stopped after {self.step_limit:,} steps. Does a loop or a recursion here ever end?"
            return Trouble("steps", sentence, line, text)
        if isinstance(error, KeyboardInterrupt):
            return Trouble("steps", f"{where}stopped from outside.", line, text)
        name = type(error).__name__
        if isinstance(error, NotHere):
            return Trouble("error", f"{where}{error}.", line, text, name)
        said = _said(error)
        gloss = f" ({GLOSS[name]})" if name in GLOSS else ""
        return Trouble("error", f"{where}{name}{': ' if said else ''}{said}{gloss}.", line, text, name)


def arity_trouble(function: Any, name: str, parameters: tuple[str, ...], source: str) -> Trouble | None:
    """A sentence when ``function`` cannot be called with one argument for each parameter, else None."""
    if not isinstance(function, FunctionType):
        return None
    code = function.__code__
    most = code.co_argcount
    least = most - len(function.__defaults__ or ())
    takes_more = bool(code.co_flags & 0x04)
    if least <= len(parameters) and (takes_more or most >= len(parameters)):
        return None
    line = code.co_firstlineno
    given = ", ".join(code.co_varnames[:most]) or "nothing"
    wanted = ", ".join(parameters)
    sentence = f"Line {line}: {name} takes {given}; allowed: {len(parameters)} arguments, {name}({wanted})."
    return Trouble("name", sentence, line, line_text(source, line))


def line_text(source: str, line: int | None) -> str:
    """The reader's line ``line``, counted from 1, without the spaces around it; empty when there is none."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[line - 1].strip()[:120] if line and 0 < line <= len(lines) else ""


def _syntax_trouble(error: BaseException, source: str) -> Trouble:
    if not isinstance(error, SyntaxError):
        return Trouble("syntax", f"Python cannot read this text: {_said(error) or type(error).__name__}.")
    line = error.lineno
    text = line_text(source, line)
    where = f"Line {line}, `{text}`: " if text else f"Line {line}: " if line else ""
    return Trouble("syntax", f"{where}Python cannot read this: {error.msg}.", line, text, type(error).__name__)


def _line(traceback: TracebackType | None) -> int | None:
    """The last line of the reader's own text on the way to an error."""
    line = None
    while traceback:
        if traceback.tb_frame.f_code.co_filename == FILE:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _said(error: BaseException) -> str:
    try:
        text = " ".join(str(error).split())
    except BaseException:  # the reader's own exception, with a text of its own that fails or never ends
        return ""
    return (text if len(text) <= 200 else text[:199] + "…").rstrip(".")


def _depth() -> int:
    frame = sys._getframe()
    depth = 1
    while frame.f_back:
        frame, depth = frame.f_back, depth + 1
    return depth

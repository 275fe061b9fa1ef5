"""Authors' mistakes: collected over a whole build, told together, each with its file and line."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Mistake:
    """`file:line: what was given; what is allowed`. `file` is relative to the repository, with forward slashes."""

    file: str
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.sentence}"


class BuildError(Exception):
    """The build cannot go on; holds every mistake found, in the order of files and lines."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = sorted(set(mistakes))
        super().__init__("\n".join(map(str, self.mistakes)))


@dataclass
class Mistakes:
    """What has been found so far in one build."""

    found: list[Mistake] = field(default_factory=list)

    def add(self, file: str, line: int, sentence: str) -> None:
        """Note a mistake and let the build look for more."""
        self.found.append(Mistake(file, line, sentence))

    def stop_if_any(self) -> None:
        """Raise BuildError when something was found."""
        if self.found:
            raise BuildError(self.found)


def listed(allowed: Iterable[str]) -> str:
    """The allowed things as a sentence's end: `a, b, c`, or `nothing` when there is none."""
    return ", ".join(sorted(allowed)) or "nothing"

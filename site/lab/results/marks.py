"""Marks of measured values: a shape for each party, so that no colour says anything alone, and a legend."""

from collections.abc import Sequence

from lab.markup import Html, join, tag

SHAPES = ("circle", "square", "diamond", "triangle", "cross")
ROW = 20  # pixels of a line of a legend


def mark(shape: str, x: int, y: int, size: int = 5, kind: str = "dot") -> Html:
    """One mark with its middle at (x, y). A cross has no inside; the others are filled where ``kind`` says ``full``."""
    if shape == "circle":
        return tag("circle", cx=x, cy=y, r=size, class_=kind)
    return tag("path", d=_path(shape, x, y, size), class_=kind)


def _path(shape: str, x: int, y: int, s: int) -> str:
    return {
        "square": f"M{x - s} {y - s}h{2 * s}v{2 * s}h{-2 * s}z",
        "diamond": f"M{x} {y - s - 1}L{x + s + 1} {y}L{x} {y + s + 1}L{x - s - 1} {y}z",
        "triangle": f"M{x} {y - s}L{x + s} {y + s}L{x - s} {y + s}z",
        "cross": f"M{x - s} {y - s}L{x + s} {y + s}M{x - s} {y + s}L{x + s} {y - s}",
        "left": f"M{x - s} {y}L{x + s} {y - s}L{x + s} {y + s}z",
        "right": f"M{x + s} {y}L{x - s} {y - s}L{x - s} {y + s}z",
    }[shape]


def legend(entries: Sequence[tuple[str, str, str, str]], x: int, y: int) -> Html:
    """Lines of (class, shape, kind, words), one under the other; the first has its middle at ``y``."""
    lines = (
        tag(
            "g",
            mark(shape, x + 6, y + ROW * index, 5, kind),
            tag("text", words, x=x + 18, y=y + ROW * index + 5, class_="label name"),
            class_=group,
        )
        for index, (group, shape, kind, words) in enumerate(entries)
    )
    return join(*lines)


def kind_of(party: int) -> str:
    """Ours are full, readers' own are hollow."""
    return "dot full" if party == 0 else "dot"

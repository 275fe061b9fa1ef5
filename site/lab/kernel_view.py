"""Pictures of one executed line of a kernel: the source, the names that it sets and reads, its loads, stores, dots."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lab.figures import numbers
from lab.markup import Html, join, tag
from sim.tl.recorder import Plain, Step
from sim.tl.reports import Report


def kernel_lines(source: str) -> tuple[list[str], int]:
    """The lines from the first kernel's decorator on, and the number of the first of them."""
    lines = source.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("@triton.jit"))
    return lines[first:], first + 1


def source_pane(
    source: str,
    current: Iterable[int],
    name: str,
    edited: Iterable[int] = (),
    notes: Mapping[int, str] | None = None,
    steps: Mapping[int, int] | None = None,
) -> Html:
    """The kernel's lines with their numbers; those of ``current`` are marked, those ``edited`` underlined.

    With ``notes`` each line begins with its own note, or room for one. ``steps``: where a click on a line leads.
    """
    lines, first = kernel_lines(source)
    now, changed = set(current), set(edited)
    width = max((len(note) for note in notes.values()), default=0) if notes else 0

    def line(number: int, text: str) -> Html:
        note = f"{(notes or {}).get(number, '').rjust(width)} " if width else ""
        bare = text.lstrip()
        marked = join(text[: len(text) - len(bare)], tag("ins", bare)) if number in changed else text or " "
        return tag(
            "span",
            tag("span", f"{number:>3} {note}", class_="line-number", aria_hidden="true"),
            marked,
            "\n",
            class_="source-line now" if number in now else "source-line",
            aria_current="true" if number in now else None,
            data_step=(steps or {}).get(number),
        )

    shown = (line(number, text) for number, text in enumerate(lines, first))
    return tag("pre", tag("code", *shown), class_="source", tabindex="0", role="group", aria_label=name)


def names_of(title: str, names: Mapping[str, Plain]) -> Html:
    """Names with their values: those of one number in a row, tiles as tables of lanes."""
    if not names:
        return Html("")
    single = [tag("span", _single(name, value), class_="named") for name, value in names.items() if _is_single(value)]
    tiles = [_tile(name, value) for name, value in names.items() if not _is_single(value)]
    heading = tag("p", title, class_="group-label")
    return tag("div", heading, tag("div", *tiles, *single, class_="names"), class_="names-of")


def _is_single(value: Plain) -> bool:
    return value["kind"] in ("constant", "tuple") or value["cut"] or not value["shape"]


def _single(name: str, value: Plain) -> Html:
    if value["kind"] == "constant":
        return join(tag("code", name), " = ", tag("code", value["text"]))
    if value["kind"] == "tuple" or value["cut"]:
        return join(tag("code", name), ": too large to draw")
    if value["kind"] == "pointer":
        return join(tag("code", name), f" = address of element {_lane(value, 0)} of {value['array']}")
    return join(tag("code", name), " = ", tag("code", _lane(value, 0)), f" ({value['dtype']})")


def _tile(name: str, value: Plain) -> Html:
    texts = [_lane(value, index) for index in range(len(value["values"]))]
    shape = " × ".join(str(side) for side in value["shape"])
    kind = f"addresses in {value['array']}" if value["kind"] == "pointer" else value["dtype"]
    return lanes_table(join(tag("code", name), f" {kind}, {shape}"), name, texts, value["shape"][-1])


def lanes_table(caption: Html, label: str, texts: Sequence[str], width: int) -> Html:
    """Texts of lanes, row by row; those that are off are hatched."""
    rows = [texts[start : start + width] for start in range(0, len(texts), width)]
    cells = (tag("tr", *(tag("td", text, class_=_mask(text)) for text in row)) for row in rows)
    table = tag("table", tag("caption", caption), tag("tbody", *cells), class_="lanes")
    return tag("div", table, class_="scroll", tabindex="0", role="group", aria_label=label)


def _lane(value: Plain, index: int) -> str:
    if index in value["undefined"]:
        return "undefined"
    lane = value["values"][index]
    return ("yes" if lane else "no") if isinstance(lane, bool) else plain_number(lane)


def _mask(text: str) -> str | None:
    return "off" if text in ("no", "undefined", "masked") else None


def plain_number(value: Any) -> str:
    """A lane's number as text: whole floats without their fraction, others with at most 6 digits."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.6g}"
    return str(value)


def operations(step: Step) -> Html:
    """Loads, stores and dots of this line: dots in a few words, the others by the address of each lane."""
    return join(*(_dot(one) if one["kind"] == "dot" else _addresses(one) for one in step.operations))


def _dot(operation: Plain) -> Html:
    size = f"{operation['m']} × {operation['n']} × {operation['k']}"
    return numbers(("dot", f"{size}, {operation['operand']} into {operation['accumulator']}"))


def _addresses(operation: Plain) -> Html:
    """Which element of the array each lane reaches, counted row by row from 0."""
    count = 1
    for side in operation["shape"]:
        count *= side
    told = f"{operation['kind']} {operation['array']}: element of each lane"
    if operation["cut"] or not operation["shape"]:
        return numbers((f"{operation['kind']} {operation['array']}", f"{operation['active']} of {count} lanes"))
    texts = ["masked"] * count
    for lane in operation["outside"]:
        texts[lane] = "outside"
    for lane, element in zip(operation["lanes"], operation["elements"], strict=True):
        texts[lane] = str(element)
    return tag("div", lanes_table(join(told), told, texts, operation["shape"][-1]), class_="names-of")


def told_report(report: Report) -> Html:
    """A report with its program and line, where it has them."""
    told = with_code(f"{report.where}{report.text}.")
    return tag("li", tag("strong", f"{report.kind}: "), told, data_line=report.line or None)


def with_code(text: str) -> Html:
    """Text in which what stands between backticks is code."""
    return join(*(tag("code", part) if place % 2 else part for place, part in enumerate(text.split("`"))))

"""`own-results`: where a reader's files come in, and what was read in them."""

from lab.figures import facts
from lab.markup import Html, join, number, tag
from lab.results import shared
from lab.results.own_files import parties as all_parties
from lab.widget import Frame, Scene, Widget
from sim.measured import words
from sim.measured.party import Party, memory_ceiling, product_ceiling

HEADS = ("who", "number format", "shapes", "kernels", "timed rows", "slower than torch", "wrong or not run")


def scene(settings: dict[str, str]) -> Scene:
    """One frame: what each party brings."""
    parties = all_parties(settings["own"])
    return Scene(
        settings=settings,
        count=1,
        frame=lambda step: _frame(parties),
        unlinked=(shared.OWN.name,),
    )


def _frame(parties: tuple[Party, ...]) -> Frame:
    rows = [("", cells) for party in parties for cells in _rows(party)]
    table = facts("What is in the files", HEADS, rows)
    ceilings = tag("ul", *(tag("li", line) for party in parties for line in _lines(party)), class_="refused")
    html = shared.frame_of(table, [ceilings], shared.provenance(parties, counters=True))
    return Frame(html, _say(parties))


def _rows(party: Party) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for number_format in party.formats():
        rows = party.rows(number_format)
        timed = [row for row in rows if row.replay]
        ratios = [party.ratio(row, "replay") for row in timed]
        found.append(
            (
                party.label,
                words.label(number_format),
                number(len(party.shapes(number_format))),
                number(len({row.kernel for row in timed if row.kernel != "torch"})),
                number(len(timed)),
                number(sum(1 for ratio in ratios if ratio is not None and ratio < 1)),
                number(len(rows) - len(timed)),
            )
        )
    return found


def _lines(party: Party) -> list[Html]:
    """The ceilings, and the launches whose loads were counted."""
    lines = []
    memory = memory_ceiling(party)
    if memory:
        lines.append(_line(party, f"memory {words.figures(memory.rate)} TB/s ({memory.what})"))
    for number_format in party.formats():
        product = product_ceiling(party, number_format)
        if product:
            told = f"{words.label(number_format)} {words.figures(product.rate)} TFLOP/s ({product.what})"
            lines.append(_line(party, told))
    for file in party.counters:
        lines.append(_line(party, f"{number(len(file.launches))} launches with counted loads"))
    return lines


def _line(party: Party, text: str) -> Html:
    return join(tag("b", party.label), f": {text}")


def _say(parties: tuple[Party, ...]) -> str:
    if len(parties) == 1:
        return "Every plot of this chapter shows our H200. With a file of yours it shows your GPU as well."
    names = ", ".join(party.label for party in parties[1:])
    return f"Every plot of this chapter now shows {names} beside ours, where your files have something to show."


WIDGET = Widget(
    name="own-results",
    title="Your own results",
    question="Drop what kernel-bench wrote on your machine, and see it in every plot of this chapter next to ours.",
    controls=(shared.OWN,),
    assumptions=(
        "Files are read here, in your browser. They are not sent anywhere, and are forgotten when the page is closed.",
        "What kernel-bench writes with --output is read, and what python -m gpu.counters writes; four files at most.",
        "A rate that a file prints is not believed: it is worked out again from M, N, K and the time.",
        "Two GPUs differ in more than their kernels: a ratio to torch on one says little about one on the other.",
    ),
    scene=scene,
    listed=({},),
    run_label="",
    steps=False,
    limits_title="What becomes of a file",
)

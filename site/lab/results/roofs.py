"""Tables of a roofline: the rates under it, the points whose bytes were counted, and what each roof is."""

from dataclasses import dataclass
from fractions import Fraction

from lab.controls import capital
from lab.figures import facts
from lab.markup import Html, decimal, tag
from sim.measured import words
from sim.measured.party import Ceiling, Party, memory_ceiling, product_ceiling, published
from sim.measured.records import Counted, Row


@dataclass(frozen=True)
class Roofs:
    """The two roofs of a party in one number format, as seen; None where nothing was seen."""

    memory: Ceiling | None
    product: Ceiling | None

    def bound(self, intensity: Fraction) -> Fraction | None:
        """The lower of the two, in TFLOP/s."""
        roofs = [self.memory.rate * intensity] if self.memory else []
        return min([*roofs, *([self.product.rate] if self.product else [])], default=None)


def roofs_of(party: Party, number_format: str) -> Roofs:
    """What was seen of a party's memory and arithmetic."""
    return Roofs(memory_ceiling(party), product_ceiling(party, number_format))


def counted_rows(party: Party) -> list[Counted]:
    """The launches of the teaching kernel that are drawn, one for each shape."""
    return [each for file in party.counters for each in file.counted if each.group_m == 8]


def counted_table(party: Party) -> Html:
    """Those launches, with the bytes that passed between DRAM and the L2."""
    rows = [
        (
            words.shape(each.shape),
            words.megabytes(each.dram_bytes),
            words.places(each.intensity, 1),
            words.figures(each.tflops),
        )
        for each in counted_rows(party)
    ]
    heads = ("M × N × K", "DRAM bytes, read and written", "operations a byte", "TFLOP/s")
    title = f"{party.label}: the teaching kernel, GROUP_M = 8, DRAM bytes counted"
    return facts(title, heads, [("", row) for row in rows])


def rate_table(party: Party, number_format: str, kernels: tuple[str, ...]) -> Html:
    """TFLOP/s by shape and kernel, beside the lower roof as seen."""
    roofs = roofs_of(party, number_format)
    shown = [name for name in kernels if any(row.kernel == name for row in party.rows(number_format))]
    rows = []
    for shape in party.shapes(number_format):
        some_row = next(row for row in party.rows(number_format) if row.shape == shape)
        bound = roofs.bound(some_row.intensity)
        rates = (_rate(party.row(number_format, shape, name)) for name in shown)
        last = words.figures(bound) if bound else "–"
        rows.append(("", (words.shape(shape), words.places(some_row.intensity, 1), *rates, last)))
    title = f"{party.label}: TFLOP/s in {words.label(number_format)}, and the lower roof as seen"
    return facts(title, ("M × N × K", "operations a byte", *shown, "roof"), rows)


def _rate(row: Row | None) -> str:
    if row is None or row.replay is None:
        return "–"
    return words.figures(row.tflops) if row.tflops else "launch-bound"


def roof_table(parties: tuple[Party, ...], number_format: str, tile: Fraction | None) -> Html:
    """Each roof, how high it is, and what it is: seen, published, or the model\'s."""
    rows = []
    for party in parties:
        roofs, peaks = roofs_of(party, number_format), published(party, number_format)
        rows += [(f"{party.label}: {what}", *cells) for what, *cells in _roof_rows(roofs, number_format)]
        if peaks.tflops and peaks.tb_s:
            figures = f"{words.peak(peaks.tb_s)} TB/s, {words.peak(peaks.tflops)} TFLOP/s"
            rows.append((f"{party.label}: published", figures, f"Not measured. {peaks.source}"))
    if tile:
        told = "The model’s: operations of one K phase over the bytes of its two tiles. Not a measured point."
        rows.append(("tile of the teaching kernel", f"{decimal(tile, 1)} operations a byte", told))
    wrapped = [("", (*cells[:2], tag("span", cells[2], class_="remark long"))) for cells in rows]
    return facts("The roofs", ("roof", "height", "what it is"), wrapped)


def _roof_rows(roofs: Roofs, number_format: str) -> list[tuple[str, str, str]]:
    found = []
    if roofs.memory:
        what = f"{capital(roofs.memory.what)}."
        if not roofs.memory.true_ceiling:
            what = f"The most that was seen: {roofs.memory.what}. No copy was timed, so the memory may be faster."
        found.append(("memory, as seen", f"{words.figures(roofs.memory.rate)} TB/s", what))
    if roofs.product:
        large = "The fastest large product" if roofs.product.true_ceiling else "The fastest product, and none is large"
        name = f"arithmetic in {words.label(number_format)}, as seen"
        found.append((name, f"{words.figures(roofs.product.rate)} TFLOP/s", f"{large}: {roofs.product.what}."))
    return found

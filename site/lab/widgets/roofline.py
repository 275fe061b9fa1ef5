"""`roofline`: measured rates over arithmetic intensity, under what memory and arithmetic allow."""

from fractions import Fraction

from lab.controls import Choice
from lab.results import shared
from lab.results.own_files import parties as all_parties
from lab.results.roofs import counted_rows, counted_table, rate_table, roof_table, roofs_of
from lab.results.scales import powers
from lab.results.scatter import Axes, Bound, Points, scatter
from lab.widget import Ask, Frame, Scene, Shortcut, Widget
from sim.measured import words
from sim.measured.ladder import LADDER
from sim.measured.party import Party, published
from sim.mistakes import Mistake
from sim.reuse import Tile

FEW = ("torch", "tiled", "best")
SHOW = Choice("show", "kernels", "few", (("few", "torch, tiled and best"), ("all", "the whole ladder")))
MARKS = {"torch": "cross", "tiled": "triangle", "best": "circle"}
ITEM = {"float16": 2, "bfloat16": 2, "float32 ieee": 4, "float32 tf32": 4}
TEACHING = "tiled"  # the rung that is the teaching kernel; its tile's intensity is marked


def scene(settings: dict[str, str]) -> Scene:
    """One frame: the plot, the rates behind it, and the roofs in words."""
    parties = all_parties(settings["own"])
    shows = (Shortcut(label, {"show": value}, settings["show"] == value) for value, label in SHOW.options)
    return Scene(
        settings=settings,
        count=1,
        frame=lambda step: _frame(parties, settings),
        asks=_asks(parties[0], settings["format"]),
        shortcuts=(shared.format_buttons(settings), ("Kernels", tuple(shows))),
        note=shared.own_note(parties, settings["format"]),
        unlinked=(shared.OWN.name,),
    )


def _frame(parties: tuple[Party, ...], settings: dict[str, str]) -> Frame:
    number_format, kernels = settings["format"], _kernels(parties, settings)
    groups = [points for at, party in enumerate(parties) for points in _points(party, at, number_format, kernels)]
    tile = _tile_intensity(parties[0], number_format)
    axes = _axes(parties, number_format, groups, tile)
    if tile:
        foot = ((tile, axes.y_ticks[0]),)
        groups.append(Points("model: intensity of a tile, no measured point", "s4", "diamond", "dot", foot, 6))
    bounds = [bound for at, party in enumerate(parties) for bound in _bounds(party, at, number_format, axes)]
    caption = (
        f"Rates by graph replay in {words.label(number_format)} over operations for each byte, A and B read once and C "
        "written once. Thick lines: as seen on the GPU; thin dashed lines: as published. The diamond on the axis is "
        "the model’s intensity of one tile and stands for no measurement."
    )
    chart = scatter(groups, bounds, axes, caption)
    tables = [rate_table(party, number_format, kernels) for party in parties if party.shapes(number_format)]
    tables += [counted_table(party) for party in parties if number_format == "float16" and party.counters]
    tables.append(roof_table(parties, number_format, tile))
    source = shared.provenance(parties, counters=True)
    return Frame(shared.frame_of(chart, tables, source), _say(parties, number_format))


def _axes(parties: tuple[Party, ...], number_format: str, groups: list[Points], tile: Fraction | None) -> Axes:
    """Axes that hold every point, the published peaks and the intensity of a tile."""
    places = [place for points in groups for place in points.places]
    peaks = [peak for party in parties if (peak := published(party, number_format).tflops)]
    across, up = [x for x, _ in places] + ([tile] if tile else []), [y for _, y in places]
    x_ticks = powers(min(across, default=Fraction(1)), max(across, default=Fraction(2)), 2)
    y_ticks = powers(min(up, default=Fraction(1)), max([*up, *peaks], default=Fraction(2)), 2)
    return Axes(x_ticks, y_ticks, "operations for each byte", "TFLOP/s")


def _kernels(parties: tuple[Party, ...], settings: dict[str, str]) -> tuple[str, ...]:
    if settings["show"] == "few":
        return FEW
    timed = {row.kernel for party in parties for row in party.rows(settings["format"]) if row.tflops}
    return tuple(name for name in (*FEW[:1], *LADDER) if name in timed)


def _points(party: Party, at: int, number_format: str, kernels: tuple[str, ...]) -> list[Points]:
    """The rates of a party: a mark of its own for each of the three, one mark for all the others."""
    kind = "dot full" if at == 0 else "dot"
    found = []
    for name in [each for each in kernels if each in FEW]:
        rows = [row for row in party.rows(number_format) if row.kernel == name]
        found.append((f"{party.label}: {name}", MARKS[name], rows, 5))
    others = [row for row in party.rows(number_format) if row.kernel in kernels and row.kernel not in FEW]
    found.append((f"{party.label}: other kernels", "square", others, 2))
    made = [
        Points(name, f"s{at}", shape, kind, tuple((row.intensity, row.tflops) for row in rows if row.tflops), size)
        for name, shape, rows, size in found
    ]
    return [points for points in (*made, *_counted(party, at, number_format)) if points.places]


def _counted(party: Party, at: int, number_format: str) -> list[Points]:
    """The teaching kernel over the DRAM bytes that were counted: the only points whose bytes are shared."""
    if number_format != "float16":
        return []
    places = tuple((each.intensity, each.tflops) for each in counted_rows(party))
    return [Points(f"{party.label}: DRAM bytes counted", f"s{at}", "square", "dot", places, 4)]


def _bounds(party: Party, at: int, number_format: str, axes: Axes) -> list[Bound]:
    """The roof as seen and the published one, which is named once: a party's colour says whose it is."""
    roofs, peaks = roofs_of(party, number_format), published(party, number_format)
    found = []
    if peaks.tb_s and peaks.tflops:
        vendor = _roof(peaks.tb_s, peaks.tflops, axes)
        found.append(Bound(vendor, f"thin s{at}", "" if at else "published", "end"))
    if roofs.memory and roofs.product and party.shapes(number_format):
        found.append(Bound(_roof(roofs.memory.rate, roofs.product.rate, axes), f"thick s{at}"))
    elif roofs.product:
        flat = ((roofs.product.intensity, roofs.product.rate), (axes.x_ticks[-1], roofs.product.rate))
        found.append(Bound(flat, f"thick s{at}"))
    return found


def _roof(memory: Fraction, product: Fraction, axes: Axes) -> tuple[tuple[Fraction, Fraction], ...]:
    """The corners of a roof inside the axes: from the left or the foot, over the ridge, to the right."""
    low = max(axes.x_ticks[0], axes.y_ticks[0] / memory)
    return (low, low * memory), (product / memory, product), (axes.x_ticks[-1], product)


def _tile_intensity(party: Party, number_format: str) -> Fraction | None:
    row = next((row for row in party.rows(number_format) if row.kernel == TEACHING and row.tile), None)
    return Tile(*row.tile, ITEM[number_format]).intensity if row and row.tile else None


def _say(parties: tuple[Party, ...], number_format: str) -> str:
    told = []
    for party in parties:
        roofs = roofs_of(party, number_format)
        if not roofs.memory and roofs.product:
            rate = f"arithmetic {words.figures(roofs.product.rate)} TFLOP/s"
            told.append(f"{party.label}, as seen: {rate}; nothing in the file tells of its memory.")
        if roofs.memory and roofs.product and party.shapes(number_format):
            ridge = roofs.product.rate / roofs.memory.rate
            memory, product = words.figures(roofs.memory.rate), words.figures(roofs.product.rate)
            seen = f"{party.label}, as seen: memory {memory} TB/s, arithmetic {product} TFLOP/s"
            told.append(f"{seen}; they meet at {words.figures(ridge)} operations a byte.")
    return " ".join(told) or f"Nothing was timed in {words.label(number_format)}."


def _asks(party: Party, number_format: str) -> tuple[Ask, ...]:
    """How many shapes lie left of the ridge?"""
    roofs = roofs_of(party, number_format)
    if not roofs.memory or not roofs.product:
        return ()
    ridge = roofs.product.rate / roofs.memory.rate
    by_shape = {row.shape: row.intensity for row in party.rows(number_format) if row.tflops}
    left = sum(1 for intensity in by_shape.values() if intensity < ridge)
    found = (
        Mistake("right", len(by_shape) - left, "that is how many the arithmetic bounds, those right of the ridge"),
        Mistake("all", len(by_shape), "that is every shape with a rate"),
    )
    return (
        Ask(
            "left",
            f"of the {len(by_shape)} shapes with a rate, how many does memory bound?",
            str(left),
            f"The two roofs meet at {words.figures(ridge)} operations a byte, and so many shapes have fewer.",
            tuple((str(each.value), each) for each in found if each.value != left),
        ),
    )


WIDGET = Widget(
    name="roofline",
    title="Rates under two roofs",
    question="Two roofs bound a rate: the bytes that memory brings, and the operations of the chip. Which is near?",
    controls=(shared.FORMAT, SHOW, shared.OWN),
    assumptions=(
        "Operations a byte are of the least bytes: A and B read once, C written once. A kernel moves more.",
        "Hollow squares, float16 only: the teaching kernel at GROUP_M = 8, counted DRAM bytes, an unprofiled time.",
        "The intensity of a tile divides by what a program loads. Most of that comes from caches: it is no bound here.",
        "A published peak is the vendor’s figure, for a clock that lasting work need not hold.",
        "Launch-bound rows have no rate and are not drawn.",
    ),
    scene=scene,
    listed=tuple({"format": each, "show": show} for each, _ in shared.FORMAT.options for show, _ in SHOW.options),
    fixed=(shared.OWN.name,),
    steps=False,
    limits_title="What these numbers leave out",
)

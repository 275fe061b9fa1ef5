"""`tile-cache`: misses of a small cache of tiles, one GROUP_M a step."""

from collections.abc import Callable

from lab.charts import chart_figure
from lab.controls import Integer
from lab.figures import facts, numbers
from lab.markup import Html, decimal, first_ones, join, number, some, tag
from lab.problem import Problem
from lab.widget import Ask, Frame, Scene, Shortcut, Widget
from sim.cache import CacheRun, accesses, different_tiles, run_cache
from sim.mistakes import Mistake
from sim.order import Tile, program_tile, touched
from sim.tiling import Tiling

GROUPS = (1, 2, 4, 8, 16, 32, 64)
MOST_WORK = 65_536  # programs × K phases: a step of the largest sizes takes a moment in a browser
WIDTH, LEFT, RIGHT, BAR, GAP = 560, 120, 88, 22, 10
Runs = Callable[[int], CacheRun]


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each GROUP_M; a run is made when a step needs it, and once for each scene."""
    rows, columns, phases, in_flight, capacity, group_m = (
        int(settings[name]) for name in ("rows", "columns", "phases", "in_flight", "capacity", "g")
    )
    tiling = Tiling(rows, columns, phases, 1, 1, 1)
    work = tiling.programs * phases
    if work > MOST_WORK:
        raise Problem(f"programs × K phases: given {number(work)}; allowed: at most {number(MOST_WORK)}", "phases")
    made: dict[int, CacheRun] = {}

    def runs(group: int) -> CacheRun:
        if group not in made:
            made[group] = run_cache(tiling, group, in_flight, capacity)
        return made[group]

    return Scene(
        settings=settings,
        count=len(GROUPS),
        frame=lambda step: _frame(tiling, in_flight, capacity, runs, step),
        asks=(_phase_ask(tiling, in_flight, group_m), _least_ask(tiling)),
        shortcuts=_shortcuts(settings),
    )


def _frame(tiling: Tiling, in_flight: int, capacity: int, runs: Runs, step: int) -> Frame:
    group, run = GROUPS[step], runs(GROUPS[step])
    rows, columns = touched(_first_programs(tiling, group, in_flight))
    first = min(in_flight, tiling.programs)
    figures = numbers(
        ("tile accesses", number(run.accesses)),
        ("misses at this GROUP_M", number(run.misses)),
        ("miss rate", _rate(run)),
        ("different tiles, one phase of the first programs", f"{len(rows)} + {len(columns)} of {2 * first} accesses"),
        ("different tiles in all, and room for", f"{number(different_tiles(tiling))}, {number(capacity)}"),
    )
    return Frame(join(_chart(runs, step), figures, _table(tiling, in_flight, runs, step)), _say(runs, group, step))


def _rate(run: CacheRun) -> str:
    return f"{decimal(run.miss_rate * 100, 1)}\u00a0%"


def _chart(runs: Runs, step: int) -> Html:
    """A bar for each GROUP_M that the reader has come to; the whole width is every access a miss."""
    bottom = len(GROUPS) * (BAR + GAP) + GAP
    span = WIDTH - LEFT - RIGHT
    lines = (
        join(
            tag("line", x1=LEFT + span * part // 4, x2=LEFT + span * part // 4, y1=0, y2=bottom, class_="grid"),
            tag(
                "text", f"{25 * part} %", x=LEFT + span * part // 4, y=bottom + 18, class_="label", text_anchor="middle"
            ),
        )
        for part in range(5)
    )
    bars = (_bar(runs, index, step, span) for index in range(len(GROUPS)))
    caption = f"Miss rate, GROUP_M from 1 to {GROUPS[step]}" if step else "Miss rate, GROUP_M = 1"
    svg = tag(
        "svg",
        tag("title", caption),
        join(*lines, *bars),
        class_="chart c",
        viewBox=f"0 0 {WIDTH} {bottom + 26}",
        role="img",
        aria_label=caption,
    )
    return chart_figure(svg, f"{caption}. Full width: every access misses.")


def _bar(runs: Runs, index: int, step: int, span: int) -> Html:
    top = GAP + index * (BAR + GAP)
    name = tag("text", f"GROUP_M {GROUPS[index]}", x=LEFT - 8, y=top + 16, class_="label", text_anchor="end")
    if index > step:
        return name
    run = runs(GROUPS[index])
    width = run.misses * span // max(run.accesses, 1)
    kind = "m-now" if index == step else "m-tile"
    return join(
        name,
        tag("rect", x=LEFT, y=top, width=max(width, 1), height=BAR, class_=kind),
        tag("text", _rate(run), x=LEFT + width + 8, y=top + 16, class_="label"),
    )


def _table(tiling: Tiling, in_flight: int, runs: Runs, step: int) -> Html:
    def row(index: int) -> tuple[str, tuple[str, ...]]:
        group = GROUPS[index]
        if index > step:
            return "todo", (str(group), "", "", "")
        tiles = len(join_touched(tiling, group, in_flight))
        run = runs(group)
        return "now" if index == step else "done", (str(group), str(tiles), number(run.misses), _rate(run))

    heads = ("GROUP_M", "different tiles, first phase", "misses", "miss rate")
    return facts("Misses of the tile cache", heads, [row(index) for index in range(len(GROUPS))])


def join_touched(tiling: Tiling, group_m: int, in_flight: int) -> tuple[int, ...]:
    """The row tiles of A, then the column tiles of B, that the first ``in_flight`` programs touch in one phase."""
    rows, columns = touched(_first_programs(tiling, group_m, in_flight))
    return (*rows, *columns)


def _first_programs(tiling: Tiling, group_m: int, count: int) -> tuple[Tile, ...]:
    """The tiles of the first ``count`` programs, or of all."""
    return tuple(program_tile(pid, tiling, group_m) for pid in range(min(count, tiling.programs)))


def _say(runs: Runs, group: int, step: int) -> str:
    run = runs(group)
    told = f"GROUP_M = {group}: {number(run.misses)} of {number(run.accesses)} tile accesses miss, {_rate(run)}."
    if not step:
        return f"{told} This is the row-major order."
    before, first = runs(GROUPS[step - 1]), runs(1)
    change = _compared(run, before)
    if run.misses == first.misses and step > 1:
        return f"{told} That is {change} at GROUP_M = {GROUPS[step - 1]}, and as many as in row-major order."
    return f"{told} That is {change} at GROUP_M = {GROUPS[step - 1]}."


def _compared(run: CacheRun, before: CacheRun) -> str:
    return "as many as" if run.misses == before.misses else "less than" if run.misses < before.misses else "more than"


def _phase_ask(tiling: Tiling, in_flight: int, group_m: int) -> Ask:
    first = _first_programs(tiling, group_m, in_flight)
    rows, columns = touched(first)
    right = len(rows) + len(columns)
    row_major = len(join_touched(tiling, 1, in_flight))
    found = (
        Mistake("accesses", 2 * len(first), "that is every access; programs in the same row or column share a tile"),
        Mistake("programs", len(first), "that is the number of programs, each with its own tile of C"),
        Mistake("product", len(rows) * len(columns), "rows and columns of tiles are added, not multiplied"),
        Mistake("A only", len(rows), "that counts the tiles of A only"),
        Mistake("B only", len(columns), "that counts the tiles of B only"),
        Mistake("row-major", row_major, "that is what the row-major order touches"),
    )
    return Ask(
        "phase",
        f"how many different tiles {first_ones(len(first), 'program')} touch in one phase, with GROUP_M = {group_m}?",
        str(right),
        f"They lie in {some(len(rows), 'row')} and {some(len(columns), 'column')} of tiles: "
        f"{len(rows)} + {len(columns)} = {right}.",
        _known(found, right),
    )


def _least_ask(tiling: Tiling) -> Ask:
    m, n, k = tiling.tiles_m, tiling.tiles_n, tiling.k_phases
    right = different_tiles(tiling)
    found = (
        Mistake("none", 0, "an empty cache has nothing; every tile is missed once"),
        Mistake("A only", m * k, "that counts the tiles of A only"),
        Mistake("B only", n * k, "that counts the tiles of B only"),
        Mistake("programs", m * n, "that is the number of programs"),
        Mistake("accesses", accesses(tiling), "that is every access; a tile that is kept is missed once only"),
        Mistake("one phase", m + n, f"that is one phase; there are {k}"),
    )
    return Ask(
        "least",
        "how many misses are left when the cache has room for all tiles?",
        str(right),
        f"Every tile is missed once: ({m} + {n}) × {k} = {number(right)}.",
        _known(found, right),
    )


def _known(found: tuple[Mistake, ...], right: int) -> tuple[tuple[str, Mistake], ...]:
    return tuple((str(mistake.value), mistake) for mistake in found if mistake.value != right)


def _shortcuts(settings: dict[str, str]) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    rooms = tuple(
        Shortcut(f"{number(int(room))} tiles", {"capacity": room}, settings["capacity"] == room)
        for room in ("128", "512", "2048")
    )
    return (("Room for", rooms),)


WIDGET = Widget(
    name="tile-cache",
    title="A cache of tiles",
    question="Before you step: how much do programs share in one phase, and what is the least that must be loaded?",
    controls=(
        Integer("rows", "tile rows of C", 32, 1, 64),
        Integer("columns", "tile columns of C", 32, 1, 64),
        Integer("phases", "K phases", 32, 1, 256),
        Integer("in_flight", "programs in flight", 64, 1, 1024),
        Integer("capacity", "room for tiles", 512, 1, 65_536),
        Integer("g", "GROUP_M to predict", 8, 1, 64),
    ),
    assumptions=(
        "All tiles have one size. The cache drops the tile used longest ago (LRU); it has no sets and no parts.",
        "Programs in flight walk through their K phases in step, and the next ones start when all of them have ended.",
        "The stores of C pass by the cache, and nothing else uses it.",
        "A miss is a tile that is not at hand. It says nothing about how long anybody waits for it.",
    ),
    scene=scene,
    listed=({}, {"capacity": "2048"}, {"capacity": "128"}),
)

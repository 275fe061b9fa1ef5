"""`program-order`: the programs walk over C one by one, and the last of them share tiles of A and B."""

from dataclasses import dataclass

from lab.controls import Choice, Integer
from lab.figures import Grid, Index, facts, matrix, numbers, visible
from lab.markup import Html, first_ones, join, number, some, tag
from lab.problem import Problem
from lab.widget import Ask, Frame, Scene, Shortcut, Widget, bounded
from sim.mistakes import Mistake
from sim.order import Place, Tile, older_programs, place, programs, shared_tile_loads, touched
from sim.order_mistakes import column_mistakes, row_mistakes, window_mistakes
from sim.tiling import Tiling

MOST_TILES, WHOLE = 64, 16
SIZES = ("m", "n", "k", "bm", "bn", "bk")
FORMULA = Choice("formula", "formula", "current", (("current", "current"), ("older", "older: % before local")))
CASES = (("9 × 9 tiles", "9 9 9 1 1 1"), ("5 × 7 tiles, ragged", "10 14 4 2 2 2"))


@dataclass(frozen=True)
class Setup:
    """What all frames share. ``order`` holds the tile of every program; ``window`` is at least 1."""

    tiling: Tiling
    group_m: int
    older: bool
    window: int
    order: tuple[Tile, ...]

    def last(self, pid: int) -> tuple[Tile, ...]:
        """The tiles of the last ``window`` programs, the current one at the end."""
        return self.order[max(pid + 1 - self.window, 0) : pid + 1]


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each program, in program order."""
    tiling = Tiling(*(int(settings[name]) for name in SIZES))
    for name, label, count in (("m", "tile rows", tiling.tiles_m), ("n", "tile columns", tiling.tiles_n)):
        if count > MOST_TILES:
            raise Problem(
                f"{label}: given {number(count)}; allowed: at most {MOST_TILES} (larger tiles, or less)", name
            )
    reason = f"there are {some(tiling.programs, 'program')}"
    program = bounded(settings, "p", "program to predict", tiling.programs - 1, f"{reason}, counted from 0")
    window = bounded(settings, "w", "programs looked back", tiling.programs, reason, low=1)
    group_m, older = int(settings["group_m"]), settings["formula"] == "older"
    order = (older_programs if older else programs)(tiling, group_m)
    setup = Setup(tiling, group_m, older, window, order)
    return Scene(
        settings=settings,
        count=tiling.programs,
        frame=lambda step: _frame(setup, step),
        asks=_asks(setup, program),
        shortcuts=_shortcuts(settings),
    )


def _frame(setup: Setup, pid: int) -> Frame:
    now = place(pid, setup.tiling, setup.group_m, setup.older)
    return Frame(join(_board(setup, pid), _lines(setup, pid, now), _figures(setup, pid)), _say(setup, pid, now))


def _board(setup: Setup, pid: int) -> Html:
    """C with the number of each tile's program; beside it the tiles of A and B that the last programs touch."""
    t, recent, owner = setup.tiling, set(setup.last(pid)), {tile: p for p, tile in enumerate(setup.order)}
    now = setup.order[pid]

    def classes(row: int, column: int) -> str:
        tile = (row, column)
        return "now" if tile == now else "out" if tile in recent else "done" if owner[tile] < pid else "blank"

    c = Grid("C", (t.tiles_m, t.tiles_n), lambda row, column: str(owner[row, column]), classes, "tiles: their programs")
    rows, columns = _drawn(t.tiles_m, now[0]), _drawn(t.tiles_n, now[1])
    touched_rows, touched_columns = touched(recent)
    phases = some(t.k_phases, "phase")
    return tag(
        "div",
        tag("div", _strip("A", t, [(row, row in touched_rows) for row in rows], phases, False), class_="board-a"),
        tag("div", _strip("B", t, [(at, at in touched_columns) for at in columns], phases, True), class_="board-b"),
        tag("div", matrix(c, rows, columns), class_="board-c"),
        class_="board wide" if len(columns) > 9 else "board",
    )


def _drawn(size: int, at: int) -> tuple[Index, ...]:
    return tuple(range(size)) if size <= WHOLE else visible(size, (at, at + 1))


def _strip(name: str, t: Tiling, cells: list[tuple[Index, bool]], phases: str, flat: bool) -> Html:
    """A as its row tiles, or B (``flat``) as its column tiles: in each that is touched, how many K phases it has."""
    heads = [tag("th", "…" if index is None else index, scope="col" if flat else "row") for index, _ in cells]
    values = [tag("td", str(t.k_phases) if on else "", class_="tile" if on else "blank") for _, on in cells]
    inner = tag("th", "k", scope="row" if flat else "col")
    if flat:
        lines = [tag("tr", tag("td"), *heads), tag("tr", inner, *values)]
    else:
        lines = [tag("tr", tag("td"), inner), *(tag("tr", *pair) for pair in zip(heads, values, strict=True))]
    caption = tag("caption", tag("b", f"{name} tiles"), f" {phases}")
    table = tag("table", caption, tag("thead", lines[0]), tag("tbody", *lines[1:]), class_=f"matrix {name.lower()}")
    return tag("div", table, class_="scroll", tabindex="0", role="group", aria_label=f"The tiles of {name}")


def _lines(setup: Setup, pid: int, now: Place) -> Html:
    """The kernel's lines with the current numbers put in."""
    t, g = setup.tiling, setup.group_m
    down = f"{now.first_row} + {pid if setup.older else now.local} % {now.group_rows}"
    rows = (
        ("programs_in_group", f"{g} × {t.tiles_n}", now.in_group),
        ("group", f"{pid} // {now.in_group}", now.group),
        ("first_row_tile", f"{now.group} × {g}", now.first_row),
        ("group_rows", f"min({t.tiles_m} - {now.first_row}, {g})", now.group_rows),
        ("place", f"{pid} % {now.in_group}", now.local),
        ("row_tile", down, now.row),
        ("col_tile", f"{now.local} // {now.group_rows}", now.column),
    )
    return facts(
        f"From program {pid} to its tile",
        ("line", "with the numbers", "gives"),
        [("", (name, numbers_in, str(value))) for name, numbers_in, value in rows],
    )


def _figures(setup: Setup, pid: int) -> Html:
    owned = setup.last(pid)
    rows, columns = touched(owned)
    phases = setup.tiling.k_phases
    loads = shared_tile_loads(owned, setup.tiling)
    return numbers(
        ("programs looked at", f"{pid + 1 - len(owned)} to {pid}" if len(owned) > 1 else str(pid)),
        ("row tiles of A they touch", f"{len(rows)}: {_listed(rows)}"),
        ("column tiles of B they touch", f"{len(columns)}: {_listed(columns)}"),
        ("tile loads, each tile once", f"({len(rows)} + {len(columns)}) × {phases} = {number(loads)}"),
        ("tile loads, nothing shared", f"2 × {len(owned)} × {phases} = {number(2 * len(owned) * phases)}"),
    )


def _listed(indices: tuple[int, ...]) -> str:
    """Sorted indices, neighbours drawn together: ``0–2, 8``."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == runs[-1][1] + 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return ", ".join(str(start) if start == stop else f"{start}–{stop}" for start, stop in runs)


def _say(setup: Setup, pid: int, now: Place) -> str:
    t, owned = setup.tiling, setup.last(pid)
    short = (
        f" Its group is the last and has only {some(now.group_rows, 'row')}." if now.group_rows < setup.group_m else ""
    )
    loads = some(shared_tile_loads(owned, t), "tile load")
    span = f"The last {number(len(owned))} programs need" if len(owned) > 1 else "It needs"
    return f"Program {pid} owns tile ({now.row},{now.column}).{short} {span} {loads}, each tile counted once."


def _asks(setup: Setup, program: int) -> tuple[Ask, ...]:
    t, g = setup.tiling, setup.group_m
    now = place(program, t, g, setup.older)
    first = setup.order[: setup.window]
    rows, columns = touched(first)
    right = shared_tile_loads(first, t)
    number_in = program if setup.older else now.local
    return (
        Ask(
            "row",
            f"which tile row does program {program} own?",
            str(now.row),
            f"Its group begins in row {now.first_row}: {now.first_row} + {number_in} % {now.group_rows} = {now.row}.",
            _known(row_mistakes(program, t, g, setup.older)),
        ),
        Ask(
            "column",
            f"and which tile column does program {program} own?",
            str(now.column),
            f"Its place in the group is {now.local}, and {now.local} // {now.group_rows} = {now.column}.",
            _known(column_mistakes(program, t, g, setup.older)),
        ),
        Ask(
            "loads",
            f"how many tile loads {first_ones(setup.window, 'program')} need, each tile counted once?",
            str(right),
            f"They touch {some(len(rows), 'row tile')} of A and {some(len(columns), 'column tile')} of B, "
            f"each in {some(t.k_phases, 'K phase')}: ({len(rows)} + {len(columns)}) × {t.k_phases} = {number(right)}.",
            _known(window_mistakes(first, t)),
        ),
    )


def _known(mistakes: tuple[Mistake, ...]) -> tuple[tuple[str, Mistake], ...]:
    return tuple((str(mistake.value), mistake) for mistake in mistakes)


def _shortcuts(settings: dict[str, str]) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    now = " ".join(settings[name] for name in SIZES)
    shapes = tuple(
        Shortcut(label, {**dict(zip(SIZES, sizes.split(), strict=True)), "p": "10", "w": "9"}, now == sizes)
        for label, sizes in CASES
    )
    groups = tuple(Shortcut(str(g), {"group_m": str(g)}, settings["group_m"] == str(g)) for g in (1, 3, 8))
    formulas = tuple(
        Shortcut(value, {"formula": value}, settings["formula"] == value) for value in ("current", "older")
    )
    return (("Shape", shapes), ("GROUP_M", groups), ("Formula", formulas))


def _size(name: str, label: str, default: int) -> Integer:
    return Integer(name, label, default, 1, 1_048_576)


WIDGET = Widget(
    name="program-order",
    title="The programs, one after the other",
    question="Before you step: which tile does your program own, and what do the first programs need together?",
    controls=(
        _size("m", "M", 9),
        _size("n", "N", 9),
        _size("k", "K", 9),
        _size("bm", "BM", 1),
        _size("bn", "BN", 1),
        _size("bk", "BK", 1),
        Integer("group_m", "GROUP_M", 3, 1, MOST_TILES),
        Integer("w", "programs looked back", 9, 1, MOST_TILES * MOST_TILES),
        Integer("p", "program to predict", 10, 0, MOST_TILES * MOST_TILES - 1),
        FORMULA,
    ),
    assumptions=(
        "Programs are shown in the order of their numbers. A GPU starts them roughly so, many at a time, and promises "
        "no order.",
        "A tile load is one tile of A or B for one K phase. Each is counted once for all programs looked at, as if "
        "what one of them loaded were still at hand for the others.",
        "Nothing here is a transaction, a cache or a time.",
    ),
    scene=scene,
    listed=(
        {},
        {"group_m": "1"},
        {"m": "10", "n": "14", "k": "4", "bm": "2", "bn": "2", "bk": "2"},
        {"m": "10", "n": "14", "k": "4", "bm": "2", "bn": "2", "bk": "2", "formula": "older"},
    ),
)

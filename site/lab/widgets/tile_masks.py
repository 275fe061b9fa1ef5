"""`tile-masks`: full-size tiles with live and masked lanes, phase by phase, and what broken masks leave in C."""

from lab.controls import Choice, Integer
from lab.figures import numbers
from lab.markup import join, number, some, tag
from lab.mask_view import Setup, lanes_board, mask_list, outcome_pictures, programs_grid
from lab.widget import Ask, Frame, Scene, Shortcut, Widget, bounded
from sim.broken import (
    FAULTS,
    MEANINGS,
    NONE,
    RESET,
    Broken,
    LanePhase,
    broken_phases,
    luck,
    run_broken,
)
from sim.inputs import counting_b, distinct_a, distinct_b, formula_a, formula_b
from sim.masks import program_lanes, wasted_loads, wasted_outputs
from sim.matmul import Rows
from sim.mistakes import Mistake
from sim.quiz import Question, exit_check
from sim.tiling import Tiling

LABELS = {
    "none": "nothing",
    "no-k-mask": "no mask on K",
    "fill-one": "masked lanes hold 1, not 0",
    "wrap": "indices wrap round with %",
    "grid-down": "grid rounded down",
    "joined-guard": "guard with “and” for “or”",
    "no-store-mask": "no mask on the store",
    RESET: "accumulator zeroed in the loop",
}
SIDE, WIDTH = 16, 16
INPUTS = Choice(
    "inputs",
    "inputs",
    "formula",
    (
        ("formula", "small repeating integers"),
        ("counting", "1, 2, 3, … through A, then B"),
        ("distinct", "all different, B counting down"),
    ),
)


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each K phase of program (i, j), and a last one with C after all programs."""
    sizes = (int(settings[name]) for name in ("m", "n", "k", "bm", "bn", "bk"))
    tiling = Tiling(*sizes)
    i = bounded(settings, "i", "tile row", tiling.tiles_m - 1, f"C has {some(tiling.tiles_m, 'row')} of tiles")
    j = bounded(settings, "j", "tile column", tiling.tiles_n - 1, f"C has {some(tiling.tiles_n, 'column')} of tiles")
    a, b = _inputs(settings["inputs"], tiling)
    fault = settings["fault"]
    outcome, lanes = run_broken(a, b, tiling, fault), broken_phases(a, b, tiling, i, j, fault)
    setup = Setup(a, b, tiling, i, j, fault, outcome, lanes)
    count = tiling.k_phases + 1
    return Scene(
        settings=settings,
        count=count,
        frame=lambda step: _all_programs(setup) if step == count - 1 else _phase(setup, step),
        asks=_asks(setup),
        shortcuts=_shortcuts(settings),
    )


def _inputs(pattern: str, t: Tiling) -> tuple[Rows, Rows]:
    if pattern == "formula":
        return formula_a(t.M, t.K), formula_b(t.K, t.N)
    return distinct_a(t.M, t.K), (counting_b if pattern == "counting" else _down)(t.M, t.K, t.N)


def _down(m: int, k: int, n: int) -> Rows:
    return distinct_b(k, n)


def _phase(setup: Setup, phase: int) -> Frame:
    t = setup.tiling
    lanes = program_lanes(t, setup.i, setup.j, phase)
    now = setup.phases[phase]
    loaded, masked = _count(now, True), _count(now, False)
    picture = lanes_board(setup, lanes, now)
    figures = numbers(
        ("programs", f"{t.tiles_m} × {t.tiles_n} = {t.programs}"),
        ("K phases", str(t.k_phases)),
        ("lanes of A and B loaded in this phase", str(loaded)),
        ("lanes masked in this phase", str(masked)),
        (
            "masked slots, all programs and phases",
            f"{number(wasted_loads(t))} of A and B, {number(wasted_outputs(t))} of C",
        ),
    )
    return Frame(join(picture, figures, mask_list(t), programs_grid(setup)), _say(setup, phase, loaded, masked))


def _count(now: LanePhase, loaded: bool) -> int:
    return len([1 for tile in (now.a, now.b) for row in tile for lane in row if lane.loaded == loaded])


def _say(setup: Setup, phase: int, loaded: int, masked: int) -> str:
    t = setup.tiling
    where = f"Program {setup.i * t.tiles_n + setup.j}, tile ({setup.i},{setup.j}), phase {phase}"
    start, stop = t.phase_range(phase)
    lanes = f"{some(loaded, 'lane')} loaded, {masked} masked"
    corner = f"C[{t.tile_rows(setup.i)[0]},{t.tile_cols(setup.j)[0]}]"
    kept = "holds only this phase's" if setup.fault == RESET and phase else "has"
    return f"{where}: k {_span(start, stop)}, {lanes}. {corner} {kept} {setup.phases[phase].partial[0][0]}."


def _span(start: int, stop: int) -> str:
    return str(start) if stop - start == 1 else f"{start} to {stop - 1}"


def _all_programs(setup: Setup) -> Frame:
    t, outcome = setup.tiling, setup.outcome
    bad = {*outcome.wrong, *outcome.unwritten}
    doubtful = {*outcome.stray, *outcome.contested} - bad
    if setup.fault == RESET and t.k_phases > 1:
        doubtful = {(row, column) for row in range(t.M) for column in range(t.N)} - bad

    pictures = outcome_pictures(t, outcome, bad, doubtful)
    figures = numbers(
        ("wrong", str(len(outcome.wrong))),
        ("never written", str(len(outcome.unwritten))),
        ("right only by chance", str(len(doubtful))),
        ("written outside C", str(len(outcome.outside))),
        ("elements loaded", number(outcome.loads)),
    )
    return Frame(
        join(pictures, figures, tag("p", _meaning(setup), class_="meaning")), _summary(outcome, len(bad), len(doubtful))
    )


def _meaning(setup: Setup) -> str:
    if setup.fault == NONE:
        return "Nothing is broken: all masks are in place."
    sentence = f"What is broken: {MEANINGS[setup.fault]}."
    lucky = luck(setup.tiling, setup.fault)
    if setup.fault != NONE and setup.outcome.right and not lucky:
        return f"{sentence} With these inputs C comes out right all the same; other inputs show the fault."
    return f"{sentence} {lucky}" if lucky and setup.fault != NONE else sentence


def _summary(outcome: Broken, bad: int, doubtful: int) -> str:
    total = len(outcome.expected) * len(outcome.expected[0])
    extra = (
        f" {some(len(outcome.outside), 'place')} outside C {'was' if len(outcome.outside) == 1 else 'were'} written."
    )
    told = f"All programs are done: {bad} of {some(total, 'output')} {'is' if bad == 1 else 'are'} wrong or missing"
    told += f", {doubtful} more are right only by chance." if doubtful else "."
    return told + (extra if outcome.outside else "")


def _asks(setup: Setup) -> tuple[Ask, ...]:
    questions = exit_check(setup.tiling)
    bad = len({*setup.outcome.wrong, *setup.outcome.unwritten})
    total = setup.tiling.M * setup.tiling.N
    wrong = Ask(
        "bad",
        "how many outputs go wrong?",
        str(bad),
        _meaning(setup),
        (
            (str(total), Mistake("all outputs", total, "that is every output; most faults reach only some")),
            ("0", Mistake("none", 0, "that is none; step to the end and look")),
        ),
    )
    return (ask_of(questions[0]), ask_of(questions[1]), wrong)


def _mid(sentence: str) -> str:
    """A sentence as it stands within another one: no full stop, and no capital unless it is a name."""
    bare = sentence.rstrip(".")
    return bare[:1].lower() + bare[1:] if bare[1:2].islower() else bare


def ask_of(question: Question) -> Ask:
    """A question of the exit check as something to predict."""
    mistakes = tuple((wrong.answer, Mistake(wrong.answer, 0, _mid(wrong.sentence))) for wrong in question.wrong)
    label = question.prompt[:1].lower() + question.prompt[1:]
    choices = tuple((choice, choice.replace(" ", ", ")) for choice in question.choices)
    why = question.explanation.removeprefix(f"{question.answer}: ")
    return Ask(question.kind, label, question.answer, why[:1].upper() + why[1:], mistakes, choices)


def _shortcuts(settings: dict[str, str]) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    cases = (
        ("all ragged", "5 7 5 2 3 2"),
        ("only K", "4 6 5 2 3 2"),
        ("only N", "4 7 4 2 3 2"),
        ("none", "4 6 4 2 3 2"),
    )
    names = ("m", "n", "k", "bm", "bn", "bk")
    now = " ".join(settings[name] for name in names)
    shapes = tuple(Shortcut(label, _last_program(names, sizes), now == sizes) for label, sizes in cases)
    faults = tuple(Shortcut(LABELS[fault], {"fault": fault}, settings["fault"] == fault) for fault in FAULTS)
    return (("Ragged", shapes), ("Break", faults))


def _last_program(names: tuple[str, ...], sizes: str) -> dict[str, str]:
    """The sizes, and of their programs the last: it is the one at both edges, where masked lanes are."""
    t = Tiling(*(int(size) for size in sizes.split()))
    return {**dict(zip(names, sizes.split(), strict=True)), "i": str(t.tiles_m - 1), "j": str(t.tiles_n - 1)}


def _integer(name: str, label: str, default: int, high: int = SIDE) -> Integer:
    return Integer(name, label, default, 1, high)


WIDGET = Widget(
    name="tile-masks",
    title="Live lanes and masked lanes",
    question="Before you step: how many programs and K phases are there, and how many outputs go wrong?",
    controls=(
        _integer("m", "M", 5),
        _integer("n", "N", 7),
        _integer("k", "K", 5),
        _integer("bm", "BM", 2, WIDTH),
        _integer("bn", "BN", 3, WIDTH),
        _integer("bk", "BK", 2, WIDTH),
        Integer("i", "tile row", 0, 0, SIDE - 1),
        Integer("j", "tile column", 0, 0, SIDE - 1),
        Choice("fault", "break", "none", tuple((fault, LABELS[fault]) for fault in FAULTS)),
        INPUTS,
    ),
    assumptions=(
        "Triton's tile widths are powers of two: a real kernel takes BN = 4 and a mask where this page takes 3.",
        "Behind the end of a matrix stands the number 1 here. On a GPU it is whatever lies there, or a fault.",
        "Programs run one after the other here. On a GPU the order is not known.",
        "Masked slots cost no load, but the multiplication runs over them. The time of it is not in the model.",
    ),
    scene=scene,
    listed=(
        {},
        *({"fault": fault, "i": "2", "j": "2"} for fault in FAULTS),
        {"m": "4", "n": "6", "k": "5", "i": "1", "j": "1"},
        {"m": "4", "n": "7", "k": "4", "i": "1", "j": "2"},
        {"m": "4", "n": "6", "k": "4", "i": "1", "j": "1"},
    ),
    picks=("i", "j"),
)

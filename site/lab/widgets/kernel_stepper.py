"""`kernel-stepper`: the Triton kernel of `gpu/`, line by line, with every tile, address, mask, load, dot and store."""

from lab.controls import Choice, Integer
from lab.kernel_board import lanes_board
from lab.kernel_launch import BREAKS, NONE, Launch, launch, tiling_of
from lab.kernel_outcome import WHERE, edit, edited_lines, outcome, where_wrong
from lab.kernel_view import names_of, operations, source_pane
from lab.markup import some, tag
from lab.widget import Ask, Frame, Scene, Shortcut, Stride, Widget
from sim.mistakes import Mistake
from sim.order import program_tile
from sim.tl.api import LEAVES_OUT
from sim.tl.recorder import Plain, Step
from sim.tl.shapes import power_of_two

DTYPES = Choice("dtype", "input type", "fp16", (("fp16", "float16"), ("bf16", "bfloat16"), ("fp32", "float32")))
SIDE, WIDTH, DOT_NEEDS_K = 12, 8, 16  # tl.dot needs K of at least 16 for these types


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each line that the chosen program executes, and a last one with C after all programs."""
    done = launch(settings)
    shown = settings if done.program is None else {**settings, "program": str(done.program)}
    count = len(done.run.steps) + 1
    return Scene(
        settings=shown,
        count=count,
        frame=lambda step: outcome(done) if step == count - 1 else _line(done, step),
        asks=_asks(done),
        shortcuts=_shortcuts(shown, done),
        strides=_strides(done),
        note=" ".join(part for part in (_not_launched(settings, done), _bent(done)) if part),
    )


def _line(done: Launch, index: int) -> Frame:
    step, seen = done.run.steps[index], done.seen[index]
    current = range(step.line, step.end_line + 1)
    reads = {name: seen.before[name] for name in done.reads.get(step.line, ()) if name in seen.before}
    side = tag(
        "div",
        names_of("This line sets", step.changed),
        operations(step),
        names_of("It reads", reads),
        lanes_board(done, seen),
        class_="kernel-side",
    )
    name = "gpu/teaching.py, the kernel"
    pane = source_pane(done.source, current, name, edited_lines(done), None, _next_steps(done, index))
    return Frame(tag("div", tag("div", edit(done.fault), pane), side, class_="kernel across"), _say(done, step))


def _next_steps(done: Launch, index: int) -> dict[int, int]:
    """For each line, the next step that executes it, or the first one when none comes any more."""
    found: dict[int, int] = {}
    order = [*range(index + 1, len(done.run.steps)), *range(index + 1)]
    for at in order:
        found.setdefault(done.run.steps[at].line, at)
    return found


def _say(done: Launch, step: Step) -> str:
    text = done.source.splitlines()[step.line - 1].partition("  # ")[0].strip()
    where = f"Line {step.line}, K phase {step.loops[-1][1]}" if step.loops else f"Line {step.line}"
    text += "…)" if text.endswith("(") else ""
    short = text if len(text) <= 60 else f"{text[:59]}…"
    return f"{where}: {short} — {_happened(step, text)}."


def _happened(step: Step, text: str) -> str:
    if step.operations:
        return ", ".join(_told(operation) for operation in step.operations)
    names = list(step.changed)
    if not names:
        return "the loop is over" if text.startswith("for ") else "nothing changes"
    if len(names) > 1:
        return f"{some(len(names), 'name')} are set"
    value = step.changed[names[0]]
    number = value["kind"] == "tile" and value["shape"] == [] and not value["undefined"]
    return f"{names[0]} is {value['values'][0]}" if number else f"{names[0]} is set"


def _told(operation: Plain) -> str:
    if operation["kind"] == "dot":
        return f"a {operation['m']} × {operation['n']} × {operation['k']} dot is added to the accumulator"
    done = {"load": "loaded", "store": "stored"}.get(str(operation["kind"]), str(operation["kind"]))
    lanes = 1
    for side in operation["shape"]:
        lanes *= side
    masked = lanes - operation["active"] - len(operation["outside"])
    told = f"{operation['active']} of {some(lanes, 'lane')} of {operation['array']} {_are(operation['active'])} {done}"
    told += f", {masked} {_are(masked)} masked" if masked else ""
    return told + (f", {len(operation['outside'])} reach outside of it" if operation["outside"] else "")


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _bent(done: Launch) -> str:
    """Which rules of real Triton these sizes bend, and the legal version."""
    bent = done.run.bent
    if not bent:
        return ""
    told = "; ".join(f"{one.text} (legal: {one.legal})" if one.legal else one.text for one in bent[:3])
    return f"These tiles bend rules of real Triton: {told}."


def _not_launched(settings: dict[str, str], done: Launch) -> str:
    """A sentence where the broken grid does not launch the program that was chosen."""
    if done.program is None:
        return "The broken grid launches no program at all, so there are no lines to step through."
    if str(done.program) == settings["program"]:
        return ""
    last = done.launched - 1
    return f"The broken grid launches {some(done.launched, 'program')} only: program {last} is shown, the last of them."


def _asks(done: Launch) -> tuple[Ask, ...]:
    return (_asked_loads(done),) if done.fault is NONE else (_asked_count(done), _asked_where(done))


def _asked_loads(done: Launch) -> Ask:
    t, counted = done.tiling, done.run.counts.loads
    found = counted.get("A", 0) + counted.get("B", 0)
    padded = t.programs * t.k_phases * (t.BM * t.BK + t.BK * t.BN)
    once = t.M * t.K + t.K * t.N
    return Ask(
        "loads",
        "how many elements do all programs load?",
        str(found),
        f"{counted.get('A', 0)} of A and {counted.get('B', 0)} of B.",
        (
            (str(padded), Mistake("masked lanes", padded, "that counts the masked lanes as well")),
            (str(once), Mistake("once", once, "that is every element once; here each tile loads its own")),
        ),
    )


def _asked_count(done: Launch) -> Ask:
    bad, total = len(done.wrong), done.tiling.M * done.tiling.N
    return Ask(
        "bad",
        "how many outputs go wrong or missing?",
        str(bad),
        _why(done),
        (
            (str(total), Mistake("all", total, "that is every output; few faults reach all of them")),
            ("0", Mistake("none", 0, "that is none; step to the end and look")),
        ),
    )


def _asked_where(done: Launch) -> Ask:
    return Ask("where", "which tiles hold them?", where_wrong(done), _why(done), choices=WHERE)


def _why(done: Launch) -> str:
    lucky = f" Right by luck when {done.fault.lucky}." if done.fault.lucky and not done.wrong else ""
    return f"Broken: {done.fault.title.replace('`', '')}.{lucky}"


def _shortcuts(settings: dict[str, str], done: Launch) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    last = done.launched - 1
    programs = tuple(
        Shortcut(f"{word}, tile {_tile(number, settings)}", {"program": str(number)}, done.program == number)
        for number, word in dict([(0, "first"), (last, "last")] if last > 0 else []).items()
    )
    broken = tuple(
        Shortcut(each.title.replace("`", ""), {"fault": each.name}, settings["fault"] == each.name) for each in BREAKS
    )
    found = (("Program", programs), ("Tiles", _legal_tiles(settings)), ("Break", broken))
    return tuple((label, buttons) for label, buttons in found if buttons)


def _legal_tiles(settings: dict[str, str]) -> tuple[Shortcut, ...]:
    """A button that goes to the next larger tile that Triton itself would take; none when it takes this one."""
    now = tuple(int(settings[name]) for name in ("bm", "bn", "bk"))
    legal = (power_of_two(now[0]), power_of_two(now[1]), max(power_of_two(now[2]), DOT_NEEDS_K))
    if now == legal:
        return ()
    sizes = dict(zip(("bm", "bn", "bk"), map(str, legal), strict=True))
    told = " × ".join(map(str, legal))
    return (Shortcut(f"legal, with masks: {told}", {**sizes, "program": "0"}),)


def _tile(number: int, settings: dict[str, str]) -> str:
    i, j = program_tile(number, tiling_of(settings), int(settings["group_m"]))
    return f"({i},{j})"


def _strides(done: Launch) -> tuple[Stride, ...]:
    """By K phase, to the line that ends each pass of the loop; by program, at the same line."""
    ends: dict[tuple[int, int], int] = {}
    for index, step in enumerate(done.run.steps):
        if step.loops:
            ends[step.loops[0]] = index
    phases = Stride("K phase", tuple(ends.values()))
    if done.program is None or done.launched == 1:
        return (phases,) if ends else ()
    before = {"program": str(done.program - 1)} if done.program else None
    after = {"program": str(done.program + 1)} if done.program < done.launched - 1 else None
    return (*((phases,) if ends else ()), Stride("program", (), before, after))


def _size(name: str, label: str, default: int, high: int) -> Integer:
    return Integer(name, label, default, 1, high)


WIDGET = Widget(
    name="kernel-stepper",
    title="The real kernel, line by line",
    question="Before you step: what do all programs load? And once you break it: how many outputs go wrong, and where?",
    controls=(
        _size("m", "M", 5, SIDE),
        _size("n", "N", 7, SIDE),
        _size("k", "K", 5, SIDE),
        _size("bm", "BM", 2, WIDTH),
        _size("bn", "BN", 3, WIDTH),
        _size("bk", "BK", 2, DOT_NEEDS_K),
        _size("group_m", "GROUP_M", 1, 8),
        Integer("program", "program", 0, 0, SIDE * SIDE - 1),
        DTYPES,
        Choice("fault", "break", "none", tuple((each.name, each.title.replace("`", "")) for each in BREAKS)),
        Choice("inputs", "inputs", "formula", (("formula", "small repeating integers"), ("distinct", "all different"))),
    ),
    assumptions=(
        LEAVES_OUT,
        "C holds float32 here, so that whole numbers stay exact.",
        "Undefined lanes hold 0 here. On a GPU nobody promises what they hold.",
    ),
    scene=scene,
    listed=({}, {"program": "1"}, {"program": "8"}),
    picks=("program",),
)

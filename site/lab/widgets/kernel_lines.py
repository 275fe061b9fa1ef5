"""`kernel-lines`: which PTX instructions each line of the teaching kernel became, as Triton compiled it."""

import re
from collections import Counter

from lab.controls import Choice
from lab.figures import facts, numbers
from lab.instructions import KINDS, MATRIX, OTHER, PLACES, family, kind, opcode
from lab.kernel_trace import statement_lines
from lab.kernel_view import source_pane
from lab.kernels import Compiled, compiled_kernels, teaching_source
from lab.markup import Html, join, number, some, tag
from lab.widget import Ask, Frame, Scene, Shortcut, Widget
from sim.mistakes import Mistake

# In the order of the stored line map; a test holds them against it.
CONFIGS = (
    ("sm80-float16-16", "sm_80, float16, 16 × 16 × 16"),
    ("sm80-float16-64", "sm_80, float16, 64 × 64 × 32"),
    ("sm80-tf32-64", "sm_80, float32 as TF32, 64 × 64 × 32"),
    ("sm90-float16-16", "sm_90, float16, 16 × 16 × 16"),
    ("sm90-float16-64", "sm_90, float16, 64 × 64 × 32"),
    ("sm90-float16-64-any", "sm_90, float16, 64 × 64 × 32, any sizes"),
    ("sm90-float32-16", "sm_90, float32 in full, 16 × 16 × 16"),
)
DEFAULT = "sm90-float16-64"


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each statement of the kernel, and one for instructions without a line where there are any."""
    names = [name for name, _ in CONFIGS]
    found = compiled_kernels()[names.index(settings["config"])]
    source = teaching_source()
    lines = [*statement_lines(source), *([0] if any(not line for line, _, _ in found.instructions) else [])]
    return Scene(
        settings=settings,
        count=len(lines),
        frame=lambda step: _frame(found, source, lines, lines[step]),
        asks=(_asked(found),),
        shortcuts=(("Compiled for", _shortcuts(settings["config"])),),
    )


def _frame(found: Compiled, source: str, lines: list[int], line: int) -> Frame:
    own = [(place, text) for at, place, text in found.instructions if at == line]
    counts = Counter(at for at, _, _ in found.instructions)
    notes = {at: f"×{counts[at]}" if counts[at] else "·" for at in lines if at}
    steps = {at: step for step, at in enumerate(lines)}
    pane = source_pane(source, [line], "gpu/teaching.py, each line with its number of instructions", (), notes, steps)
    lead = tag("p", "Line, × PTX instructions, text", class_="group-label")
    side = tag("div", _kinds(own), _texts(own), _whole(found), class_="kernel-side")
    return Frame(tag("div", tag("div", lead, pane), side, class_="kernel across"), _say(source, line, own))


def _say(source: str, line: int, own: list[tuple[str, str]]) -> str:
    text = source.splitlines()[line - 1].partition("  # ")[0].strip()
    text += "…)" if text.endswith("(") else ""
    where = f"Line {line}: {text if len(text) <= 60 else f'{text[:59]}…'}" if line else "No line"
    if not own:
        return f"{where} — no instruction carries this line."
    words = {"before": "before", "loop": "in", "after": "after"}
    *others, last = [word for place, word in words.items() if any(at == place for at, _ in own)]
    places = f"{', '.join(others)} and {last}" if others else last
    matrix = [text for _, text in own if kind(text) == MATRIX]
    if len(matrix) == len(own):
        return f"{where} — {some(len(own), MATRIX)}, {family(matrix)}, {places} the loop."
    told = f"{where} — {some(len(own), 'instruction')}, {places} the loop"
    return f"{told}; {len(matrix)} of them {_are(len(matrix))}, {family(matrix)}." if matrix else f"{told}."


def _are(count: int) -> str:
    return f"is a {MATRIX}" if count == 1 else f"are {MATRIX}s"


def _kinds(own: list[tuple[str, str]]) -> Html:
    """How many instructions of each kind, by place; the matrix instruction is said in words and stands first."""
    counts = Counter((kind(text), place) for place, text in own)
    labels = [label for label in (*(label for label, _ in KINDS), OTHER) if any(counts[label, at] for at in PLACES)]
    if not labels:
        return Html("")
    rows = [
        ("now" if label == MATRIX else "", [label, *(str(counts[label, place] or "") for place in PLACES)])
        for label in labels
    ]
    return facts("What the instructions of this line do", ("kind", "before", "in the loop", "after"), rows)


def _texts(own: list[tuple[str, str]]) -> Html:
    """The instructions themselves, in the order of the code."""
    parts = [
        join(tag("span", f"{word}\n", class_="group-label"), *(_text(text) for at, text in own if at == place))
        for place, word in PLACES.items()
        if any(at == place for at, _ in own)
    ]
    if not parts:
        return Html("")
    return tag("pre", *parts, class_="printed", tabindex="0", role="group", aria_label="The instructions of this line")


def _text(text: str) -> Html:
    if kind(text) == MATRIX:
        return tag("strong", f"▶ {MATRIX}: {text}\n")
    return join(f"  {text}\n")


def _whole(found: Compiled) -> Html:
    s, v = found.settings, found.versions
    matrix = [text for _, _, text in found.instructions if kind(text) == MATRIX]
    known = "multiples of 16" if s["multiples_of_16"] else "any"
    figures = numbers(
        ("M, N, K", known),
        ("instructions in all", number(len(found.instructions))),
        ("matrix instructions", f"{len(matrix)}, {family(matrix)}" if matrix else "none"),
        ("registers a thread", str(found.registers)),
        ("bytes of shared memory", number(found.shared_bytes)),
        ("threads of a program", str(32 * s["num_warps"])),
    )
    by = f"Compiled by Triton {v['triton']} and ptxas {v['ptxas']} for sm_{s['arch']} on {found.date}; not run."
    return join(figures, tag("p", by, class_="meaning"))


def _asked(found: Compiled) -> Ask:
    s = found.settings
    matrix = [text for _, _, text in found.instructions if kind(text) == MATRIX]
    label = "how many matrix instructions stand in the code?"
    if not matrix:
        why = "In full float32 there is no matrix instruction, so each thread multiplies and adds for itself."
        fma = sum(opcode(text).startswith("fma.") for _, _, text in found.instructions)
        return Ask("matrix", label, "0", why, ((str(fma), Mistake("fma", fma, "that many multiply-adds stand there")),))
    m, n, k = (int(size) for size in re.findall(r"m(\d+)n(\d+)k(\d+)", matrix[0])[0])
    parts = (s["BM"] // m or 1) * (s["BN"] // n) * (s["BK"] // k)
    why = (
        f"Each of them, {family(matrix)}, multiplies a part of {m} × {n} × {k}, and the tile has {some(parts, 'part')}"
    )
    each = f"each of the {s['num_warps']} warps does {len(matrix)} of them"
    together = f"all {s['num_warps']} warps do each of them together"
    shared = f"; {together if family(matrix).startswith('wgmma') else each}."
    one = Mistake("one", 1, "one tl.dot stands in the source, but an instruction does only a part of a tile")
    every = Mistake("parts", parts, "that is for all warps together; each runs the same code on a part of its own")
    return Ask("matrix", label, str(len(matrix)), why + shared, (("1", one), (str(parts), every)))


def _shortcuts(config: str) -> tuple[Shortcut, ...]:
    return tuple(Shortcut(label, {"config": name}, name == config) for name, label in CONFIGS)


WIDGET = Widget(
    name="kernel-lines",
    title="What each line became",
    question="Before you look: how many matrix instructions does the one tl.dot become?",
    controls=(Choice("config", "compiled for", DEFAULT, CONFIGS),),
    assumptions=(
        "Compiled, not run. What is counted stands in the code; an instruction in the loop runs once each K phase, "
        "and all warps of a program run the same code.",
        "The compiler says which line an instruction comes from. One that serves several lines carries one of them; "
        "what was done when compiling, or merged into another line's work, left none.",
        "PTX is not the last step: ptxas turns it into the GPU's own instructions and may reorder or merge them.",
    ),
    scene=scene,
    listed=tuple({"config": name} for name in (DEFAULT, "sm80-float16-64", "sm90-float32-16")),
)

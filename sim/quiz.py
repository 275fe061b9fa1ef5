"""The exit check of chapter 2: programs, K phases and masks of a tiling, with what wrong answers mean.

Answers are text as a reader gives it: a number without separators, or dimensions as ``M N K`` (``none`` when
there are none). Mistakes that give the right answer by luck are left out.
"""

from dataclasses import dataclass
from itertools import combinations

from sim.masks import mask_needs
from sim.tiling import Tiling, ceil_div
from sim.words import counted

EXIT_CHECK = Tiling(5, 7, 5, 2, 3, 2)
DIMENSIONS = ("M", "N", "K")
_TILINGS = 7 * 6 * 7 * 27
_EXIT_CHECK = 2892
_STRIDE = 4099


@dataclass(frozen=True)
class WrongAnswer:
    """A well-known wrong answer and the sentence that says what it means."""

    answer: str
    sentence: str


@dataclass(frozen=True)
class Question:
    """One question: ``kind`` is programs, phases or masks; ``choices`` the closed answers (empty: a number)."""

    kind: str
    prompt: str
    answer: str
    explanation: str
    wrong: tuple[WrongAnswer, ...]
    choices: tuple[str, ...] = ()

    def reply(self, answer: str) -> str:
        """The sentences that answer a reader's text; several when several mistakes give it."""
        if answer == self.answer:
            return self.explanation
        known = [wrong.sentence for wrong in self.wrong if wrong.answer == answer]
        return " ".join(known) or f"No well-known mistake gives {answer or 'an empty answer'}."


def exit_check(tiling: Tiling) -> tuple[Question, ...]:
    """The three questions about one tiling."""
    return _programs(tiling), _phases(tiling), _masks(tiling)


def fresh_tiling(seed: int, number: int) -> Tiling:
    """Tiling ``number`` ≥ 0 of an endless list that ``seed`` chooses; number 0 is the chapter's own.

    Sizes and tiles are small, M and N differ, and every kind of mask occurs. The list walks through all such
    tilings with a stride that has no factor in common with their number: neighbours always differ, and none comes
    back before all were seen. Raises ValueError for a negative number.
    """
    if number < 0:
        raise ValueError(f"number: given {number}; allowed: 0 or more")
    if number == 0:
        return EXIT_CHECK
    index = (seed * 7919 + number * _STRIDE) % (_TILINGS - 1)
    return _tiling(index + (index >= _EXIT_CHECK))


def mask_choices() -> tuple[str, ...]:
    """Every answer to the question on masks: none, M, N, K, M N, M K, N K, M N K."""
    return tuple(" ".join(chosen) or "none" for size in range(4) for chosen in combinations(DIMENSIONS, size))


def _tiling(index: int) -> Tiling:
    """Tiling ``index`` of the 7 × 6 × 7 × 27 with sizes 3 … 9, M ≠ N and tiles 2 … 4."""
    index, bk = divmod(index, 3)
    index, bn = divmod(index, 3)
    index, bm = divmod(index, 3)
    index, k = divmod(index, 7)
    m, n = divmod(index, 6)
    return Tiling(m + 3, n + 3 + (n >= m), k + 3, bm + 2, bn + 2, bk + 2)


def _programs(t: Tiling) -> Question:
    right = t.programs
    explanation = (
        f"{right}: M = {t.M} in tiles of BM = {t.BM} gives {counted(t.tiles_m, 'row')} of tiles, N = {t.N} in tiles of "
        f"BN = {t.BN} gives {counted(t.tiles_n, 'column')}; one program for each tile: {t.tiles_m} × {t.tiles_n}."
    )
    down_m, down_n = t.M // t.BM, t.N // t.BN
    table = (
        (down_m * down_n, "The grid is rounded down; the shorter last tiles need a program, too."),
        (down_m * t.tiles_n, "M // BM is rounded down; the shorter last row of tiles needs its programs, too."),
        (t.tiles_m * down_n, "N // BN is rounded down; the shorter last column of tiles needs its programs, too."),
        (t.tiles_m, "Those are the rows of tiles; each has several programs side by side."),
        (t.tiles_n, "Those are the programs of one row of tiles."),
        (t.tiles_m + t.tiles_n, "Rows and columns of tiles are multiplied, not added."),
        (t.M * t.N, "That is one program for each output; a program owns a whole tile of them."),
        (
            right * t.k_phases,
            "K phases are no programs: each program walks through all of them itself.",
        ),
        (
            ceil_div(t.M, t.BN) * ceil_div(t.N, t.BM),
            "BM and BN are exchanged: BM cuts the rows, BN the columns.",
        ),
        (
            ceil_div(t.M * t.N, t.BM * t.BN),
            "Outputs divided by the outputs of a tile; but the last tiles are not full.",
        ),
    )
    return Question("programs", "How many programs are there?", str(right), explanation, _told(table, right))


def _phases(t: Tiling) -> Question:
    right = t.k_phases
    last = t.K - (right - 1) * t.BK
    rest = "all of them full" if last == t.BK else f"the last of {last}"
    explanation = f"{right}: K = {t.K} in steps of BK = {t.BK}, {rest}."
    table = (
        (t.K // t.BK, "K // BK is rounded down; what is left over needs a shorter phase of its own."),
        (t.K, "That is K itself; a phase takes BK indices at once."),
        (t.BK, "That is BK, the length of a phase, not their number."),
        (right + 1, "That is one too many; count the starts 0, BK, 2 BK, … below K."),
        (right * t.programs, "That counts the phases of all programs together; each program walks through its own."),
        (ceil_div(t.M, t.BK), "That cuts M; the loop runs over K."),
        (ceil_div(t.N, t.BK), "That cuts N; the loop runs over K."),
        (t.tiles_m, "Those are the rows of tiles; a phase is a step along K."),
        (t.tiles_n, "Those are the columns of tiles; a phase is a step along K."),
    )
    return Question("phases", "How many K phases has each?", str(right), explanation, _told(table, right))


def _told(table: tuple[tuple[int, str], ...], right: int) -> tuple[WrongAnswer, ...]:
    return tuple(WrongAnswer(str(value), sentence) for value, sentence in table if value != right)


def _masks(t: Tiling) -> Question:
    answer = " ".join(t.ragged) or "none"
    needs = {need.dimension: need for need in mask_needs(t)}
    explanation = " ".join(need.sentence for need in needs.values())
    wrong = tuple(
        WrongAnswer(
            choice, " ".join(needs[name].sentence for name in DIMENSIONS if (name in choice) != (name in answer))
        )
        for choice in (choice.replace("none", "") for choice in mask_choices())
        if (choice or "none") != answer
    )
    named = tuple(WrongAnswer(each.answer or "none", each.sentence) for each in wrong)
    prompt = "Which dimensions need masks?"
    return Question("masks", prompt, answer, explanation, named, mask_choices())

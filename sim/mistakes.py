"""Named wrong models: the number that each well-known mistake would give for the current settings.

A prediction that equals one of them is answered with that mistake. Mistakes that give the right
number by luck are left out, and two that give the same number are both named.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sim.cost import padded_slots, program_loads, tiled_loads
from sim.matmul import Matrix, products, shape
from sim.tiling import Tiling
from sim.words import counted, say, say_for


@dataclass(frozen=True)
class Mistake:
    """What somebody would answer (``value``) and the sentence that says what they did."""

    name: str
    value: int
    sentence: str


def output_mistakes(a: Matrix, b: Matrix, row: int, column: int) -> tuple[Mistake, ...]:
    """Wrong values of C[row, column] for A [M, K], B [K, N]."""
    steps = products(a, b, row, column)
    (m, k), (_, n) = shape(a), shape(b)
    found = [
        Mistake(
            "last product left out",
            steps[-1].partial - steps[-1].product,
            say_for(
                k,
                "the sum stops before k = {last}; the only product belongs to it",
                "the sum stops before k = {last}; all {n} products belong to it",
                last=k - 1,
            ),
        ),
        Mistake(
            "first product left out",
            steps[-1].partial - steps[0].product,
            say("the sum starts at k = 1; K indices start at 0"),
        ),
        Mistake(
            "only the last product kept",
            steps[-1].product,
            say("the running sum is replaced at every step; each product is added to it"),
        ),
        Mistake(
            "only the first product",
            steps[0].product,
            say("one product only; the row and the column meet in {k} of them", k=k),
        ),
        Mistake(
            "signs lost",
            _total(abs(step.product) for step in steps),
            say("every product counted as positive; the signs belong to the sum"),
        ),
        Mistake(
            "added, not multiplied",
            _total(step.a + step.b for step in steps),
            say("the pairs were added; each pair is multiplied, then the products are added"),
        ),
    ]
    if column < m and row < n:
        found.append(
            Mistake(
                "row and column swapped",
                products(a, b, column, row)[-1].partial,
                say("that is {output}; the row comes from A, the column from B", output=f"C[{column},{row}]"),
            )
        )
    if column < k and row < k:
        found.append(
            Mistake(
                "one pair only",
                a[row][column] * b[row][column],
                say("that is A[{r},{c}] times B[{r},{c}], an element-wise product", r=row, c=column),
            )
        )
    if k == n and column < k:
        found.append(
            Mistake(
                "row of B",
                _total(a[row][inner] * b[column][inner] for inner in range(k)),
                say("that meets row {c} of B; C[{r},{c}] needs column {c} of B", r=row, c=column),
            )
        )
    return _told(found, steps[-1].partial)


def load_mistakes(tiling: Tiling) -> tuple[Mistake, ...]:
    """Wrong counts of the input loads for all of C."""
    m, n, k, width = tiling.M, tiling.N, tiling.K, tiling.BM
    one = sum(program_loads(tiling, 0, 0))
    phase = (min(tiling.BM, m) + min(tiling.BN, n)) * min(tiling.BK, k)
    separate = 2 * m * n * k
    floored = Tiling(m - m % tiling.BM, n - n % tiling.BN, k - k % tiling.BK, tiling.BM, tiling.BN, tiling.BK)
    full = Tiling(m - m % tiling.BM, n - n % tiling.BN, k, tiling.BM, tiling.BN, tiling.BK)
    right = tiled_loads(tiling)
    found = [
        Mistake(
            "one tile instead of all",
            one,
            say("that is what one output tile loads; C has {tiles}", tiles=counted(tiling.programs, "tile")),
        ),
        Mistake(
            "one phase of one tile",
            phase,
            say(
                "that is one K phase of one tile; C has {tiles} of {phases} each",
                tiles=counted(tiling.programs, "tile"),
                phases=counted(tiling.k_phases, "phase"),
            ),
        ),
        Mistake(
            "one phase of every tile",
            phase * tiling.programs,
            say("that counts one K phase for each tile; each tile has {n}", n=tiling.k_phases),
        ),
        Mistake("not divided", separate, say("that is 2 · n³ undivided: every output loading its own row and column")),
        Mistake(
            "T squared for T",
            separate // width**2,
            say("that divides by T²; a tile has T² outputs, but each loaded element serves T of them"),
        ),
        Mistake("A only", m * k * tiling.tiles_n, say("that counts the elements of A only; B is loaded as well")),
        Mistake("n³ for 2n³", right // 2, say("that is half; both A and B are loaded")),
        Mistake(
            "each element once", m * k + k * n, say("that loads every element once, as if one tile covered all of C")
        ),
        Mistake("outputs counted", m * n, say("that is the number of outputs, not of loads")),
        Mistake("multiplications counted", m * n * k, say("that is the number of products, not of loads")),
        Mistake(
            "masked slots counted",
            padded_slots(tiling),
            say("that counts the masked slots as well; nothing is loaded for them"),
        ),
        Mistake(
            "ragged tile dropped",
            tiled_loads(floored),
            say("that leaves the shorter last tiles and the last K phase out; they load their part too"),
        ),
        Mistake(
            "ragged tiles of C dropped",
            tiled_loads(full),
            say("that leaves the shorter last tiles of C out; they load their part too"),
        ),
        Mistake(
            "formula on a ragged size",
            separate // width,
            say(
                "that is 2 · n³ / T; it holds only where T divides n, and {width} does not divide {n}", width=width, n=n
            ),
        ),
        Mistake("doubled", 2 * right, say("that is twice as much; the 2 for A and B is in already")),
    ]
    return _told(found, right)


def tile_mistakes(a: Matrix, b: Matrix, tiling: Tiling, i: int, j: int) -> tuple[Mistake, ...]:
    """Wrong values of the first output of tile (i, j) after the last K phase."""
    row, column = tiling.tile_rows(i)[0], tiling.tile_cols(j)[0]
    steps = products(a, b, row, column)
    values = [steps[tiling.phase_range(phase)[1] - 1].partial for phase in range(tiling.k_phases)]
    before = values[-2] if len(values) > 1 else 0
    there_are = say_for(len(values), "there is 1 phase", "there are {n} phases")
    found = [
        Mistake(
            "only the last phase kept",
            values[-1] - before,
            say("the accumulator was set to zero in every phase; it is set once, before the first"),
        ),
        Mistake(
            "last phase left out",
            before,
            say("the sum stops before phase {phase}; {there_are}", phase=len(values) - 1, there_are=there_are),
        ),
        Mistake(
            "only the first phase",
            values[0],
            say("that is the partial sum after phase 0; {there_are}", there_are=there_are),
        ),
        Mistake("first phase left out", values[-1] - values[0], say("phase 0 is missing from the sum")),
        Mistake(
            "last phase counted twice",
            values[-1] + values[-1] - before,
            say("the last phase was added twice; each phase is added once"),
        ),
        *(
            mistake
            for mistake in output_mistakes(a, b, row, column)
            if mistake.name in ("row and column swapped", "signs lost", "row of B")
        ),
    ]
    return _told(found, values[-1])


def _told(found: list[Mistake], right: int) -> tuple[Mistake, ...]:
    return tuple(mistake for mistake in found if mistake.value != right)


def _total(values: Iterable[int]) -> int:
    total = 0
    for value in values:
        total += value
    return total

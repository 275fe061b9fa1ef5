"""Wrong answers to the exercises: the checker must fail each of them and name the mistake."""

from dataclasses import dataclass

import pytest

from sim.check import EXERCISES, check
from sim.check.judge import model_answer


@dataclass(frozen=True)
class Mutant:
    """One change of an exercise's solution and the mistakes that must be named (more than one: not told apart)."""

    change: str
    old: str
    new: str
    names: tuple[str, ...]


MATMUL = (
    Mutant(
        "sum set to zero in the inner loop",
        "total += a[i][k]",
        "total = 0\n                total += a[i][k]",
        ("accumulator reset in the inner loop", "result overwritten instead of added"),
    ),
    Mutant(
        "sum overwritten",
        "total += a",
        "total = a",
        ("accumulator reset in the inner loop", "result overwritten instead of added"),
    ),
    Mutant("sum without a first value", "            total = 0\n", "", ("UnboundLocalError",)),
    Mutant("A read by columns", "a[i][k]", "a[k][i]", ("A transposed",)),
    Mutant("B read by rows", "b[k][j]", "b[j][k]", ("B transposed",)),
    Mutant("both read the other way", "a[i][k] * b[k][j]", "a[k][i] * b[j][k]", ("A and B transposed",)),
    Mutant("result turned", "    return c", "    return [list(column) for column in zip(*c)]", ("C transposed",)),
    Mutant("last K left out", "range(K)", "range(K - 1)", ("last K left out",)),
    Mutant("first K left out", "range(K)", "range(1, K)", ("first K left out",)),
    Mutant("N from M", "len(b[0])", "len(a)", ("sizes from the wrong matrix: M for N",)),
    Mutant("N from K", "len(b[0])", "len(b)", ("sizes from the wrong matrix: K for N",)),
    Mutant("M from K", "M, K, N = len(a)", "M, K, N = len(b)", ("sizes from the wrong matrix: K for M",)),
    Mutant("M from N", "M, K, N = len(a)", "M, K, N = len(b[0])", ("sizes from the wrong matrix: N for M",)),
    Mutant("K from M", "len(b), len(b[0])", "len(a), len(b[0])", ("sizes from the wrong matrix: M for K",)),
    Mutant("K from N", "len(b), len(b[0])", "len(b[0]), len(b[0])", ("sizes from the wrong matrix: N for K",)),
    Mutant("last row left out", "range(M)", "range(M - 1)", ("rows missing",)),
    Mutant("last column left out", "range(N)", "range(N - 1)", ("columns missing",)),
    Mutant(
        "returns after the first row",
        "        c.append(row)\n    return",
        "        c.append(row)\n        return",
        ("rows missing",),
    ),
    Mutant(
        "stops after one product",
        "                total += a[i][k] * b[k][j]",
        "                total += a[i][k] * b[k][j]\n                break",
        ("only the first product",),
    ),
    Mutant("pairs added", "a[i][k] * b[k][j]", "a[i][k] + b[k][j]", ("added, not multiplied",)),
    Mutant("signs lost", "a[i][k] * b[k][j]", "abs(a[i][k] * b[k][j])", ("signs lost",)),
    Mutant("sum cut to a whole number", "row.append(total)", "row.append(int(total))", ("rounded",)),
    Mutant("sum rounded", "row.append(total)", "row.append(round(total))", ("rounded",)),
    Mutant("sum divided down", "row.append(total)", "row.append(total // 1)", ("rounded",)),
    Mutant("mean of the products", "row.append(total)", "row.append(total / K)", ("mean instead of sum",)),
    Mutant("A's rows lose their elements", "    return c", "    a.clear()\n    return c", ("inputs changed",)),
    Mutant("an element of B overwritten", "    return c", "    b[0][0] = 0\n    return c", ("inputs changed",)),
    Mutant("no return", "    return c", "    c", ("nothing returned",)),
    Mutant("a tuple", "return c", "return tuple(c)", ("result of the wrong type",)),
    Mutant("rows are tuples", "c.append(row)", "c.append(tuple(row))", ("result of the wrong type",)),
    Mutant("a generator", "return c", "return (row for row in c)", ("result of the wrong type",)),
    Mutant("elements are texts", "row.append(total)", "row.append(str(total))", ("result of the wrong type",)),
    Mutant("one long list", "c.append(row)", "c += row", ("flat list",)),
    Mutant("one number", "return c", "return total", ("result of the wrong type",)),
    Mutant("columns of B as rows of A", "    M, K, N", "    a, b = b, a\n    M, K, N", ("B @ A",)),
)
WHOLE = {
    "rows share one list": (
        "c = [[0.0] * N] * M\n    for i in range(M):\n        for j in range(N):\n            total = 0\n"
        "            for k in range(K):\n                total += a[i][k] * b[k][j]\n            c[i][j] = total\n"
        "    return c",
        ("rows that share one list",),
    ),
    "rows share one list and add in place": (
        "c = [[0] * N] * M\n    for i in range(M):\n        for j in range(N):\n"
        "            for k in range(K):\n                c[i][j] += a[i][k] * b[k][j]\n    return c",
        ("rows that share one list",),
    ),
    "sum never set to zero again": (
        "total, c = 0, []\n    for i in range(M):\n        row = []\n        for j in range(N):\n"
        "            for k in range(K):\n                total += a[i][k] * b[k][j]\n            row.append(total)\n"
        "        c.append(row)\n    return c",
        ("accumulator never reset",),
    ),
    "sum set to zero for each row": (
        "c = []\n    for i in range(M):\n        row, total = [], 0\n        for j in range(N):\n"
        "            for k in range(K):\n                total += a[i][k] * b[k][j]\n            row.append(total)\n"
        "        c.append(row)\n    return c",
        ("accumulator reset once a row",),
    ),
    "stored at C[j][i]": (
        "c = [[0] * N for _ in range(M)]\n    for i in range(M):\n        for j in range(N):\n"
        "            for k in range(K):\n                c[j][i] += a[i][k] * b[k][j]\n    return c",
        ("C transposed",),
    ),
    "products of the same places": (
        "return [[x * y for x, y in zip(p, q)] for p, q in zip(a, b)]",
        ("element-wise product",),
    ),
    "indices of the same places": (
        "return [[a[i][j] * b[i][j] for j in range(K)] for i in range(M)]",
        ("element-wise product",),
    ),
    "rows meet rows": ("return [[sum(x * y for x, y in zip(p, q)) for q in b] for p in a]", ("B transposed",)),
    "inner lists read as columns": (
        "return [[sum(a[k][i] * b[j][k] for k in range(M)) for j in range(K)] for i in range(len(a[0]))]",
        ("A and B transposed",),
    ),
    "returns inside the loop over rows": (
        "c = [[0] * N for _ in range(M)]\n    for i in range(M):\n        for j in range(N):\n"
        "            for k in range(K):\n                c[i][j] += a[i][k] * b[k][j]\n        return c",
        ("rows left at zero",),
    ),
    "returns inside the loop over columns": (
        "c = [[0] * N for _ in range(M)]\n    for i in range(M):\n        for j in range(N):\n"
        "            for k in range(K):\n                c[i][j] += a[i][k] * b[k][j]\n            return c",
        ("outputs left at zero",),
    ),
    "nothing stored": ("return [[0] * N for _ in range(M)]", ("all zeros",)),
    "the rows of A for all sizes": (
        "n = len(a); return [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]",
        ("sizes from the wrong matrix: one size for all three",),
    ),
    "the columns of A for all sizes": (
        "n = len(a[0]); return [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]",
        ("sizes from the wrong matrix: one size for all three",),
    ),
    "the columns of B for all sizes": (
        "n = len(b[0]); return [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]",
        ("sizes from the wrong matrix: one size for all three",),
    ),
    "N and K from A's rows": (
        "n = len(a); return [[sum(a[i][k] * b[k][j] for k in range(N)) for j in range(n)] for i in range(n)]",
        ("sizes from the wrong matrix: more than one",),
    ),
    "M and N exchanged": (
        "return [[sum(a[i][k] * b[k][j] for k in range(K)) for j in range(M)] for i in range(N)]",
        ("sizes from the wrong matrix: M and N exchanged",),
    ),
}
RANGES = (
    Mutant("not clipped", "min(start + width, size)", "start + width", ("last range not clipped",)),
    Mutant(
        "last left out",
        "range(0, size, width)",
        "range(0, size // width * width, width)",
        ("shorter last range left out",),
    ),
    Mutant("inclusive", "min(start + width, size)", "min(start + width, size) - 1", ("stop counted as inside",)),
    Mutant("lengths", "min(start + width, size)", "min(width, size - start)", ("length instead of stop",)),
    Mutant(
        "exchanged", "    ranges = []", "    size, width = width, size\n    ranges = []", ("size and width exchanged",)
    ),
    Mutant("early return", "    return", "        return", ("nothing returned",)),
)
TILED = (
    Mutant(
        "accumulator set to zero in the loop over phases",
        "            for start in range(0, K, BK):\n",
        "            for start in range(0, K, BK):\n                accumulator = [[0] * len(columns) for _ in rows]\n",
        ("accumulator reset in each K phase", "accumulator replaced by each K phase"),
    ),
    Mutant("ragged phase dropped", "range(0, K, BK)", "range(0, K // BK * BK, BK)", ("shorter last K phase left out",)),
    Mutant("last phase dropped", "range(0, K, BK)", "range(0, K - BK, BK)", ("last K phase left out",)),
    Mutant("first phase only", "range(0, K, BK)", "range(0, min(K, BK), BK)", ("only the first K phase",)),
    Mutant("phase not clipped", "min(start + BK, K)", "start + BK", ("last K phase not clipped",)),
    Mutant("grid rounded down", "range(0, M, BM)", "range(0, M // BM * BM, BM)", ("grid rounded down",)),
    Mutant("never stored", "c[row][column] = accumulator", "c[0][0] = c[0][0] + 0 * accumulator", ("all zeros",)),
    Mutant("overwritten", "[column - j] += a", "[column - j] = a", ("result overwritten instead of added",)),
)


def changed(exercise: str, mutant: Mutant) -> str:
    solution = EXERCISES[exercise].solution
    assert solution.count(mutant.old) == 1, "the text to change is not there exactly once"
    return solution.replace(mutant.old, mutant.new)


def named(verdict) -> tuple[str, ...]:
    return tuple(mistake.name for mistake in verdict.mistakes)


@pytest.mark.parametrize("mutant", MATMUL, ids=lambda mutant: mutant.change)
def test_a_wrong_matmul_is_failed_and_named(mutant: Mutant):
    verdict = check(changed("matmul", mutant))
    assert not verdict.passed
    assert (named(verdict) or (verdict.sentence.split(": ")[1],)) == mutant.names, verdict.words()


@pytest.mark.parametrize("change", WHOLE)
def test_a_matmul_written_wrong_from_the_start_is_failed_and_named(change: str):
    body, names = WHOLE[change]
    verdict = check(f"def matmul(a, b):\n    M, K, N = len(a), len(b), len(b[0])\n    {body}\n")
    assert not verdict.passed
    assert named(verdict) == names, verdict.words()


@pytest.mark.parametrize("mutant", RANGES, ids=lambda mutant: mutant.change)
def test_wrong_ranges_are_failed_and_named(mutant: Mutant):
    verdict = check(changed("tile_ranges", mutant), "tile_ranges")
    assert not verdict.passed
    assert named(verdict) == mutant.names, verdict.words()


@pytest.mark.parametrize("mutant", TILED, ids=lambda mutant: mutant.change)
def test_a_wrong_tiled_product_is_failed_and_named(mutant: Mutant):
    verdict = check(changed("tiled_matmul", mutant), "tiled_matmul")
    assert not verdict.passed
    assert named(verdict) == mutant.names, verdict.words()


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_known_mistake_fails_its_own_cases(exercise: str):
    cases = EXERCISES[exercise].cases()
    for wrong in EXERCISES[exercise].wrongs():
        assert any(model_answer(wrong, case) != case.expected for case in cases), wrong.name

"""The checker: what it says to right, wrong, broken and endless texts."""

from pathlib import Path

import pytest

from sim.check import EXERCISES, check
from sim.matmul import matmul

ROOT = Path(__file__).resolve().parents[2]
LOOPS = """def matmul(a, b):
    M, K, N = len(a), len(b), len(b[0])
    c = {start}
    for i in range(M):
        for j in range(N):
            for k in range(K):
                c[i][j] {sign} a[i][k] * b[k][j]
    return c
"""


def loops(start="[[0] * N for _ in range(M)]", sign="+="):
    return LOOPS.format(start=start, sign=sign)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_solution_passes(exercise):
    verdict = check(EXERCISES[exercise].solution, exercise)
    assert verdict.passed, verdict.words()
    assert verdict.kind == "passed"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_starter_runs_and_does_not_pass(exercise):
    verdict = check(EXERCISES[exercise].starter, exercise)
    assert not verdict.passed
    assert verdict.kind in ("type", "shape", "value")


@pytest.mark.parametrize(
    "source",
    [
        loops(),
        loops("[[0.0] * N for _ in range(M)]"),
        "def matmul(a, b):\n    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]",
        "matmul = lambda a, b: [[sum(map(lambda x, y: x * y, row, col)) for col in zip(*b)] for row in a]",
        "from operator import mul\ndef matmul(A, B, *rest):\n"
        "    return [[sum(map(mul, row, col)) for col in zip(*B)] for row in A]",
        "class Product:\n    def __call__(self, a, b):\n"
        "        return [[sum(x * y for x, y in zip(r, c)) for c in zip(*b)] for r in a]\nmatmul = Product()",
    ],
)
def test_other_right_answers_pass(source):
    verdict = check(source)
    assert verdict.passed, verdict.words()


def test_shared_rows_are_shown_on_the_toy_product():
    verdict = check(loops("[[0] * N] * M"))
    assert verdict.case is not None
    assert verdict.case.arguments == (((1, 2, 3), (4, 5, 6)), ((7, 8), (9, 10), (11, 12)))
    assert verdict.expected == "[[58, 64], [139, 154]]"
    assert [mistake.name for mistake in verdict.mistakes] == ["rows that share one list"]


def test_shared_rows_that_are_overwritten():
    total = loops("[[0] * N] * M", "=").replace(
        "            for k in range(K):\n                c[i][j] = a[i][k] * b[k][j]",
        "            c[i][j] = sum(a[i][k] * b[k][j] for k in range(K))",
    )
    assert check(total).got == "[[139, 154], [139, 154]]"


def test_shared_rows_that_add_in_place():
    verdict = check(loops("[[0] * N] * M"))
    assert verdict.got == "[[197, 218], [197, 218]]"
    assert verdict.got_rows == ((197, 218), (197, 218))


def test_matrices_typed_column_by_column_are_a_case_of_their_own():
    case = next(case for case in EXERCISES["matmul"].cases() if case.arguments[0] == ((1, 4), (2, 5), (3, 6)))
    assert case.arguments[1] == ((7, 9, 11), (8, 10, 12))
    assert case.expected == ((39, 49, 59), (54, 68, 82), (69, 87, 105))
    assert "row by row" in EXERCISES["matmul"].hints[0]


def test_shared_rows_would_pass_where_all_true_rows_are_equal():
    rows = next(case.expected for case in EXERCISES["matmul"].cases() if case.arguments[0][0] == (-2, -1, 0))
    assert rows == ((2, -1, -1),) * 3


RESET = EXERCISES["tiled_matmul"].solution.replace(
    "            for start in range(0, K, BK):\n",
    "            for start in range(0, K, BK):\n                accumulator = [[0] * len(columns) for _ in rows]\n",
)


def test_accumulator_cleared_in_each_phase_points_to_the_missing_first_part():
    verdict = check(RESET, "tiled_matmul")
    assert verdict.case is not None
    assert verdict.case.arguments[2:] == (2, 2, 2)
    assert (verdict.got, verdict.expected) == ("[[33, 36], [66, 72]]", "[[58, 64], [139, 154]]")
    assert verdict.mistakes[0].name == "accumulator reset in each K phase"
    assert "missing is [[25, 28], [73, 82]]" in verdict.mistakes[0].sentence
    assert "2 known mistakes cannot be told apart" in verdict.naming


def test_accumulator_cleared_in_each_phase_of_the_four_by_four():
    names: dict[str, object] = {}
    exec(RESET, names)
    case = next(case for case in EXERCISES["tiled_matmul"].cases() if len(case.expected) == 4)
    rows = names["tiled_matmul"](*case.arguments)  # type: ignore[operator]
    assert [row[:2] for row in rows[:2]] == [[-1, 0], [-1, -1]]
    assert [row[:2] for row in case.expected[:2]] == [(1, -1), (0, -1)]


@pytest.mark.parametrize(
    ("source", "kind", "line", "words"),
    [
        ("def matmul(a, b)\n    return a", "syntax", 1, "Line 1, `def matmul(a, b)`: Python cannot read this"),
        ("def matmul(a, b):\nreturn a", "syntax", 2, "Line 2, `return a`"),
        ("x = '\0'", "syntax", None, "Python cannot read this"),
        ("", "name", None, "The text has no function; wanted: a function named matmul, as in def matmul(a, b):"),
        ("def mul(a, b): pass", "name", None, "The text has functions named mul; wanted: a function named matmul"),
        ("matmul = 3", "name", None, "matmul is int, not a function"),
        ("\ndef matmul(a): pass", "name", 2, "Line 2: matmul takes a; allowed: 2 arguments, matmul(a, b)."),
        ("def matmul(a, b, c): pass", "name", 1, "matmul takes a, b, c"),
        ("x = 1\n\ny = x / 0", "error", 3, "Line 3, `y = x / 0`: ZeroDivisionError: division by zero"),
        ("def matmul(a, b):\n    return a[len(a)]", "error", 2, "IndexError: list index out of range (an index lies"),
        (
            "def matmul(a, b):\n    return helper(a)\ndef helper(a):\n    return c",
            "error",
            4,
            "Line 4, `return c`: NameError",
        ),
        ("def matmul(a, b):\n    raise SystemExit('no')", "error", 2, "SystemExit: no"),
        ("import numpy", "error", 1, "there is no module numpy here; there are: bisect,"),
        ("import os.path", "error", 1, "there is no module os.path here"),
        ("def matmul(a, b):\n    return input()", "error", 2, "`return input()`: input() has nobody to ask here"),
        ("open('x')", "error", 1, "open() finds no files here"),
        ("exec('while True: pass')", "error", 1, "its steps could not be counted"),
        ("breakpoint()", "error", 1, "print() shows values"),
        ("exit()", "error", 1, "NameError"),
    ],
)
def test_trouble_is_told_by_the_readers_own_line(source, kind, line, words):
    verdict = check(source)
    assert (verdict.passed, verdict.kind, verdict.line) == (False, kind, line)
    assert words in verdict.sentence
    assert "Traceback" not in verdict.words()


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("while True:\n    pass", 1),
        ("while True: pass", 1),
        ("def matmul(a, b):\n    while True:\n        try:\n            x = 1\n        except:\n            pass", 2),
        ("def matmul(a, b):\n    try:\n        while True:\n            pass\n    except:\n        return a", 5),
        ("def matmul(a, b):\n    for x in iter(int, 1):\n        continue", 2),
        ("def matmul(a, b):\n    return [x for x in iter(int, 1)]", 2),
        ("def forever():\n    while True:\n        yield 1\ndef matmul(a, b):\n    return sum(forever())", 2),
        ("def matmul(a, b):\n    return f(40)\ndef f(n):\n    return f(n - 1) + f(n - 1) if n else 1", 3),
        ("matmul = lambda a, b: [f(40)]\nf = lambda n: f(n - 1) + f(n - 1) if n else 1", 2),
        ("def matmul(a, b):\n    for row in a:\n        a.append(row)", 2),
    ],
)
def test_what_never_ends_is_stopped(source, line):
    verdict = check(source, step_limit=5000)
    assert (verdict.kind, verdict.line) == ("steps", line)
    assert "stopped after 5,000 steps" in verdict.sentence


@pytest.mark.parametrize(
    "work", ["[x for x in range(9000)]", "sum(x for x in range(9000))", "{x: 0 for x in range(9000)}"]
)
def test_turns_inside_one_line_are_steps(work):
    source = f"def matmul(a, b):\n    return {work}"
    assert check(source, step_limit=8000).kind == "steps"
    assert check(source, step_limit=10_000).kind != "steps"


def test_a_function_that_calls_itself_without_end_is_told():
    verdict = check("def matmul(a, b):\n    return matmul(a, b)")
    assert verdict.kind == "error"
    assert "the function calls itself too deep" in verdict.sentence


def test_the_next_text_is_judged_after_one_that_never_ended():
    check("while True: pass", step_limit=100)
    assert check(EXERCISES["matmul"].solution).passed


def test_prints_are_caught_and_those_of_the_failing_case_are_returned(capsys):
    verdict = check("print('loaded')\ndef matmul(a, b):\n    print('a is', a, end='!')\n    return [[15]]")
    assert verdict.printed == "loaded\na is [[2, 3]]!"
    assert capsys.readouterr().out == ""


def test_prints_are_cut_off():
    verdict = check("def matmul(a, b):\n    for _ in range(1000):\n        print('0123456789')\n    return a")
    assert verdict.printed.endswith("… and 9,000 more characters")
    assert len(verdict.printed) < 2100


@pytest.mark.parametrize(
    ("returned", "name", "words"),
    [
        ("None", "nothing returned", "has to return C as a list of lists"),
        ("tuple(map(tuple, [[15]]))", "result of the wrong type", "a tuple; it has to return C"),
        ("[(15,)]", "result of the wrong type", "The numbers are right."),
        ("[15]", "flat list", "element 0 is the number 15"),
        ("15", "result of the wrong type", "the number 15"),
        ("{0: [15]}", "result of the wrong type", "a dictionary"),
        ("zip([15])", "result of the wrong type", "a zip, not yet a list"),
        ("[['15']]", "result of the wrong type", "C[0][0] is a text; allowed: a number"),
        ("[[None]]", "result of the wrong type", "C[0][0] is None"),
        ("Array()", "result of the wrong type", "an array (Array); its tolist() would be a list"),
        ("Rude()", "result of the wrong type", "a value of type Rude"),
    ],
)
def test_results_of_the_wrong_type_are_named(returned, name, words):
    classes = "class Array:\n    def tolist(self): return [[15]]\nclass Rude:\n    def __repr__(self): return 1 / 0\n"
    verdict = check(f"{classes}def matmul(a, b):\n    return {returned}")
    assert verdict.kind == "type"
    assert verdict.mistakes[0].name == name
    assert words in verdict.words()


@pytest.mark.parametrize(
    "text",
    [
        "class L(list):\n    def __iter__(self):\n        while True: yield [1]\ndef matmul(a, b): return L()",
        "class I(int):\n    def __ne__(self, other): return 1 / 0\ndef matmul(a, b): return [[I(3)]]",
        "class R:\n    def __repr__(self):\n        while True: pass\ndef matmul(a, b): return [[R()]]",
        "class E(Exception):\n    def __str__(self):\n        while True: pass\ndef matmul(a, b): raise E",
        "class Q:\n    def __eq__(self, other):\n        while True: pass\n"
        "def matmul(a, b):\n    a[0][0] = Q()\n    return [[15]]",
        "def matmul(a, b):\n    a.append(a)\n    return [[15]]",
        "def matmul(a, b): return [[10 ** 5000]]",
        "def matmul(a, b): raise KeyboardInterrupt",
        "def matmul(a, b): raise GeneratorExit",
        "async def matmul(a, b): pass",
        "def matmul(a, b): yield 1",
        "def matmul(a, *, b): return a",
        "class matmul:\n    def __init__(self, a, b): pass",
        "del __builtins__\ndef matmul(a, b): return len(a)",
        "def matmul(a, b): return [[15]]\n__step__ = 3",
        "(" * 300 + ")" * 300,
        "\ud800",
        "def matmul(a, b):\n\treturn a\n        return b",
        "#" * 10 + "\x0c\u2028\r\nx = 1 / 0",
    ],
)
@pytest.mark.filterwarnings("ignore:coroutine")
def test_nothing_that_a_reader_writes_breaks_the_checker(text):
    verdict = check(text, step_limit=1000)
    assert not verdict.passed
    assert verdict.sentence
    assert "Traceback" not in verdict.words()


def test_odd_line_ends_do_not_shift_the_line():
    verdict = check("# a\x0c\u2028b\r\n# c\rx = 1 / 0\n")
    assert (verdict.line, verdict.line_text) == (3, "x = 1 / 0")


def test_a_result_that_holds_itself_is_told():
    verdict = check("def matmul(a, b):\n    c = []\n    c.append(c)\n    c[0].append(c)\n    return c")
    assert verdict.kind == "type"


def test_nan_is_not_right():
    assert check("def matmul(a, b):\n    return [[float('nan')]]").kind == "value"


def test_an_answer_that_no_known_mistake_gives_is_said_so():
    verdict = check("def matmul(a, b):\n    return [[1234]]")
    assert verdict.mistakes == ()
    assert verdict.naming == "No mistake that this checker knows gives this answer."


def test_inputs_that_change_are_told_though_the_result_is_right():
    verdict = check(EXERCISES["matmul"].solution.replace("    return c\n", "    b[0].reverse()\n    return c\n"))
    assert verdict.kind == "changed"
    assert "changes its input b" in verdict.sentence


def test_state_that_is_kept_between_calls_is_found():
    verdict = check(loops().replace("def matmul(a, b):", "def matmul(a, b, c=[]):").replace("c = [[", "c += [["))
    assert (verdict.kind, verdict.number) == ("shape", 2)


def test_the_same_text_gives_the_same_verdict():
    assert check(loops(sign="=")) == check(loops(sign="="))


def test_a_verdict_holds_no_address_of_this_machine():
    assert check("def matmul(a, b): return (row for row in a)").got == "<generator object matmul.<locals>.<genexpr>>"


def test_an_unknown_exercise_is_refused_in_words():
    with pytest.raises(ValueError, match="exercise: given sort; allowed: matmul, tile_ranges, tiled_matmul"):
        check("", "sort")


def test_cases_are_small_first_and_differ_in_shape():
    cases = EXERCISES["matmul"].cases()
    assert [len(case.arguments[0]) * len(case.arguments[1]) * len(case.expected[0]) for case in cases[:3]] == [1, 2, 4]
    assert all(case.expected == matmul(*case.arguments) for case in cases)
    shapes = {(len(case.arguments[0]), len(case.arguments[1]), len(case.arguments[1][0])) for case in cases}
    assert {(1, 1, 1), (3, 1, 2), (4, 2, 1), (2, 4, 3), (5, 5, 7)} <= shapes


@pytest.mark.parametrize(("file", "text"), [("matmul_exercise.py", "starter"), ("matmul_solution.py", "solution")])
def test_the_downloads_are_the_texts_of_the_exercise(file, text):
    downloads = ROOT / "downloads"
    if not downloads.is_dir():
        pytest.skip("sim alone, without the downloads")
    assert (downloads / file).read_text(encoding="utf-8") == getattr(EXERCISES["matmul"], text)

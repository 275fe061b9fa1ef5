"""Strict mode refuses what Triton's compiler refuses and runs what it compiles: every rule, both ways."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sim.tl.api import Run, run
from sim.tl.memory import Array
from sim.tl.rules import SYNTAX
from tests.tl.kernels import ROOT
from tests.tl.processes import ask, needs_triton
from tests.tl.rule_cases import CASES, CONSTEXPRS, SIGNATURE, Case

REFUSED = [case for case in CASES if case.refused]
Verdicts = Mapping[tuple[int, str], dict[str, Any]]


def simulated(case: Case, body: str, mode: str) -> Run:
    arguments = {
        "x_ptr": Array("x_ptr", "fp32", (16,), range(16)),
        "out_ptr": Array("out_ptr", "fp32", (16,), [0] * 16),
        "h_ptr": Array("h_ptr", "fp16", (256,), [1] * 256),
        "n": 16,
        "B": 16,
    }
    return run(case.source(body), arguments, 1, kernel="kernel", mode=mode)


def name(case: Case) -> str:
    return f"{CASES.index(case)}-{case.rule.replace(' ', '-')}"


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Verdicts:
    """What the compiler says to every body: (number of the case, "refused" or "legal") -> {ok, error}."""
    needs_triton()
    folder: Path = tmp_path_factory.mktemp("rules")
    keys, jobs = [], []
    for number, case in enumerate(CASES):
        for kind in ("refused", "legal"):
            body = getattr(case, kind)
            if body:
                path = folder / f"rule_{number}_{kind}.py"
                path.write_text(case.source(body), encoding="utf-8")
                job = {
                    "path": str(path),
                    "kernel": "kernel",
                    "signature": SIGNATURE,
                    "constexprs": CONSTEXPRS,
                    "arch": 90,
                }
                keys.append((number, kind))
                jobs.append(job)
    return dict(zip(keys, ask("compile_worker.py", jobs, folder / "cache"), strict=True))


def test_every_rule_of_the_code_has_a_case() -> None:
    found = {rule for rule, _ in SYNTAX.values()}
    for path in (ROOT / "sim" / "tl").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("rule", "broken"):
                found |= {str(part.value) for part in node.args[:1] if isinstance(part, ast.Constant)}
    assert len(found) > 40
    assert found <= {case.rule for case in CASES}


@pytest.mark.parametrize("case", REFUSED, ids=name)
def test_compiler_refuses_what_strict_mode_refuses(case: Case, verdicts: Verdicts) -> None:
    assert not verdicts[CASES.index(case), "refused"]["ok"]


@pytest.mark.parametrize("case", CASES, ids=name)
def test_compiler_takes_the_legal_version(case: Case, verdicts: Verdicts) -> None:
    verdict = verdicts[CASES.index(case), "legal"]
    assert verdict["ok"], verdict.get("error")


@pytest.mark.parametrize("case", REFUSED, ids=name)
def test_strict_mode_refuses_and_names_the_line(case: Case) -> None:
    failure = simulated(case, case.refused, "strict").failure
    assert failure is not None
    assert failure.kind in ("refused", "unknown name", "error")
    assert failure.line == case.file_line, failure


@pytest.mark.parametrize("case", CASES, ids=name)
def test_strict_mode_runs_the_legal_version(case: Case) -> None:
    done = simulated(case, case.legal, "strict")
    assert done.failure is None, done.failure
    assert done.bent == ()


@pytest.mark.parametrize("case", REFUSED, ids=name)
def test_lesson_mode_never_lets_a_rule_pass_in_silence(case: Case) -> None:
    done = simulated(case, case.refused, "lesson")
    assert done.failure or done.bent or done.reports

"""The exercises and their checker: a reader's own function, run on inputs that known mistakes do not survive.

``check(source)`` runs the text; ``EXERCISES`` holds starter, hints, solution and cases. No threads,
no signals, no other process, no files: the same code answers in a terminal and in the page.
"""

from sim.check.exercises import EXERCISES
from sim.check.judge import STEP_LIMIT, check
from sim.check.records import Case, Exercise, Named, Verdict, Wrong

__all__ = ["EXERCISES", "STEP_LIMIT", "Case", "Exercise", "Named", "Verdict", "Wrong", "check"]

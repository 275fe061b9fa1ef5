"""The exercises of chapter 3 and their checker: a reader's own Triton kernel, on launches that known mistakes do not
survive.

``check_kernel(source, name)`` runs the text in strict mode, which refuses what Triton's compiler refuses;
``KERNEL_EXERCISES`` holds starter, hints, solution, launches and mistakes.
"""

from sim.tl.exercises.judge import STEP_LIMIT, check_kernel
from sim.tl.exercises.library import KERNEL_EXERCISES
from sim.tl.exercises.records import KernelExercise, KernelVerdict, Launch, Slip

__all__ = ["KERNEL_EXERCISES", "STEP_LIMIT", "KernelExercise", "KernelVerdict", "Launch", "Slip", "check_kernel"]

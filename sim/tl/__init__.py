"""Triton's language in plain Python: runs the text of a kernel file as it stands, and tells what each line did."""

import sim.tl.arithmetic  # isort: skip  # noqa: F401  (first: tiles and their operators need each other)

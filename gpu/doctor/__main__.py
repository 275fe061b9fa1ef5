"""Start the doctor: as `python -m gpu.doctor`, or by this folder's path from anywhere."""

# Written so that any Python, also Python 2, can read this file and be told in a sentence that it is too old.
import os
import sys

if sys.version_info < (3, 7):  # noqa: UP036
    sys.exit("gpu.doctor: Python %d.%d given; allowed: 3.7 or newer." % sys.version_info[:2])  # noqa: UP031
if not __package__:
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))  # noqa: PTH100, PTH120

from gpu.doctor.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Values on the command line, checked before anything heavy is imported and long before a measurement would be lost."""

import argparse
import os
from pathlib import Path

LARGEST = 2**31 - 2**20  # M, N and K are 32-bit integers in the kernels, also rounded up to whole tiles; see checks.py
LARGEST_SEED = 2**63 - 2  # torch takes 64 bits with a sign; random numbers of a second kind use the next one


def size(text: str) -> int:
    """A dimension, or a number of repeats."""
    return whole(text, 1, LARGEST)


def seed(text: str) -> int:
    """The seed of the random inputs."""
    return whole(text, 0, LARGEST_SEED)


def whole(text: str, low: int, high: int) -> int:
    """A whole number from low to high."""
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"{value} is not from {low} to {high}")
    return value


def file_to_write(text: str) -> Path:
    """A file that can be written: its folder is there or can be made."""
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is a folder; a file is wanted")
    folder_to_write(str(path.parent))
    if path.exists() and not os.access(path, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text!r} may not be written")
    return path


def folder_to_write(text: str) -> Path:
    """A folder that is there, or that can be made."""
    path = Path(text)
    there = next(each for each in (path, *path.absolute().parents) if each.exists())
    if not there.is_dir():
        raise argparse.ArgumentTypeError(f"{str(there)!r} is a file; a folder is wanted")
    if not os.access(there, os.W_OK):
        raise argparse.ArgumentTypeError(f"nothing may be written into {str(there)!r}")
    return path

"""Notebooks: a program as the cells of a Jupyter notebook, format 4.5. Equal input gives equal bytes.

The format is described at https://nbformat.readthedocs.io/en/latest/format_description.html
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class Cell:
    """A cell: ``kind`` is "code" or "markdown"."""

    kind: str
    text: str


def notebook(name: str, cells: Sequence[Cell], *, gpu: bool = False) -> dict[str, Any]:
    """The notebook. Cells are numbered after ``name`` (letters, digits, hyphens); ``gpu`` asks Colab for one."""
    colab = {"accelerator": "GPU"} if gpu else {}
    return {
        "cells": [_cell(f"{name}-{number}", cell) for number, cell in enumerate(cells)],
        "metadata": {**colab, "kernelspec": KERNEL, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(identity: str, cell: Cell) -> dict[str, Any]:
    made = {"cell_type": cell.kind, "id": identity, "metadata": {}, "source": cell.text.strip("\n").splitlines(True)}
    return made | {"execution_count": None, "outputs": []} if cell.kind == "code" else made


def text_of(made: dict[str, Any]) -> str:
    """The notebook as the text of its file."""
    return json.dumps(made, ensure_ascii=False, indent=1, sort_keys=True) + "\n"

"""Counts as words."""

from sim.words import counted


def test_one_is_singular_and_all_else_plural():
    assert [counted(count, "row") for count in (0, 1, 2, 10_000)] == ["0 rows", "1 row", "2 rows", "10000 rows"]
    assert counted(2, "column of tiles", "columns of tiles") == "2 columns of tiles"

"""Quoted numbers come from ``sim``."""

import json
import re
from pathlib import Path

import pytest

from lab.problem import Problem
from lab.quotes import QUOTES, checked_by, quote
from tests.crosscheck.cases import SMALL_CASES, Case


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("tiled_loads?n=4&tile=2", "64"),
        ("tiled_loads?n=5&tile=2", "150"),
        ("separate_loads?n=4", "128"),
        ("padded_slots?n=5&tile=2", "216"),
        ("formula?n=5&tile=2", "125"),
        ("phase_loads?n=4&tile=2", "8"),
        ("tiles?n=5&tile=2", "9"),
        ("k_phases?n=5&tile=2", "3"),
        ("shared_bytes?tile=2", "32"),
        ("shared_bytes?tile=128", "131,072"),
        ("tile_outputs?tile=4", "16"),
        ("input_elements?n=4", "32"),
        ("ragged?m=8&n=10&k=6&bm=4&bn=4&bk=2", "N"),
        ("ragged?m=5&n=7&k=5&bm=2&bn=3&bk=2", "M, N and K"),
        ("ragged?m=5&n=7&k=4&bm=2&bn=3&bk=2", "M and N"),
        ("ragged?m=4&n=6&k=4&bm=2&bn=3&bk=2", "none"),
        ("a_row?n=8&row=0", "[-2, -1, 0, 1, 2, -2, -1, 0]"),
        ("b_column?n=8&column=0", "[-1, 0, 1, -1, 0, 1, -1, 0]"),
        ("products?n=4&row=0&column=0", "2, 0, 0, -1"),
        ("partials?n=4&row=0&column=0", "2, 2, 2, 1"),
        ("output?n=4&row=2&column=0", "4"),
        ("c_row?n=8&row=0", "[0, 3, -3, 0, 3, -3, 0, 3]"),
        ("c?n=2", "[[2, -1], [1, 0]]"),
        ("partial?n=4&tile=2&i=0&j=0&phase=0", "[[2, -1], [1, 0]]"),
        ("no_wait_after_using?n=4&tile=2", "[[-2, 0], [-2, -2]]"),
        ("no_wait_after_loading?n=4&tile=2", "[[2, -1], [1, 0]]"),
        ("owned_tile?rows=5&columns=7&group_m=3&pid=21&older=0", "(3,0)"),
        ("owned_tile?rows=5&columns=7&group_m=3&pid=21&older=1", "(4,0)"),
        ("shared_tile_loads?rows=9&columns=9&phases=9&group_m=1&w=9", "90"),
        ("shared_tile_loads?rows=9&columns=9&phases=9&group_m=3&w=9", "54"),
        ("cache_misses?rows=32&columns=32&phases=32&group_m=8&in_flight=64&capacity=512", "5120"),
        ("cache_miss_rate?rows=32&columns=32&phases=32&group_m=8&in_flight=64&capacity=512", "0.078"),
        ("cache_miss_rate?rows=32&columns=32&phases=32&group_m=1&in_flight=64&capacity=2048", "0.031"),
        ("h200_tflops?", "989.5"),
        ("toy_c?", "[[58, 64], [139, 154]]"),
        ("toy_output?row=0&column=1", "64"),
        ("toy_phase?phase=0", "25"),
        ("toy_phase?phase=1", "33"),
        ("tile_ranges?size=7&width=3", "(0,3), (3,6), (6,7)"),
        ("masked_loads?m=5&n=7&k=5&bm=2&bn=4&bk=2", "155"),
        ("kernel_loads?m=5&n=7&k=5&bm=2&bn=3&bk=2&matrix=0", "75"),
        ("kernel_loads?m=5&n=7&k=5&bm=2&bn=3&bk=2&matrix=1", "105"),
        ("wrapped_loads?m=5&n=7&k=5&bm=2&bn=4&bk=2", "180"),
        ("tile_elements?bm=32&bn=64&bk=32", "3072"),
        ("tile_bytes?bm=32&bn=64&bk=32&item=2", "6144"),
        ("tile_flops?bm=32&bn=64&bk=32", "131,072"),
        ("tile_intensity?bm=32&bn=64&bk=32&item=2", "21.33"),
    ],
)
def test_quotes(expression, text):
    assert quote(expression) == text


def test_every_kind_of_quote_is_tested_above():
    tested = {
        mark.args[1][index][0].partition("?")[0]
        for mark in test_quotes.pytestmark
        for index in range(len(mark.args[1]))
    }
    assert tested == set(QUOTES)


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("loads?n=4", "quoted number: given “loads”; allowed: a_row, b_column"),
        ("tiled_loads?n=4", "quoted number tiled_loads: given “n=4”; allowed: n=whole number and tile=whole number"),
        ("tiled_loads?n=4&tile=x", "allowed: n=whole number and tile=whole number"),
        ("tiled_loads?n=4&tile=0", "quoted number tiled_loads?n=4&tile=0: BM: given 0"),
        ("a_row?n=4&row=9", "quoted number a_row?n=4&row=9"),
    ],
)
def test_a_quote_that_cannot_be_computed_is_refused_in_words(expression, sentence):
    with pytest.raises(Problem) as caught:
        quote(expression)
    assert sentence in caught.value.sentence


def test_a_quote_says_who_checked_it():
    assert checked_by("tiled_loads?n=4&tile=2") == "the model, and an independent count"
    assert "H200" not in checked_by("kernel_loads?m=5&n=7&k=5&bm=2&bn=3&bk=2&matrix=0")  # no GPU takes tiles of 3


def test_what_a_page_says_an_interpreter_and_a_gpu_have_counted_they_have_counted(root: Path):
    """Of any BK: how K is cut changes no count, and a GPU wants phases of 16."""
    stored = json.loads((root / "gpu" / "results" / "h200-crosscheck.json").read_text(encoding="utf-8"))["cases"]
    counted = {tuple(case[name] for name in ("M", "N", "K", "BM", "BN")): case["loads"] for case in stored}
    found = 0
    for chapter in (root / "chapters").glob("*.md"):
        for expression in re.findall(r"sim:([a-z_]+\?[^)\s|]*)", chapter.read_text(encoding="utf-8")):
            if "H200" not in checked_by(expression):
                continue
            m, n, k, bm, bn, bk = (int(value) for value in re.findall(r"=(\d+)", expression))
            assert quote(expression) == f"{counted[m, n, k, bm, bn]}", expression
            assert Case(m, n, k, bm, bn, bk) in SMALL_CASES, expression
            found += 1
    assert found

"""Files of one GPU together, and its ceilings: by hand, and against what is stored."""

from fractions import Fraction

import pytest

from lab.results.stored import ours
from sim.measured.party import gather, memory_ceiling, product_ceiling, published, shapes_of
from sim.measured.reading import read
from sim.measured.records import FORMATS
from tests.measured.files import BENCH, COUNTERS, bench, row, spread, text


def party(*files, whose="yours"):
    (found,) = gather([read(text(file), f"{at}.json") for at, file in enumerate(files)], whose)
    return found


def other_rows(**more):
    return bench(rows=[row("torch", 0.02, **more), row("best", 0.01, **more)])


def test_files_of_one_gpu_are_one_party_and_its_label_says_whose():
    found = party(BENCH, other_rows(dtype="bfloat16"), COUNTERS)
    assert found.label == "L4 (yours)"
    assert (len(found.runs), len(found.counters), found.formats()) == (2, 1, ("float16", "bfloat16"))
    assert found.shapes("float16") == ((512, 256, 1024),)


@pytest.mark.parametrize("number_format", FORMATS)
def test_nothing_that_is_stored_lies_above_the_roofs_as_seen(number_format):
    memory, product = memory_ceiling(ours()), product_ceiling(ours(), number_format)
    assert memory and product
    rates = [(row.intensity, row.tflops) for row in ours().rows(number_format) if row.tflops]
    if number_format == "float16":
        rates += [(each.intensity, each.tflops) for file in ours().counters for each in file.counted]
    for intensity, rate in rates:
        assert rate <= min(memory.rate * intensity, product.rate)


def test_two_gpus_are_two_parties():
    files = [read(text(each), "a.json") for each in (BENCH, bench(device={"name": "NVIDIA GeForce RTX 4090"}))]
    assert [each.label for each in gather(files, "yours")] == ["L4 (yours)", "RTX 4090 (yours)"]


def test_a_second_run_of_the_same_rows_stays_apart_under_its_files_name():
    files = [read(text(BENCH), name) for name in ("a.json", "b.json")]
    assert [each.label for each in gather(files, "yours")] == ["L4 (yours)", "L4 (yours, b.json)"]


def test_a_ratio_is_torchs_time_over_the_rows_in_either_way():
    found = party(BENCH)
    tiled = found.row("float16", (512, 256, 1024), "tiled")
    assert found.ratio(tiled, "replay") == Fraction(20, 25)
    assert found.ratio(tiled, "call") == Fraction(40, 45)


def test_a_row_without_torch_beside_it_has_no_ratio():
    found = party(bench(rows=[row("best", 0.01)]))
    assert found.ratio(found.row("float16", (512, 256, 1024), "best"), "replay") is None


def test_a_timed_copy_is_the_memory_ceiling_before_anything_else():
    copy = {"moved_bytes": 2**30, "replay": spread(4.0, 3.9, 4.1)}
    ceiling = memory_ceiling(party(bench(ceilings={"copy": copy}), COUNTERS))
    assert ceiling and (ceiling.rate, ceiling.true_ceiling) == (Fraction(2**30, 4 * 10**9), True)


def test_of_several_timed_copies_the_fastest_is_the_ceiling():
    copies = [{"copy": {"moved_bytes": 2**30, "replay": spread(ms, ms - 0.1, ms + 0.1)}} for ms in (4.0, 3.0, 5.0)]
    files = [bench(ceilings=each, rows=[row("torch", 0.1, M=16 * at)]) for at, each in enumerate(copies, 1)]
    ceiling = memory_ceiling(party(*files))
    assert ceiling and ceiling.rate == Fraction(2**30, 3 * 10**9)


def test_counted_dram_bytes_are_the_most_that_was_seen():
    ceiling = memory_ceiling(party(BENCH, COUNTERS))
    assert ceiling and (ceiling.rate, ceiling.true_ceiling) == (Fraction(1_500_000, 10_000_000), False)
    assert "1024 × 512 × 256, GROUP_M = 8, DRAM bytes counted" in ceiling.what


def test_a_product_of_many_operations_a_byte_tells_nothing_of_memory():
    assert memory_ceiling(party(BENCH)) is None
    thin = bench(rows=[row("torch", 0.02, M=1), row("best", 0.025, M=1)])
    ceiling = memory_ceiling(party(thin))
    assert ceiling and ceiling.rate == Fraction(2 * (1024 + 1024 * 256 + 256), 20_000_000)


def test_bytes_of_a_run_with_warm_caches_are_not_taken_for_memorys():
    thin = bench(rows=[row("torch", 0.02, M=1)], method={"cache": "not emptied"})
    assert memory_ceiling(party(thin)) is None


def test_the_fastest_large_product_is_the_arithmetic_ceiling():
    large = {"M": 4096, "N": 4096, "K": 4096}
    rows = [row("torch", 1.0, **large), row("best", 0.8, **large), row("best", 0.005, empty_replay_ms=0.0001)]
    ceiling = product_ceiling(party(bench(rows=rows)), "float16")
    assert ceiling and (ceiling.rate, ceiling.what) == (Fraction(2 * 4096**3, 8 * 10**8), "best at 4096³")
    assert ceiling.true_ceiling
    assert product_ceiling(party(bench(rows=rows)), "float32 tf32") is None


def test_a_small_product_is_told_as_such():
    ceiling = product_ceiling(party(BENCH), "float16")
    assert ceiling and not ceiling.true_ceiling


def test_published_peaks_are_those_of_the_very_gpu():
    assert published(party(BENCH), "float16").tflops == 121
    assert "L4 data sheet" in published(party(BENCH), "float16").source
    unknown = published(party(bench(device={"name": "NVIDIA L40S"})), "float16")
    assert (unknown.tflops, unknown.tb_s) == (None, None)


@pytest.mark.parametrize("device", [f"NVIDIA {name}" for name in ("H200 NVL", "A10G", "A100-PCIE-40GB", "L40", "T400")])
def test_another_gpu_with_a_like_name_gets_no_peaks_that_are_not_its_own(device):
    assert published(party(bench(device={"name": device})), "float16").tflops is None


def test_what_is_stored_of_our_gpu():
    found = ours()
    assert (found.label, found.device) == ("H200 (ours)", "NVIDIA H200")
    assert [len(found.shapes(each)) for each in FORMATS] == [13, 13, 13, 13]
    memory = memory_ceiling(found)
    assert memory and memory.true_ceiling
    assert memory.rate == Fraction(2 * 2**30, 505_663_991)  # bytes a picosecond; the fastest of three stored copies
    assert [str(published(found, each).tflops) for each in FORMATS] == ["1979/2", "1979/2", "669/10", "4947/10"]


def test_no_stored_point_lies_above_a_roof():
    """A copy and the fastest product bound every row, and so do the published peaks."""
    found = ours()
    memory = memory_ceiling(found)
    for number_format in FORMATS:
        product, peak = product_ceiling(found, number_format), published(found, number_format)
        for each in found.rows(number_format):
            if each.tflops and memory and product and peak.tflops and peak.tb_s:
                assert each.tflops <= min(product.rate, memory.rate * each.intensity)
                assert each.tflops <= min(peak.tflops, peak.tb_s * each.intensity)


def test_shapes_of_all_parties_are_named_once():
    mine = party(bench(rows=[row("torch", 0.02), row("torch", 0.03, M=4096, N=4096, K=4096)]))
    found = shapes_of((ours(), mine), "float16")
    assert found.count((4096, 4096, 4096)) == 1
    assert found[-1] == (512, 256, 1024)

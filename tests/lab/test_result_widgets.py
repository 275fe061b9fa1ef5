"""The widgets of chapter 5: what they say, ask and show of stored rows, and of a reader's files."""

import json
import re

import pytest

from lab.problem import Problem
from lab.registry import MEASURED, WIDGETS
from lab.results.own_files import OwnFiles
from lab.views import key, open_scene, view
from tests.measured.files import BENCH, COUNTERS, bench, row, stored, text


def own(**files):
    """The setting that holds files: name_json=text."""
    return json.dumps([{"name": name.replace("_", "."), "text": each} for name, each in files.items()])


CUBE = {"M": 4096, "N": 4096, "K": 4096}
MINE = own(my_json=text(bench(rows=[row("torch", 0.2, **CUBE), row("best", 0.4, **CUBE)])))
COUNTED = own(c_json=text(COUNTERS | {"loads": json.loads(stored("h200-counters.json"))["loads"]}))


def shown(name, step=0, **settings):
    """(html, sentence, note) of a step."""
    scene = open_scene(WIDGETS[name], settings)
    frame = scene.frame(step)
    return frame.html, frame.say, scene.note


def reply(name, ask, answer, **settings):
    replies = view(open_scene(WIDGETS[name], settings))["replies"][ask]
    if answer == replies["answer"]:
        return replies["right"]
    return replies["known"].get(answer, replies["other"])


def table(html, caption):
    """The rows of the table with a caption, as texts."""
    body = html.split(f"<caption>{caption}</caption>")[1].split("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body)
    cells = (re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row) for row in rows)
    return [[re.sub("<.*?>", " ", cell).strip() for cell in row] for row in cells]


# ---------- the ladder ----------


def test_the_ladder_shows_losing_rows_with_their_reason_and_refused_ones_with_theirs():
    html, say, note = shown("ladder")
    assert say.startswith("H200 (ours), 4096³: of 10 kernels 1 keeps up with torch.mm; best takes 192.0")
    rows = table(html, "H200 (ours): float16, 4096³; times with their middle four fifths")
    assert [row[0] for row in rows[1:]] == [
        "torch", "tiled", "grouped", "autotuned", "hinted", "descriptors", "persistent", "specialised", "split_k",
        "split_specialised", "best",
    ]  # fmt: skip
    assert rows[2] == [
        "tiled", "248.9  244.8–254.9", "332.4  319.8–346.6", "552", "0.76", "0.76", "2.1e-4", "slower; roof: arithmetic"
    ]  # fmt: skip
    assert "<b>thin</b>: M is 4096; this rung holds all rows in one tile, at most 64" in html
    assert html.count("<circle") == 1 + 10  # the legend's and one for each kernel
    assert note == ""


def test_the_ladder_in_float32_names_the_precision_and_its_command():
    html, _, _ = shown("ladder", format="float32 tf32", shape="8192 8192 8192")
    assert "float32 TF32, 8192³" in html
    assert "NVIDIA H200, 2026-11-30, driver 580.159.04, torch 2.11.0+cu130, triton 3.6.0, python -m gpu.run_all" in html


def test_a_memory_bound_loss_is_told_as_such_and_a_suspect_win_too():
    html, _, _ = shown("ladder", shape="16 4096 4096")
    assert "slower; roof: memory" in html
    html, _, _ = shown("ladder", shape="4095 4097 4099")
    assert "suspect: more than 3 times as fast; do both compute the same?" in html


def test_the_fastest_kernel_is_asked_for_by_the_way_of_calling():
    assert "Right" in reply("ladder", "fastest", "specialised")
    assert "Right" in reply("ladder", "fastest", "torch", way="call")
    assert "tiled: it takes 248.9\u00a0µs, 1.32 times as long." in reply("ladder", "fastest", "tiled")


def test_a_shape_that_nobody_measured_is_refused_with_those_there_are():
    with pytest.raises(Problem, match=r"shape: given 5 6 7; measured in float16: 127 255 65; 512 512 512"):
        shown("ladder", shape="5 x 6 x 7")


@pytest.mark.parametrize("given", ["", "512", "512 512", "1 2 3 4", "0 1 1", "1 1 9999999999", "a b c"])
def test_a_shape_that_is_none_is_refused(given):
    with pytest.raises(Problem, match=r"shape M N K: given .*; allowed: three whole numbers M N K, each from 1"):
        shown("ladder", shape=given)


def test_one_kernel_is_counted_over_all_shapes():
    html, say, _ = shown("against-torch")
    assert say == "H200 (ours): best is slower than torch.mm at 2 of 13 shapes; the least ratio is 0.98."
    rows = table(html, "H200 (ours): best in float16; times with their middle four fifths")
    assert len(rows) == 14
    assert rows[12][1:4] == ["193.1  191.9–194.6", "189.7  189.0–190.5", "0.98"]
    assert rows[12][0] == "1024 × 1024 × 65536  slower; roof: arithmetic"
    assert rows[6][0] == "4096³  slower; roof: arithmetic"
    assert "Right" in reply("against-torch", "slower", "12", way="call")
    assert "11: that is at how many it is at least as fast" in reply("against-torch", "slower", "11")


def test_a_kernel_that_was_not_run_is_told_so():
    _, say, _ = shown("against-torch", kernel="transposed")
    assert say == "Nobody ran transposed in float16."


# ---------- the roofline ----------


def test_the_roofline_says_what_each_roof_is():
    html, say, _ = shown("roofline")
    assert say == "H200 (ours), as seen: memory 4.25 TB/s, arithmetic 745 TFLOP/s; they meet at 175 operations a byte."
    roofs = {row[0]: row[1:] for row in table(html, "The roofs")}
    assert roofs["H200 (ours): memory, as seen"] == ["4.25 TB/s", "A copy that moves 2,147\u00a0MB."]
    assert roofs["H200 (ours): arithmetic in float16, as seen"] == [
        "745 TFLOP/s",
        "The fastest large product: torch.mm at 8192³.",
    ]
    assert roofs["H200 (ours): published"][0] == "4.8 TB/s, 989.5 TFLOP/s"
    assert roofs["H200 (ours): published"][1].startswith("Not measured. NVIDIA H200 page")
    assert roofs["tile of the teaching kernel"] == [
        "64 operations a byte",
        "The model’s: operations of one K phase over the bytes of its two tiles. Not a measured point.",
    ]
    assert "model: intensity of a tile, no measured point" in html
    assert html.count('class="bound thick s0"') == html.count('class="bound thin s0"') == 1


def test_launch_bound_rows_have_no_point_and_are_told():
    html, _, _ = shown("roofline")
    rows = table(html, "H200 (ours): TFLOP/s in float16, and the lower roof as seen")
    assert rows[1] == ["127 × 255 × 65", "36.8", "launch-bound", "0.27", "launch-bound", "156"]
    assert rows[10] == ["1 × 4096 × 4096", "1.0", "1.71", "0.78", "2.04", "4.24"]
    circles = html.split("</svg>")[0].count("<circle")
    assert circles == 1 + 11  # best on 13 shapes, two of them launch-bound, and the legend's


def test_a_timed_copy_and_product_are_true_ceilings():
    product = {"kernel": "torch", "dtype": "float16", "precision": "ieee", "M": 8192, "N": 8192, "K": 8192}
    time = {"median_ms": 10.0, "low_ms": 9.0, "high_ms": 11.0, "repeats": 15}
    file = bench(ceilings={"copy": {"moved_bytes": 2**31, "replay": time}, "products": [product | {"replay": time}]})
    html, _, _ = shown("roofline", own=own(a_json=text(file)))
    roofs = {row[0]: row[1:] for row in table(html, "The roofs")}
    assert roofs["L4 (yours): memory, as seen"] == ["0.21 TB/s", "A copy that moves 2,147\u00a0MB."]
    assert roofs["L4 (yours): arithmetic in float16, as seen"][1] == "The fastest large product: torch.mm at 8192³."


def test_where_no_copy_was_timed_the_most_that_was_counted_is_called_that():
    html, _, _ = shown("roofline", own=COUNTED)
    roofs = {row[0]: row[1:] for row in table(html, "The roofs")}
    told = roofs["L4 (yours): memory, as seen"][1]
    assert told.startswith("The most that was seen: the teaching kernel at ")
    assert told.endswith("DRAM bytes counted. No copy was timed, so the memory may be faster.")


def test_a_file_that_tells_nothing_of_memory_gets_no_memory_roof():
    html, say, _ = shown("roofline", own=MINE)
    assert "L4 (yours): memory, as seen" not in html
    assert "nothing in the file tells of its memory" in say


# ---------- counters ----------


def test_counts_appear_step_by_step_and_equal_the_model():
    html, say, _ = shown("model-and-counters", step=1)
    assert say == "The profiler counts exactly what the model says, in all of 6 launches."
    rows = table(html, "H200 (ours): N = 512, tiled; the time with its middle half")
    assert rows[4] == ["8", "33,554,432", "33,554,432", "", "", "", ""]
    html, say, _ = shown("model-and-counters", step=5)
    rows = table(html, "H200 (ours): N = 512, tiled; the time with its middle half")
    assert rows[4] == ["8", "33,554,432", "33,554,432", "4,194,304", "3,004,549", "2,103,296", "77.9  77.6–78.7"]
    assert say == "From T = 1 to T = 32 loads fall 32-fold, time 170-fold: it follows none of the counts."
    assert html.count("<svg") == 2


def test_what_will_be_counted_is_asked_with_known_mistakes():
    assert "Right" in reply("model-and-counters", "counted", "33554432")
    assert "2 N³, each output loading its own" in reply("model-and-counters", "counted", "268435456")
    assert "That many sectors were asked of L1" in reply("model-and-counters", "counted", "4194304")


def test_equal_loads_take_unequal_times():
    html, say, _ = shown("same-loads", step=6)
    assert say.startswith("Time, µs: from 8,582.5 (tiled, T = 1) to 53.2 (separate, 32 × 32), 161 to 1")
    rows = table(html, "H200 (ours): N = 512, launches of equal loads; the time with its middle half")
    assert [row[2] for row in rows[1:]] == ["268,435,456"] * 4
    assert rows[3][0] == "separate, 8 × 8"
    assert rows[3][-1] == "94.4  93.7–95.0"
    _, say, _ = shown("same-loads", step=1)
    assert say == "Counted loads: 268,435,456 in all of 4, for the model is right for all of them."


def test_the_slow_launch_is_asked_for():
    assert "Right" in reply("same-loads", "slower", "many")
    assert "it takes 12.8 times as long" in reply("same-loads", "slower", "same")


def test_a_count_is_set_against_time_for_kernels_and_cuda_launches():
    html, say, _ = shown("count-and-time")
    assert say == (
        "H200 (ours): persistent loads least, 2,097,152 elements, in 56.1\u00a0µs; descriptors loads 8,388,608 and "
        "takes 16.0\u00a0µs."
    )
    rows = {row[0]: row[1:] for row in table(html, "H200 (ours): float32 IEEE, 512³, most loads first")}
    assert rows["CUDA: separate, 8 × 8"] == ["268,435,456", "94.4", "2,844"]
    assert rows["tiled"] == ["2,097,152", "106.0", "19.8"]
    html, _, _ = shown("count-and-time", format="float16", shape="512 512 512")
    assert "CUDA" not in html.replace("CUDA program: caches warm", "")


# ---------- lies ----------


def test_a_report_is_published_first_and_measured_after():
    html, say, _ = shown("bench-lies", case="5")
    assert say == "“best is 6.78 times as fast as torch.mm at 8192³ in float32.” Find the fault, if there is one."
    assert "As measured" not in html
    html, say, _ = shown("bench-lies", step=1, case="5")
    assert say == "TF32 against IEEE float32. Marked is what was changed."
    assert "<mark>float32 TF32</mark>" in html
    assert "kernel-bench sets torch to the precision of the kernels" in html


def test_a_wrong_choice_is_answered_with_the_reason():
    told = reply("bench-lies", "fault", "peak", case="5")
    assert "a rate above the peak, whatever the cause: 348 TFLOP/s in float32 IEEE, where the published peak" in told
    assert "so far right, but the rows also show why. The model says TF32 against IEEE float32." in told
    assert "Right" in reply("bench-lies", "fault", "unlike", case="5")


def test_an_honest_report_is_told_as_such():
    _, say, _ = shown("bench-lies", step=1, case="9")
    assert say == "Nothing was changed: this is what was measured."
    assert "Right" in reply("bench-lies", "fault", "none", case="9")


# ---------- a reader's files ----------


@pytest.mark.parametrize("name", [name for name in MEASURED if name != "bench-lies"])
def test_every_plot_shows_ours_and_a_readers(name):
    files = COUNTED if name in ("model-and-counters", "same-loads") else MINE
    settings = {"format": "float16", "shape": "4096 4096 4096"} if name == "count-and-time" else {}
    if name == "count-and-time":
        files = own(my_json=text(bench(rows=[row(each, 0.2, **CUBE) for each in ("torch", "tiled")])))
    html, _, note = shown(name, own=files, **settings)
    assert "H200 (ours)" in html
    assert "L4 (yours)" in html
    if name != "own-results":
        assert "L4 (yours)" in html.split("</svg>")[0]
    assert note == ""


def test_where_a_readers_file_has_nothing_it_is_said():
    _, _, note = shown("ladder", own=own(my_json=text(BENCH)))
    assert note == "L4 (yours): nothing at 4096³; your file has 512 × 256 × 1024."
    _, _, note = shown("ladder", own=own(my_json=text(BENCH)), format="bfloat16")
    assert note == "L4 (yours): nothing in bfloat16; your file has float16."
    _, _, note = shown("same-loads", own=own(my_json=text(BENCH)))
    assert note.startswith("L4 (yours): kernel-bench counts no loads, so there is nothing of your file here.")
    _, _, note = shown("ladder", own=COUNTED)
    assert note == "L4 (yours): your file has load counts and no times of kernel-bench."


def test_a_readers_own_shape_can_be_chosen():
    files = own(my_json=text(BENCH))
    html, say, note = shown("ladder", own=files, shape="512 256 1024")
    assert say == "L4 (yours), 512 × 256 × 1024: of 1 kernel none keeps up with torch.mm."
    assert note == ""
    buttons = dict(open_scene(WIDGETS["ladder"], {"own": files}).shortcuts)["Shape M × N × K"]
    assert buttons[-1].label == "512 × 256 × 1024"
    assert len(buttons) == 14
    assert "L4 (yours): float16, 512 × 256 × 1024" in html


def test_a_name_from_a_file_is_text_and_nothing_else():
    device = {"name": '<img src=x onerror="alert(1)">', "l2_bytes": 0}
    html, say, _ = shown("own-results", own=own(my_json=text(bench(device=device))))
    assert "<img" not in html
    assert "&lt;img src=x" in html
    assert "<img src=x onerror" in say  # a sentence is set as text


def test_files_never_stand_in_an_address():
    for name in MEASURED:
        if name != "bench-lies":
            settings = {"own": COUNTED if name in ("same-loads", "model-and-counters") else MINE}
            assert "own" not in key(open_scene(WIDGETS[name], settings))


def canonical(*pairs):
    raw = json.dumps([{"name": name, "text": each} for name, each in pairs])
    return [entry["name"] for entry in json.loads(OwnFiles().read(raw))]


def test_a_file_of_the_same_name_takes_the_place_of_the_older_one():
    older, newer = (("a.json", text(each)) for each in (BENCH, bench(date="2026-02-03")))
    assert canonical(older, ("b.json", text(COUNTERS)), newer) == ["a.json", "b.json"]
    assert "2026-02-03" in OwnFiles().read(json.dumps([{"name": name, "text": each} for name, each in (older, newer)]))


def test_a_path_is_cut_to_its_name():
    assert canonical(("folder/" + "x" * 90 + ".json", text(BENCH))) == ["x" * 60]


def test_the_canonical_text_is_its_own():
    once = OwnFiles().read(MINE)
    assert OwnFiles().read(once) == once
    assert OwnFiles().read(" ") == ""


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (own(bad_json="{"), "bad.json: given text that is not JSON"),
        (own(good_json=text(BENCH), bad_json=""), "bad.json: given an empty file"),
        (own(**{f"f{at}_json": text(BENCH) for at in range(5)}), "your files: given 5; allowed: at most 4 at once"),
        ("nonsense", "your files: given “nonsense”; allowed: a list of files, each with a name and a text"),
        ('[{"name": "a"}]', "your files: given"),
    ],
)
def test_files_that_cannot_be_taken_are_refused_in_words(raw, sentence):
    with pytest.raises(Problem) as caught:
        shown("own-results", own=raw)
    assert caught.value.sentence.startswith(sentence)
    assert caught.value.field == "own"


def test_what_a_wrong_file_changes_is_nothing():
    with pytest.raises(Problem, match="What is shown stays as it was"):
        shown("ladder", own=own(bad_json="[]"))

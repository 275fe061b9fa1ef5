"""Chapter 5 in a browser: a reader's files are chosen, dropped, refused, shown in every plot, and never sent."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import FileChooser, Page, expect

from tests.browser.host import Host
from tests.browser.widget import LONG_MS, WidgetOnPage
from tests.measured.files import COUNTERS, bench, row, stored, text

CUBE = {"M": 4096, "N": 4096, "K": 4096}
MINE = text(bench(rows=[row("torch", 0.2, **CUBE), row("tiled", 0.4, **CUBE), row("best", 0.1, **CUBE)]))
COUNTED = text(COUNTERS | {"loads": json.loads(stored("h200-counters.json"))["loads"]})
PLOTS = ("ladder", "against-torch", "roofline")
STAYS = "What is shown stays as it was."


@pytest.fixture
def measure(page: Page, host: Host) -> Page:
    page.goto(host.address + "measure.html")
    return page


@pytest.fixture
def home(measure: Page) -> WidgetOnPage:
    """The widget that takes the files."""
    return WidgetOnPage(measure, "own-results")


def file(name: str, content: str | bytes) -> dict[str, object]:
    data = content if isinstance(content, bytes) else content.encode()
    return {"name": name, "mimeType": "application/json", "buffer": data}


def choose(home: WidgetOnPage, *files: dict[str, object]) -> None:
    home.act("file").set_input_files(list(files))  # type: ignore[arg-type]


def drop(page: Page, target: str, name: str, content: str) -> None:
    """Drops a file as a browser would: the events, and whether the page kept the browser from leaving it."""
    page.locator(target).first.evaluate(
        """(node, [name, content]) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([content], name, { type: "application/json" }));
            for (const type of ["dragenter", "dragover", "drop"]) {
                const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
                node.dispatchEvent(event);
                if (type !== "dragenter" && !event.defaultPrevented) throw new Error(`${type} would leave the page`);
            }
        }""",
        [name, content],
    )


def shows(page: Page, name: str, words: str) -> None:
    expect(page.locator(f"#{name} [data-slot=frame]")).to_contain_text(words, timeout=LONG_MS)


def told(widget: WidgetOnPage, words: str) -> None:
    """The widget's sentence, once Python has made it."""
    expect(widget.slot("say")).to_contain_text(words, timeout=LONG_MS)


def refused(home: WidgetOnPage, sentence: str) -> None:
    expect(home.slot("notice")).to_contain_text(sentence, timeout=LONG_MS)
    expect(home.slot("notice")).to_contain_text(STAYS)
    expect(home.act("file")).to_be_focused()
    expect(home.act("file")).to_have_attribute("aria-invalid", "true")


def test_a_chosen_file_is_drawn_in_every_plot_next_to_ours(home: WidgetOnPage, measure: Page, host: Host):
    choose(home, file("my.json", MINE))
    told(home, "Every plot of this chapter now shows L4 (yours) beside ours")
    for name in PLOTS:
        shows(measure, name, "L4 (yours)")
        shows(measure, name, "H200 (ours)")
    expect(measure.locator("#ladder svg.chart .s1 path.dot")).to_have_count(3)  # the legend, tiled and best
    expect(WidgetOnPage(measure, "count-and-time").slot("notice")).to_contain_text("L4 (yours): nothing in float32")
    expect(WidgetOnPage(measure, "same-loads").slot("notice")).to_contain_text("kernel-bench counts no loads")
    assert "own" not in measure.url
    assert not [path for path in host.asked_for("") if "my.json" in path]


def test_nothing_of_a_file_is_sent(home: WidgetOnPage, measure: Page):
    measure.evaluate("gpuLab.start()")
    asked: list[str] = []
    measure.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    choose(home, file("my.json", MINE))
    shows(measure, "roofline", "L4 (yours)")
    assert asked == []


def test_a_file_dropped_beside_a_plot_is_taken_and_the_page_stays(home: WidgetOnPage, measure: Page):
    drop(measure, "#roofline svg", "my.json", MINE)
    shows(measure, "ladder", "L4 (yours)")
    drop(measure, "h1", "counted.json", COUNTED)
    shows(measure, "same-loads", "L4 (yours)")
    shows(measure, "model-and-counters", "L4 (yours)")
    shows(measure, "ladder", "L4 (yours)")


def test_a_dragged_file_marks_the_place_that_takes_it(home: WidgetOnPage, measure: Page):
    script = """([type, related]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["{}"], "a.json"));
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    }"""
    measure.evaluate(script, ["dragover", None])
    expect(home.root).to_have_attribute("data-dropping", "")
    measure.evaluate(script, ["dragleave", None])
    expect(home.root).not_to_have_attribute("data-dropping", "")


def test_what_is_no_file_is_refused(home: WidgetOnPage, measure: Page):
    measure.evaluate("""() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData("text/plain", "words");
        document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
    }""")
    refused(home, "your files: given something that is no file; allowed: a file with a result.")


def test_keys_alone_choose_and_forget(home: WidgetOnPage, measure: Page):
    choosers: list[FileChooser] = []
    measure.on("filechooser", lambda chooser: choosers.append(chooser))
    measure.reload()  # the driver takes choosers over at its leisure: a key pressed at once can be sooner
    home.act("file").focus()
    with measure.expect_event("filechooser"):
        measure.keyboard.press("Enter")
    choosers[0].set_files([file("my.json", MINE)])  # type: ignore[arg-type]
    shows(measure, "ladder", "L4 (yours)")
    home.act("file").focus()
    measure.keyboard.press("Tab")
    expect(home.act("forget")).to_be_focused()
    measure.keyboard.press("Enter")
    told(home, "Every plot of this chapter shows our H200.")
    expect(measure.locator("#ladder [data-slot=frame]")).not_to_contain_text("L4 (yours)")
    expect(home.act("forget")).to_be_hidden()
    expect(home.act("file")).to_be_focused()


BAD = {
    "empty": (b"", "bad.json: given an empty file; allowed: a file that kernel-bench wrote with --output"),
    "no JSON": (b"kernel,ms\nbest,1\n", "bad.json: given text that is not JSON"),
    "broken off": (MINE[:500].encode(), "bad.json: given text that is not JSON"),
    "other JSON": (b'{"results": []}', "bad.json: given JSON without a format"),
    "another format": (b'{"format": "gpu-lab compiled 1"}', "bad.json: given what the compile grid wrote"),
    "another version": (MINE.replace("bench 1", "bench 7").encode(), "bad.json: given version 7 of kernel-bench’s"),
    "a row lacks a field": (MINE.replace('"call"', '"cal"', 1).encode(), "bad.json: row 1 (torch): call is missing"),
    "NaN": (MINE.replace("0.4", "NaN", 1).encode(), "bad.json: rows: 2: replay: median_ms: given NaN"),
    "bytes": (b"\x89PNG\r\n\xff\xfe", "bad.json: given bytes that are no text in UTF-8"),
    "huge": (b" " * 8_000_001, "bad.json: given “8.0 MB”; allowed: at most 8.0 MB"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_told_what_it_is_and_nothing_is_lost(home: WidgetOnPage, measure: Page, name: str):
    content, sentence = BAD[name]
    choose(home, file("my.json", MINE))
    shows(measure, "ladder", "L4 (yours)")
    before = measure.locator("#ladder [data-slot=frame]").inner_html()
    choose(home, file("bad.json", content))
    refused(home, sentence)
    told(home, "Every plot of this chapter now shows L4 (yours) beside ours")
    assert measure.locator("#ladder [data-slot=frame]").inner_html() == before
    choose(home, file("my.json", MINE))
    expect(home.slot("notice")).to_be_hidden(timeout=LONG_MS)
    expect(home.act("file")).not_to_have_attribute("aria-invalid", "true")


def test_a_file_in_utf_16_is_read(home: WidgetOnPage, measure: Page):
    choose(home, file("my.json", MINE.encode("utf-16")))
    shows(measure, "ladder", "L4 (yours)")


def test_a_second_file_joins_and_a_bad_one_among_several_is_named(home: WidgetOnPage, measure: Page):
    other = MINE.replace("NVIDIA L4", "NVIDIA T4")
    choose(home, file("one.json", MINE), file("two.json", other))
    shows(measure, "ladder", "T4 (yours)")
    shows(measure, "ladder", "L4 (yours)")
    choose(home, file("three.json", MINE.replace("NVIDIA L4", "NVIDIA A10")), file("bad.json", "[]"))
    refused(home, "bad.json: given JSON, but a list of 0")
    expect(measure.locator("#ladder [data-slot=frame]")).not_to_contain_text("A10")


def test_files_stay_through_settings_steps_and_back(home: WidgetOnPage, measure: Page):
    choose(home, file("my.json", MINE))
    shows(measure, "ladder", "L4 (yours)")
    ladder = WidgetOnPage(measure, "ladder")
    ladder.shortcut("call from Python")
    ladder.is_live()
    shows(measure, "ladder", "L4 (yours)")
    expect(measure).to_have_url(re.compile(r"measure\.html\?ladder\.way=call$"))
    measure.go_back()
    expect(measure).to_have_url(re.compile(r"measure\.html$"))
    shows(measure, "ladder", "by graph replay")
    shows(measure, "ladder", "L4 (yours)")
    shows(measure, "own-results", "L4 (yours)")


def test_a_shape_of_ones_own_goes_with_the_file(home: WidgetOnPage, measure: Page):
    choose(home, file("my.json", text(bench())))
    told(home, "L4 (yours)")
    ladder = WidgetOnPage(measure, "ladder")
    expect(ladder.slot("notice")).to_contain_text("L4 (yours): nothing at 4096³; your file has 512 × 256 × 1024.")
    ladder.shortcut("512 × 256 × 1024")
    told(ladder, "L4 (yours), 512 × 256 × 1024: of 1 kernel none keeps up with torch.mm.")
    home.act("forget").click()
    told(ladder, "H200 (ours), 4096³:")
    expect(ladder.slot("notice")).to_contain_text("shape: given 512 256 1024; measured in float16: 127 255 65")


def test_a_name_in_a_file_is_never_run(home: WidgetOnPage, measure: Page):
    evil = bench(device={"name": "<img src=x onerror=alert(1)>", "l2_bytes": 0})
    choose(home, file("<b>my</b>.json", text(evil)))
    shows(measure, "own-results", "<img src=x onerror=alert")
    assert measure.locator("gpu-lab-widget img").count() == 0


def test_a_page_from_a_folder_says_why_it_takes_no_file(page: Page, site_folder: Path):
    page.goto((site_folder / "measure.html").as_uri())
    home = WidgetOnPage(page, "own-results")
    choose(home, file("my.json", MINE))
    home.state_has("This page was opened from a file, where browsers do not run Python.")
    told(home, "Every plot of this chapter shows our H200.")


def test_without_a_place_for_files_a_page_leaves_dropping_alone(page: Page, host: Host):
    page.goto(host.address + "reuse.html")
    kept = page.evaluate("""() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["{}"], "a.json"));
        const event = new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer });
        return document.body.dispatchEvent(event);
    }""")
    assert kept


def test_a_fault_is_found_and_a_wrong_choice_answered(measure: Page):
    lies = WidgetOnPage(measure, "bench-lies")
    lies.shortcut("3")
    lies.root.locator("[data-ask=fault]").select_option("peak")
    lies.root.locator(".w-run").click()
    expect(lies.slot("verdict")).to_contain_text("Not yet.")
    expect(lies.slot("verdict")).to_contain_text("so far right, but the rows also show why")
    lies.root.locator("[data-ask=fault]").select_option("no-sync")
    lies.root.locator(".w-run").click()
    expect(lies.slot("verdict")).to_contain_text("Right.")
    lies.press("next")
    told(lies, "No synchronisation: the clock stops before the GPU does. Marked is what was changed.")
    expect(lies.root.locator("mark").first).to_be_visible()


def test_prepared_settings_of_every_plot_need_no_python(measure: Page, host: Host):
    WidgetOnPage(measure, "ladder").shortcut("1024 × 1024 × 65536")
    WidgetOnPage(measure, "against-torch").shortcut("float32 TF32")
    WidgetOnPage(measure, "roofline").shortcut("the whole ladder")
    WidgetOnPage(measure, "model-and-counters").press("last")
    WidgetOnPage(measure, "model-and-counters").says("it follows none of the counts")
    expect(measure.locator("#against-torch [data-slot=say]")).to_contain_text("slower than torch.mm at 8 of 13 shapes")
    assert host.asked_for("pyodide") == []

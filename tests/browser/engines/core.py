"""What every engine must do: step before Python, run Python, check a reader's code, keep the address, fail in words."""

import re

from tests.browser.engines.conftest import OpenTab
from tests.browser.engines.tab import Figure, Tab, until
from tests.browser.host import Host, blocked, damaged
from tests.browser.test_exercise import ENDLESS, SHARED_ROWS

# It takes hours to reach the checker's 100,000 steps, and when it is stopped, it ends in every engine: WebKit lets one
# long call into C go on unseen.
SLOW_ENDLESS = "def matmul(a, b):\n    while True:\n        sum(range(100_000))\n"
PLANTED = """<!doctype html><html lang="en"><head><title>x</title></head><body><p>page</p>
<img alt="" src="http://example.invalid/picture.png"><script src="lost.js"></script>
<script>console.error("said on the console"); setTimeout(() => { throw new Error("thrown by a script"); });
Promise.reject(new Error("rejected unheard")); setTimeout(() => document.body.append("done"), 200);</script>
</body></html>
"""


def opened(tab: Tab, host: Host, page: str, name: str) -> Figure:
    tab.goto(host.address + page)
    return Figure(tab, name)


def rests(tab: Tab) -> None:
    """Lets the page do what it still has to do: too short a rest can only miss a fault, never find one."""
    tab.js("window.rested = false; setTimeout(() => (window.rested = true), 300)")
    until(tab, True, "return window.rested")


class Core:
    """One engine's tests: a module of this folder names the engine, as its fixture `engine`."""

    def test_planted_troubles_are_heard(self, engine: OpenTab, host: Host) -> None:
        host.faults[r"^/planted$"] = lambda *_: (200, {"Content-Type": "text/html"}, PLANTED.encode())
        tab = engine(host)
        try:
            tab.goto(host.address + "planted")
            until(tab, True, "return document.body.textContent.includes('done')")
            heard = "\n".join(tab.complaints())
        finally:
            tab.close()
        for planted in (
            "said on the console",
            "thrown by a script",
            "rejected unheard",
            "asked another origin: .*example.invalid",
        ):
            assert re.search(planted, heard)
        assert "/lost.js" in host.missing

    def test_steps_come_before_python(self, tab: Tab, host: Host) -> None:
        dot = opened(tab, host, "reuse.html", "dot-product")
        dot.says("The running sum of C[0,0] is 2.")
        for act, step in (("next", 2), ("last", 4), ("previous", 3), ("first", 1)):
            dot.press(act)
            dot.at(step, 4)
        dot.focus('[data-act="next"]')
        for key, step in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 4), ("Home", 1)):
            tab.keys(key)
            dot.at(step, 4)
        dot.focus('[data-act="slider"]')
        for key, step in (("ArrowRight", 2), ("End", 4), ("ArrowLeft", 3)):
            tab.keys(key)
            dot.at(step, 4)
        dot.says("k = 2")
        assert host.asked_for("pyodide") == []

    def test_listed_setting_and_prediction_need_no_python(self, tab: Tab, host: Host) -> None:
        walk = opened(tab, host, "reuse.html", "tile-walk")
        walk.predict("128")
        walk.run()
        walk.shows("verdict", re.compile("Not yet.*128.*The model says 64"))
        walk.predict("6 4")
        walk.run()
        walk.shows("verdict", "Right")
        walk.shortcut("8 × 8")
        walk.at(1, 4)
        walk.shows("verdict", re.compile("^$"))
        assert walk.field("n") == "8"
        assert host.asked_for("pyodide") == []

    def test_link_starts_python_which_multiplies_own_matrices(self, tab: Tab, host: Host) -> None:
        query = "?tile-walk.n=5&tile-walk.tile=3&tile-walk.i=1&tile-walk.step=2"
        walk = opened(tab, host, f"reuse.html{query}", "tile-walk")
        walk.is_live()
        assert tab.js("return gpuLab.way") == "memory"
        assert host.asked_for("python_stdlib") == []
        walk.at(2, 2)
        assert walk.field("i") == "1"
        dot = Figure(tab, "dot-product")
        dot.run(a="1 2 3\n4 5 6", b="[[7, 8], [9, 10], [11, 12]]")
        dot.is_live()
        dot.at(1, 3)
        dot.press("last")
        dot.says("C[0,0] is complete: 58.")
        tab.click(dot.part('details[data-panel="inputs"] summary'))
        product = 'details[data-panel="inputs"] table.matrix.c'
        until(tab, re.compile("154"), "return find(arguments[0])?.textContent", dot.part(product))
        assert dot.matrix(product) == [["58", "64"], ["139", "154"]]
        assert dot.field("a") == "1 2 3\n4 5 6"
        dot.predict("58")
        dot.run()
        dot.shows("verdict", "Right")
        dot.press("next")
        dot.at(2, 3)
        dot.run(a="1 2\n3")  # refused, with nothing lost
        dot.shows("notice", "your A, row 1: given a row of 1; allowed: 2, as long as row 0")
        dot.at(2, 3)
        assert (dot.field("a"), dot.field("b")) == ("1 2\n3", "[[7, 8], [9, 10], [11, 12]]")
        assert dot.matrix(product) == [["58", "64"], ["139", "154"]]

    def test_a_damaged_memory_is_done_without(self, tab: Tab, host: Host) -> None:
        host.faults["/memory."] = damaged
        walk = opened(tab, host, "reuse.html?tile-walk.n=5&tile-walk.tile=3&tile-walk.i=1", "tile-walk")
        walk.is_live()
        assert tab.js("return gpuLab.way") == "plain"
        walk.at(1, 2)
        assert tab.complaints() == []

    def test_address_is_the_state(self, tab: Tab, host: Host) -> None:
        query = "?tile-walk.n=8&tile-walk.tile=4&tile-walk.step=2&from=mail#tile"
        walk = opened(tab, host, f"reuse.html{query}", "tile-walk")
        walk.at(2, 2)
        walk.press("previous")
        here = host.address + "reuse.html?from=mail&tile-walk.n=8&tile-walk.tile=4#tile"
        until(tab, here, "return location.href")
        assert tab.address() == here
        tab.reload()
        walk.at(1, 2)
        walk.holds("n", "8")
        walk.shortcut("4 × 4")
        walk.holds("n", "4")
        walk.at(1, 1)
        tab.back()
        walk.holds("n", "8")
        walk.at(1, 2)

    def test_back_from_another_page_loses_nothing(self, tab: Tab, host: Host) -> None:
        walk = opened(tab, host, "reuse.html?tile-walk.n=8&tile-walk.tile=4&tile-walk.step=2", "tile-walk")
        walk.at(2, 2)
        walk.predict("77")
        walk.write(a="1 2")
        tab.js("window.keptForBack = true")
        tab.goto(host.address + "glossary.html")
        tab.back()
        walk.at(2, 2)
        rests(tab)
        walk.holds("n", "8")
        assert tab.js("return find(arguments[0]).value", walk.part('[data-act="slider"]')) == "1"
        kept = tab.js("return Boolean(window.keptForBack)")
        assert kept or not tab.keeps_pages
        if kept:  # then nothing typed is lost
            assert tab.js("return find(arguments[0]).value", walk.part("[data-ask]")) == "77"
            assert walk.field("a") == "1 2"

    def test_blocked_python_is_told_and_retry_works(self, open_tab: OpenTab, host: Host) -> None:
        tab = open_tab(forgiven="pyodide.asm.wasm")  # which the console names as not loaded
        host.faults["pyodide.asm.wasm"] = blocked
        dot = opened(tab, host, "reuse.html", "dot-product")
        dot.press("next")
        dot.run(n="6")
        dot.shows("state", "the network, or a filter on it, did not let “pyodide.asm.wasm” through.")
        dot.at(2, 4)
        dot.press("next")
        dot.at(3, 4)
        assert dot.field("n") == "6"
        del host.faults["pyodide.asm.wasm"]
        dot.press("again")
        dot.is_live()
        dot.at(1, 6)

    def test_masks_step_live_and_endless_loops_are_stopped(self, tab: Tab, host: Host) -> None:
        """M, N, K = 5, 7, 5 by 2, 4, 2: the last program has 1 row, 3 columns, and 2, 2 and 1 of k."""
        masks = opened(tab, host, "programs.html", "tile-masks")
        masks.run(bn="4", i="2", j="1")
        masks.is_live()
        masks.says("Program 5, tile (2,1), phase 0: k 0 to 1, 8 lanes loaded, 4 masked.")
        masks.press("next", "next")
        masks.says("Program 5, tile (2,1), phase 2: k 4, 4 lanes loaded, 8 masked.")
        masks.press("next")
        masks.says("All programs are done: 0 of 35 outputs are wrong or missing.")
        exercise = Figure(tab, "exercise")
        exercise.check(SHARED_ROWS)
        exercise.says("C[0][0] is 197; it should be 58.")
        exercise.shows("frame", "rows that share one list")
        exercise.check(ENDLESS)
        exercise.says("stopped after 100,000 steps")
        exercise.check(SLOW_ENDLESS)
        exercise.press("stop")
        exercise.shows("state", "Stopped.")
        assert exercise.field("source") == SLOW_ENDLESS
        exercise.check(SHARED_ROWS)
        exercise.says("C[0][0] is 197; it should be 58.")

    def test_editor_takes_keys_and_tab_leaves_it(self, tab: Tab, host: Host) -> None:
        opened(tab, host, "programs.html", "exercise")
        until(tab, True, "return Boolean(find('.cm-content'))")
        tab.click(".cm-content")
        tab.keys("Control+a", "Backspace", *"def matmul(a, b):\nreturn 1\n")
        until(
            tab, re.compile(r"^def matmul\(a, b\):\n    return 1"), "return find('#exercise [name=\"source\"]').value"
        )
        tab.keys("Tab")
        assert tab.js("return document.activeElement.textContent") == "Check"

    def test_kernel_steps_and_a_fault_is_run_in_the_page(self, tab: Tab, host: Host) -> None:
        stepper = opened(tab, host, "kernel.html", "kernel-stepper")
        stepper.press("next", "next")
        line = "return find('#kernel-stepper .source-line.now').textContent"
        until(tab, re.compile(r"tiles_m = tl\.cdiv\(M, BM\)"), line)
        stepper.press("last")
        stepper.says("0 of 35 outputs are wrong")
        assert host.asked_for("pyodide") == []
        stepper.shortcut("accumulator zeroed in the loop")
        stepper.is_live()
        stepper.press("last")
        stepper.says("30 of 35 outputs are wrong or missing")
        assert tab.js("return document.querySelectorAll('#kernel-stepper td.wrong').length") == 30

    def test_lab_that_was_kept_works_without_its_host(self, tab: Tab, host: Host) -> None:
        tab.goto(host.address + "reuse.html")
        until(tab, re.compile("This browser can keep the lab"), "return find('#kept').innerText")
        tab.click("#kept button")
        until(tab, re.compile("The whole lab is kept in this browser"), "return find('#kept').innerText")
        host.faults["."] = blocked
        dot = opened(tab, host, "reuse.html?dot-product.n=6&dot-product.step=4", "dot-product")
        dot.is_live()
        dot.at(4, 6)
        stepper = opened(tab, host, "kernel.html", "kernel-stepper")
        stepper.press("next")
        until(tab, re.compile("^step 2 of"), "return find(arguments[0]).textContent", stepper.slot("position"))

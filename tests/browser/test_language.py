"""Chapter 1 in Simplified Chinese: what was prepared, what Python computes, refusals, failures and labels speak it."""

import re

from playwright.sync_api import Page, expect

from tests.browser.host import Host, blocked
from tests.browser.widget import LONG_MS, WidgetOnPage


def test_prepared_and_live_steps_answers_and_refusals_are_chinese(page: Page, host: Host) -> None:
    page.goto(host.address + "zh/reuse.html")
    dot, walk = WidgetOnPage(page, "dot-product"), WidgetOnPage(page, "tile-walk")
    walk.press("next")
    walk.says("分块 (0,0) 的阶段 1 载入 8 个输入，k 为 2–3。这是最后一个阶段：分块已完成，C[0,0] 为 1。")
    walk.position_is("第 2 步，共 2 步")
    walk.root.locator('[data-ask="loads"]').fill("8")
    walk.run()
    expect(walk.slot("verdict")).to_contain_text("8：那是一个分块的一个 K 阶段；C 有 4 个分块，每块 2 个阶段。")
    dot.run(n="a lot")
    dot.notice_is("矩阵大小：给出的是“a lot”；允许：1 到 64 的整数")
    dot.run(n="7", row="9")
    expect(dot.slot("notice")).to_have_text(
        "输出行：给出的是 9；允许：0 到 6 的整数（C 有 7 行，从 0 数起）", timeout=LONG_MS
    )
    dot.run(row="6")
    dot.state_has("由此页面中的 Python 3.14.2 计算。")
    dot.says("k = 0：A[6,0] × B[0,0] = (-1) × (-1) = 1。C[6,0] 的累加和为 1。")
    for act, label in (("first", "首步"), ("play", "播放"), ("next", "下一步")):
        expect(dot.act(act)).to_have_accessible_name(label)


def test_failure_is_told_in_chinese(page: Page, host: Host) -> None:
    host.faults["pyodide.asm.wasm"] = blocked
    page.goto(host.address + "zh/reuse.html?dot-product.n=6")
    dot = WidgetOnPage(page, "dot-product")
    dot.notice_is("链接要求的设置是：矩阵大小 6。在 Python 算出之前，图中显示的是：矩阵大小 4。")
    dot.state_has("无法获取 Python：网络或其过滤器没有放行“pyodide.asm.wasm”。")
    expect(dot.act("again")).to_have_text("重试")


def test_reader_goes_from_one_language_to_the_other_and_back(page: Page, host: Host) -> None:
    page.goto(host.address + "index.html")
    page.get_by_role("link", name="简体中文").click()
    expect(page.locator("h1")).to_have_text("矩阵乘法怎样复用它的输入？")
    page.get_by_role("navigation", name="本页的语言").get_by_role("link", name="English").click()
    expect(page.locator("h1")).to_have_text("How can matrix multiplication reuse its inputs?")
    page.get_by_role("navigation", name="Languages of this page").get_by_role("link", name="简体中文").click()
    expect(page).to_have_url(re.compile("/zh/reuse.html$"))
    expect(page.get_by_role("link", name="Glossary 英文")).to_have_attribute("hreflang", "en")

"""Chapter 1 in Simplified Chinese: numbers, links and steps are those of the English page, and the words are not."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.builder.translated import frames_of, unequal_frames, unequal_text

HAN = re.compile("[\u4e00-\u9fff]")
NAMES = re.compile(
    r"GPU Lab|English|torch\.matmul|\w+\.py|CUDA C\+\+ Best Practices Guide|NumPy|PyTorch|Pyodide|Python|Triton|float32"
)


def in_english(text: str) -> bool:
    """Two words in a row, or a word in a text without any Chinese, that are no names."""
    text = NAMES.sub("", text)
    return bool(
        re.search(r"\b[a-z]{2,},? [a-z]{2,}\b", text) or (re.search("[A-Za-z][a-z]{2}", text) and not HAN.search(text))
    )


@pytest.fixture(scope="module")
def english(site_folder: Path) -> Path:
    return site_folder / "reuse.html"


@pytest.fixture(scope="module")
def chinese(site_folder: Path) -> Path:
    return site_folder / "zh" / "reuse.html"


def test_every_prepared_step_has_the_numbers_of_the_english_one(english, chinese) -> None:
    assert list(unequal_frames(frames_of(english), frames_of(chinese))) == []


def test_every_paragraph_has_the_numbers_and_links_of_the_english_one(english, chinese) -> None:
    assert list(unequal_text(english.read_text("utf-8"), chinese.read_text("utf-8"))) == []


def test_a_changed_number_is_found(english, chinese) -> None:
    said, other = frames_of(english), frames_of(chinese)
    frame = other["tile-walk"]["n=4&tile=2&i=0&j=0&inputs=formula"]["frames"][1]
    frame["say"] = frame["say"].replace("为 1", "为 -1")
    frame["html"] = frame["html"].replace(">128<", ">129<")
    found = list(unequal_frames(said, other))
    assert [each.partition(",")[0].rpartition("/frames/")[2] for each in found] == ["2/html", "2/say"]
    page = chinese.read_text("utf-8")
    assert len(list(unequal_text(english.read_text("utf-8"), page.replace("n = 5、T = 2", "n = 5、T = 3")))) == 1
    assert (
        len(list(unequal_text(english.read_text("utf-8"), page.replace("glossary.html#mask", "glossary.html#m")))) == 1
    )


class Said(HTMLParser):
    """What is said in the page's own language: texts and labels, without code and what is marked as English."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.left_out: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        if self.left_out or tag in ("code", "pre", "style", "script") or named.get("lang") == "en":
            self.left_out += [tag] * (tag not in ("input", "meta", "link", "br"))
            return
        self.texts += [named[name] or "" for name in ("aria-label", "data-allowed", "data-label") if name in named]

    def handle_endtag(self, tag: str) -> None:
        if self.left_out and self.left_out[-1] == tag:
            self.left_out.pop()

    def handle_data(self, data: str) -> None:
        if not self.left_out:
            self.texts.append(data)


def test_no_english_is_left_in_what_the_figures_say(chinese) -> None:
    left = set()
    for views in frames_of(chinese).values():
        for view in views.values():
            whole = [view["note"], *view["parts"].values(), *view["panels"].values()]
            whole += [part for frame in view["frames"] for part in (frame["html"], frame["say"])]
            for reply in view["replies"].values():
                whole += [reply["right"], reply["other"], *reply["known"].values()]
            left |= {text for part in whole for text in Said(part).texts if in_english(text)}
    assert left == set()


def test_no_english_is_left_on_the_page_but_names_and_terms_in_brackets(chinese) -> None:
    page = chinese.read_text("utf-8")
    body = re.sub(r"（[A-Za-z ]+）", "", page[page.index("<body") :])
    assert {text for text in Said(body).texts if in_english(text)} == set()
    assert in_english("The running sum is 2.") and in_english("Run") and in_english("阶段 0 was added twice")


def test_both_pages_name_each_other_for_readers_and_for_machines(english, chinese) -> None:
    pairs = ((english, "", "zh/"), (chinese, "../", "../zh/"))
    for page, to_english, to_chinese in pairs:
        text = page.read_text("utf-8")
        assert re.findall('rel="alternate" hreflang="([^"]+)" href="([^"]+)"', text) == [
            ("en", f"{to_english}reuse.html"),
            ("x-default", f"{to_english}reuse.html"),
            ("zh-Hans", f"{to_chinese}reuse.html"),
        ]
        assert f'<a href="{to_chinese}reuse.html" lang="zh-Hans" hreflang="zh-Hans"' in text
        assert f'<a href="{to_english}reuse.html" lang="en" hreflang="en"' in text


def test_page_says_its_language_its_name_and_which_pages_are_in_english(chinese) -> None:
    text = chinese.read_text("utf-8")
    assert '<html lang="zh-Hans">' in text and "<title>矩阵乘法怎样复用它的输入？ · GPU Lab</title>" in text
    programs = '<span lang="en">Programs</span> <small class="in-english">英文</small>'
    assert f'<a href="../programs.html" hreflang="en">{programs}</a>' in text
    assert '<a href="../zh/reuse.html" aria-current="page">复用</a>' in text
    assert '<a href="../glossary.html#tile" hreflang="en">' in text
    assert "<h3" in text and ' rel="next" href="../programs.html" hreflang="en">' in text


def test_reader_of_one_language_does_not_fetch_the_other(english, chinese, site_folder) -> None:
    texts = []
    for page in (english, chinese):
        places = re.findall(r'(?:src|content)="((?:\.\./)?static/[^"]+\.(?:js|json))"', page.read_text("utf-8"))
        texts += [(page.parent / place).read_text("utf-8") for place in places]
    # where Python is, the script, the frames
    assert [bool(HAN.search(text)) for text in texts] == [False, False, False, False, True, True]
    assert "Python was stopped." in texts[1]
    assert "Python was stopped." not in texts[4] and "Python 已停止。" in texts[4]

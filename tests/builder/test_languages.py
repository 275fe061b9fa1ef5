"""Catalogues and translated chapters that are not whole, or say something else: each refused with file and line."""

import dataclasses
import re

import pytest

from builder.languages import IN_ENGLISH, Tongue, check_entries, check_whole, read_languages
from builder.mistakes import Mistakes
from builder.wording import Wording
from lab.catalogue import read_catalogue

HEADER = r"""msgid ""
msgstr ""
"Language: zh-Hans\n"
"Plural-Forms: nplurals=1; plural=0;\n"
"""
SAID = [
    Wording("lab/x.py", 3, "Phase {phase} of {count}"),
    Wording("lab/x.py", 4, "{n} row", "{n} rows"),
    Wording("lab/x.py", 5, "at most 64 rows"),
]
FRONT = "---\ntitle: 一\ndescription: 第一章。\norder: {}\n---\n\n"


def refused(entries: str) -> list[str]:
    """What is said of a catalogue whose first entry is in line 5."""
    mistakes = Mistakes()
    check_entries(read_catalogue(HEADER + entries), "zh.po", SAID, mistakes)
    return [str(mistake) for mistake in mistakes.found]


def test_right_entries_are_taken_in_any_order_of_names() -> None:
    entries = 'msgid "Phase {phase} of {count}"\nmsgstr "共 {count}，第 {phase}"\n'
    assert refused(entries + 'msgid "{n} row"\nmsgid_plural "{n} rows"\nmsgstr[0] "{n} 行"\n') == []


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            'msgid "Phase {phase} of {count}"\nmsgstr "阶段 {phase}"',
            "zh.po:5: translation of 'Phase {phase} of {count}': '阶段 {phase}' given;"
            " allowed: the names and numbers of the English text, which are {count}, {phase}",
        ),
        (
            'msgid "Phase {phase} of {count}"\nmsgstr "阶段 {phase} {counts}"',
            "zh.po:5: translation of 'Phase {phase} of {count}': '阶段 {phase} {counts}' given;"
            " allowed: the names and numbers of the English text, which are {count}, {phase}",
        ),
        (
            'msgid "at most 64 rows"\nmsgstr "最多 46 行"',
            "zh.po:5: translation of 'at most 64 rows': '最多 46 行' given;"
            " allowed: the names and numbers of the English text, which are 64",
        ),
        (
            'msgid "at most 64 rows"\nmsgstr ""',
            "zh.po:5: translation of 'at most 64 rows': 0 given; required: 1, none of them empty",
        ),
        (
            'msgid "at most 64 row"\nmsgstr "最多 64 行"',
            "zh.po:5: text 'at most 64 row' given;"
            " allowed: texts that the code says, letter for letter, with their plurals",
        ),
        (
            'msgid "{n} row"\nmsgstr "{n} 行"',
            "zh.po:5: text '{n} row' given; allowed: texts that the code says, letter for letter, with their plurals",
        ),
        (
            'msgid "{n} row"\nmsgid_plural "{n} rows"\nmsgstr[0] "{n} 行"\nmsgstr[1] "{n} 行"',
            "zh.po:5: translation of '{n} row': 2 given; required: 1, none of them empty",
        ),
    ],
)
def test_entry_that_does_not_fit_is_refused_with_its_line(entry: str, said: str) -> None:
    assert refused(entry + "\n") == [said]


def test_entry_that_is_there_twice_is_refused() -> None:
    entry = 'msgid "at most 64 rows"\nmsgstr "最多 64 行"\n'
    assert [each.partition(" given")[0] for each in refused(entry + entry)] == [
        "zh.po:5: text 'at most 64 rows'",
        "zh.po:7: text 'at most 64 rows'",
    ]


def without(tongue: Tongue, *texts: str) -> Tongue:
    """The language as if its catalogue lacked some texts."""
    left = {key: forms for key, forms in tongue.language.texts.items() if key not in texts}
    return dataclasses.replace(tongue, language=dataclasses.replace(tongue.language, texts=left))


def test_text_of_a_page_that_lacks_a_translation_is_refused_where_it_stands(root) -> None:
    """One each of a template, a script, the model, the frame of every widget and a widget of its own."""
    mistakes = Mistakes()
    languages = read_languages(root, mistakes)
    texts = ("On this page", "Python was stopped.", "that is half; both A and B are loaded", "Start over", "waits kept")
    check_whole(root, without(languages.tongues["zh"], *texts), languages.said, ["tile-waits"], mistakes)
    found = [re.sub(r":\d+: ", ": ", str(mistake)) for mistake in mistakes.found]
    assert found == [
        f"{file}: text '{text}' given, which site/lab/languages/zh.po does not translate;"
        " required: every text of a page in zh-Hans"
        for file, text in (
            ("site/static/python.js", texts[1]),
            ("site/static/writing.js", texts[3]),
            ("site/templates/page.html", texts[0]),
            ("sim/mistakes.py", texts[2]),
            ("site/lab/page.py", texts[3]),
            ("site/lab/widgets/tile_waits.py", texts[4]),
        )
    ]


def test_text_of_a_widget_that_no_translated_page_has_may_lack(root) -> None:
    mistakes = Mistakes()
    languages = read_languages(root, mistakes)
    check_whole(root, without(languages.tongues["zh"], "waits kept"), languages.said, ["dot-product"], mistakes)
    assert mistakes.found == []


def test_english_needs_no_catalogue(author) -> None:
    author.chapter("x\n")
    languages = read_languages(author.folder, Mistakes())
    assert (languages.tongues, languages.said) == ({"": IN_ENGLISH}, [])


def test_widget_that_nobody_translated_is_refused_unless_it_is_marked_as_english(author) -> None:
    author.chapter("x\n")
    author.write("chapters/zh/01-one.md", FRONT.format(1) + "```widget tile-reuse\n```\n")
    found = author.mistakes()
    assert found[0].startswith("chapters/zh/01-one.md:7: text '")
    assert found[0].endswith(
        "which zh-Hans does not have; allowed: texts of site/lab/languages/zh.po, or a widget with lang=en"
    )
    author.write(
        "chapters/zh/01-one.md", FRONT.format(1) + "```widget tile-reuse lang=en\n```\n\n```widget dot-product\n```\n"
    )
    page = author.page("zh/one.html")
    assert '<gpu-lab-widget lang="en" id="tile-reuse"' in page and '<gpu-lab-widget id="dot-product"' in page
    assert "<summary>What this model leaves out</summary>" in page and "<summary>这个模型没有考虑什么</summary>" in page


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        (
            "zh/02-two.md",
            FRONT.format(2),
            "chapters/zh/02-two.md:1: a translation named 'two' of order 2 given;"
            " allowed: the name and the order of a chapter in English",
        ),
        (
            "zh/01-one.md",
            FRONT.format(3),
            "chapters/zh/01-one.md:1: a translation named 'one' of order 3 given;"
            " allowed: the name and the order of a chapter in English",
        ),
        (
            "fr/01-one.md",
            FRONT.format(1),
            "chapters/fr:1: a folder without a catalogue given; required: site/lab/languages/fr.po",
        ),
        (
            "zh/01-one.md",
            FRONT.format(1) + "[x](one.md#none)\n",
            "chapters/zh/01-one.md:7: place 'none' of one.md given; allowed: nothing",
        ),
        (
            "01-one.md",
            FRONT.format(1) + "```widget dot-product lang=zh\n```\n",
            "chapters/01-one.md:7: lang 'zh' given; allowed: en, in a translated chapter",
        ),
    ],
)
def test_chapter_that_does_not_fit_is_refused(author, file: str, text: str, said: str) -> None:
    author.chapter("x\n")
    author.write(f"chapters/{file}", text)
    assert author.mistakes() == [said]


def test_pages_of_a_language_lead_to_each_other_and_else_to_english(author) -> None:
    author.chapter("[two](02-two.md)\n")
    author.write("chapters/02-two.md", "---\ntitle: Two\ndescription: x\norder: 2\n---\n")
    author.write("chapters/zh/01-one.md", FRONT.format(1) + "[二](02-two.md) [首页](index.md)\n")
    page = author.page("zh/one.html")
    assert (
        'rel="next" href="../two.html" hreflang="en"' in page and '<a href="../two.html" hreflang="en">二</a>' in page
    )
    author.write("chapters/zh/02-two.md", FRONT.format(2))
    page = author.page("zh/one.html")
    assert 'rel="next" href="../zh/two.html"><span' in page and '<a href="../zh/two.html">二</a>' in page
    assert '<a href="../index.html" hreflang="en">首页</a>' in page

"""Catalogues in gettext's format; gettext's own reading of plural rules is the referee."""

import gettext
from typing import Any

import pytest

from lab.catalogue import language_named, plural_form, read_catalogue
from lab.problem import Problem
from sim.words import ENGLISH, key

HEADER = r"""msgid ""
msgstr ""
"Language: cs\n"
"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\n"
"""
ENTRIES = """
# A comment.
#: sim/words.py
msgid "{n} row"
msgid_plural "{n} rows"
msgstr[0] "{n} řádek"
msgstr[1] "{n} řádky"
msgstr[2] "{n} řádků"

msgctxt "chapter"
msgid "Next"
msgstr "Další "
"\\"kapitola\\""
"""
RULES = (
    "nplurals=1; plural=0;",
    "nplurals=2; plural=(n != 1);",
    "nplurals=2; plural=n>1;",
    "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;",
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    "nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);",
    "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;",
    "nplurals=2; plural=!(n==1 || n==0);",
)


def test_reads_plurals_contexts_and_long_texts() -> None:
    catalogue = read_catalogue(HEADER + ENTRIES)
    language = catalogue.language
    assert (language.tag, [entry.line for entry in catalogue.entries]) == ("cs", [8, 14])
    assert [language.text_for(n, "{n} row") for n in (1, 3, 5)] == ["{n} řádek", "{n} řádky", "{n} řádků"]
    assert language.text(key("Next", "chapter")) == 'Další "kapitola"'


@pytest.mark.parametrize("rule", RULES)
def test_plural_rules_mean_what_gettext_says(rule: str) -> None:
    module: Any = gettext
    referee = module.c2py(rule.partition("plural=")[2].rstrip(";"))
    assert [plural_form(rule)(n) for n in range(1200)] == [referee(n) for n in range(1200)]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (HEADER + 'msgid "a\nmsgstr "b"\n', "5", "given; allowed: msgctxt, msgid, msgid_plural, msgstr"),
        (HEADER + "print('x')\n", "5", "given; allowed: msgctxt, msgid"),
        ('"adrift"\n', "1", "given; allowed: msgctxt, msgid"),
        ('msgid "a"\nmsgstr "b"\n', "1", "without Language in its header"),
    ],
)
def test_text_that_is_no_catalogue_is_refused_with_its_line(text: str, line: str, said: str) -> None:
    with pytest.raises(Problem, match=said) as caught:
        read_catalogue(text)
    assert caught.value.field == line


@pytest.mark.parametrize("rule", ["", "nplurals=2; plural=exit();", "nplurals=2; plural=n ==;", "plural=0"])
def test_plural_rule_that_is_none_is_refused(rule: str) -> None:
    with pytest.raises(Problem, match="Plural-Forms: given"):
        plural_form(rule)


def test_page_s_language_is_found_by_its_tag() -> None:
    assert language_named("en") is ENGLISH
    for tag in ("xx", "../zh", "", "zh-Hant"):
        with pytest.raises(Problem, match="language: given"):
            language_named(tag)

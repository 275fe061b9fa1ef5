"""Texts that the code marks for translation, found in Python, templates and scripts."""

from builder.mistakes import Mistakes
from builder.wording import imports_of, in_python, in_script, in_template, said_script

PYTHON = """\
from lab.markup import some; from sim.words import counted, later, say, say_for
A = later("a constant")
say("one {n}", n=1)
say("Next", context="chapter")
say(A)
some(n, "row"), counted(n, "launch", "launches")
say_for(n, "the {n}", "all {n}")
sentence.say("not this")
"""


def test_finds_every_mark_in_python() -> None:
    found = [(w.line, w.one, w.many, w.context) for w in in_python(PYTHON, "x.py", Mistakes())]
    assert sorted(found) == [
        (2, "a constant", "", ""),
        (3, "one {n}", "", ""),
        (4, "Next", "", "chapter"),
        (6, "{n} launch", "{n} launches", ""),
        (6, "{n} row", "{n} rows", ""),
        (7, "the {n}", "all {n}", ""),
    ]


def test_finds_every_mark_in_a_template() -> None:
    text = '<p title="{{ say("One") }}">\n{{ say("Next", context="chapter") }} {{ saying("x") }}'
    found = [(w.line, w.one, w.context) for w in in_template(text, "x.html", Mistakes())]
    assert found == [(1, "One", ""), (2, "Next", "chapter")]


def test_finds_every_mark_in_a_script_and_puts_a_translation_there() -> None:
    text = 'const say = (text) => text;\nsay("One “{a}”.", { a });\nthis.say("no"); essay("no");\n'
    assert [(w.line, w.one) for w in in_script(text, "x.js", Mistakes())] == [(2, "One “{a}”.")]
    assert said_script(text, {"One “{a}”.": '“{a}” \\ "1"'}) == text.replace('"One “{a}”."', '"“{a}” \\\\ \\"1\\""')


def test_text_that_no_catalogue_can_hold_is_refused_with_its_line() -> None:
    mistakes = Mistakes()
    assert list(in_python('from sim.words import say\nsay(f"{n} rows")\nsay("a" + b)\n', "x.py", mistakes)) == []
    assert list(in_template('{{ say("a" ~ b) }}', "x.html", mistakes)) == []
    assert list(in_script("\n\nsay(`${n} rows`)\nsay(text)", "x.js", mistakes)) == []
    places = [str(mistake).partition(" say")[0] for mistake in mistakes.found]
    assert places == ["x.py:2:", "x.py:3:", "x.html:1:", "x.js:3:", "x.js:4:"]
    assert (
        mistakes.found[0].sentence
        == "say of a text put together given; allowed: a text written out in quotes, its values as {names}"
    )


def test_imports_of_a_widget_are_followed(root) -> None:
    found = imports_of(root, ["lab.widgets.dot_product"])
    assert {"site/lab/widgets/dot_product.py", "site/lab/operands.py", "sim/mistakes.py", "sim/words.py"} <= found
    assert not any("tile_walk" in file or "registry" in file for file in found)

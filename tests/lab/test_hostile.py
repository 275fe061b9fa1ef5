"""Whatever an address or a matrix field holds: an answer or one sentence, and never a byte of it as markup."""

import json
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as how
from hypothesis import strategies as st

from lab.bridge import Session
from lab.registry import WIDGETS
from sim.inputs import MAX_MAGNITUDE, MAX_SIDE, parse_matrix
from tests.hostile import MARK, hostile_texts

QUERIES_AT_ONCE = 20
MATRIX_PIECES = (*"[],;\n\t 1", "[[", "]]", "-2", "0.5", "1e3", "1e999", "nan", "...", "a = ")


def texts_for_a_matrix():
    """Nearly matrices, and anything else."""
    near = st.lists(st.sampled_from(MATRIX_PIECES), max_size=14).map("".join)
    return st.one_of(near, hostile_texts(), st.tuples(near, hostile_texts()).map("".join))


@how(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(texts_for_a_matrix())
def test_any_text_is_a_matrix_or_gets_one_sentence(text):
    try:
        found = parse_matrix(text, "your A")
    except ValueError as error:
        sentence = str(error)
        assert sentence.startswith("your A") and "\n" not in sentence and 10 < len(sentence) < 400
    else:
        m, k = found.shape
        assert 1 <= m <= MAX_SIDE and 1 <= k <= MAX_SIDE and {len(row) for row in found.rows} == {k}
        assert all(abs(value) <= MAX_MAGNITUDE * 10**found.places for row in found.rows for value in row)


def html_of(part):
    """Every text of an answer that a page takes in as HTML."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name not in ("key", "settings", "say", "note", "notice", "problem", "field", "answer"):
                yield from html_of(value)
    elif isinstance(part, list):
        for value in part:
            yield from html_of(value)
    elif isinstance(part, str):
        yield part


def settings_of_an_address():
    """What an address may say of a widget: names that it has and has not, and any values."""
    names = st.sampled_from(["n", "tile", "row", "column", "i", "j", "inputs", "a", "b", "source", "__proto__", MARK])
    values = st.one_of(hostile_texts(), texts_for_a_matrix(), st.sampled_from(["4", "5", "0"]))
    return st.dictionaries(names, values, max_size=4)


@how(max_examples=10_000 // QUERIES_AT_ONCE, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(WIDGETS)), settings_of_an_address(), hostile_texts()),
        min_size=QUERIES_AT_ONCE,
        max_size=QUERIES_AT_ONCE,
    )
)
def test_any_address_gets_a_view_or_one_sentence_and_none_of_it_is_markup(questions):
    session = Session()
    for widget, settings, step in questions:
        request = json.dumps({"op": "view", "widget": widget, "settings": settings, "step": step})
        text = session.handle(request)
        text.encode()  # as a page needs it
        answer = json.loads(text)
        assert ("view" in answer) != ("problem" in answer)
        assert not answer.get("problem", "").startswith("The model stopped"), answer["problem"]
        for html in html_of(answer):
            assert not marked(html), html


class Names(HTMLParser):
    """The names of all tags and attributes."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [tag, *(name for name, _ in attrs)]


def marked(html):
    """Names of tags and attributes that hold the mark: what was escaped is in texts and values only."""
    names = Names()
    names.feed(html)
    names.close()
    return [name for name in names.found if MARK in name]


@pytest.mark.parametrize("html", ["<p><{}></p>", "<p {}=1>", '<p title=""{}">', "<svg/{}>", "<img src=a {}/>"])
def test_mark_that_got_out_is_found(html):
    assert marked(html.format(MARK))


@pytest.mark.parametrize("html", ["<p>&lt;{} &quot; {}=&quot;</p>", '<p title="&lt;{} {}=">', "<b>&lt;/{}</b>{}"])
def test_mark_that_is_escaped_is_not(html):
    assert not marked(html.format(MARK, MARK))


@pytest.mark.parametrize("half", ["\ud800", "1 \udfff 2"])
def test_half_of_a_character_gets_a_sentence_too(half):
    """A text area may hold half of a surrogate pair, which no UTF-8 can."""
    request = json.dumps({"op": "view", "widget": "dot-product", "settings": {"a": half, "b": "1"}})
    text = Session().handle(request)
    assert "your A" in json.loads(text.encode().decode())["problem"]

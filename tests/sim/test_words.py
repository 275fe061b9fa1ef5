"""Sentences: English as it stands in the code, and another language's words and order for the same names."""

import pytest

from sim.words import Language, Untranslated, counted, key, say, say_for, speaking

WALK = "Phase {phase} loads {inputs}."
BACKWARDS = Language(
    "x-test",
    {WALK: ("{inputs} in {phase}",), "{n} input": ("{n} one", "{n} few"), key("Next", "chapter"): ("On",)},
    lambda n: 1 if 2 <= n <= 4 else 0,
)


def test_english_is_what_stands_in_the_code() -> None:
    assert say(WALK, phase=0, inputs=counted(8, "input")) == "Phase 0 loads 8 inputs."
    assert [counted(1, "launch", "launches"), counted(2, "launch", "launches")] == ["1 launch", "2 launches"]
    assert counted(10_000, "row", shown="10,000") == "10,000 rows"
    assert say_for(1, "the only one of {all}", "all {n} of {all}", all=7) == "the only one of 7"


def test_another_language_has_its_own_order_and_plurals() -> None:
    with speaking(BACKWARDS):
        assert say(WALK, phase=0, inputs=counted(3, "input")) == "3 few in 0"
        assert counted(5, "input") == "5 one"
        assert say("Next", context="chapter") == "On"
    assert say("Next", context="chapter") == "Next"


def test_language_lasts_no_longer_than_it_is_spoken() -> None:
    with pytest.raises(RuntimeError), speaking(BACKWARDS):
        raise RuntimeError
    assert counted(3, "input") == "3 inputs"


def test_text_without_translation_is_refused() -> None:
    with speaking(BACKWARDS), pytest.raises(Untranslated, match="text 'Next' given, which x-test does not have"):
        say("Next")


def test_braces_that_name_nothing_stay() -> None:
    assert say("{n} of {1, 2} and {}", n=3) == "3 of {1, 2} and {}"


def test_one_is_singular_and_all_else_plural() -> None:
    assert [counted(count, "row") for count in (0, 1, 2, 10_000)] == ["0 rows", "1 row", "2 rows", "10000 rows"]
    assert counted(2, "column of tiles", "columns of tiles") == "2 columns of tiles"

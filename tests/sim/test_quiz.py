"""The exit check: right answers, what wrong ones mean, and fresh tilings."""

import itertools

import pytest

from sim.quiz import EXIT_CHECK, exit_check, fresh_tiling, mask_choices
from sim.tiling import Tiling


def wrong(question):
    return {each.answer: each.sentence for each in question.wrong}


def test_the_exit_check_of_the_chapter():
    programs, phases, masks = exit_check(Tiling(5, 7, 5, 2, 3, 2))
    assert (programs.answer, phases.answer, masks.answer) == ("9", "3", "M N K")
    assert programs.explanation.startswith(
        "9: M = 5 in tiles of BM = 2 gives 3 rows of tiles, N = 7 in tiles of BN = 3"
    )
    assert phases.explanation == "3: K = 5 in steps of BK = 2, the last of 1."


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("4", "rounded down"),
        ("3", "one row of tiles"),
        ("6", "N // BN is rounded down"),
        ("35", "one program for each output"),
        ("27", "K phases are no programs"),
        ("8", "BM and BN are exchanged"),
        ("1000", "No well-known mistake gives 1000."),
    ],
)
def test_wrong_numbers_of_programs_are_explained(answer, words):
    assert words in exit_check(EXIT_CHECK)[0].reply(answer)


@pytest.mark.parametrize(("answer", "words"), [("2", "rounded down"), ("5", "K itself"), ("4", "cuts N")])
def test_wrong_numbers_of_phases_are_explained(answer, words):
    assert words in exit_check(EXIT_CHECK)[1].reply(answer)


def test_a_missing_mask_is_explained_by_its_dimension():
    masks = exit_check(EXIT_CHECK)[2]
    assert masks.reply("M N").startswith("BK = 2 does not divide K = 5")
    assert len(masks.wrong) == 7


def test_a_mask_too_many_is_explained_by_its_dimension():
    masks = exit_check(Tiling(4, 7, 4, 2, 3, 2))[2]
    assert masks.answer == "N"
    assert masks.reply("M N") == "BM = 2 divides M = 4: no lane lies outside, so no mask is needed."
    assert wrong(masks)["none"].startswith("BN = 3 does not divide N = 7")


def test_no_mask_at_all_is_an_answer():
    assert exit_check(Tiling(4, 6, 4, 2, 3, 2))[2].answer == "none"
    assert mask_choices() == ("none", "M", "N", "K", "M N", "M K", "N K", "M N K")


def test_right_answers_are_never_called_wrong():
    for number in range(500):
        for question in exit_check(fresh_tiling(3, number)):
            assert question.answer not in wrong(question)
            assert question.reply(question.answer) == question.explanation


def test_fresh_tilings_start_with_the_chapters_own():
    assert fresh_tiling(0, 0) == fresh_tiling(9, 0) == Tiling(5, 7, 5, 2, 3, 2)


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_fresh_tilings_never_repeat_in_a_row_and_come_back_late(seed):
    tilings = [fresh_tiling(seed, number) for number in range(2000)]
    assert all(left != right for left, right in itertools.pairwise(tilings))
    assert len(set(tilings)) == 2000


def test_the_seed_chooses_the_list_and_keeps_it():
    assert fresh_tiling(1, 1) != fresh_tiling(2, 1)
    assert fresh_tiling(7, 5) == fresh_tiling(7, 5)


def test_every_answer_on_masks_occurs():
    answers = {exit_check(fresh_tiling(0, number))[2].answer for number in range(60)}
    assert answers == set(mask_choices())


def test_a_negative_number_is_refused_in_words():
    with pytest.raises(ValueError, match="number: given -1; allowed: 0 or more"):
        fresh_tiling(0, -1)


def test_the_chapters_own_tiling_does_not_come_back():
    assert EXIT_CHECK not in [fresh_tiling(0, number) for number in range(1, 7938)]

"""Arguments of the benchmark that cannot be: one sentence, before anything is built or opened."""

import pytest

from bench.peers.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rounds", "0"], "argument --rounds: '0' given; allowed: a whole number from 1"),
        (["--rounds", "few"], "argument --rounds: 'few' given; allowed: a whole number from 1"),
        (["--engines", "chromium,safari"], "argument --engines: 'safari' given; allowed: chromium, firefox, webkit"),
        (["--output", "no/such/folder.json"], "--output: no/such/folder.json given; allowed: a file in a folder that"),
    ],
)
def test_an_argument_that_cannot_be_is_refused_in_one_sentence(arguments, sentence, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)

    assert stopped.value.code == 2
    assert sentence in capsys.readouterr().err

"""The worker's answers, asked for once a test run."""

import pytest

from tests.crosscheck.ask import Answers, NoDevice, ask
from tests.crosscheck.cases import ALL_CASES, GPU_CASES


@pytest.fixture(scope="session")
def interpreter() -> Answers:
    """What the kernels did on Triton's CPU interpreter, by case."""
    return ask("cpu", ALL_CASES)


@pytest.fixture(scope="session")
def gpu() -> Answers:
    """What the kernels did on this machine's GPU, by case."""
    try:
        return ask("cuda", GPU_CASES)
    except NoDevice as error:
        pytest.skip(str(error))

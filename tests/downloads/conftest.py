"""The zip of everything, unpacked once a run."""

import pytest

from tests.downloads.offered import Unpacked, unpacked
from tests.downloads.record import offered


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Unpacked:
    """What a reader has after unpacking the zip, outside the repository."""
    return unpacked(offered(), tmp_path_factory.mktemp("zip"))

"""A small repository of an author's, with the real model and templates, for tests that write chapters."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.address import Address
from builder.assets import KERNEL_FILES
from builder.cache import write_whole
from builder.mistakes import BuildError
from builder.model import lab_model
from builder.site import build_site

INDEX = "---\ntitle: Start\ndescription: The first page.\n---\n\nWelcome.\n"
NOT_FOUND = "---\ntitle: No such page\ndescription: Nothing is here.\n---\n\n[Start](index.md)\n"
CHAPTER = "---\ntitle: One\ndescription: The first chapter.\norder: 1\n---\n\n"


class Author:
    """Writes chapters in a repository of its own and builds it. Line 7 is the first line of `chapter`'s text."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder
        (folder / "chapters").mkdir(parents=True)
        (folder / "downloads").mkdir()
        (root / ".cache").mkdir(exist_ok=True)
        for shared in ("site", "sim", ".cache", ".venv", "build.py", "pyproject.toml"):
            (folder / shared).symlink_to(root / shared)
        for kernel in ("gpu/__init__.py", *KERNEL_FILES):
            self.write(kernel, (root / kernel).read_bytes())
        self.write("chapters/index.md", INDEX)
        self.write("chapters/404.md", NOT_FOUND)

    def write(self, name: str, text: str | bytes) -> None:
        """Write a file of the repository, so that no half of it is ever seen."""
        write_whole(self.folder / name, text.encode() if isinstance(text, str) else text)

    def chapter(self, body: str) -> None:
        """Write the chapter 01-one.md with a right front matter of six lines."""
        self.write("chapters/01-one.md", CHAPTER + body)

    def build(self, base: str = "/", url: str = "") -> dict[str, bytes]:
        """Every file of the site by its place."""
        return build_site(self.folder, lab_model(), Address(base, url), memories=False)

    def page(self, place: str) -> str:
        """The HTML of one page."""
        return self.build()[place].decode()

    def mistakes(self) -> list[str]:
        """What the build says of the author's mistakes."""
        try:
            self.build()
        except BuildError as error:
            return [str(mistake) for mistake in error.mistakes]
        return []


@pytest.fixture
def author(tmp_path: Path, root: Path) -> Author:
    """A fresh author with a landing page and a 404 page."""
    return Author(tmp_path / "repository", root)


@pytest.fixture
def new_author(tmp_path: Path, root: Path) -> Callable[[str], Author]:
    """Makes authors in folders of the given names."""
    return lambda name: Author(tmp_path / name, root)

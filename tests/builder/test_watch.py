"""Watching: counted builds, awaited by what they saw and never by the clock."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from builder.cache import write_whole
from builder.watch import build_on_change, is_source

PATIENCE_S = 60


class Builds:
    """Counts builds and keeps what the latest one saw of the chapters."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0
        self.seen: dict[str, str] = {}
        self._changed = threading.Condition()

    def build(self) -> None:
        """Stand in for a build, output included."""
        seen = {path.name: path.read_text(encoding="utf-8") for path in self.folder.glob("chapters/*.md")}
        with self._changed:
            self.count, self.seen = self.count + 1, seen
            output = self.folder / "chapters" / "out"
            output.mkdir(exist_ok=True)
            (output / "page.md").write_text(str(self.count), encoding="utf-8")
            self._changed.notify_all()

    def wait(self, enough: Callable[["Builds"], bool]) -> None:
        """Wait until a build has seen enough."""
        with self._changed:
            assert self._changed.wait_for(lambda: enough(self), PATIENCE_S), f"{self.count} builds, seen: {self.seen}"


def save(path: Path, text: str) -> None:
    """Save as editors do: whole, under another name first, so that no half of it is ever seen."""
    write_whole(path, text.encode())


@contextmanager
def watching(folder: Path) -> Iterator[Builds]:
    builds, stop, ready = Builds(folder), threading.Event(), threading.Event()
    arguments = (folder, folder / "chapters" / "out", builds.build, stop, ready.set)
    thread = threading.Thread(target=build_on_change, args=arguments)
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        yield builds
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "sim").mkdir()
    (tmp_path / "chapters" / "a.md").write_text("one", encoding="utf-8")
    return tmp_path


def test_one_save_is_one_build_and_output_and_empty_saves_are_none(folder: Path) -> None:
    chapter = folder / "chapters" / "a.md"
    with watching(folder) as builds:
        save(chapter, "two")
        builds.wait(lambda b: b.seen == {"a.md": "two"})
        save(chapter, "two")
        (folder / "chapters" / "out" / "other.md").write_text("x", encoding="utf-8")
        (folder / "chapters" / ".a.md.swp").write_text("x", encoding="utf-8")
        save(chapter, "three")
        builds.wait(lambda b: b.seen == {"a.md": "three"})
    assert builds.count == 3


def test_ten_files_at_once_are_at_most_two_builds(folder: Path) -> None:
    with watching(folder) as builds:
        for number in range(10):
            save(folder / "chapters" / f"{number}.md", "x")
        builds.wait(lambda b: len(b.seen) == 11)
        save(folder / "chapters" / "last.md", "x")
        builds.wait(lambda b: len(b.seen) == 12)
    assert builds.count <= 4


def test_removed_file_is_a_change(folder: Path) -> None:
    with watching(folder) as builds:
        (folder / "chapters" / "a.md").unlink()
        builds.wait(lambda b: b.seen == {})
    assert builds.count == 2


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("chapters/01-reuse.md", True),
        ("sim/tiling.py", True),
        ("chapters/out/index.html", False),
        ("sim/__pycache__/tiling.cpython-311.pyc", False),
        ("chapters/.01-reuse.md.swp", False),
        ("chapters/01-reuse.md~", False),
        ("chapters/4913", False),
    ],
)
def test_what_counts_as_a_source(tmp_path: Path, name: str, source: bool) -> None:
    assert is_source(tmp_path / name, tmp_path, tmp_path / "chapters" / "out") is source


def test_server_tells_a_broken_chapter_goes_on_and_recovers(author, tmp_path: Path) -> None:
    import json
    from urllib.request import urlopen

    author.chapter("right\n")
    command = [sys.executable, "-m", "builder", str(author.folder), "--serve", "--out", str(tmp_path / "out")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as server:
        terminal = server.stdout or pytest.fail("the server has no output")
        try:
            address = next(line for line in terminal if line.startswith("Serving ")).split()[1]
            with urlopen(address + "~gpu-lab/events", timeout=PATIENCE_S) as stream:
                news = (json.loads(line.removeprefix(b"data: ")) for line in stream if line.startswith(b"data: "))
                good = next(each for each in news if each["version"] and not each["error"])
                author.chapter("[x](none.md)\n")
                bad = next(each for each in news if each["error"])
                with urlopen(address + "one.html", timeout=PATIENCE_S) as page:
                    assert b"<p>right</p>" in page.read()
                author.chapter("mended\n")
                mended = next(each for each in news if not each["error"] and each["version"] != good["version"])
            with urlopen(address + "one.html", timeout=PATIENCE_S) as page:
                assert b"<p>mended</p>" in page.read()
        finally:
            server.terminate()
        told = terminal.read()
    assert bad["version"] == good["version"] != mended["version"]
    assert bad["error"].startswith("chapters/01-one.md:7: link to 'none.md' given; allowed: ")
    assert bad["error"].splitlines()[0] in told

"""Writing the output folder."""

import pytest

from builder.output import OutputError, write_site


def test_second_writing_leaves_unchanged_files_alone(tmp_path) -> None:
    write_site(tmp_path / "out", {"index.html": b"a", "static/x.css": b"b"})
    before = (tmp_path / "out" / "index.html").stat().st_mtime_ns
    write_site(tmp_path / "out", {"index.html": b"a", "static/x.css": b"b"})
    assert (tmp_path / "out" / "index.html").stat().st_mtime_ns == before


def test_old_files_go_and_strangers_stay(tmp_path) -> None:
    out = tmp_path / "out"
    write_site(out, {"index.html": b"a", "static/old.css": b"b"})
    (out / "mine.txt").write_bytes(b"mine")
    write_site(out, {"index.html": b"c"})
    assert sorted(path.name for path in out.rglob("*")) == [".gpu-lab-files", "index.html", "mine.txt"]


def test_folder_with_other_files_is_refused_untouched(tmp_path) -> None:
    (tmp_path / "thesis.txt").write_bytes(b"mine")
    with pytest.raises(OutputError, match="holds other files; allowed: a new folder"):
        write_site(tmp_path, {"index.html": b"a"})
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_file_in_place_of_a_folder_is_refused(tmp_path) -> None:
    (tmp_path / "out").write_bytes(b"")
    with pytest.raises(OutputError, match="is a file; allowed: a folder"):
        write_site(tmp_path / "out", {"index.html": b"a"})


def test_list_that_leads_out_of_the_folder_removes_nothing(tmp_path) -> None:
    (tmp_path / "outside.txt").write_bytes(b"mine")
    write_site(tmp_path / "out", {"index.html": b"a"})
    (tmp_path / "out" / ".gpu-lab-files").write_text("index.html\n../outside.txt\n", encoding="utf-8")
    write_site(tmp_path / "out", {"index.html": b"a"})
    assert (tmp_path / "outside.txt").exists()

"""The command as a person runs it."""

import os
import subprocess
import sys

import pytest


def run(*arguments: str, options: tuple[str, ...] = (), **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, *options, "-m", "builder", *arguments]
    return subprocess.run(command, capture_output=True, env={**os.environ, **environment})


def test_no_text_is_read_or_written_in_the_machine_s_own_encoding(author, tmp_path) -> None:
    author.chapter("× ² ≈\n\n```widget tile-walk n=4 tile=2\n```\n")
    strict = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")
    done = run(str(author.folder), "--out", str(tmp_path / "out"), options=strict)
    assert (done.returncode, done.stderr) == (0, b"")


def test_narrow_console_does_not_stop_a_build(author, tmp_path) -> None:
    author.chapter("[n²](矩阵.md)\n")
    done = run(str(author.folder), "--out", str(tmp_path / "out"), PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    assert done.returncode == 1
    assert done.stderr.startswith(rb"chapters/01-one.md:7: link to '\u77e9\u9635.md' given; allowed: ")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--base", "a b"), b"argument --base: 'a b' given; allowed: a path such as /lab/"),
        (("--url", "example.org"), b"argument --url: 'example.org' given; allowed: a scheme and a host"),
        (("--port", "0"), b"argument --port: '0' given; allowed: a whole number from 1 to 65535"),
        (("--prot", "1"), b"unrecognized arguments: --prot 1"),
    ],
)
def test_wrong_argument_is_a_usage_message(author, arguments: tuple[str, str], told: bytes) -> None:
    done = run(str(author.folder), *arguments)
    assert done.returncode == 2
    assert told in done.stderr and b"Traceback" not in done.stderr


def test_folder_of_somebody_else_s_is_refused(author, tmp_path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_bytes(b"x")
    done = run(str(author.folder), "--out", str(tmp_path / "mine"))
    assert done.returncode == 2 and b"which holds other files; allowed: a new folder" in done.stderr


def test_taken_port_is_told(author, tmp_path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run(str(author.folder), "--serve", "--out", str(tmp_path / "out"), "--port", port)
    assert done.returncode == 1
    assert f"The server could not start on port {port}:".encode() in done.stderr


def test_two_processes_write_equal_bytes(author, tmp_path) -> None:
    author.chapter("```widget tile-walk n=4 tile=2\n```\n\n```widget load-count n=5 tile=2\n```\n")
    written = []
    for seed in ("1", "2"):
        out = tmp_path / f"out {seed}"
        assert run(str(author.folder), "--out", str(out), PYTHONHASHSEED=seed).returncode == 0
        files = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        written.append(files)
    assert written[0] == written[1]
    assert len(written[0]) > 10

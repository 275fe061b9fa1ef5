"""The command line of `build.py`."""

import argparse
import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from builder.address import Address, parse_base, parse_repository, parse_url
from builder.mistakes import BuildError
from builder.output import LIST, OutputError, write_site

PORT = 8000
WELCOME = "Serving {} and watching the sources; Ctrl-C stops."


def main(root: Path, arguments: list[str]) -> int:
    """Run the command; return its exit status: 0, 1 for mistakes in the sources, 2 for those in the arguments."""
    options = parse(root, arguments)
    return serve(root, options) if options.serve else build(root, options)


def parse(root: Path, arguments: list[str]) -> argparse.Namespace:
    """Read the arguments; a wrong one ends the process with a usage message and status 2."""
    parser = argparse.ArgumentParser(prog="build.py", description="Build GPU Lab's site from its sources.")
    add = parser.add_argument
    add("--out", type=Path, default=root / "_site", metavar="DIR", help="the folder to write (default: _site)")
    add("--base", type=_checked(parse_base), default="/", metavar="/lab/", help="its path on the host (default: /)")
    add("--url", type=_checked(parse_url), metavar="https://host", help="the host, for canonical addresses")
    told = "the GitHub repository whose branch (notebooks) holds downloads/*.ipynb, for Open in Colab"
    add("--repository", type=_checked(parse_repository), metavar="owner/name[@branch]", help=told)
    add("--serve", action="store_true", help="serve on this machine, and rebuild and reload on change")
    add("--port", type=_checked(_port), metavar="N", help=f"for --serve (default: {PORT}, or the next free one)")
    return parser.parse_args(arguments)


def _checked(check: Callable[[str], object]) -> Callable[[str], object]:
    def convert(text: str) -> object:
        try:
            return check(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise ValueError(f"{text!r} given; allowed: a whole number from 1 to 65535")
    return int(text)


def build(root: Path, options: argparse.Namespace) -> int:
    """Build once."""
    from builder.model import lab_model
    from builder.site import build_site

    started = time.perf_counter()
    try:
        files = build_site(root, lab_model(), Address(options.base, options.url or "", options.repository or ""))
        write_site(options.out, files)
    except BuildError as error:
        count = "one mistake" if len(error.mistakes) == 1 else f"{len(error.mistakes)} mistakes"
        print(f"{error}\nNothing was written, because of {count}.", file=sys.stderr)
        return 1
    except OutputError as error:
        print(error, file=sys.stderr)
        return 2
    seconds = time.perf_counter() - started
    print(f"Built {len(files)} files into {_short(options.out)} in {seconds:.1f} s.")
    return 0


def _short(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def serve(root: Path, options: argparse.Namespace) -> int:
    """Build, serve, watch, until interrupted."""
    from builder.live import Live, News
    from builder.serve import SiteServer, free_port
    from builder.watch import build_on_change

    live, stop = Live(News("")), threading.Event()
    try:
        port = options.port or free_port(PORT)
        server = SiteServer(options.out, base=options.base, port=port, live=live)
    except OSError as error:
        print(f"The server could not start on port {options.port or PORT}: {error}.", file=sys.stderr)
        return 1

    def rebuild() -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "site")])}
        done = subprocess.run(
            build_command(root, options), env=environment, capture_output=True, encoding="utf-8", errors="replace"
        )
        print(done.stdout + done.stderr, end="", flush=True)
        error = (done.stderr or f"The build ended with status {done.returncode}.") if done.returncode else ""
        live.tell(News(live.news.version if error else folder_hash(options.out), error))

    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        welcome = WELCOME.format(server.address)
        build_on_change(root, options.out, rebuild, stop, ready=lambda: print(welcome, flush=True))
    except KeyboardInterrupt:
        pass
    finally:
        live.stop()
        server.shutdown()
        server.server_close()
    print("Stopped.")
    return 0


def build_command(root: Path, options: argparse.Namespace) -> list[str]:
    """One build in a process of its own, so that every change of the Python sources counts."""
    warnings = [f"-X{key}" for key, value in sys._xoptions.items() if value is True]
    python = [sys.executable, *warnings, "-Xutf8", "-m", "builder"]
    command = [*python, str(root), "--out", str(options.out), "--base", options.base]
    command += ["--url", options.url] if options.url else []
    return [*command, "--repository", options.repository.replace("/blob/", "@")] if options.repository else command


def folder_hash(folder: Path) -> str:
    """A hash of what a build wrote: names tell hashed files' contents, the others are read."""
    digest = hashlib.sha256()
    for place in (folder / LIST).read_text(encoding="utf-8").splitlines():
        digest.update(os.fsencode(place) + b"\0")
        if place.endswith(".html") or place.startswith("downloads/"):
            digest.update((folder / place).read_bytes())
    return digest.hexdigest()[:20]

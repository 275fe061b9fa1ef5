"""The development server: loopback only, with the headers that a good host sends."""

import gzip
import hashlib
import socket
from collections.abc import Callable
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from builder import policy
from builder.live import EVENTS_PATH, KEEPER_MARK, RETIRED_KEEPER, SCRIPT, SCRIPT_PATH, TAG, Live

LOOPBACK = "127.0.0.1"
NOTHING_YET = b"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Nothing built yet</title></head>
<body><main><h1>Nothing built yet</h1><p>The terminal says why; this page comes back by itself.</p></main></body></html>
"""


class SiteServer(ThreadingHTTPServer):
    """Serves `folder` under `base`. With `live`, pages reload; `on_request` hears each status and path."""

    daemon_threads = True

    def __init__(
        self,
        folder: Path,
        *,
        base: str = "/",
        port: int = 0,
        live: Live | None = None,
        on_request: Callable[[int, str], None] | None = None,
    ) -> None:
        self.folder, self.base, self.live, self.on_request = folder.resolve(), base, live, on_request
        super().__init__((LOOPBACK, port), Handler)

    @property
    def address(self) -> str:
        """Where the landing page is."""
        return f"http://{LOOPBACK}:{self.server_port}{self.base}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle is no news."""


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD."""

    protocol_version = "HTTP/1.1"
    server: SiteServer

    def do_GET(self) -> None:
        """Serve a file, the reload script, or the stream of news."""
        path = urlsplit(self.path).path
        if self.server.live and path == EVENTS_PATH:
            self._stream(self.server.live)
        elif self.server.live and path == SCRIPT_PATH:
            self._send(200, {"Content-Type": policy.content_type(path), "Cache-Control": "no-cache"}, SCRIPT)
        elif self.server.base != "/" and path in ("/", self.server.base.rstrip("/")):
            self._send(302, {"Location": self.server.base}, b"")
        else:
            self._file(path)

    do_HEAD = do_GET

    def _file(self, path: str) -> None:
        place = place_of(path, self.server.base)
        file = None if place is None else self.server.folder / place
        status = 200
        if place is None or file is None or not inside(self.server.folder, file):
            place, status = "404.html", 404
            file = self.server.folder / place
        try:
            data = file.read_bytes()
        except OSError:
            data = NOTHING_YET
        if self.server.live and place.endswith(".html"):
            data = data.replace(b"</body>", TAG + b"</body>").replace(*KEEPER_MARK)
        if self.server.live and place == "sw.js":
            data = RETIRED_KEEPER
        self._send(status, policy.headers(place, data), data)

    def _send(self, status: int, headers: dict[str, str], data: bytes) -> None:
        tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
        if status == 200 and self.headers.get("If-None-Match", "").removeprefix("W/") == tag:
            status, data = 304, b""
        self.send_response(status)
        if status == 200:
            headers = headers | {"ETag": tag}
        if policy.COMPRESSIBLE.match(headers.get("Content-Type", "")) and data:
            headers = headers | {"Vary": "Accept-Encoding"}
            if "gzip" in self.headers.get("Accept-Encoding", ""):
                headers, data = headers | {"Content-Encoding": "gzip"}, zipped(data)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, live: Live) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in live.events():
            self.wfile.write(event)
            self.wfile.flush()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Tell the listener, if there is one; the terminal is for builds."""
        if self.server.on_request:
            self.server.on_request(int(code), self.path)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing: see log_request."""


def place_of(path: str, base: str) -> str | None:
    """The place in the site that an address's path means, or None when it can mean none."""
    decoded = unquote(path, errors="replace")
    if not decoded.startswith(base) or "\\" in decoded or "\0" in decoded:
        return None
    parts = decoded.removeprefix(base).split("/")
    if any(part.startswith(".") or (not part and at < len(parts) - 1) for at, part in enumerate(parts)):
        return None
    return "/".join([*parts[:-1], parts[-1] or "index.html"])


def inside(folder: Path, file: Path) -> bool:
    """True for a file that really lies in the folder, links followed."""
    try:
        return file.is_file() and file.resolve().is_relative_to(folder)
    except OSError:
        return False


@lru_cache(maxsize=256)
def zipped(data: bytes) -> bytes:
    """`data` compressed, the same bytes each time."""
    return gzip.compress(data, 6, mtime=0)


def free_port(wanted: int) -> int:
    """The first free port from `wanted` on. Raises OSError when twenty are taken."""
    for port in range(wanted, wanted + 20):
        with socket.socket() as probe:
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            return port
    raise OSError(f"ports {wanted} to {wanted + 19} are taken")

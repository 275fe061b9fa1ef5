"""A host on loopback as a good one is: compressed ahead, hashed files cached for ever, and every answer noted."""

import hashlib
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

OURS = "/~"  # paths of the measuring itself, which are not counted
PROBE_PATH, REPORT_PATH, START_PATH = "/~probe.js", "/~report", "/~start"
STARTED_S = 1.5  # a reader's browser has been running before a page is opened
START_PAGE = """<!doctype html>
<title>Starting</title>
<script>setTimeout(() => location.replace(location.search.slice(1)), %d)</script>
"""
EMPTY_ICON = "/favicon.ico"


@dataclass(frozen=True)
class File:
    """`headers` without those of the encoding; `bodies` by encoding, "" for the file as it is."""

    headers: Mapping[str, str]
    bodies: Mapping[str, bytes]

    def encoding(self, accepted: str) -> str:
        """The shortest that a browser takes."""
        taken = {each.split(";")[0].strip() for each in accepted.split(",")}
        return min((name for name in self.bodies if name in taken or not name), key=lambda name: len(self.bodies[name]))


@dataclass(frozen=True)
class Answer:
    """One answer: `head` and `body` in bytes on the wire, `at` in seconds since the epoch."""

    path: str
    status: int
    head: int
    body: int
    at: float


class Host(ThreadingHTTPServer):
    """Serves `files` by path. `answers` grows by each answer that counts; `report` is what a page told last.

    With `probe` each page comes with that script before all others, for an engine that no driver can give one.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, files: Mapping[str, File], probe: str = "") -> None:
        self.files, self.probe = files, probe
        self.answers: list[Answer] = []
        self.report: object = None
        self.reported = threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        """Without a slash at its end."""
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle is no news."""


class Handler(BaseHTTPRequestHandler):
    """GET for files, POST for a page's report."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536
    server: Host

    def do_GET(self) -> None:
        """A file, or that there is none."""
        path = urlsplit(self.path).path
        if path == PROBE_PATH:
            return self._send(path, 200, {"Content-Type": "text/javascript"}, self.server.probe.encode())
        if path == START_PATH:
            return self._send(path, 200, {"Content-Type": "text/html"}, (START_PAGE % (1000 * STARTED_S)).encode())
        file = self.server.files.get(path)
        if file is None:
            return self._send(path, 404, {"Content-Type": "text/plain"}, b"not here\n")
        encoding = file.encoding(self.headers.get("Accept-Encoding", ""))
        body = file.bodies[encoding]
        headers = {**file.headers, "Vary": "Accept-Encoding", **({"Content-Encoding": encoding} if encoding else {})}
        if self.server.probe and headers["Content-Type"].startswith("text/html"):
            body = file.bodies[""].replace(b"<head>", b'<head><script src="%s"></script>' % PROBE_PATH.encode(), 1)
            headers.pop("Content-Encoding", None)
            headers["Cache-Control"] = "no-store"
        headers["ETag"] = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        if self.headers.get("If-None-Match", "") == headers["ETag"]:
            return self._send(path, 304, headers, b"")
        return self._send(path, 200, headers, body)

    def do_POST(self) -> None:
        """What a page has measured."""
        told = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self._send(REPORT_PATH, 204, {}, b"")
        self.server.report = json.loads(told)
        self.server.reported.set()

    def _send(self, path: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
        length = {} if status in (204, 304) else {"Content-Length": str(len(body))}
        lines = [f"HTTP/1.1 {status} {self.responses[status][0]}"]
        lines += [f"{name}: {value}" for name, value in {**headers, **length}.items()]
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        if not path.startswith(OURS) and path != EMPTY_ICON:
            self.server.answers.append(Answer(path, status, len(head), len(body), time.time()))
        self.wfile.write(head + body)
        self.wfile.flush()

    def log_message(self, format: str, *arguments: object) -> None:
        """The terminal is for the table."""


@contextmanager
def hosted(files: Mapping[str, File], probe: str = "") -> Iterator[Host]:
    """Serve while the block runs."""
    host = Host(files, probe)
    thread = threading.Thread(target=host.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield host
    finally:
        host.shutdown()
        host.server_close()
        thread.join()

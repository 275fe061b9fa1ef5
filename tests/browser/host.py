"""A host that can be told to misbehave: the site's own server, with faults by file."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from builder.serve import Handler
from tests.serving import RecordingServer

Headers = dict[str, str]
Fault = Callable[["FaultyHandler", int, Headers, bytes], tuple[int, Headers, bytes] | None]


class Host(RecordingServer):
    """`faults` maps a pattern of paths to what goes wrong there; take it out and the host is well again."""

    def __init__(self, folder: Path, base: str = "/") -> None:
        super().__init__(folder, base, None)
        self.faults: dict[str, Fault] = {}
        self.gate = threading.Event()
        self.RequestHandlerClass = FaultyHandler

    @property
    def elsewhere(self) -> str:
        """The same address by a name that is not this machine's own: there a lab is kept without being asked."""
        return self.address.replace("127.0.0.1", "lab.localhost")

    def asked_for(self, part: str) -> list[str]:
        """The paths with `part` in them that were asked for."""
        return [path for _, path in self.answered if part in path]


class FaultyHandler(Handler):
    """Lets a fault change an answer, or send one of its own."""

    server: Host

    def _send(self, status: int, headers: Headers, data: bytes) -> None:
        for part, fault in list(self.server.faults.items()):
            if re.search(part, self.path):
                changed = fault(self, status, dict(headers), data)
                if changed is None:
                    self.close_connection = True
                    return
                status, headers, data = changed
        super()._send(status, headers, data)


@contextmanager
def hosted(folder: Path, base: str = "/") -> Iterator[Host]:
    """Serve a folder while the block runs."""
    host = Host(folder, base)
    thread = threading.Thread(target=host.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield host
    finally:
        host.gate.set()
        host.shutdown()
        host.server_close()
        thread.join()


def blocked(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> None:
    """The connection is closed without a word."""


def cut_off(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> None:
    """Half of the file comes, then the connection is closed."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data[: len(data) // 2])


def short(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """Half of the file comes as if it were the whole."""
    return status, headers, data[: len(data) // 2]


def damaged(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """A thousand bytes in the middle are zero."""
    middle = len(data) // 2
    return status, headers, data[:middle] + bytes(1000) + data[middle + 1000 :]


def other_byte(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """One byte of a kept memory's last page is another."""
    return status, headers, data[:-1] + bytes([data[-1] ^ 1])


def any_content(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """The list of files says nothing of what is in them."""
    config = json.loads(data)
    config["files"] = [{**file, "sha256": ""} for file in config["files"]]
    return status, headers, json.dumps(config).encode()


def as_text(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """The file has a type that no browser runs."""
    return status, headers | {"Content-Type": "text/plain"}, data


def missing(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """Not found."""
    return 404, {"Content-Type": "text/plain", "Cache-Control": "no-store"}, b"not found"


def no_wasm(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """The policy of the worker forbids WebAssembly."""
    return status, headers | {"Content-Security-Policy": "script-src 'self'; connect-src 'self'"}, data


def stalled(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> tuple[int, Headers, bytes]:
    """Nothing comes until the test opens the gate."""
    handler.server.gate.wait()
    return status, headers, data


def stalled_then_lost(handler: FaultyHandler, status: int, headers: Headers, data: bytes) -> None:
    """Nothing comes until the test opens the gate, and then the connection is closed: the file never comes."""
    handler.server.gate.wait()

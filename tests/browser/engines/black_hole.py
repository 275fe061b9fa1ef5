"""A proxy that stands for the rest of the world: it notes who was asked for and answers nothing."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class BlackHole(socketserver.ThreadingTCPServer):
    """`asked` holds the first line of every request that came."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), _Swallow)

    @property
    def place(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.server_address[1]}"


class _Swallow(socketserver.StreamRequestHandler):
    server: BlackHole

    def handle(self) -> None:
        line = self.rfile.readline(2_000).decode("ascii", "replace").strip()
        self.server.asked.append(f"asked another origin: {line or 'without a word'}")


@contextmanager
def black_hole() -> Iterator[BlackHole]:
    """A proxy while the block runs."""
    with BlackHole() as hole:
        thread = threading.Thread(target=hole.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield hole
        hole.shutdown()
        thread.join()

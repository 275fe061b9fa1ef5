"""A server for a test: on loopback, on a free port, gone afterwards."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builder.live import Live
from builder.serve import SiteServer


@contextmanager
def served(folder: Path, base: str = "/", live: Live | None = None) -> Iterator["RecordingServer"]:
    """Serve a folder while the block runs."""
    server = RecordingServer(folder, base, live)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        if live:
            live.stop()
        server.shutdown()
        server.server_close()
        thread.join()


class RecordingServer(SiteServer):
    """Remembers the status and path of every request."""

    def __init__(self, folder: Path, base: str, live: Live | None) -> None:
        self.answered: list[tuple[int, str]] = []
        super().__init__(folder, base=base, live=live, on_request=self._remember)

    def _remember(self, status: int, path: str) -> None:
        self.answered.append((status, path))

    @property
    def missing(self) -> list[str]:
        """The paths that were answered with an error."""
        return [path for status, path in self.answered if status >= 400]

"""Live reload: what the pages of the development server are told, and the little script that listens."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass

SCRIPT_PATH = "/~gpu-lab/reload.js"
EVENTS_PATH = "/~gpu-lab/events"
TAG = f'<script defer src="{SCRIPT_PATH}"></script>\n'.encode()
HEARTBEAT_S = 15

SCRIPT = b"""\
"use strict";
(() => {
  let seen = null;
  const box = document.createElement("pre");
  box.setAttribute("role", "alert");
  box.id = "gpu-lab-build-error";
  Object.assign(box.style, {
    position: "fixed", inset: "auto 0 0 0", zIndex: 9999, margin: 0, padding: "1rem", maxHeight: "50vh",
    overflow: "auto", background: "#5c1010", color: "#fff", font: "14px/1.5 monospace", whiteSpace: "pre-wrap",
  });
  new EventSource("/~gpu-lab/events").onmessage = ({ data }) => {
    const { version, error } = JSON.parse(data);
    if (error) {
      box.textContent = `The last build failed; this page shows the one before.\\n\\n${error}`;
      document.body.append(box);
      return;
    }
    box.remove();
    if (seen !== null && seen !== version) location.reload();
    seen = version;
  };
})();
"""

# A page under work must be the newest, so nothing is kept here; what an earlier server at this address had kept goes.
KEEPER_MARK = (b'name="gpu-lab-offline"', b'name="gpu-lab-not-kept"')
RETIRED_KEEPER = b"""\
"use strict";
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(retire()));
async function retire() {
  const scope = self.registration.scope;
  for (const name of await caches.keys()) if (name.startsWith(`gpu-lab ${scope} `)) await caches.delete(name);
  await self.registration.unregister();
  for (const page of await clients.matchAll({ type: "window" })) page.navigate(page.url);
}
"""


@dataclass(frozen=True)
class News:
    """The state of the site: a hash of what is served, and the last build's mistakes, or nothing."""

    version: str
    error: str = ""

    def event(self) -> bytes:
        """The news as a server-sent event."""
        return b"data: " + json.dumps({"version": self.version, "error": self.error}).encode() + b"\n\n"


class Live:
    """Tells every listening page the news, at once when it comes and when a page connects."""

    def __init__(self, news: News) -> None:
        self.news = news
        self.stopped = False
        self._changed = threading.Condition()

    def tell(self, news: News) -> None:
        """Pass on news."""
        with self._changed:
            self.news = news
            self._changed.notify_all()

    def stop(self) -> None:
        """Let every listener go."""
        with self._changed:
            self.stopped = True
            self._changed.notify_all()

    def events(self) -> Iterator[bytes]:
        """The news now and from now on, with a comment now and then so that a lost page is noticed."""
        told: News | None = None
        while not self.stopped:
            news = self.news
            yield news.event() if news is not told else b": still here\n\n"
            told = news
            with self._changed:
                if not self.stopped and self.news is told:
                    self._changed.wait(HEARTBEAT_S)

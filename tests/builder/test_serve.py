"""The development server: types, caching, policy, compression, and nothing outside its folder."""

import gzip
import http.client
import json
import re
import threading
from dataclasses import dataclass

import pytest

from builder.live import Live, News
from builder.serve import place_of
from tests.serving import served

HASH = "0123456789"
FILES = {
    "index.html": b"<!doctype html><title>x</title><style>p{}</style><body>start</body>",
    "404.html": b"<!doctype html><title>x</title><body>none</body>",
    f"static/lab.{HASH}.js": b"1;",
    f"static/worker.{HASH}.js": b"2;",
    f"static/runtime.{HASH}.json": b"{}",
    f"static/favicon.{HASH}.svg": b"<svg/>",
    f"static/lab.{HASH}.zip": b"PK",
    f"pyodide-314.0.7-{HASH}/pyodide.mjs": b"3;",
    f"pyodide-314.0.7-{HASH}/pyodide.asm.wasm": b"\0asm",
    "downloads/opening.py": b"print()\n",
    "downloads/tiled.cu": b"int x;\n",
}


@pytest.fixture
def folder(tmp_path):
    for place, data in FILES.items():
        path = tmp_path / "site" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "secret.txt").write_bytes(b"secret")
    (tmp_path / "site" / ".gpu-lab-files").write_bytes(b"")
    (tmp_path / "site" / "link.txt").symlink_to(tmp_path / "secret.txt")
    return tmp_path / "site"


@dataclass(frozen=True)
class Answer:
    """What came back, read to its end."""

    status: int
    headers: dict[str, str]
    data: bytes

    def getheader(self, name: str) -> str:
        """A header's value, or nothing."""
        return self.headers.get(name, "")


def ask(server, path: str, method: str = "GET", **headers: str) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    answer = Answer(response.status, dict(response.getheaders()), response.read())
    connection.close()
    return answer


@pytest.mark.parametrize(
    ("path", "kind", "cached"),
    [
        ("/", "text/html; charset=utf-8", False),
        (f"/static/lab.{HASH}.js", "text/javascript; charset=utf-8", True),
        (f"/static/runtime.{HASH}.json", "application/json", True),
        (f"/static/favicon.{HASH}.svg", "image/svg+xml", True),
        (f"/static/lab.{HASH}.zip", "application/zip", True),
        (f"/pyodide-314.0.7-{HASH}/pyodide.mjs", "text/javascript; charset=utf-8", True),
        (f"/pyodide-314.0.7-{HASH}/pyodide.asm.wasm", "application/wasm", True),
        ("/downloads/opening.py", "text/plain; charset=utf-8", False),
        ("/downloads/tiled.cu", "text/plain; charset=utf-8", False),
    ],
)
def test_type_and_caching(folder, path: str, kind: str, cached: bool) -> None:
    with served(folder) as server:
        answer = ask(server, path)
    assert answer.status == 200
    assert answer.getheader("Content-Type") == kind
    assert answer.getheader("Cache-Control") == ("public, max-age=31536000, immutable" if cached else "no-cache")
    assert answer.getheader("X-Content-Type-Options") == "nosniff"


def test_page_allows_only_its_own_scripts_and_its_inlined_style(folder) -> None:
    with served(folder) as server:
        policy = ask(server, "/").getheader("Content-Security-Policy")
    assert "script-src 'self';" in policy and "unsafe" not in policy
    assert "style-src 'sha256-" in policy and "default-src 'none'" in policy


def test_only_the_worker_may_compile_webassembly(folder) -> None:
    with served(folder) as server:
        policy = ask(server, f"/static/worker.{HASH}.js").getheader("Content-Security-Policy")
        other = ask(server, f"/static/lab.{HASH}.js").getheader("Content-Security-Policy")
    assert policy == (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'; connect-src 'self'"
    )
    assert other == ""


def test_compressed_only_for_those_who_ask(folder) -> None:
    with served(folder) as server:
        packed = ask(server, "/downloads/opening.py", Accept_Encoding="br, gzip")
        plain = ask(server, "/downloads/opening.py")
    assert packed.getheader("Content-Encoding") == "gzip" and gzip.decompress(packed.data) == b"print()\n"
    assert plain.getheader("Content-Encoding") == "" and plain.data == b"print()\n"


def test_unchanged_page_is_not_sent_again(folder) -> None:
    with served(folder) as server:
        tag = ask(server, "/").getheader("ETag")
        again = ask(server, "/", If_None_Match=tag)
    assert (again.status, again.data) == (304, b"")


def test_head_sends_no_body(folder) -> None:
    with served(folder) as server:
        answer = ask(server, "/downloads/opening.py", "HEAD")
    assert (answer.status, answer.getheader("Content-Length"), answer.data) == (200, "8", b"")


@pytest.mark.parametrize(
    "path",
    [
        "/none.html",
        "/a/deep/wrong/address",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/static/../../secret.txt",
        "/..%5csecret.txt",
        "//secret.txt",
        "/%00",
        "/.gpu-lab-files",
        "/link.txt",
        "/static/",
        "/index.html/",
    ],
)
def test_what_is_not_in_the_site_gets_the_not_found_page(folder, path: str) -> None:
    with served(folder) as server:
        answer = ask(server, path)
    assert (answer.status, answer.data) == (404, FILES["404.html"])


@pytest.mark.parametrize("path", ["/", "/lab"])
def test_base_without_its_slash_is_led_to_it(folder, path: str) -> None:
    with served(folder, "/lab/") as server:
        answer = ask(server, path)
    assert (answer.status, answer.getheader("Location")) == (302, "/lab/")


def test_only_this_machine_is_served(folder) -> None:
    with served(folder) as server:
        assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("path", "place"),
    [("/lab/", "index.html"), ("/lab/d%C3%A9tails.html", "détails.html"), ("/other/", None), ("/lab/a//b", None)],
)
def test_place_of_an_address(path: str, place: str | None) -> None:
    assert place_of(path, "/lab/") == place


def test_pages_get_the_reload_script_only_while_serving_live(folder) -> None:
    with served(folder, live=Live(News("1"))) as server:
        page, script = ask(server, "/").data, ask(server, "/~gpu-lab/reload.js")
    assert page.endswith(b'<script defer src="/~gpu-lab/reload.js"></script>\n</body>')
    assert script.getheader("Content-Type") == "text/javascript; charset=utf-8"
    with served(folder) as server:
        assert b"reload.js" not in ask(server, "/").data


def test_while_serving_live_nothing_is_kept_and_what_was_kept_goes(folder) -> None:
    (folder / "sw.js").write_bytes(b"keep();")
    (folder / "index.html").write_bytes(b'<meta name="gpu-lab-offline" content="sw.js"><body></body>')
    with served(folder, live=Live(News("1"))) as server:
        assert b"unregister()" in ask(server, "/sw.js").data and b"keep" not in ask(server, "/sw.js").data
        assert b"gpu-lab-offline" not in ask(server, "/").data
    with served(folder) as server:
        assert ask(server, "/sw.js").data == b"keep();" and b"gpu-lab-offline" in ask(server, "/").data
        assert ask(server, "/sw.js").getheader("Cache-Control") == "no-cache"


def test_news_reach_a_page_at_once(folder) -> None:
    live = Live(News("1"))
    heard: list[dict[str, str]] = []
    first, second = threading.Event(), threading.Event()

    def listen(port: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/~gpu-lab/events")
        answer = connection.getresponse()
        for signal in (first, second):
            while not (line := answer.readline()).startswith(b"data: "):
                pass
            heard.append(json.loads(line.removeprefix(b"data: ")))
            signal.set()
        connection.close()

    with served(folder, live=live) as server:
        thread = threading.Thread(target=listen, args=(server.server_port,))
        thread.start()
        assert first.wait(20)
        live.tell(News("1", "chapters/x.md:1: wrong"))
        assert second.wait(20)
        thread.join()
    assert heard == [{"version": "1", "error": ""}, {"version": "1", "error": "chapters/x.md:1: wrong"}]


def test_site_not_yet_built_says_so(tmp_path) -> None:
    with served(tmp_path, live=Live(News(""))) as server:
        answer = ask(server, "/")
    assert answer.status == 404 and b"Nothing built yet" in answer.data and b"reload.js" in answer.data


def test_the_real_site_is_served_whole(site_address) -> None:
    ((host, port),) = re.findall(r"^http://(127\.0\.0\.1):(\d+)/$", site_address)
    connection = http.client.HTTPConnection(host, int(port), timeout=20)
    connection.request("GET", "/")
    assert connection.getresponse().status == 200

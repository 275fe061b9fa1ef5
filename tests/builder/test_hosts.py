"""What hosts are told: `_headers` and `.htaccess` say what the development server sends; the workflow is pinned."""

import fnmatch
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
import yaml

from builder import policy
from builder.cli import parse
from builder.environment import DEBIAN_PACKAGES
from builder.hosts import headers_file

APACHE = shutil.which("apache2") or shutil.which("apache2", path="/usr/sbin")
MODULES = Path("/usr/lib/apache2/modules")
NEEDED = ("mpm_event", "authz_core", "mime", "dir", "headers", "deflate", "filter")
NOT_SERVED = ("_headers", ".htaccess", ".gpu-lab-files")


def offered(folder: Path) -> dict[str, bytes]:
    """Every file of a built site that a reader may ask for."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in NOT_SERVED]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def rules(text: str) -> list[tuple[str, dict[str, str]]]:
    """The rules of a `_headers` file, read as its hosts do."""
    found: list[tuple[str, dict[str, str]]] = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        if not line.startswith(" "):
            found.append((line, {}))
        else:
            name, _, value = line.strip().partition(": ")
            assert name not in found[-1][1]
            found[-1][1][name] = value
    return found


def told(text: str, path: str) -> dict[str, str]:
    """The headers of one path; no header may come from two rules, as a host would join their values."""
    found: dict[str, str] = {}
    for pattern, headers in rules(text):
        if fnmatch.fnmatchcase(path, pattern):
            assert not found.keys() & headers.keys(), path
            found |= headers
    return found


def test_headers_file_says_what_the_development_server_sends(site_folder: Path) -> None:
    text = (site_folder / "_headers").read_text(encoding="utf-8")
    for place, data in offered(site_folder).items():
        sent = policy.headers(place, data)
        found = told(text, "/" + quote(place))
        assert found | {"Content-Type": sent["Content-Type"]} == sent, place
    assert told(text, "/reuse") == told(text, "/reuse.html")  # where a host drops the ending
    assert told(text, "/") == told(text, "/index.html")


def test_headers_file_keeps_to_the_limits_of_its_hosts(site_folder: Path) -> None:
    text = (site_folder / "_headers").read_text(encoding="utf-8")
    assert len(rules(text)) <= 100
    assert max(map(len, text.splitlines())) <= 2000


def test_headers_file_of_a_site_under_a_path_names_the_path() -> None:
    text = headers_file({"index.html": b"", f"static/worker.{'1' * 10}.js": b"", "sw.js": b""}, "/lab/")
    assert told(text, "/index.html") == {}
    assert "frame-ancestors 'none'" in told(text, "/lab/")["Content-Security-Policy"]
    assert "'wasm-unsafe-eval'" in told(text, f"/lab/static/worker.{'1' * 10}.js")["Content-Security-Policy"]
    assert told(text, "/lab/sw.js")["Cache-Control"] == "no-cache"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.skipif(APACHE is None or not MODULES.is_dir(), reason="no Apache: apache2-bin is not installed")
def test_apache_with_the_made_file_sends_the_same_and_compresses(site_folder: Path, tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "mime.types").write_text("")
    config = [
        f"ServerRoot {tmp_path}\nServerName localhost\nListen 127.0.0.1:{port}\nPidFile {tmp_path}/pid",
        f"ErrorLog {tmp_path}/log\nMutex file:{tmp_path} default\nTypesConfig {tmp_path}/mime.types",
        *(f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in NEEDED),
        f"DocumentRoot {site_folder}\nDirectoryIndex index.html",
        f"<Directory {site_folder}>\nAllowOverride All\nRequire all granted\n</Directory>\n",
    ]
    (tmp_path / "apache.conf").write_text("\n".join(config))
    server = subprocess.Popen([str(APACHE), "-f", str(tmp_path / "apache.conf"), "-D", "FOREGROUND"])
    try:
        wait_for(port)
        for place, data in offered(site_folder).items():
            sent = policy.headers(place, data)
            asked = Request(f"http://127.0.0.1:{port}/{quote(place)}", headers={"Accept-Encoding": "gzip"})
            with urlopen(asked) as answer:
                assert {name: answer.headers[name] for name in sent} == sent, place
                packed = answer.headers["Content-Encoding"] == "gzip"
            assert packed == bool(policy.COMPRESSIBLE.match(sent["Content-Type"])), place
        with pytest.raises(HTTPError) as missing:
            urlopen(f"http://127.0.0.1:{port}/a/deep/wrong/address")
        assert missing.value.code == 404 and b"There is no such page" in missing.value.read()
        assert "'sha256-" in missing.value.headers["Content-Security-Policy"]
    finally:
        server.terminate()
        server.wait()


def wait_for(port: int) -> None:
    for _ in range(200):
        try:
            urlopen(f"http://127.0.0.1:{port}/").close()
            return
        except URLError:
            time.sleep(0.1)
    raise AssertionError("Apache did not start")


def test_pages_bring_their_policy_along_for_hosts_that_send_none(site_folder: Path) -> None:
    for path in site_folder.rglob("*.html"):
        text = path.read_bytes()
        (own,) = re.findall(rb'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', text)
        sent = policy.headers(path.name, text)["Content-Security-Policy"]
        assert own.decode() == sent.replace(" frame-ancestors 'none';", "")
        assert text.index(b"http-equiv") < text.index(b"<link") and "unsafe" not in sent


def test_workflow_pins_every_action_and_runs_commands_that_exist(root: Path) -> None:
    text = (root / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8")
    uses = re.findall(r"uses: (.*)", text)
    assert len(uses) == 7 and all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v[\d.]+", each) for each in uses)
    commands = [step["run"] for job in yaml.safe_load(text)["jobs"].values() for step in job["steps"] if "run" in step]
    packages = " ".join(DEBIAN_PACKAGES["webkit"] + DEBIAN_PACKAGES["apache2"])
    assert commands == [
        f"sudo apt-get update -qq && sudo apt-get install -y -qq --no-install-recommends {packages}",
        "command -v google-chrome && command -v firefox && command -v WebKitWebDriver && command -v Xvfb",
        "./.ci/run",
        'python3 build.py --out _site --base "$BASE" --url "$ORIGIN"',
    ]
    options = parse(root, ["--out", "_site", "--base", "/gpu-lab/", "--url", "https://someone.github.io"])
    assert (options.base, options.url) == ("/gpu-lab/", "https://someone.github.io")
    assert parse(root, ["--base", "/"]).base == "/"

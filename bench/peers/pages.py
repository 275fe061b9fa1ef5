"""The pages that are measured, each under a folder of its own of one host: the chapter, and two peers by hand."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from bench.peers.compress import bodies
from bench.peers.host import File
from builder import policy
from builder.environment import node_programs, run

HERE = Path(__file__).parent
CHAPTER = "reuse.html"
# The folder of an address says to the probe what is to be measured there.
READ, LIVE, BARE, PYSCRIPT = "read", "live", "bare", "pyscript"
ADDRESSES = {READ: f"/{READ}/{CHAPTER}", LIVE: f"/{LIVE}/{CHAPTER}", BARE: f"/{BARE}/", PYSCRIPT: f"/{PYSCRIPT}/"}
NAMES = {
    READ: "the chapter",
    LIVE: "the chapter, Run at once",
    BARE: "bare Pyodide worker page",
    PYSCRIPT: "PyScript on MicroPython",
}
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>One output, product by product</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
{head}</head>
<body>
<main>
<h1>One output, product by product</h1>
<p>Python in this page multiplies a row of A with a column of B, pair by pair.</p>
<p><label>n <input id="n" type="number" value="6" min="3" max="64"></label></p>
<pre id="out">Python is on its way …</pre>
</main>
{foot}</body>
</html>
"""
BARE_PAGE_JS = """const out = document.getElementById("out"), n = document.getElementById("n");
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = ({ data }) => { out.textContent = data; };
const ask = () => worker.postMessage(Number(n.value));
n.addEventListener("input", ask);
ask();
"""
BARE_WORKER_JS = """import { loadPyodide } from "./pyodide/pyodide.mjs";
const source = fetch("job.py").then((answer) => answer.text());
const started = loadPyodide().then(async (python) => {
  python.runPython(await source);
  return python.globals.get("trace");
});
self.onmessage = async ({ data }) => { const trace = await started; self.postMessage(trace(data)); };
"""
PYSCRIPT_TAIL = """

from pyscript import document, when


def show(event):
    document.querySelector("#out").textContent = trace(int(document.querySelector("#n").value))


when("input", "#n")(show)
show(None)
"""


def stand_up(root: Path, site: Mapping[str, bytes]) -> dict[str, File]:
    """Every file of the host by its path: the built `site` twice, for reading and for Run at once, and the peers."""
    places = chapter_files(site)
    raw = {f"/{folder}/{place}": site[place] for folder in (READ, LIVE) for place in places}
    raw |= {f"/{BARE}/{place}": data for place, data in bare(root).items()}
    raw |= {f"/{PYSCRIPT}/{place}": data for place, data in pyscript(root).items()}
    files = {path: _file(root, path, data) for path, data in raw.items()}
    return files | {f"/{name}/": files[f"/{name}/index.html"] for name in (BARE, PYSCRIPT)}


def chapter_files(site: Mapping[str, bytes]) -> list[str]:
    """The places of the chapter, of all that it names, and of what its Python is made of."""
    page = site[CHAPTER].decode()
    named = [place for place in site if place.startswith("static/") and place in page]
    config = json.loads(site[next(place for place in named if place.startswith("static/runtime."))])
    parts = [f"static/{config[name]}" for name in ("lab", "memory") if config[name]]
    return [CHAPTER, *named, *parts, *(place for place in site if place.startswith("pyodide-"))]


def _file(root: Path, path: str, data: bytes) -> File:
    """Of the site with the site's own headers; of a peer with a type, and cached for ever but for the page itself."""
    folder, place = path[1:].split("/", 1)
    if folder in (READ, LIVE):
        headers = policy.headers(place, data)
    else:
        cached = "no-cache" if place.endswith(".html") else policy.FOR_EVER
        headers = {"Content-Type": policy.content_type(place), "Cache-Control": cached}
    return File(headers, bodies(root, headers["Content-Type"], data))


def bare(root: Path) -> dict[str, bytes]:
    """Pyodide as npm has it, in a worker, at the version that the site pins."""
    package = root / "site" / "node_modules" / "pyodide"
    files = {f"pyodide/{name}": (package / name).read_bytes() for name in PYODIDE_FILES}
    foot = '<script type="module" src="main.js"></script>\n'
    texts = {"index.html": PAGE.format(head="", foot=foot), "main.js": BARE_PAGE_JS, "worker.js": BARE_WORKER_JS}
    return files | {name: text.encode() for name, text in texts.items()} | {"job.py": _job()}


def pyscript(root: Path) -> dict[str, bytes]:
    """PyScript on MicroPython, from npm: its own files and nothing of any other host."""
    modules = npm_packages(root, "pyscript")
    core, python = modules / "@pyscript/core/dist", modules / "@micropython/micropython-webassembly-pyscript"
    files = {f"core/{path.name}": path.read_bytes() for path in core.iterdir() if path.suffix in (".js", ".css")}
    files |= {name: (python / name).read_bytes() for name in ("micropython.mjs", "micropython.wasm")}
    head = '<link rel="stylesheet" href="core/core.css">\n<script type="module" src="core/core.js"></script>\n'
    config = json.dumps({"interpreter": "micropython.mjs"})
    foot = f"""<script type="mpy" src="main.py" config='{config}'></script>\n"""
    texts = {"index.html": PAGE.format(head=head, foot=foot), "main.py": _job().decode() + PYSCRIPT_TAIL}
    return files | {name: text.encode() for name, text in texts.items()}


def _job() -> bytes:
    return (HERE / "job.py").read_bytes()


def npm_packages(root: Path, name: str) -> Path:
    """`node_modules` for what `bench/peers/pins/NAME` pins, fetched by npm into `.cache` once. Raises SetUpError."""
    folder, pins = root / ".cache" / "peers" / name, HERE / "pins" / name
    stamp, wanted = folder / "fetched", (pins / "package-lock.json").read_text(encoding="utf-8")
    if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(pins, folder)
        node, npm = node_programs(root)
        run([str(node), str(npm), "ci", "--ignore-scripts", "--loglevel=error"], "npm", cwd=folder)
        stamp.write_text(wanted, encoding="utf-8")
    return folder / "node_modules"

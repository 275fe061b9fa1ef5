"""The lab without a network: what the service worker keeps, and the lab in a folder, for opening without a server.

The templates mark what stands only on a served page, `<!--online-->…<!--/online-->`, and what only in the folder,
`<!--folder …/folder-->`, and leave the sizes to be filled in here, when every file is known.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from builder.assets import content_hash, normal_bytes
from builder.policy import COMMON, TEXT, TYPES, content_security
from builder.zips import Packer

WORKER = "sw.js"
FOLDER = "gpu-lab-folder.zip"
# A page's memory makes a start shorter, and without a network a start is short; each page has a large one of its own.
NOT_KEPT = re.compile(r"static/(card|memory)\.|404\.html$")
PYTHON = re.compile(r"pyodide-|static/(worker|runtime)\.|static/lab\.[0-9a-f]{10}\.zip$")
ONLINE = re.compile(rb"<!--online-->(.*?)<!--/online-->\n?", re.DOTALL)
IN_FOLDER = re.compile(rb"<!--folder\n?(.*?)/folder-->\n?", re.DOTALL)
FOLDER_LINK = re.compile(rb'<a [^>]*href="(?:\.\./)*' + re.escape(FOLDER).encode() + rb'"[^>]*>(.*?)</a>', re.DOTALL)
READ_ME = """\
GPU Lab in a folder

Open index.html with a double-click. The chapters, their prepared steps and the downloads work as they are.

For settings of your own the page runs Python, and browsers do that only for pages from a server. Open a terminal in
this folder and run

    python3 -m http.server          (Windows: py -m http.server)

then open http://localhost:8000 in a browser. Nothing is sent anywhere, and no network is needed.
"""


def with_offline(root: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a site, its pages completed, with the folder's zip and the service worker added."""
    packer = Packer(root / ".cache")
    folder = folder_zip(files, packer)
    python = {place for place in files if PYTHON.match(place)}
    pages = {place for place in files if not (place in python or NOT_KEPT.match(place))}
    sent = [sum(len(packer.deflated(files[place])) for place in part) for part in (pages, python)]
    sizes = {"pages": sent[0], "python": sent[1], "all": sum(sent), "folder": len(folder)}
    done = {place: online_page(data, sizes) if place.endswith(".html") else data for place, data in files.items()}
    kept = {place: done[place] for place in (*pages, "404.html") if place in done}
    worker = service_worker(root / "site" / "static" / WORKER, kept, {place: done[place] for place in python})
    return done | {FOLDER: folder, WORKER: worker}


def online_page(page: bytes, sizes: Mapping[str, int]) -> bytes:
    """A page as it is served, with the sizes in MB."""
    page = IN_FOLDER.sub(b"", ONLINE.sub(rb"\1", page))
    for name, size in sizes.items():
        page = page.replace(f"@{name}-MB@".encode(), f"{size / 1e6:.1f}".encode())
    return page


def folder_zip(files: Mapping[str, bytes], packer: Packer) -> bytes:
    """The site as a folder: nothing in its pages that needs a host, and a file that says how to have Python."""
    inside = {f"gpu-lab/{place}": data for place, data in files.items() if not NOT_KEPT.match(place)}
    for place, data in inside.items():
        if place.endswith(".html"):
            inside[place] = FOLDER_LINK.sub(rb"\1", IN_FOLDER.sub(rb"\1", ONLINE.sub(b"", data)))
    return packer.zip_of(inside | {"gpu-lab/READ-ME.txt": READ_ME.encode()})


def service_worker(script: Path, pages: Mapping[str, bytes], python: Mapping[str, bytes]) -> bytes:
    """The service worker: its text, and before it the list of what it keeps and with which headers."""
    lists = {
        name: {place: content_hash(data) for place, data in sorted(part.items())}
        for name, part in (("pages", pages), ("python", python))
    }
    security = {place: content_security(place, data) for place, data in sorted({**pages, **python}.items())}
    usual = content_security("page.html", b"")
    lab = {
        **lists,
        "version": hashlib.sha256(json.dumps(lists).encode()).hexdigest()[:10],
        "headers": COMMON,
        "types": {"": TEXT, **TYPES},
        "security": {".html": usual} | {place: own for place, own in security.items() if own not in ("", usual)},
    }
    text = json.dumps(lab, ensure_ascii=False, sort_keys=True, indent=0)
    return f"const LAB = {text};\n".encode() + normal_bytes(script)

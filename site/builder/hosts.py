"""What a host must know: `_headers` for hosts that read it (Netlify, Cloudflare Pages), `.htaccess` for Apache.

Both say what the development server sends, so that the site is served as it is tested.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

from builder.policy import COMMON, FOR_EVER, TYPES, content_security, content_type, is_hashed

MADE = "# Made by the build, which sends the same headers when it serves the site itself.\n"
KEPT = r"\.[0-9a-f]{10}\.[a-z]+$"
PACKED = ("text/css", "text/html", "text/javascript", "text/plain", "image/svg+xml")
PACKED_TOO = ("application/json", "application/wasm", "application/zip")


def host_files(files: Mapping[str, bytes], base: str) -> dict[str, bytes]:
    """The two files, for the site that `files` are and the path `base` on its host."""
    return {"_headers": headers_file(files, base).encode(), ".htaccess": htaccess(files, base).encode()}


def headers_file(files: Mapping[str, bytes], base: str) -> str:
    """Rules of a path and its headers. A host that merges two rules of one path meets no header twice."""
    rules = [(f"{base}*", dict(COMMON))]
    for folder in sorted({place.partition("/")[0] for place in files if is_hashed(place)}):
        rules.append((f"{base}{folder}/*", {"Cache-Control": FOR_EVER}))
    for place, data in sorted(files.items()):
        own = {} if is_hashed(place) else {"Cache-Control": "no-cache"}
        security = content_security(place, data)
        if security:
            own["Content-Security-Policy"] = security
        if PurePosixPath(place).suffix in (".mjs", ".wasm"):
            own["Content-Type"] = content_type(place)
        if place.startswith("downloads/") or not own:
            continue
        rules += [(path, own) for path in paths_of(place, base)]
    rules.append((f"{base}downloads/*", {"Cache-Control": "no-cache"}))
    return MADE + "".join(_rule(path, headers) for path, headers in rules)


def paths_of(place: str, base: str) -> Iterator[str]:
    """The paths at which a host may serve a place: some drop `.html`, and the landing page is its folder's too."""
    path = base + quote(place)
    yield path
    if place == "index.html":
        yield base
    elif path.endswith(".html"):
        yield path.removesuffix(".html")


def _rule(path: str, headers: Mapping[str, str]) -> str:
    return path + "\n" + "".join(f"  {name}: {value}\n" for name, value in headers.items())


def htaccess(files: Mapping[str, bytes], base: str) -> str:
    """Types, compression, caching and policies for Apache 2.4, as far as its modules are there."""
    pages = {place: content_security(place, data) for place, data in files.items() if place.endswith(".html")}
    usual = content_security("page.html", b"")
    lines = [
        MADE + f"ErrorDocument 404 {base}404.html",
        "AddDefaultCharset utf-8",
        *(f"AddType {kind.partition(';')[0]} {suffix}" for suffix, kind in sorted(TYPES.items())),
        *(f"AddType text/plain {suffix}" for suffix in sorted(plain_suffixes(files))),
        f"AddCharset utf-8 {' '.join(suffix for suffix, kind in sorted(TYPES.items()) if 'charset' in kind)}",
        "<IfModule mod_deflate.c>",
        f"  AddOutputFilterByType DEFLATE {' '.join(PACKED + PACKED_TOO)}",
        "</IfModule>",
        "<IfModule mod_headers.c>",
        *(f'  Header always set {name} "{value}"' for name, value in COMMON.items()),
        '  Header always set Cache-Control "no-cache"',
        *_for(f'FilesMatch "{KEPT}"', "Cache-Control", FOR_EVER),
        *_for('If "%{REQUEST_URI} =~ m#/pyodide-[0-9.]+-[0-9a-f]{10}/#"', "Cache-Control", FOR_EVER),
        *_for(r'FilesMatch "\.html$"', "Content-Security-Policy", usual),
    ]
    for place, policy in sorted(pages.items()):
        if policy != usual:
            lines += _for(f'Files "{place}"', "Content-Security-Policy", policy)
    for name, place in ((r"^worker" + KEPT, f"static/worker.{'0' * 10}.js"), (r"^sw\.js$", "sw.js")):
        lines += _for(f'FilesMatch "{name}"', "Content-Security-Policy", content_security(place, b""))
    return "\n".join([*lines, "</IfModule>", ""])


def plain_suffixes(files: Mapping[str, bytes]) -> set[str]:
    """The suffixes of downloads that are sent as plain text."""
    suffixes = {PurePosixPath(place).suffix for place in files if place.startswith("downloads/")}
    return {suffix for suffix in suffixes if suffix not in TYPES and re.fullmatch(r"\.[a-z0-9]+", suffix)}


def _for(section: str, name: str, value: str) -> list[str]:
    return [f"  <{section}>", f'    Header always set {name} "{value}"', f"  </{section.split()[0]}>"]

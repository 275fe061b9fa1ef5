"""The headers that a good host sends: types, caching, and the tightest content security policy that the site needs."""

import base64
import hashlib
import re
from pathlib import PurePosixPath

TYPES = {
    ".avif": "image/avif",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webp": "image/webp",
    ".zip": "application/zip",
}
TEXT = "text/plain; charset=utf-8"
COMPRESSIBLE = re.compile(r"text/|image/svg|application/(json|wasm|zip)")
PAGE = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self'{styles};"
    " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
)
WORKER = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
FOR_EVER = "public, max-age=31536000, immutable"


def content_type(place: str) -> str:
    """The type of a file by its name. Browsers refuse WebAssembly and modules of any other type."""
    return TYPES.get(PurePosixPath(place).suffix, TEXT)


def headers(place: str, data: bytes) -> dict[str, str]:
    """The headers of a file at `place` in the site. Compressing is the server's business."""
    found = {
        "Content-Type": content_type(place),
        "Cache-Control": FOR_EVER if is_hashed(place) else "no-cache",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    if place.endswith(".html"):
        found["Content-Security-Policy"] = PAGE.format(styles="".join(f" {each}" for each in style_hashes(data)))
    elif re.fullmatch(r"static/worker\.[0-9a-f]{10}\.js", place):
        found["Content-Security-Policy"] = WORKER
    return found


def is_hashed(place: str) -> bool:
    """True when the name, or that of a folder above, holds a hash of the content."""
    return bool(re.search(r"\.[0-9a-f]{10}\.[a-z]+$|^pyodide-[0-9.]+-[0-9a-f]{10}/", place))


def style_hashes(page: bytes) -> list[str]:
    """The sources that allow exactly the style sheets inlined in a page."""
    sheets = re.findall(rb"<style>(.*?)</style>", page, re.DOTALL)
    return [f"'sha256-{base64.b64encode(hashlib.sha256(sheet).digest()).decode()}'" for sheet in sheets]

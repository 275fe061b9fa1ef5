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
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src {styles};"
    " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
)
WORKER = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'; connect-src 'self'"
SERVICE_WORKER = "default-src 'none'; script-src 'self'; connect-src 'self'"
FOR_EVER = "public, max-age=31536000, immutable"
UNUSED = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
)
COMMON = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
}
META = '<meta http-equiv="Content-Security-Policy" content="{}">\n'
HEAD = b'<meta charset="utf-8">\n'


def content_type(place: str) -> str:
    """The type of a file by its name. Browsers refuse WebAssembly and modules of any other type."""
    return TYPES.get(PurePosixPath(place).suffix, TEXT)


def headers(place: str, data: bytes) -> dict[str, str]:
    """The headers of a file at `place` in the site. Compressing is the server's business."""
    found = {"Content-Type": content_type(place), "Cache-Control": FOR_EVER if is_hashed(place) else "no-cache"}
    security = content_security(place, data)
    return found | COMMON | ({"Content-Security-Policy": security} if security else {})


def content_security(place: str, data: bytes) -> str:
    """The policy of a page, of the worker that hosts Python, or of the service worker; nothing for other files."""
    if place.endswith(".html"):
        return PAGE.format(styles=" ".join(style_hashes(data)) or "'none'")
    if is_python_worker(place):
        return WORKER
    return SERVICE_WORKER if place == "sw.js" else ""


def is_python_worker(place: str) -> bool:
    """True for the script that may compile WebAssembly."""
    return bool(re.fullmatch(r"static/worker\.[0-9a-f]{10}\.js", place))


def with_policy(page: bytes) -> bytes:
    """A page that brings its policy along, for hosts that send no headers and for a page opened from a file.

    Browsers take `frame-ancestors` from a header only.
    """
    policy = re.sub(r" frame-ancestors [^;]*;", "", content_security("page.html", page))
    return page.replace(HEAD, HEAD + META.format(policy).encode(), 1)


def is_hashed(place: str) -> bool:
    """True when the name, or that of a folder above, holds a hash of the content."""
    return bool(re.search(r"\.[0-9a-f]{10}\.[a-z]+$|^pyodide-[0-9.]+-[0-9a-f]{10}/", place))


def style_hashes(page: bytes) -> list[str]:
    """The sources that allow exactly the style sheets inlined in a page."""
    sheets = re.findall(rb"<style>(.*?)</style>", page, re.DOTALL)
    return [f"'sha256-{base64.b64encode(hashlib.sha256(sheet).digest()).decode()}'" for sheet in sheets]

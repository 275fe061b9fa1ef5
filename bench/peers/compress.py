"""Bodies compressed as a good host does it ahead of time: Brotli at its best and gzip at its best, kept by content."""

import gzip
import subprocess
from pathlib import Path

from builder.cache import cached
from builder.environment import node_programs
from builder.policy import COMPRESSIBLE

SMALLEST = 256  # bytes; hosts leave shorter files as they are
BROTLI_JS = """
const { brotliCompressSync, constants } = require('node:zlib');
const parts = [];
process.stdin.on('data', (part) => parts.push(part)).on('end', () => {
  const body = Buffer.concat(parts);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  process.stdout.write(brotliCompressSync(body, { params }));
});
"""


def bodies(root: Path, kind: str, raw: bytes) -> dict[str, bytes]:
    """What a host may send of a file of media type `kind`, by the name of the encoding; "" is the file itself.

    An encoding that does not make it shorter is left out.
    """
    found = {"": raw}
    if COMPRESSIBLE.match(kind) and len(raw) >= SMALLEST:
        folder = root / ".cache" / "peers"
        for name, how, squeeze in (("br", "11, 24", lambda: _brotli(root, raw)), ("gzip", "9", lambda: _gzip(raw))):
            small = cached(folder, f"body.{name}", [how.encode(), raw], squeeze)
            if len(small) < len(raw):
                found[name] = small
    return found


def _gzip(raw: bytes) -> bytes:
    return gzip.compress(raw, 9, mtime=0)


def _brotli(root: Path, raw: bytes) -> bytes:
    node = str(node_programs(root)[0])
    return subprocess.run([node, "-e", BROTLI_JS], input=raw, stdout=subprocess.PIPE, check=True).stdout

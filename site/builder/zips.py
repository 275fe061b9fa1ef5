"""A zip that is the same bytes for the same files: sorted, one date. Large parts are compressed once and kept."""

import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

from builder.cache import cached

DATE = 1 << 21 | 1 << 16  # 1 January 1980, midnight: the oldest that a zip can say
DEFLATED, UTF8, VERSION, UNIX = 8, 1 << 11, 20, 3 << 8
MODE = 0o100644 << 16
LARGE = 100_000


class Packer:
    """Compresses each content once. Large ones are kept in the folder `cache` between builds."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._done: dict[bytes, bytes] = {}

    def deflated(self, data: bytes) -> bytes:
        """`data` as raw DEFLATE: about what a host that compresses with gzip sends."""
        if data not in self._done:
            small = len(data) < LARGE
            self._done[data] = deflate(data) if small else self._kept(data)
        return self._done[data]

    def _kept(self, data: bytes) -> bytes:
        return cached(self._cache, "deflated.bin", [data], lambda: deflate(data))

    def zip_of(self, files: Mapping[str, bytes]) -> bytes:
        """A zip of `files`, by their path in it; the same wherever zlib compresses alike."""
        body, directory = bytearray(), bytearray()
        for name, data in sorted(files.items()):
            packed, path = self.deflated(data), name.encode()
            sizes = struct.pack("<IIIHH", zlib.crc32(data), len(packed), len(data), len(path), 0)
            entry = struct.pack("<HHHI", VERSION, UTF8, DEFLATED, DATE) + sizes
            directory += b"PK\x01\x02" + struct.pack("<H", VERSION | UNIX) + entry
            directory += struct.pack("<HHHII", 0, 0, 0, MODE, len(body)) + path
            body += b"PK\x03\x04" + entry + path + packed
        end = struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(directory), len(body), 0)
        return bytes(body + directory + b"PK\x05\x06" + end)


def deflate(data: bytes) -> bytes:
    """Raw DEFLATE, at the level that hosts use."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()

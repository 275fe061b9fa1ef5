"""The picture that other sites show for a link: 1200 × 630, drawn with Pillow's own font."""

import io
import textwrap
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from builder.cache import cached

SIZE = (1200, 630)
PAPER, INK, QUIET = "#fbfaf7", "#1d1c22", "#5d5a66"
# A, B and C have the hues that lab.css gives them on every page.
HUES = {"A": "#1663b8", "B": "#b5450b", "C": "#0d7355"}
CELL = 34


def social_card(cache: Path, site: str, title: str) -> bytes:
    """A PNG with the site's name, the page's title, and A, B and C as a person draws them on a board."""
    parts = [Path(__file__).read_bytes(), site.encode(), title.encode()]
    return cached(cache, "card.png", parts, lambda: _draw(site, title))


def _draw(site: str, title: str) -> bytes:
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw.text((72, 64), site, font=ImageFont.load_default(40), fill=QUIET)
    lines = textwrap.wrap(title, 24) or [title]
    size = 68 if len(lines) <= 4 else 48
    draw.multiline_text((72, 150), "\n".join(lines[:7]), font=ImageFont.load_default(size), fill=INK, spacing=14)
    _board(draw, 800, 210)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _board(draw: ImageDraw.ImageDraw, left: int, top: int) -> None:
    """A to the left of C, B above it; one tile of C strong, and the tiles of A and B that it reads."""
    gap = 4 * CELL + 24
    for name, x, y in (("A", left, top + gap), ("B", left + gap, top), ("C", left + gap, top + gap)):
        for row in range(4):
            for column in range(4):
                strong = {"A": row < 2, "B": column < 2, "C": row < 2 and column < 2}[name]
                box = (x + column * CELL, y + row * CELL, x + (column + 1) * CELL - 3, y + (row + 1) * CELL - 3)
                draw.rectangle(box, fill=HUES[name] if strong else None, outline=HUES[name], width=2)
        place = (x, y - 36) if name == "B" else (x, y + 4 * CELL + 2)
        draw.text(place, name, font=ImageFont.load_default(28), fill=HUES[name])

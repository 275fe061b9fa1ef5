"""The plot of a result: for each shape and kernel, torch time / kernel time, as SVG with a line at 1."""

from html import escape
from typing import Any

from gpu.bench.shapes import number_format, ratio_text

ROW_HEIGHT = 18
LEFT = 360
SCALE = 220  # pixels for a ratio of 1
WIDTH = LEFT + 2 * SCALE + 90
LARGEST = 2.0  # longer bars are cut and say so


def svg(result: dict[str, Any]) -> str:
    """A bar for each timed row but torch's own; a bar past the line is faster than torch."""
    rows = [row for row in result["rows"] if "ratio" in row and row["kernel"] != "torch"]
    height = 70 + ROW_HEIGHT * len(rows)
    title = f"torch time / kernel time, graph replay, {result['device']['name']}, {result['date']}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="10" y="22" font-size="14" fill="#222222">{escape(title)}</text>',
    ]
    for index, row in enumerate(rows):
        parts.append(bar(row, 44 + ROW_HEIGHT * index))
    line = LEFT + SCALE
    bottom = 44 + ROW_HEIGHT * len(rows)
    parts.append(f'<line x1="{line}" y1="36" x2="{line}" y2="{bottom}" stroke="#222222" stroke-dasharray="4 3"/>')
    parts.append(f'<text x="{line}" y="{bottom + 16}" text-anchor="middle" fill="#222222">1 = torch.mm</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def bar(row: dict[str, Any], y: int) -> str:
    """One labelled bar; hatching is not needed, since the label says faster or slower by its number."""
    length = round(min(row["ratio"], LARGEST) * SCALE, 1)
    name = f"{row['M']} x {row['N']} x {row['K']} {number_format(row['dtype'], row['precision'])} {row['kernel']}"
    colour = "#1b6ca8" if row["ratio"] >= 1 else "#b3541e"
    value = ratio_text(row["ratio"]) + (" (bar cut)" if row["ratio"] > LARGEST else "")
    return (
        f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end" fill="#222222">{escape(name)}</text>'
        f'<rect x="{LEFT}" y="{y + 2}" width="{length}" height="{ROW_HEIGHT - 5}" fill="{colour}"/>'
        f'<text x="{LEFT + length + 5}" y="{y + 12}" fill="#222222">{value}</text>'
    )

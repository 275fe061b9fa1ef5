"""The job of the peers: the products of C[row, column] of an n x n product, of the same inputs as the chapter's own."""


def trace(n: int, row: int = 2, column: int = 1) -> str:
    """A line for each product, and what they add up to: A counts 1, 2, 3, ...; B counts down to 1."""
    total = 0
    lines = []
    for k in range(n):
        a = row * n + k + 1
        b = n * n - k * n - column
        total += a * b
        lines.append(f"k = {k}: {a} x {b} = {a * b}, running sum {total}")
    lines.append(f"n = {n}: C[{row},{column}] = {total}")
    return "\n".join(lines)

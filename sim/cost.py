"""What a tiled product loads, computes and keeps: closed forms, each beside a plain count.

Every count is of *explicit input loads*: elements of A and B that a program asks for. It is not
a count of memory transactions, not of cache misses and not a time. Stores of C are left out.
"""

from sim.tiling import Tiling, square


def phase_loads(tiling: Tiling, i: int, j: int, phase: int) -> tuple[int, int]:
    """(A, B) elements that program (i, j) loads in one K phase; masked lanes are not loaded."""
    rows, columns, inner = (
        stop - start for start, stop in (tiling.tile_rows(i), tiling.tile_cols(j), tiling.phase_range(phase))
    )
    return rows * inner, inner * columns


def program_loads(tiling: Tiling, i: int, j: int) -> tuple[int, int]:
    """(A, B) elements that program (i, j) loads in all its K phases."""
    rows, columns = tiling.tile_rows(i), tiling.tile_cols(j)
    return (rows[1] - rows[0]) * tiling.K, tiling.K * (columns[1] - columns[0])


def tiled_loads(tiling: Tiling) -> int:
    """Input elements loaded for all of C.

    Every element of A is loaded once for each column of tiles, every element of B once for each
    row of tiles. Where T divides n this is 2 n**3 / T; ragged sizes are counted as they are.
    """
    return tiling.M * tiling.K * tiling.tiles_n + tiling.K * tiling.N * tiling.tiles_m


def counted_loads(tiling: Tiling) -> int:
    """The same number found the long way: add up every program and every K phase."""
    total = 0
    for i in range(tiling.tiles_m):
        for j in range(tiling.tiles_n):
            for phase in range(tiling.k_phases):
                from_a, from_b = phase_loads(tiling, i, j, phase)
                total += from_a + from_b
    return total


def separate_loads(m: int, n: int, k: int) -> int:
    """Input elements loaded when every output loads its own row and column: 2 M N K."""
    return 2 * m * n * k


def padded_slots(tiling: Tiling) -> int:
    """Slots that full-size A and B tiles have room for, masked ones included, over all phases."""
    slots = tiling.BM * tiling.BK + tiling.BK * tiling.BN
    return tiling.programs * tiling.k_phases * slots


def undivided_formula(n: int, tile: int) -> tuple[int, int]:
    """(quotient, remainder) of 2 n**3 / T: the load count only where T divides n."""
    return divmod(2 * n**3, tile)


def square_loads(n: int, tile: int) -> int:
    """Input loads of an n × n product in square tiles, ragged sizes included."""
    return tiled_loads(square(n, tile))


def shared_bytes(tiling: Tiling, item_bytes: int = 4) -> int:
    """Bytes that one A tile and one B tile take at full size (float32: 4 bytes an element)."""
    return (tiling.BM * tiling.BK + tiling.BK * tiling.BN) * item_bytes


def flops(tiling: Tiling) -> int:
    """Multiplications plus additions of the product: 2 M N K."""
    return 2 * tiling.M * tiling.N * tiling.K


def a_loads_of_element(tiling: Tiling) -> int:
    """How many times one element of A is loaded: once for each column of tiles."""
    return tiling.tiles_n


def b_loads_of_element(tiling: Tiling) -> int:
    """How many times one element of B is loaded: once for each row of tiles."""
    return tiling.tiles_m

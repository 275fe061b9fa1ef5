"""What the search tries: (rung, config) pairs for a shape, chosen by what could plausibly win there."""

from itertools import product

from gpu.ladder.plan import Config

Candidate = tuple[str, Config]
MULTIPROCESSORS = 132  # of an H200; used only to leave out hopeless entries
SHARED_BYTES = 227 * 1024


def candidates(M: int, N: int, K: int) -> list[Candidate]:
    """Pairs to try for C (M, N) = A (M, K) @ B (K, N) in two-byte types."""
    if K % 8 or N % 8:
        return small_odd() if M * N * K < 2**27 else [*odd(), *plain()]
    if M == 1:
        return [*row(N, K), *thin(16, N, K)]
    if M <= 64:
        return thin(max(16, 1 << (M - 1).bit_length()), N, K)
    tiles = -(-M // 128) * -(-N // 256)
    if tiles >= MULTIPROCESSORS - 8:
        return [*large(), *large_specialised()]
    if 8 * max(M, N) <= K:
        return deep()
    return middle() if M * N > 2**19 else [*small(), *plain()]


def tile(BM: int, BN: int, BK: int, warps: int, stages: int, group_m: int = 8) -> Config:
    """The six numbers that most rungs have."""
    return {"BM": BM, "BN": BN, "BK": BK, "GROUP_M": group_m, "num_warps": warps, "num_stages": stages}


def fits(BM: int, BN: int, BK: int, stages: int, extra_bytes: int = 0) -> bool:
    """Whether `stages` buffers of two-byte tiles fit in shared memory."""
    return stages * (BM + BN) * BK * 2 + extra_bytes <= SHARED_BYTES


def large() -> list[Candidate]:
    """A tile for every multiprocessor or more."""
    tiles = (
        (128, 256, 64, 8, 3),
        (128, 256, 64, 8, 4),
        (256, 128, 64, 8, 3),
        (256, 128, 64, 8, 4),
        (128, 128, 64, 8, 4),
    )
    found: list[Candidate] = []
    for numbers, group_m, flatten, subtiles in product(tiles, (4, 8, 16), (0, 1), (1, 2)):
        extra = numbers[0] * numbers[1] * 2 // subtiles
        if fits(*numbers[:3], numbers[4], extra):
            found.append(("persistent", {**tile(*numbers, group_m), "FLATTEN": flatten, "SUBTILES": subtiles}))
    found += [("descriptors", tile(*numbers)) for numbers in tiles]
    return found


def large_specialised() -> list[Candidate]:
    """Rings of two to six buffers."""
    rings = (
        (128, 256, 64, 4, 2), (128, 256, 64, 3, 1), (256, 128, 64, 4, 2), (256, 128, 64, 3, 1),
        (128, 128, 64, 6, 1), (128, 256, 128, 2, 2), (128, 128, 128, 3, 1),
    )  # fmt: skip
    return [
        ("specialised", {"BM": BM, "BN": BN, "BK": BK, "GROUP_M": group, "STAGES": stages, "SUBTILES": subtiles})
        for (BM, BN, BK, stages, subtiles), group in product(rings, (4, 8, 16))
    ]


def middle() -> list[Candidate]:
    """About as many 128 x 64 tiles as multiprocessors: 1000 and 1024 cubed."""
    found: list[Candidate] = []
    shapes = ((128, 64), (64, 128), (64, 64), (128, 128), (64, 256))
    for (BM, BN), BK, warps, stages in product(shapes, (64, 128), (4, 8), (3, 4, 6)):
        if fits(BM, BN, BK, stages):
            found.append(("descriptors", tile(BM, BN, BK, warps, stages)))
    for (BM, BN), BK, stages, split in product(shapes, (64, 128), (3, 4, 6), (2, 4)):
        warps = 8 if BM * BN > 64 * 128 else 4
        if fits(BM, BN, BK, stages):
            found.append(("split_k", {**tile(BM, BN, BK, warps, stages), "SPLIT_K": split}))
    for (BM, BN), BK, warps, stages in product(((128, 64), (64, 128), (128, 128)), (64, 128), (4, 8), (2, 3, 4, 5)):
        if fits(BM, BN, BK, stages):
            found.append(("hinted", tile(BM, BN, BK, warps, stages)))
    found += [("split_specialised", config) for config in split_rings()]
    found += awkward()
    for BN, BK, stages in ((64, 64, 8), (64, 128, 4), (128, 64, 6), (128, 128, 3)):
        ring = {"BM": 128, "BN": BN, "BK": BK, "GROUP_M": 8, "STAGES": stages, "SUBTILES": 1}
        found.append(("specialised", ring))
    return found


def awkward() -> list[Candidate]:
    """For rows that do not start at whole lines of the cache; refused elsewhere."""
    found: list[Candidate] = []
    for (BM, BN), BK, warps, stages in product(((128, 64), (64, 128), (128, 128)), (64, 128), (4, 8), (3, 4, 6, 8)):
        if fits(BM, BN, BK, stages, BM * BN * 2) and warps * 16 <= BM:
            config = {"BM": BM, "BN": BN, "BK": BK, "STAGES": stages, "num_warps": warps}
            found.append(("aligned", config))
    for PR, PC in ((4, 1024), (8, 1024)):
        found.append(("packed", {**tile(64, 128, 128, 4, 4), "PR": PR, "PC": PC, "OVERLAP": 1}))
    return found


def split_rings() -> list[Config]:
    """Rings whose programs split K."""
    rings = (
        (128, 256, 64, 4, 2), (256, 128, 64, 4, 2), (128, 128, 64, 6, 1), (128, 128, 128, 3, 1), (128, 64, 64, 8, 1),
        (128, 256, 64, 3, 1),
    )  # fmt: skip
    return [
        {"BM": BM, "BN": BN, "BK": BK, "GROUP_M": 8, "STAGES": stages, "SUBTILES": subtiles, "SPLIT_K": split}
        for (BM, BN, BK, stages, subtiles), split in product(rings, (2, 4))
    ]


def small() -> list[Candidate]:
    """Fewer tiles than multiprocessors unless they are small: 512 cubed."""
    found: list[Candidate] = []
    shapes = ((64, 64), (64, 32), (32, 64), (128, 32), (32, 32), (128, 64))
    for (BM, BN), BK, stages in product(shapes, (64, 128, 256), (2, 3, 4)):
        if fits(BM, BN, BK, stages):
            found.append(("descriptors", tile(BM, BN, BK, 4, stages)))
    for (BM, BN), BK, stages, split in product(((64, 64), (64, 128), (128, 64)), (64, 128), (2, 4), (2, 4)):
        found.append(("split_k", {**tile(BM, BN, BK, 4, stages), "SPLIT_K": split}))
    return found


def deep() -> list[Candidate]:
    """Few tiles, long K."""
    tiles = (
        (128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (256, 128, 64, 8, 3), (256, 128, 64, 8, 4), (128, 128, 64, 8, 4),
        (128, 128, 64, 8, 6), (128, 128, 64, 4, 4), (128, 128, 128, 8, 3),
    )  # fmt: skip
    found: list[Candidate] = [
        ("split_k", {**tile(*numbers, group_m), "SPLIT_K": split})
        for numbers, group_m, split in product(tiles, (1, 8), (2, 4, 8))
        if (split != 2) or numbers[1] == numbers[0]
    ]
    found += [("split_specialised", config) for config in split_rings()]
    return found + [("split_specialised", {**config, "GROUP_M": 1}) for config in split_rings()]


def thin(BM: int, N: int, K: int) -> list[Candidate]:
    """Enough programs, and enough bytes on their way."""
    found: list[Candidate] = []
    for swap, BN, BK, split, stages in product((0, 1), (32, 64, 128, 256), (64, 128, 256), (1, 2, 4, 8, 16), (3, 4, 6)):
        programs = -(-N // BN) * split
        flying = stages * BK * BN * 2
        if not MULTIPROCESSORS - 8 <= programs <= 8 * MULTIPROCESSORS or split * stages > K // BK:
            continue
        if (swap and BN < 64) or not fits(BM, BN, BK, stages) or not flying >= 16 * 1024:
            continue
        config = {"BM": BM, "BN": BN, "BK": BK, "SPLIT_K": split, "SWAP": swap, "num_warps": 4, "num_stages": stages}
        found.append(("thin", config))
    return found


def row(N: int, K: int) -> list[Candidate]:
    """Wide loads, several programs a multiprocessor."""
    found: list[Candidate] = []
    for BN, BK, split, warps in product((128, 256, 512, 1024), (8, 16, 32, 64), (8, 16, 32, 64, 128), (2, 4, 8)):
        per_thread = BN * BK // (32 * warps)
        programs = -(-N // BN) * split
        if (
            not 16 <= per_thread <= 128
            or split > K // BK
            or not MULTIPROCESSORS - 8 <= programs <= 16 * MULTIPROCESSORS
        ):
            continue
        config = {"BN": BN, "BK": BK, "SPLIT_K": split, "num_warps": warps, "num_stages": 1}
        found.append(("row", config))
    return found


def odd() -> list[Candidate]:
    """Large matrices whose rows start at odd places."""
    found: list[Candidate] = []
    for PR, PC in ((8, 512), (4, 1024), (2, 1024), (16, 256)):
        ring = {"BM": 256, "BN": 128, "BK": 64, "GROUP_M": 8, "STAGES": 4, "SUBTILES": 2, "PR": PR, "PC": PC}
        found.append(("packed", ring))
    for BM, BN, stages, flatten in ((256, 128, 4, 0), (256, 128, 3, 1), (128, 128, 4, 1), (128, 256, 3, 1)):
        config = {**tile(BM, BN, 64, 8, stages), "FLATTEN": flatten, "SUBTILES": 2, "PR": 8, "PC": 512}
        found.append(("packed", config))
    return found


def plain() -> list[Candidate]:
    """The teaching kernel with a few large tiles."""
    tiles = ((128, 128, 32, 4, 4), (128, 128, 64, 8, 3), (128, 256, 64, 8, 3), (64, 64, 64, 4, 4))
    return [("tiled", tile(*numbers)) for numbers in tiles]


def small_odd() -> list[Candidate]:
    """The teaching kernel with small tiles, for shapes of a few programs."""
    return [
        ("tiled", tile(BM, BN, BK, warps, stages, 1))
        for (BM, BN), BK, warps, stages in product(
            ((16, 16), (16, 32), (32, 16), (32, 32), (16, 64), (32, 64)), (32, 64, 128), (1, 2, 4), (1, 3)
        )
    ]


def candidates32(M: int, N: int, K: int, precision: str) -> list[Candidate]:
    """Pairs to try in float32, in either precision: a short list, since float32 is reported and not raced."""
    large_tiles = (
        (128, 128, 32, 8, 3),
        (128, 128, 16, 8, 4),
        (128, 64, 32, 4, 4),
        (64, 128, 32, 4, 3),
        (64, 64, 32, 4, 4),
    )
    small_tiles = ((64, 64, 16, 4, 4), (32, 64, 32, 4, 4), (32, 32, 64, 4, 3), (16, 32, 64, 2, 4))
    tiles = large_tiles if M * N * K > 2**32 else large_tiles + small_tiles
    found: list[Candidate] = [("tiled", tile(*numbers)) for numbers in tiles]
    if K % 8 == 0 and N % 8 == 0:
        found += [("descriptors", tile(*numbers)) for numbers in tiles]
        found += [("persistent", {**tile(*tiles[0]), "FLATTEN": flatten, "SUBTILES": 1}) for flatten in (0, 1)]
        if M * N <= 2**20:
            found += [("split_k", {**tile(*numbers), "SPLIT_K": split}) for numbers in large_tiles for split in (2, 4)]
        if K % 16 or N % 16:
            found += [("hinted", tile(*numbers)) for numbers in large_tiles]
    if precision == "tf32" and K % 4 == 0 and N % 4 == 0 and M > 64:
        turned = (
            (128, 128, 32, 8, 5),
            (128, 128, 32, 8, 4),
            (64, 128, 32, 4, 5),
            (64, 64, 32, 4, 6),
            (128, 256, 32, 8, 2),
        )
        found += [("transposed", {**tile(*numbers), "FLATTEN": flatten}) for numbers in turned for flatten in (0, 1)]
    if M == 1:
        found += row(N, K)[::3]
    elif M <= 64 and K % 8 == 0 and N % 8 == 0:
        found += [
            ("thin", {"BM": 16, "BN": BN, "BK": 64, "SPLIT_K": split, "SWAP": 0, "num_warps": 4, "num_stages": 4})
            for BN, split in product((32, 64, 128), (2, 4, 8))
        ]
    if K % 8 and M * N * K > 2**30:
        config = {**tile(*tiles[0]), "FLATTEN": 1, "SUBTILES": 1, "PR": 16, "PC": 256}
        found += [("packed", config), ("packed", {**config, "FLATTEN": 0})]
    return found

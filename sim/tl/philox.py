"""Random numbers: Philox 4x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011)."""

from typing import Any

from sim.tl import elementwise
from sim.tl.dtypes import float32, int32, int64, uint32
from sim.tl.errors import KernelError
from sim.tl.lanes import common_shape
from sim.tl.tile import Tile, cast, retyped, spread, tile

KEY_A, KEY_B = 0x9E3779B9, 0xBB67AE85
ROUND_A, ROUND_B = 0xD2511F53, 0xCD9E8D57
WORD = 0xFFFFFFFF
SCALE = 4.6566127342e-10  # brings the largest 31-bit number below 1.0 in fp32

Four = tuple[int, int, int, int]


def words(seed: int, counter: Four, rounds: int) -> Four:
    """Four 32-bit words for a 64-bit seed and a counter of four words."""
    c0, c1, c2, c3 = counter
    k0, k1 = seed & WORD, (seed >> 32) & WORD
    for _ in range(rounds):
        high, low = ROUND_B * c2, ROUND_A * c0
        c0, c2 = (high >> 32) ^ c1 ^ k0, (low >> 32) ^ c3 ^ k1
        c1, c3 = high & WORD, low & WORD
        k0, k1 = (k0 + KEY_A) & WORD, (k1 + KEY_B) & WORD
    return c0, c1, c2, c3


def philox(seed: Any, c0: Any, c1: Any, c2: Any, c3: Any, n_rounds: Any = 10) -> tuple[Tile, ...]:
    """tl.philox for 32-bit counters."""
    counters = [tile(part) for part in (c0, c1, c2, c3)]
    shape = counters[0].shape
    for part in counters[1:]:
        shape = common_shape(shape, part.shape)
    columns = [[lane & WORD for lane in spread(part, shape).data] for part in counters]
    if tile(seed).dtype.family not in "iu":
        raise KernelError(f"a seed is a whole number, not {tile(seed).dtype}", kind="refused")
    key = int(tile(seed).scalar())
    lanes = [words(key, counter, int(n_rounds)) for counter in zip(*columns, strict=True)]
    return tuple(Tile([word[i] for word in lanes], shape, uint32) for i in range(4))


def randint4x(seed: Any, offset: Any, n_rounds: Any = 10) -> tuple[Tile, ...]:
    """Four tiles of 32 random bits for every offset."""
    place = tile(offset)
    low = retyped(place, uint32)
    high = retyped(retyped(place, int64) >> 32, uint32) if place.dtype.bits > 32 else low * 0
    return philox(seed, low, high, low * 0, low * 0, n_rounds)


def randint(seed: Any, offset: Any, n_rounds: Any = 10) -> Tile:
    """32 random bits for every offset."""
    return randint4x(seed, offset, n_rounds)[0]


def uniform(x: Tile) -> Tile:
    """32 random bits as fp32 in [0, 1)."""
    signed = cast(x, int32, bitcast=True)
    lanes = [-lane - 1 if lane < 0 else lane for lane in signed.data]
    out: Tile = retyped(Tile(lanes, signed.shape, int32), float32) * SCALE
    return out


def rand(seed: Any, offset: Any, n_rounds: Any = 10) -> Tile:
    """fp32 in [0, 1)."""
    return uniform(randint(seed, offset, n_rounds))


def rand4x(seed: Any, offsets: Any, n_rounds: Any = 10) -> tuple[Tile, ...]:
    """Four tiles of fp32 in [0, 1)."""
    return tuple(map(uniform, randint4x(seed, offsets, n_rounds)))


def normal_pair(u1: Any, u2: Any) -> tuple[Any, Any]:
    """Two normal numbers from two uniform ones (Box and Muller)."""
    radius = elementwise.sqrt(-2.0 * elementwise.log(elementwise.maximum(1.0e-7, u1)))
    angle = 6.283185307179586 * u2
    return radius * elementwise.cos(angle), radius * elementwise.sin(angle)


def randn(seed: Any, offset: Any, n_rounds: Any = 10) -> Any:
    """fp32, normal."""
    first, second, _, _ = randint4x(seed, offset, n_rounds)
    return normal_pair(uniform(first), uniform(second))[0]


def randn4x(seed: Any, offset: Any, n_rounds: Any = 10) -> tuple[Any, ...]:
    """Four tiles of fp32, normal."""
    u1, u2, u3, u4 = rand4x(seed, offset, n_rounds)
    return (*normal_pair(u1, u2), *normal_pair(u3, u4))

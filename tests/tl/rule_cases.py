"""Rules of Triton 3.7's compiler: for each a kernel body that breaks it and one that keeps it.

Every body runs with x_ptr and out_ptr (float32, 16 elements), h_ptr (float16, 256 elements), n = 16 and B = 16.
"""

from dataclasses import dataclass

HEAD = """\
import triton
import triton.language as tl

PLAIN = 3
KNOWN = tl.constexpr(3)


@triton.jit
def twice(x):
    return x * 2


def on_the_host(x):
    return x * 2


@triton.jit
def added(a, b):
    return a + b


@triton.jit
def widened(a, b):
    return (a + b).to(tl.float32)


@triton.jit
def even(k):
    if k > 3:
        return 1.0
    return 2.0


@triton.jit
def uneven(k):
    if k > 3:
        return 1.0
    return 2


@triton.jit
def star(n, *rest):
    return n + rest[0]


@triton.jit
def spare(n, *rest):
    return n


@triton.jit
def endless(n):
    return endless(n - 1)


@triton.jit
def kernel(x_ptr, out_ptr, h_ptr, n, B: tl.constexpr):
"""
SIGNATURE = {"x_ptr": "*fp32", "out_ptr": "*fp32", "h_ptr": "*fp16", "n": "i32", "B": "constexpr"}
CONSTEXPRS = {"B": 16}


@dataclass(frozen=True)
class Case:
    """``line`` counts from the first line of the body, 1 being that line."""

    rule: str
    refused: str
    legal: str
    line: int

    def source(self, body: str) -> str:
        """The whole kernel file."""
        return HEAD + "".join(f"    {line}\n" if line else "\n" for line in body.strip("\n").split("\n"))

    @property
    def file_line(self) -> int:
        """The line of the file that the rule points to."""
        return HEAD.count("\n") + self.line


def case(rule: str, line: int, refused: str, legal: str) -> Case:
    """A rule; ``line`` is the line of ``refused`` that breaks it."""
    return Case(rule, refused, legal, line)


LOAD = "i = tl.arange(0, B)\nx = tl.load(x_ptr + i)\n"
STORE = "tl.store(out_ptr + i, x)"
GROW = "for k in range(n):\n    acc += tl.load(x_ptr + i)\ntl.store(out_ptr + i, acc)"
HALF = "i = tl.arange(0, 16)\na = tl.load(h_ptr + i[:, None] * 16 + i[None, :])\n"

INDEX = LOAD.split("\n")[0] + "\n"
HALF_INDEX = "i = tl.arange(0, 16)\n"
BLOCK = "p = tl.make_block_ptr(x_ptr, (16,), (1,), (0,), (8,), (0,))\n"

CASES = (
    case(
        "power of two",
        1,
        "i = tl.arange(0, 12)\ntl.store(out_ptr + i, 1.0)",
        "i = tl.arange(0, 8)\ntl.store(out_ptr + i, 1.0)",
    ),
    case("power of two", 1, "z = tl.zeros((3,), tl.float32)", "z = tl.zeros((4,), tl.float32)"),
    case(
        "dot needs K",
        3,
        "i = tl.arange(0, 8)\na = tl.load(h_ptr + i[:, None] * 8 + i[None, :])\nc = tl.dot(a, a)",
        HALF + "c = tl.dot(a, a)",
    ),
    case(
        "small M and N are fine",
        0,
        "",
        HALF
        + "j = tl.arange(0, 2)\na = tl.load(h_ptr + j[:, None] * 16 + i[None, :])\n"
        + "b = tl.load(h_ptr + i[:, None] * 2 + j[None, :])\nc = tl.dot(a, b)",
    ),
    case(
        "equal operands",
        4,
        HALF + "b = a.to(tl.float32)\nc = tl.dot(a, b)",
        HALF + "b = a\nc = tl.dot(a, b)",
    ),
    case(
        "accumulator type",
        4,
        HALF + "acc = tl.zeros((16, 16), tl.float16)\nacc = tl.dot(a, a, acc)",
        HALF + "acc = tl.zeros((16, 16), tl.float32)\nacc = tl.dot(a, a, acc)",
    ),
    case(
        "break",
        3,
        LOAD.split("\n")[0] + "\nfor k in range(n):\n    break",
        "i = tl.arange(0, B)\nfor k in range(n):\n    tl.store(out_ptr + i, k)",
    ),
    case("continue", 2, "for k in range(n):\n    continue", "for k in range(n):\n    tl.store(out_ptr, k)"),
    case(
        "chained comparison",
        2,
        "i = tl.arange(0, B)\nm = 0 <= i < n\ntl.store(out_ptr + i, 1.0, mask=m)",
        "i = tl.arange(0, B)\nm = (0 <= i) & (i < n)\ntl.store(out_ptr + i, 1.0, mask=m)",
    ),
    case("lambda", 3, LOAD + "f = lambda v: v + 1\n" + STORE, LOAD + "x = x + 1\n" + STORE),
    case("dict", 3, LOAD + "d = {}\n" + STORE, LOAD + STORE),
    case("set", 3, LOAD + "d = {1}\n" + STORE, LOAD + STORE),
    case("try", 3, LOAD + "try:\n    x = x + 1\nexcept ValueError:\n    x = x\n" + STORE, LOAD + STORE),
    case("raise", 3, LOAD + "raise ValueError\n" + STORE, LOAD + "tl.static_assert(B == 16)\n" + STORE),
    case("import", 1, "import math\n" + LOAD + STORE, LOAD + STORE),
    case("del", 3, LOAD + "del x\n", LOAD + STORE),
    case("walrus", 1, "tl.store(out_ptr, (v := 1.0))", "v = 1.0\ntl.store(out_ptr, v)"),
    case("in", 1, "if n in (1, 2):\n    tl.store(out_ptr, 1.0)", "if (n == 1) | (n == 2):\n    tl.store(out_ptr, 1.0)"),
    case(
        "matmul operator",
        3,
        HALF + "c = a @ a",
        HALF + "c = tl.dot(a, a)",
    ),
    case("nested function", 1, "def inner(v):\n    return v\n" + LOAD + STORE, LOAD + "x = twice(x)\n" + STORE),
    case("assignment target", 3, LOAD + "x[0] = 1.0\n" + STORE, LOAD + "x = tl.where(i == 0, 1.0, x)\n" + STORE),
    case(
        "chained assignment", 1, "a = b = 1.0\ntl.store(out_ptr, a + b)", "a = 1.0\nb = 1.0\ntl.store(out_ptr, a + b)"
    ),
    case(
        "loop over range",
        1,
        "for k in (1, 2):\n    tl.store(out_ptr, 1.0 * k)",
        "for k in tl.static_range(1, 3):\n    tl.store(out_ptr, 1.0 * k)",
    ),
    case(
        "loop else",
        4,
        "for k in range(n):\n    tl.store(out_ptr, 1.0)\nelse:\n    tl.store(out_ptr, 2.0)",
        "for k in range(n):\n    tl.store(out_ptr, 1.0)\ntl.store(out_ptr, 2.0)",
    ),
    case(
        "loop-scoped name",
        3,
        "for k in range(n):\n    last = k * 2\ntl.store(out_ptr, last)",
        "last = 0\nfor k in range(n):\n    last = k * 2\ntl.store(out_ptr, last)",
    ),
    case("unrolled loops keep names", 0, "", "for k in tl.static_range(4):\n    last = k * 2\ntl.store(out_ptr, last)"),
    case(
        "return in a loop",
        3,
        "for k in range(n):\n    if k == 3:\n        return\n    tl.store(out_ptr, 1.0)",
        "for k in range(n):\n    if k != 3:\n        tl.store(out_ptr, 1.0)",
    ),
    case("return in a branch", 0, "", "if n == 3:\n    return\ntl.store(out_ptr, 1.0)"),
    case("global constexpr", 1, "tl.store(out_ptr, 1.0 * PLAIN)", "tl.store(out_ptr, 1.0 * KNOWN)"),
    case("global constexpr", 3, LOAD + "x = on_the_host(x)\n" + STORE, LOAD + "x = twice(x)\n" + STORE),
    case("names it knows", 3, LOAD + "x = abs(x)\n" + STORE, LOAD + "x = tl.abs(x)\n" + STORE),
    case("names it knows", 1, "v = sum((1, 2))\ntl.store(out_ptr, v)", "v = max(1, 2)\ntl.store(out_ptr, v)"),
    case(
        "loop-carried type",
        3,
        "acc = 0.0\ni = tl.arange(0, B)\n" + GROW,
        "acc = tl.zeros((B,), tl.float32)\ni = tl.arange(0, B)\n" + GROW,
    ),
    case(
        "loop-carried type",
        2,
        "acc = 0\nfor k in range(n):\n    acc += 0.5\ntl.store(out_ptr, acc)",
        "acc = 0.0\nfor k in range(n):\n    acc += 0.5\ntl.store(out_ptr, acc)",
    ),
    case(
        "constexpr in a loop",
        1,
        "for k in range(n):\n    B = k\n    tl.store(out_ptr, B)",
        "b = B\nfor k in range(n):\n    b = k\n    tl.store(out_ptr, b)",
    ),
    case(
        "arange of known numbers",
        1,
        "i = tl.arange(0, n)\ntl.store(out_ptr + i, 1.0)",
        "i = tl.arange(0, B)\ntl.store(out_ptr + i, 1.0)",
    ),
    case(
        "a plain assignment makes a tile",
        2,
        "size = B // 2\ni = tl.arange(0, size)\ntl.store(out_ptr + i, 1.0)",
        "size: tl.constexpr = B // 2\ni = tl.arange(0, size)\ntl.store(out_ptr + i, 1.0)",
    ),
    case(
        "one truth value",
        2,
        LOAD.split("\n")[0] + "\nif i < n:\n    tl.store(out_ptr, 1.0)",
        "i = tl.arange(0, B)\nif n < 20:\n    tl.store(out_ptr, 1.0)",
    ),
    case("and of masks is allowed", 0, "", "i = tl.arange(0, B)\ntl.store(out_ptr + i, 1.0, mask=i < n and i < 3)"),
    case(
        "other needs mask",
        2,
        "i = tl.arange(0, B)\nx = tl.load(x_ptr + i, other=0.0)\n" + STORE,
        "i = tl.arange(0, B)\nx = tl.load(x_ptr + i, mask=i < n, other=0.0)\n" + STORE,
    ),
    case("other left off is allowed", 0, "", "i = tl.arange(0, B)\nx = tl.load(x_ptr + i, mask=i < n)\n" + STORE),
    case("boolean mask", 3, LOAD + "tl.store(out_ptr + i, x, mask=i)", LOAD + "tl.store(out_ptr + i, x, mask=i != 0)"),
    case(
        "store shape",
        3,
        LOAD + "tl.store(out_ptr + i[:, None], x[None, :])",
        LOAD + "tl.store(out_ptr + i[:, None] + tl.zeros((1, B), tl.int32), x[None, :])",
    ),
    case("a tile to one pointer", 3, LOAD + "tl.store(out_ptr, x)", LOAD + "tl.store(out_ptr, tl.sum(x))"),
    case("float offset", 2, "i = tl.arange(0, B)\nx = tl.load(x_ptr + i * 1.0)\n" + STORE, LOAD + STORE),
    case("whole numbers for //", 3, LOAD + "x = x // 2\n" + STORE, LOAD + "x = x / 2\n" + STORE),
    case(
        "exp of floats",
        2,
        "i = tl.arange(0, B)\nx = tl.exp(i)\n" + STORE,
        "i = tl.arange(0, B)\nx = tl.exp(i.to(tl.float32))\n" + STORE,
    ),
    case(
        "equal signedness for /",
        2,
        "i = tl.arange(0, B)\nj = i // i.to(tl.uint32)\ntl.store(out_ptr + i, j)",
        "i = tl.arange(0, B)\nj = i // i.to(tl.int64)\ntl.store(out_ptr + i, j)",
    ),
    case(
        "literal fits",
        2,
        "i = tl.arange(0, B).to(tl.int8)\nj = i + 300\ntl.store(out_ptr + tl.arange(0, B), j)",
        "i = tl.arange(0, B).to(tl.int16)\nj = i + 300\ntl.store(out_ptr + tl.arange(0, B), j)",
    ),
    case("index of a tile", 3, LOAD + "v = x[0]\n" + STORE, LOAD + "v = x[None, :]\n" + STORE),
    case(
        "types are not functions",
        1,
        "v = tl.float32(1)\ntl.store(out_ptr, v)",
        "v = tl.full((), 1, tl.float32)\ntl.store(out_ptr, v)",
    ),
    case(
        "shapes fit",
        3,
        LOAD + "x = x + tl.arange(0, 8)\n" + STORE,
        LOAD + "x = x + tl.arange(0, 16)\n" + STORE,
    ),
    case(
        "equal branches",
        1,
        "if n > 3:\n    v = 1.0\nelse:\n    v = 2\ntl.store(out_ptr, v)",
        "if n > 3:\n    v = 1.0\nelse:\n    v = 2.0\ntl.store(out_ptr, v)",
    ),
    case(
        "name of one branch",
        3,
        "if n > 3:\n    v = 1.0\ntl.store(out_ptr, v)",
        "v = 0.0\nif n > 3:\n    v = 1.0\ntl.store(out_ptr, v)",
    ),
    case(
        "a name that an ended loop left behind is new in the next loop",
        0,
        "",
        "for k in range(n):\n    v = 1.0 * k\n    tl.store(out_ptr, v)\n"
        "for k in range(n):\n    v = tl.load(x_ptr + tl.arange(0, B))\n    tl.store(out_ptr + tl.arange(0, B), v)",
    ),
    case(
        "conditions on types choose",
        0,
        "",
        LOAD + "if x.dtype.primitive_bitwidth == 64:\n    raise ValueError('no')\n" + STORE,
    ),
    case(
        "a known name may be assigned in dead code of a loop",
        0,
        "",
        "for k in range(n):\n    if B == 17:\n        B = k\n    tl.store(out_ptr, k)",
    ),
    case("known conditions choose", 0, "", "if B == 16:\n    v = 1.0\ntl.store(out_ptr, v)"),
    case(
        "dead code is not read", 0, "", "for k in range(n):\n    if B == 17:\n        break\n    tl.store(out_ptr, 1.0)"
    ),
    case(
        "text in a name",
        1,
        "mode = 'fast'\ntl.store(out_ptr, 1.0)",
        "mode: tl.constexpr = 'fast'\ntl.store(out_ptr, 1.0)",
    ),
    case(
        "equal branches",
        3,
        LOAD + "if n > 3:\n    x = x.to(tl.float16)\n" + STORE,
        LOAD + "if n > 3:\n    x = x * 2\n" + STORE,
    ),
    case(
        "equal branches",
        4,
        LOAD
        + "for k in range(n):\n    if k > 3:\n        y = x\n    else:\n        y = x.to(tl.float16)\n"
        + "    tl.store(out_ptr + i, y)",
        LOAD
        + "for k in range(n):\n    if k > 3:\n        y = x\n    else:\n        y = x + 1\n    y = y.to(tl.float16)\n"
        + "    tl.store(out_ptr + i, y)",
    ),
    case(
        "equal branches",
        1,
        "v = 1 if n > 3 else 2.0\ntl.store(out_ptr, v)",
        "v = 1.0 if n > 3 else 2.0\ntl.store(out_ptr, v)",
    ),
    case(
        "equal branches",
        4,
        LOAD + "for k in range(n):\n    y = x if k > 3 else x.to(tl.float16)\n    tl.store(out_ptr + i, y)",
        LOAD + "for k in range(n):\n    y = x if k > 3 else x + 1\n    tl.store(out_ptr + i, y)",
    ),
    case(
        "what a loop of one side binds does not leave the branch",
        0,
        "",
        LOAD
        + "for k in range(n):\n    if k > 3:\n        y = x\n        tl.store(out_ptr + i, y)\n    elif k > 2:\n"
        + "        for j in range(2):\n            y = x.to(tl.float16)\n            tl.store(out_ptr + i, y)",
    ),
    case("known conditions choose types", 0, "", "if B > 3:\n    v = 1\nelse:\n    v = 2.0\ntl.store(out_ptr, v)"),
    case(
        "equal returns",
        2,
        "for k in range(n):\n    tl.store(out_ptr + k, uneven(k))",
        "for k in range(n):\n    tl.store(out_ptr + k, even(k))",
    ),
    case("recursion", -4, "tl.store(out_ptr, endless(n))", "tl.store(out_ptr, twice(n))"),
    case("plain parameters", -14, "tl.store(out_ptr, star(n, n))", "tl.store(out_ptr, spare(n, n))"),
    case("function in a name", 1, "f = twice\ntl.store(out_ptr, f(n))", "tl.store(out_ptr, twice(n))"),
    case("not of int1", 1, "if not n:\n    tl.store(out_ptr, 1.0)", "if not (n > 3):\n    tl.store(out_ptr, 1.0)"),
    case("unary plus", 1, "v = +n\ntl.store(out_ptr, v)", "v = -n\ntl.store(out_ptr, v)"),
    case("exp of fp16", 3, HALF + "b = tl.exp(a)", HALF + "b = tl.exp(a.to(tl.float32))"),
    case("sigmoid of fp16", 3, HALF + "b = tl.sigmoid(a)", HALF + "b = tl.sigmoid(a.to(tl.float32))"),
    case("floor of fp16", 3, HALF + "b = tl.floor(a)", HALF + "b = tl.floor(a.to(tl.float64))"),
    case("sqrt_rn of fp64", 3, HALF + "b = tl.sqrt_rn(a.to(tl.float64))", HALF + "b = tl.sqrt_rn(a.to(tl.float32))"),
    case("div_rn of fp16", 3, HALF + "b = tl.div_rn(a, a)", HALF + "b = tl.div_rn(a.to(tl.float32), 2.0)"),
    case(
        "clamp of whole numbers", 3, LOAD + "j = tl.clamp(i, 0, 1)\n" + STORE, LOAD + "x = tl.clamp(x, 0, 1)\n" + STORE
    ),
    case("fma of whole numbers", 3, LOAD + "j = tl.fma(i, i, i)\n" + STORE, LOAD + "x = tl.fma(x, 2.0, 1)\n" + STORE),
    case("unknown option", 3, LOAD + "x = tl.exp(x, fast=True)\n" + STORE, LOAD + "x = tl.exp(x)\n" + STORE),
    case(
        "unknown hint of a loop",
        1,
        "for k in tl.range(0, n, unroll=2):\n    tl.store(out_ptr, 1.0)",
        "for k in tl.range(0, n, num_stages=2, flatten=True):\n    tl.store(out_ptr, 1.0)",
    ),
    case(
        "unknown eviction policy",
        2,
        "i = tl.arange(0, B)\nx = tl.load(x_ptr + i, eviction_policy='first')\n" + STORE,
        "i = tl.arange(0, B)\nx = tl.load(x_ptr + i, eviction_policy='evict_first')\n" + STORE,
    ),
    case(
        "cache modifier of a load",
        2,
        "i = tl.arange(0, B)\nx = tl.load(x_ptr + i, cache_modifier='.wt')\n" + STORE,
        "i = tl.arange(0, B)\nx = tl.load(x_ptr + i, cache_modifier='.ca')\n" + STORE,
    ),
    case(
        "cache modifier of a store",
        3,
        LOAD + "tl.store(out_ptr + i, x, cache_modifier='.ca')",
        LOAD + "tl.store(out_ptr + i, x, cache_modifier='.wt')",
    ),
    case(
        "boolean mask",
        2,
        INDEX + "x = tl.load(x_ptr + i, mask=i)",
        INDEX + "x = tl.load(x_ptr + i, mask=i != 0)",
    ),
    case(
        "shape of other",
        2,
        INDEX + "x = tl.load(x_ptr + i, mask=i < 3, other=tl.zeros((B, B), tl.float32))",
        INDEX + "x = tl.load(x_ptr + i, mask=i < 3, other=tl.zeros((B,), tl.float32))",
    ),
    case(
        "scope of an atomic", 1, "tl.atomic_add(out_ptr, 1.0, scope='chip')", "tl.atomic_add(out_ptr, 1.0, scope='gpu')"
    ),
    case("atomic_min of fp16", 1, "tl.atomic_min(h_ptr, 1.0)", "tl.atomic_add(h_ptr, 1.0)"),
    case("atomic_cas of its type", 1, "tl.atomic_cas(out_ptr, 0, 1)", "tl.atomic_cas(out_ptr, 0.0, 1.0)"),
    case(
        "shape of an atomic",
        3,
        LOAD + "tl.atomic_add(out_ptr, x)",
        LOAD + "tl.atomic_add(out_ptr + i, x)",
    ),
    case(
        "host function of a tile",
        1,
        "v = triton.cdiv(n, 3)\ntl.store(out_ptr, v)",
        "v = tl.cdiv(n, triton.cdiv(B, 5))\ntl.store(out_ptr, v)",
    ),
    case("static_assert of a tile", 1, "tl.static_assert(n > 3)", "tl.static_assert(B > 3, 'small')"),
    case("arange from 0", 1, "i = tl.arange(-8, 8)", "i = tl.arange(0, 16) - 8"),
    case("shape in brackets", 1, "z = tl.zeros(B, tl.float32)", "z = tl.zeros((B,), tl.float32)"),
    case("constant of its type", 1, "z = tl.full((B,), 0.5, tl.int32)", "z = tl.full((B,), 0.0, tl.int32)"),
    case("constant of its type", 1, "z = tl.full((B,), -1, tl.uint8)", "z = tl.full((B,), -1, tl.int8)"),
    case(
        "axes of broadcast_to",
        2,
        INDEX + "j = tl.broadcast_to(i, (B, B))",
        INDEX + "j = tl.broadcast_to(i[None, :], (B, B))",
    ),
    case("axis of expand_dims", 2, INDEX + "j = tl.expand_dims(i, 2)", INDEX + "j = tl.expand_dims(i, 1)"),
    case("join of one type", 3, LOAD + "y = tl.join(x, i)", LOAD + "y = tl.join(x, x)"),
    case("sort of the last axis", 3, HALF + "b = tl.sort(a, 0)", HALF + "b = tl.sort(a, 1)"),
    case("axis of cumsum", 3, HALF + "b = tl.cumsum(a, 2)", HALF + "b = tl.cumsum(a, -1)"),
    case("bins of histogram", 2, INDEX + "j = tl.histogram(i, 12)", INDEX + "j = tl.histogram(i, 16)"),
    case("combine keeps the type", 3, HALF + "b = tl.reduce(a, 1, widened)", HALF + "b = tl.reduce(a, 1, added)"),
    case(
        "combine keeps the type",
        3,
        HALF + "b = tl.associative_scan(a, 1, widened)",
        HALF + "b = tl.associative_scan(a, 1, added)",
    ),
    case("pointers are not compared", 1, "v = h_ptr == h_ptr", "v = h_ptr.to(tl.int64) == h_ptr.to(tl.int64)"),
    case(
        "a negative number beside unsigned lanes",
        2,
        INDEX + "j = i.to(tl.uint32) + -1",
        INDEX + "j = i.to(tl.uint32) > -1",
    ),
    case("tanh of tl.math", 3, LOAD + "x = tl.math.tanh(x)\n" + STORE, LOAD + "x = tl.math.exp(x)\n" + STORE),
    case(
        "downcast rounding",
        3,
        LOAD + "y = i.to(tl.float16, fp_downcast_rounding='rtne')",
        LOAD + "y = x.to(tl.float16, fp_downcast_rounding='rtne')",
    ),
    case(
        "axis of boundary_check",
        2,
        BLOCK + "x = tl.load(p, boundary_check=(1,))",
        BLOCK + "x = tl.load(p, boundary_check=(0,))",
    ),
    case("print begins with a text", 1, "tl.device_print(n)", "tl.device_print('n', n)"),
    case("class", 3, LOAD + "class Pair:\n    pass\n" + STORE, LOAD + STORE),
    case(
        "match",
        1,
        "match n:\n    case 1:\n        tl.store(out_ptr, 1.0)",
        "if n == 1:\n    tl.store(out_ptr, 1.0)",
    ),
    case(
        "dot of int8",
        4,
        HALF_INDEX + "b = tl.zeros((32, 32), tl.uint8)\nb = b + 1\nc = tl.dot(b, b)",
        HALF_INDEX + "b = tl.zeros((32, 32), tl.int8)\nb = b + 1\nc = tl.dot(b, b)",
    ),
    case(
        "compared with numbers",
        3,
        LOAD + "if x == None:\n    tl.store(out_ptr, 1.0)\n" + STORE,
        LOAD + "if x is not None:\n    tl.store(out_ptr, 1.0)\n" + STORE,
    ),
    case("numbers when compiling", 1, "v = int(n)\ntl.store(out_ptr, v)", "v = n.to(tl.int32)\ntl.store(out_ptr, v)"),
    case("yield", 1, "yield n", "tl.store(out_ptr, n)"),
    case("global", 1, "global PLAIN\ntl.store(out_ptr, 1.0)", "tl.store(out_ptr, 1.0)"),
    case("power operator", 3, LOAD + "x = x ** 2\n" + STORE, LOAD + "x = x * x\n" + STORE),
    case("unknown name", 3, LOAD + "x = tl.relu(x)\n" + STORE, LOAD + "x = tl.maximum(x, 0.0)\n" + STORE),
    case("generator", 1, "v = max(k for k in (1, 2))\ntl.store(out_ptr, v)", "v = max(1, 2)\ntl.store(out_ptr, v)"),
    case("keyword dict", 1, "tl.store(out_ptr, 1.0, **{})", "tl.store(out_ptr, 1.0)"),
    case(
        "descriptor row",
        1,
        "d = tl.make_tensor_descriptor(x_ptr, (4, 4), (4, 1), (2, 2))\nv = d.load([0, 0])",
        "d = tl.make_tensor_descriptor(x_ptr, (4, 4), (4, 1), (2, 4))\nv = d.load([0, 0])",
    ),
)

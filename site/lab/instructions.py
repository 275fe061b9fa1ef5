"""PTX instructions by what they do, in a learner's words."""

from collections.abc import Sequence

MATRIX = "matrix instruction"
OTHER = "other"
PLACES = {"before": "before the loop", "loop": "in the loop, once each K phase", "after": "after the loop"}

WHOLE = ("add", "sub", "mul", "mad", "div", "min", "neg", "shl", "shr", "and", "or", "xor", "bfe")
# What an instruction does, by how its name begins; the first that fits counts.
KINDS = (
    (MATRIX, ("mma.sync.", "wgmma.mma_async.")),
    ("one multiply-add a thread", ("fma.",)),
    ("matrix instructions: order, wait", ("wgmma.",)),
    ("copy global to shared memory, without waiting", ("cp.async.ca.", "cp.async.cg.")),
    ("those copies: close a group, wait for one", ("cp.async.",)),
    ("load from global memory", ("ld.global.",)),
    ("store to global memory", ("st.global.",)),
    ("shared memory to registers", ("ldmatrix.", "ld.shared.")),
    ("registers to shared memory", ("stmatrix.", "st.shared.")),
    ("fetch an argument", ("ld.param.",)),
    ("threads wait for each other", ("bar.", "fence.")),
    ("compare", ("setp.",)),
    ("choose by a comparison", ("selp.",)),
    ("branch", ("bra", "ret")),
    ("change a number's type", ("cvt.",)),
    ("copy a register", ("mov.",)),
    ("whole numbers: indices, addresses, masks", tuple(f"{name}." for name in WHOLE)),
)


def opcode(text: str) -> str:
    """``@%p1 bra $L`` is bra: the instruction's name, without the predicate before it."""
    words = text.split()
    return words[1] if words[0].startswith("@") else words[0]


def kind(text: str) -> str:
    """What an instruction does: one of KINDS, or OTHER."""
    name = opcode(text)
    return next((label for label, starts in KINDS if name.startswith(starts)), OTHER)


def family(texts: Sequence[str]) -> str:
    """``mma.sync`` or ``wgmma.mma_async``: the names of some matrix instructions, in short; "" of none."""
    return ", ".join(dict.fromkeys(".".join(opcode(text).split(".")[:2]) for text in texts))

"""Run the Triton kernels in a process of their own: a JSON request on standard input, JSON answers on standard output.

TRITON_INTERPRET is read when a kernel is decorated, so it is set here, before `gpu` is imported, and the tests' own
process imports neither. Knows `gpu` only: what the model expects is never seen here.

The request: {"device": "cpu" or "cuda", "cases": [{"M", "N", "K", "BM", "BN", "BK", "group_m", "dtype", "a", "b"}]}.
The answer: {"torch", "triton", "device", "answers": [{"debug build": facts, "plain kernel": facts}]}, where facts are
what `facts_of_trace` and `facts_of_plain` return. With no GPU for "cuda" the exit status is 3.
"""

import json
import os
import sys
from typing import Any

Request = dict[str, Any]
Facts = dict[str, Any]


def main() -> int:
    """Answer one request."""
    request = json.load(sys.stdin)
    if request["device"] == "cpu":
        os.environ["TRITON_INTERPRET"] = "1"
    import torch
    import triton

    if request["device"] == "cuda" and not torch.cuda.is_available():
        print("torch finds no GPU that it can use here", file=sys.stderr)
        return 3
    name = torch.cuda.get_device_name() if request["device"] == "cuda" else "Triton's CPU interpreter"
    answers = [answer(case, request["device"]) for case in request["cases"]]
    versions = {"torch": torch.__version__, "triton": triton.__version__}
    json.dump({**versions, "device": name, "answers": answers}, sys.stdout)
    return 0


def answer(case: Request, device: str) -> dict[str, Facts]:
    """Both witnesses of one case: the debug build, and the kernel as it is."""
    return {"debug build": facts_of_trace(case, device), "plain kernel": facts_of_plain(case, device)}


def tensors(case: Request, device: str) -> tuple[Any, Any]:
    """A [M, K] and B [K, N]; a size of zero keeps its shape."""
    import torch

    dtype = getattr(torch, case["dtype"])
    a = torch.tensor(case["a"], dtype=dtype, device=device).reshape(case["M"], case["K"])
    b = torch.tensor(case["b"], dtype=dtype, device=device).reshape(case["K"], case["N"])
    return a, b


def facts_of_trace(case: Request, device: str) -> Facts:
    """What the debug build wrote down: c, programs (tile row, tile column), loads (A, B) and partials a phase."""
    from gpu.debug import run_traced

    a, b = tensors(case, device)
    trace = run_traced(a, b, case["BM"], case["BN"], case["BK"], case["group_m"])
    return {name: trace[name].tolist() for name in ("c", "programs", "loads", "partials")}


def facts_of_plain(case: Request, device: str) -> Facts:
    """What the unmodified kernel did: c on any device; under the interpreter, every load, store and dot as well.

    There, besides the facts of the debug build: the offsets of the elements that each program and phase loaded from A
    and B (`a_elements`, `b_elements`) and that each program stored (`c_elements`), in the order of the tile.
    """
    import torch

    from gpu.teaching import matmul_kernel

    a, b = tensors(case, device)
    c = torch.full((case["M"], case["N"]), float("nan"), dtype=a.dtype, device=device)
    programs = -(-case["M"] // case["BM"]) * -(-case["N"] // case["BN"])
    watch = Watch(programs)
    if programs:
        if device == "cpu":
            watch.start()
        tile = {name: case[name] for name in ("BM", "BN", "BK")}
        matmul_kernel[(programs,)](a, b, c, case["M"], case["N"], case["K"], **tile, GROUP_M=case["group_m"])
        watch.stop()
    facts = {"c": c.tolist()}
    return facts if device != "cpu" else facts | watch.facts(case, a, b, c)


class Watch:
    """Listens at the interpreter's masked load, masked store and dot, while a kernel runs."""

    def __init__(self, programs: int) -> None:
        """Nothing seen yet, of `programs` programs."""
        self.loaded: list[list[list[int]]] = [[] for _ in range(programs)]
        self.stored: list[list[int]] = [[] for _ in range(programs)]
        self.sums: list[list[list[list[float]]]] = [[] for _ in range(programs)]
        self.originals: dict[str, Any] = {}

    def start(self) -> None:
        """Put a listener in front of each operation."""
        from triton.runtime.interpreter import interpreter_builder as builder

        def load(ptrs: Any, mask: Any, *rest: Any) -> Any:
            self.loaded[builder.grid_idx[0]].append(ptrs.data[mask.data].tolist())
            return self.originals["create_masked_load"](ptrs, mask, *rest)

        def store(ptrs: Any, value: Any, mask: Any, *rest: Any) -> Any:
            self.stored[builder.grid_idx[0]] += ptrs.data[mask.data].tolist()
            return self.originals["create_masked_store"](ptrs, value, mask, *rest)

        def dot(*arguments: Any) -> Any:
            result = self.originals["create_dot"](*arguments)
            self.sums[builder.grid_idx[0]].append(result.data.tolist())
            return result

        listeners = {"create_masked_load": load, "create_masked_store": store, "create_dot": dot}
        for name, listener in listeners.items():
            self.originals[name] = getattr(builder, name)
            setattr(builder, name, listener)

    def stop(self) -> None:
        """Put the operations back."""
        from triton.runtime.interpreter import interpreter_builder as builder

        for name in self.originals:
            delattr(builder, name)

    def facts(self, case: Request, a: Any, b: Any, c: Any) -> Facts:
        """Addresses become offsets in elements; which load was of A shows by its address, not by its turn."""
        a_elements = [[offsets(load, a) for load in loads if within(load, a)] for loads in self.loaded]
        b_elements = [[offsets(load, b) for load in loads if within(load, b)] for loads in self.loaded]
        c_elements = [offsets(stored, c) for stored in self.stored]
        counts = [
            [[len(from_a), len(from_b)] for from_a, from_b in zip(of_a, of_b, strict=True)]
            for of_a, of_b in zip(a_elements, b_elements, strict=True)
        ]
        firsts = [divmod(stored[0], case["N"]) for stored in c_elements]
        return {
            "programs": [[row // case["BM"], column // case["BN"]] for row, column in firsts],
            "loads": counts,
            "partials": self.sums,
            "a_elements": a_elements,
            "b_elements": b_elements,
            "c_elements": c_elements,
        }


def within(addresses: list[int], matrix: Any) -> bool:
    """Whether the addresses lie in the matrix; all of them or none."""
    start = matrix.data_ptr()
    inside = [start <= address < start + matrix.numel() * matrix.element_size() for address in addresses]
    if any(inside) != all(inside):
        raise ValueError(f"a load reaches outside its matrix: {addresses}")
    return any(inside)


def offsets(addresses: list[int], matrix: Any) -> list[int]:
    """Addresses as offsets from the matrix's first element, in elements."""
    return [(address - matrix.data_ptr()) // matrix.element_size() for address in addresses]


if __name__ == "__main__":
    sys.exit(main())

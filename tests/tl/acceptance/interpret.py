"""Runs in its own process with TRITON_INTERPRET=1: launches every kept launch on Triton's interpreter and compares.

Usage: interpret.py PACKAGES IN OUT. Each launch runs in a forked child, because the interpreter can end the process (it
does not check addresses). OUT is JSON: a verdict for every launch.
"""

import importlib
import importlib.util
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

import torch

from tests.tl.acceptance.hosts import own_source, prepare
from tests.tl.acceptance.snapshots import decode

LAUNCH_SECONDS = 60
ROUNDING = {torch.float64: 1e-9, torch.float32: 2e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def module_of(module: str, file: str) -> Any:
    """The module by its name, or, for generated code (which reuses names), from its file."""
    if "_gen_module" not in module:
        return importlib.import_module(module)
    name = f"{module} of {file}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def kernel_of(module: str, name: str, file: str) -> Any:
    """The @triton.jit function below autotune and heuristics."""
    found = getattr(module_of(module, file), name)
    while type(found).__name__ not in ("InterpretedFunction", "JITFunction"):
        found = found.fn
    return found


def let_flag_gems_in() -> None:
    """flag-gems asserts that kernels are JITFunctions and reads their source; the interpreter's are not."""
    jit: Any = importlib.import_module("triton.runtime.jit")
    kernels: Any = importlib.import_module("triton.runtime.interpreter").InterpretedFunction
    kernels.cache_key = property(lambda self: f"{self.fn.__module__}.{self.fn.__name__}")
    kernels.src = property(own_source)
    kernels.__globals__ = property(lambda self: self.fn.__globals__)
    own, jit.JITFunction = jit.JITFunction, kernels
    importlib.import_module("flag_gems")
    jit.JITFunction = own


def described(value: Any) -> Any:
    """A type of triton.language by the name that it prints."""
    import triton.language as tl

    spelled = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64"}
    return getattr(tl, spelled.get(value, value.replace("fp8", "float8")))


def descriptor(base: Any, shape: Any, strides: Any, block: Any) -> Any:
    """A tensor descriptor of the host."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    return TensorDescriptor(base, shape, strides, block)


def interpreted(record: dict[str, Any]) -> list[torch.Tensor]:
    """The memory after the launch."""
    storages = [storage.clone() for storage in record["before"]]
    given = {
        name: decode(value, storages, described, kernel_of, descriptor) for name, value in record["arguments"].items()
    }
    kernel_of(record["module"], record["kernel"], record["file"])[tuple(record["grid"])](**given)
    return storages


def compared(mine: list[torch.Tensor], other: list[torch.Tensor]) -> tuple[str, float]:
    """("equal" | "rounding" | "different", largest difference relative to the array's largest value).

    An array whose values are all below a twentieth of the launch's largest value is measured by that: sums that cancel
    leave nothing but rounding.
    """
    worst, verdict = 0.0, "equal"
    floats = [float(b.double().abs().nan_to_num(0, 0, 0).max()) for b in other if b.dtype.is_floating_point and len(b)]
    least = max([*floats, 1e-30]) / 20
    for a, b in zip(mine, other, strict=True):
        if a.dtype.is_floating_point:
            bits = {8: torch.uint8, 16: torch.int16, 32: torch.int32, 64: torch.int64}[a.element_size() * 8]
            if torch.equal(a.view(bits), b.view(bits)):
                continue
            x, y = a.double(), b.double()
            if torch.equal(torch.nan_to_num(x, 7.25), torch.nan_to_num(y, 7.25)):
                continue
            if not torch.equal(x.isfinite(), y.isfinite()):
                return "different", float("inf")
            scale = max(float(y[y.isfinite()].abs().max()), least)
            apart = float((x - y)[x.isfinite()].abs().max()) / scale
            worst = max(worst, apart)
            verdict = "different" if apart > ROUNDING.get(a.dtype, 0.1) or verdict == "different" else "rounding"
        elif not torch.equal(a, b):
            return "different", float("inf")
    return verdict, worst


def judged(record: dict[str, Any]) -> dict[str, Any]:
    """Run in a child: what the interpreter did and how it compares."""
    if "unsent" in record:
        return {"interpreter": f"not asked: {record['unsent']}"}
    try:
        after = interpreted(record)
    except BaseException as error:
        return {"interpreter": f"{type(error).__name__}: {error}".split("\n")[0][:160]}
    if record["error"]:
        return {"interpreter": "ran"}
    verdict, apart = compared(record["after"], after)
    return {"interpreter": "ran", "verdict": verdict, "apart": apart}


def in_child(record: dict[str, Any]) -> dict[str, Any]:
    """``judged`` in a forked process with a time limit."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(LAUNCH_SECONDS)
        os.write(write, json.dumps(judged(record)).encode())
        os._exit(0)
    os.close(write)
    text = b""
    while part := os.read(read, 65536):
        text += part
    os.close(read)
    _, status = os.waitpid(child, 0)
    if text:
        result: dict[str, Any] = json.loads(text)
        return result
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    name = signal.Signals(number).name if number else f"status {status}"
    return {"interpreter": "too slow" if name == "SIGALRM" else f"the process ended: {name}"}


def main(packages: str, source: str, out: str) -> None:
    """All launches of one package."""
    sys.path.insert(0, packages)
    torch.set_num_threads(1)
    sys.path.insert(0, os.environ.get("INDUCTOR_FOLDER", packages))
    prepare(Path(source).stem)
    if Path(source).stem == "flag_gems":
        let_flag_gems_in()
    kept = torch.load(source, weights_only=False)
    results = []
    for record in kept["launches"]:
        try:
            module_of(record["module"], record["file"])
            verdict = in_child(record)
        except Exception as error:
            verdict = {"interpreter": f"import: {type(error).__name__}: {error}"[:160]}
        row = {key: record.get(key) for key in ("case", "module", "kernel", "grid", "error", "reports")}
        results.append({**row, **verdict})
    Path(out).write_text(json.dumps({"launches": results, "cases": kept["cases"]}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

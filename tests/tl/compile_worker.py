"""Runs in its own process: compiles kernels with the real Triton, no GPU needed, and says what became of each.

JSON in: a list of jobs {path, kernel, signature, constexprs, arch, divisible, full, options}. JSON out: for each
{ok, error, ptx, registers, stack_bytes, shared_bytes}; `full` false stops after the front end, which is where kernels
are refused.
"""

import importlib.util
import json
import sys
from typing import Any


def loaded(path: str) -> Any:
    """The kernel file as a module."""
    spec = importlib.util.spec_from_file_location("kernel_under_test", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled(job: dict[str, Any]) -> dict[str, Any]:
    """Compile one job; raises whatever the compiler raises."""
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend

    from gpu.bench.line_map import resources

    function = getattr(loaded(job["path"]), job["kernel"])
    names = list(job["signature"])
    attrs = {(names.index(name),): [["tt.divisibility", 16]] for name in job.get("divisible", [])}
    source = ASTSource(fn=function, constexprs=job["constexprs"], signature=job["signature"], attrs=attrs)
    target = GPUTarget("cuda", job["arch"], 32)
    options = job.get("options", {})
    if not job.get("full"):
        backend = make_backend(target)
        parsed = backend.parse_options(options)
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        module_map = backend.get_module_map()
        module = source.make_ir(target, parsed, backend.get_codegen_implementation(parsed), module_map, context)
        if not module.verify():
            raise RuntimeError("the IR does not verify")
        return {"ok": True}
    kernel = triton.compile(source, target=target, options=options)
    return {"ok": True, "ptx": kernel.asm["ptx"], **resources(kernel)}


def main() -> None:
    """All jobs of standard input."""
    results = []
    for job in json.load(sys.stdin):
        try:
            results.append(compiled(job))
        except Exception as error:
            text = str(error) or repr(error.__cause__ or error)
            results.append({"ok": False, "error": f"{type(error).__name__}: {text}"})
    print("RESULTS" + json.dumps(results))


if __name__ == "__main__":
    main()

"""Runs in its own process, with sim.tl as its `triton`: runs the cases of one package and keeps every launch.

Usage: simulate.py PACKAGES PACKAGE OUT. Each launch is kept with its arguments before and the memory after, or with
what sim.tl said when it could not run it.
"""

import importlib
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from sim.tl import jit, tuning
from sim.tl.dtypes import BY_NAME, pointer_to
from sim.tl.errors import KernelError
from sim.tl.machine import Machine
from sim.tl.memory import Array
from sim.tl.modules import modules, namespace
from sim.tl.source import place
from sim.tl.tile import Tile
from tests.tl.acceptance.hosts import own_source, prepare
from tests.tl.acceptance.snapshots import Snapshot, plain_tensor, whole_storage
from tests.tl.ladder import NAMES

CASE_SECONDS = 60
LAUNCHES_OF_A_KERNEL = 3


class Memory:
    """Storages of torch tensors as arrays, for one launch."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.arrays: dict[tuple[int, torch.dtype], tuple[torch.Tensor, Array]] = {}
        machine.adopt = self.adopt

    def adopt(self, value: Any) -> Any:
        """A pointer to the first element of a tensor."""
        value = plain_tensor(value)
        if not isinstance(value, torch.Tensor):
            return value
        whole = whole_storage(value)
        key = (whole.data_ptr(), value.dtype)
        if key not in self.arrays:
            dtype = BY_NAME[NAMES[value.dtype]]
            lanes = whole.float().tolist() if dtype.bits == 8 and dtype.family == "f" else whole.tolist()
            array = Array(f"storage {len(self.arrays)}", dtype, (len(lanes),), lanes)
            self.machine.space.place(array)
            self.arrays[key] = (whole, array)
        array = self.arrays[key][1]
        address = array.base + value.storage_offset() * array.dtype.itemsize
        return Tile([address], (), pointer_to(array.dtype, array))

    def finish(self) -> None:
        """Copy every array back."""
        with torch.no_grad():
            for tensor, array in self.arrays.values():
                wide = torch.float64 if tensor.is_floating_point() else torch.int64
                tensor.copy_(torch.tensor(array.data, dtype=wide).to(tensor.dtype))
        self.arrays.clear()


class Launches:
    """Stands before ``Kernel.launch``: keeps what each launch was given and left."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.memory = machine, Memory(machine)
        self.kept: list[dict[str, Any]] = []
        self.times: dict[str, int] = {}
        self.case = ""
        self.inner = jit.Kernel.launch

    def launch(self, kernel: Any, grid: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """One launch."""
        given = self._given(kernel, args, kwargs)
        sizes = grid(given) if callable(grid) else grid
        axes = [int(size) for size in (sizes if isinstance(sizes, (tuple, list)) else (sizes,))]
        name = f"{kernel.fn.__module__}:{kernel.__name__}"
        self.times[name] = self.times.get(name, 0) + 1
        record: dict[str, Any] = {
            "case": self.case, "module": kernel.fn.__module__, "kernel": kernel.__name__, "grid": axes, "error": "",
            "file": kernel.fn.__code__.co_filename,
        }  # fmt: skip
        keep = self.times[name] <= LAUNCHES_OF_A_KERNEL
        before = Snapshot()
        try:
            record["arguments"] = {key: before.encode(value) for key, value in given.items()}
            record["before"] = before.storages
        except ValueError as error:
            record["unsent"] = str(error)
        self.machine.start()
        self.machine.space.__init__()  # type: ignore[misc]
        try:
            self.inner(kernel, tuple(axes), args, kwargs)
            self.memory.finish()
        except Exception as error:
            line = getattr(error, "line", None) or place(self.machine, error)
            record["error"] = f"{error} (line {line})"
            self.memory.arrays.clear()
            if keep:
                self.kept.append(record)
            raise
        after = Snapshot()
        for value in given.values():
            try:
                after.encode(value)
            except ValueError:
                continue
        record["after"] = after.storages
        record["reports"] = sorted({report.kind for report in self.machine.reports})
        record["bent"] = sorted({bent.rule for bent in self.machine.bent.values()})
        if keep:
            self.kept.append(record)

    def _given(self, kernel: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        own = {name: value for name, value in kwargs.items() if name in kernel.arg_names or name not in jit.OPTIONS}
        bound = kernel.signature.bind(*args, **own)
        bound.apply_defaults()
        return dict(bound.arguments)


class Autotuner(tuning.Wrapped):
    """What packages derive their own autotuners from: takes the first config."""

    def __init__(
        self, fn: Any, arg_names: Any, configs: Any, key: Any, reset: Any, restore: Any, **options: Any
    ) -> None:
        super().__init__(fn, lambda named: dict(configs[0].kwargs))
        self.configs, self.keys = configs, key
        self.cache: dict[Any, Any] = {}
        self.reset_to_zero, self.restore_value = reset or [], restore or []
        self.user_defined_pre_hook = self.user_defined_post_hook = True
        self.early_config_prune = None


class NoDriver:
    """There is no GPU, as Triton says itself on such a machine."""

    @property
    def active(self) -> Any:
        raise RuntimeError("0 active drivers ([]). There should only be one.")


def installed(machine: Machine) -> None:
    """`import triton` gives sim.tl in this process, and the host packages' other needs by name."""
    names = modules(machine)
    top = names["triton"]
    extra = {
        "triton.testing": namespace("triton.testing", do_bench=lambda *a, **k: 0.0),
        "triton.runtime.jit": namespace("triton.runtime.jit", JITFunction=jit.Kernel, KernelInterface=jit.Kernel),
        "triton.runtime.driver": namespace("triton.runtime.driver", active=None),
        "triton.runtime.autotuner": namespace(
            "triton.runtime.autotuner", Autotuner=Autotuner, Heuristics=tuning.Wrapped, autotune=top.autotune,
            Config=tuning.Config, OutOfResources=RuntimeError,
        ),
        "triton.runtime.cache": namespace("triton.runtime.cache", FileCacheManager=object),
        "triton.compiler": namespace("triton.compiler", CompiledKernel=object),
        "triton.compiler.compiler": namespace("triton.compiler.compiler", triton_key=lambda: "none"),
        "triton.backends": namespace("triton.backends"),
        "triton.backends.compiler": namespace("triton.backends.compiler"),
    }  # fmt: skip
    every = {**names, **extra}
    setattr(names["triton.runtime"], "driver", NoDriver())  # noqa: B010
    for name, module in extra.items():
        above, _, last = name.rpartition(".")
        if name != "triton.runtime.driver":
            setattr(every[above], last, module)
    sys.modules["triton"] = None  # type: ignore[assignment]  # torch looks for it once, and shall find none
    for torch_part in ("torch.distributed.tensor", "torch._dynamo", "torch._inductor.compile_fx"):
        importlib.import_module(torch_part)
    sys.modules.update(every)


def main(packages: str, package: str, out: str) -> None:
    """Every case of ``package``."""
    sys.path.insert(0, packages)
    machine = Machine("strict", step_limit=2_000_000, fp32_dot="ieee")
    installed(machine)
    prepare(package)
    launches = Launches(machine)
    jit.Kernel.launch = lambda self, grid, args, kwargs: launches.launch(self, grid, args, kwargs)  # type: ignore[method-assign]
    jit.Kernel.cache_key = property(lambda self: f"{self.__module__}.{self.__name__}")  # type: ignore[attr-defined]
    jit.Kernel.src = property(own_source)  # type: ignore[attr-defined]
    jit.Kernel.__globals__ = property(lambda self: self.fn.__globals__)  # type: ignore[attr-defined]
    cases = importlib.import_module(f"tests.tl.acceptance.cases_{package}").cases

    def stop(signum: int, frame: Any) -> None:
        raise TimeoutError(f"longer than {CASE_SECONDS} s")

    signal.signal(signal.SIGALRM, stop)
    outcome = []
    for name, action in cases().items():
        launches.case, started = name, time.monotonic()
        torch.manual_seed(5)
        signal.alarm(CASE_SECONDS)
        try:
            action()
            said = ""
        except (Exception, KernelError) as error:
            said = f"{type(error).__name__}: {error}"[:400]
        signal.alarm(0)
        outcome.append({"case": name, "said": said})
        print(f"{package} {name}: {said or 'ran'} ({time.monotonic() - started:.1f} s)", flush=True)
    torch.save({"launches": launches.kept, "cases": outcome}, Path(out))


if __name__ == "__main__":
    main(*sys.argv[1:])

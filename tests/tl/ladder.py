"""The ladder's files executed by sim.tl, with torch tensors for arrays: the launch code of gpu/ runs as it stands."""

import importlib
import types
from typing import Any

import torch

from sim.tl.dtypes import BY_NAME
from sim.tl.errors import KernelError
from sim.tl.machine import Machine
from sim.tl.memory import Array
from sim.tl.modules import modules
from sim.tl.source import executed
from tests.tl.kernels import ROOT

NAMES = {
    torch.float16: "fp16", torch.bfloat16: "bf16", torch.float32: "fp32", torch.float64: "fp64", torch.int8: "int8",
    torch.int16: "int16", torch.int32: "int32", torch.int64: "int64", torch.uint8: "uint8", torch.bool: "int1",
    torch.float8_e5m2: "fp8e5", torch.float8_e4m3fn: "fp8e4nv", torch.uint16: "uint16", torch.uint32: "uint32",
    torch.uint64: "uint64",
}  # fmt: skip


class Tensors:
    """Torch tensors as arrays of one machine: taken over at a launch, written back by ``finish``."""

    def __init__(self, machine: Machine) -> None:
        self.arrays: dict[int, tuple[torch.Tensor, Array]] = {}
        machine.adopt = self.adopt

    def adopt(self, value: Any) -> Any:
        """The array of a contiguous tensor's storage."""
        if not isinstance(value, torch.Tensor):
            return value
        key = value.data_ptr()
        if key not in self.arrays:
            flat = value.detach().reshape(-1)
            plain = flat.tolist()
            self.arrays[key] = (
                value,
                Array(f"array {len(self.arrays)}", BY_NAME[NAMES[value.dtype]], value.shape, plain),
            )
        return self.arrays[key][1]

    def finish(self) -> None:
        """Copy every array back."""
        for tensor, array in self.arrays.values():
            flat = torch.tensor(array.data, dtype=torch.float64 if tensor.is_floating_point() else torch.int64)
            tensor.copy_(flat.reshape(tensor.shape).to(tensor.dtype))
        self.arrays.clear()


class Ladder:
    """Loads `gpu.…` under sim.tl; anything else but triton is imported as usual."""

    def __init__(self, mode: str = "strict") -> None:
        self.machine = Machine(mode)
        self.tensors = Tensors(self.machine)
        self.names = modules(self.machine)
        self.loaded: dict[str, types.ModuleType] = {}

    def module(self, name: str) -> Any:
        """A module of gpu/ by its dotted name."""
        if name.split(".")[0] != "gpu":
            return importlib.import_module(name)
        if name not in self.loaded:
            path = ROOT.joinpath(*name.split("."))
            file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
            if name in ("gpu", "gpu.ladder"):  # the package itself would import every rung, Gluon's too
                self.loaded[name] = types.ModuleType(name)
            elif not file.exists():
                raise KernelError(f"no module {name}")
            else:
                text = file.read_text(encoding="utf-8")
                self.loaded[name] = executed(self.machine, text, str(file), self.names, self.module, name)
            above, _, last = name.rpartition(".")
            if above:
                setattr(self.module(above), last, self.loaded[name])
        return self.loaded[name]

    def run(self, rung: str, a: torch.Tensor, b: torch.Tensor, config: dict[str, int]) -> torch.Tensor:
        """C of one rung with one config."""
        c = torch.full((a.shape[0], b.shape[1]), float("nan"), dtype=a.dtype)
        plan = self.module(f"gpu.ladder.{rung}").RUNG.prepare(a, b, c, config, "ieee")
        for launch in plan.launches:
            launch.kernel[(launch.programs,)](*launch.args, **launch.constants)
        self.tensors.finish()
        return c

"""triton.Config, autotune and heuristics: meta-parameters without any timing."""

from collections.abc import Callable, Mapping
from typing import Any

from sim.tl.jit import Kernel
from sim.tl.machine import Machine


class Config:
    """triton.Config: values for meta-parameters; warps and stages change nothing here."""

    def __init__(
        self, kwargs: Mapping[str, Any], num_warps: int = 4, num_stages: int = 3, num_ctas: int = 1,
        maxnreg: Any = None, pre_hook: Any = None, ir_override: Any = None,
    ) -> None:  # fmt: skip
        self.kwargs, self.num_warps, self.num_stages = dict(kwargs), num_warps, num_stages
        self.num_ctas, self.maxnreg, self.pre_hook, self.ir_override = num_ctas, maxnreg, pre_hook, ir_override

    def all_kwargs(self) -> dict[str, Any]:
        """Everything that the config sets."""
        return {**self.kwargs, "num_warps": self.num_warps, "num_stages": self.num_stages}


class Wrapped:
    """A kernel under triton.autotune or triton.heuristics: adds meta-parameters, then launches."""

    def __init__(self, inner: Any, extra: Callable[[dict[str, Any]], Mapping[str, Any]], before: Any = None) -> None:
        self.inner, self.extra, self.before = inner, extra, before
        self.fn = inner
        self.__name__, self.arg_names = inner.__name__, inner.arg_names
        self.constexprs = inner.constexprs
        self.first_line = inner.first_line

    @property
    def kernel(self) -> Kernel:
        """The @triton.jit function below."""
        kernel: Kernel = self.inner.kernel if isinstance(self.inner, Wrapped) else self.inner
        return kernel

    @property
    def machine(self) -> Machine:
        """The machine that it runs on."""
        return self.kernel.machine

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        return lambda *args, **kwargs: self.launch(grid, args, kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.kernel(*args, **kwargs)

    def launch(self, grid: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """As Kernel.launch."""
        named = {**dict(zip(self.arg_names, args, strict=False)), **kwargs}
        extra = {name: value for name, value in self.extra(named).items() if name not in kwargs}
        if self.before is not None:
            self.before({**named, **extra})
        self.inner.launch(grid, args, {**kwargs, **extra})


def autotune(
    machine: Machine, configs: Any, key: Any, prune_configs_by: Any = None, reset_to_zero: Any = None,
    restore_value: Any = None, pre_hook: Any = None, post_hook: Any = None, warmup: Any = None, rep: Any = None,
    use_cuda_graph: Any = False, do_bench: Any = None, cache_results: Any = False,
) -> Callable[[Any], Wrapped]:  # fmt: skip
    """No timing here: the first config is taken, and the run says so. The options for timing change nothing."""

    def decorate(inner: Any) -> Wrapped:
        def extra(named: dict[str, Any]) -> Mapping[str, Any]:
            prune = (prune_configs_by or {}).get("early_config_prune")
            first = (prune(configs, named) if prune else configs)[0]
            machine.note(f"autotune: the first of {len(configs)} configs is taken, nothing is timed: {first.kwargs}")
            return dict(first.kwargs)

        return Wrapped(inner, extra, getattr(configs[0], "pre_hook", None) if configs else None)

    return decorate


def heuristics(values: Mapping[str, Callable[[dict[str, Any]], Any]]) -> Callable[[Any], Wrapped]:
    """triton.heuristics: meta-parameters computed from the arguments."""

    def decorate(inner: Any) -> Wrapped:
        def extra(named: dict[str, Any]) -> Mapping[str, Any]:
            found: dict[str, Any] = {}
            for name, compute in values.items():
                found[name] = compute({**named, **found})  # a later one may ask for an earlier one
            return found

        return Wrapped(inner, extra)

    return decorate

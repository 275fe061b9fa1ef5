"""Every name here is one of Triton's, in the same module, with the same parameters: a slip is never let pass."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from sim.tl.machine import Machine
from sim.tl.members import MEMBERS
from sim.tl.modules import modules
from tests.tl.kernels import mapped
from tests.tl.processes import needs_triton

HIDDEN = {"_semantic", "_generator"}
CLASSES = {"range", "static_range", "Config"}  # in Triton; their parameters are compared all the same


def names_of(module: str) -> Mapping[str, Any]:
    found = modules(Machine())[module]
    for late in ("cumsum", "tanh"):
        getattr(found, late, None)
    return {name: value for name, value in vars(found).items() if not name.startswith("__")}


def parameters(function: Callable[..., Any]) -> list[tuple[str, bool, bool, bool]]:
    """(name, has a default, takes many, takes keywords) of each parameter."""
    signature = inspect.signature(getattr(function, "fn", function))
    return [
        (name, one.default is not one.empty, one.kind is one.VAR_POSITIONAL, one.kind is one.VAR_KEYWORD)
        for name, one in signature.parameters.items()
        if name not in HIDDEN
    ]


@pytest.mark.parametrize("module", sorted(modules(Machine())))
def test_every_name_is_one_that_the_real_module_has(module: str) -> None:
    needs_triton()
    for submodule in modules(Machine()):
        importlib.import_module(submodule)
    real = importlib.import_module(module)
    assert [name for name in names_of(module) if not hasattr(real, name)] == []


def test_every_method_of_a_tile_is_one_of_the_real_tensor() -> None:
    needs_triton()
    from triton.language.core import tensor

    assert [name for name in MEMBERS if not hasattr(tensor, name)] == []


@pytest.mark.parametrize("module", ["triton", "triton.language", "triton.language.math"])
def test_functions_have_the_parameters_of_the_real_ones(module: str) -> None:
    needs_triton()
    real = importlib.import_module(module)
    compared = 0
    for name, value in names_of(module).items():
        theirs = getattr(real, name)
        if name in CLASSES or inspect.isfunction(getattr(theirs, "fn", theirs)):
            assert parameters(value) == parameters(theirs), name
            compared += 1
    assert compared >= 6


def test_functions_of_libdevice_take_as_many_values_as_the_real_ones() -> None:
    needs_triton()
    real = importlib.import_module("triton.language.extra.libdevice")
    for name, value in names_of("triton.language.extra.libdevice").items():
        assert len(parameters(value)) == len(parameters(getattr(real, name))), name


def test_a_quotient_and_a_root_cut_towards_zero() -> None:
    device = "tl.extra.libdevice"
    third = 11184810 / 2**25  # the largest fp32 number below 1/3; the nearest one is above
    assert mapped(f"{device}.div_rz(x, 3.0)", "fp32", [1.0, -1.0, 6.0, 0.0]) == [third, -third, 2.0, 0.0]
    assert mapped(f"{device}.div_rn(x, 3.0)", "fp32", [1.0, 6.0]) == [11184811 / 2**25, 2.0]
    assert mapped(f"{device}.sqrt_rz(x)", "fp32", [6.0, 4.0]) == [10273904 / 2**22, 2.0]  # 10273904.6

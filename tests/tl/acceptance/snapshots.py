"""Launch arguments as plain data, so that another process can launch the same kernel on the same memory."""

from typing import Any

import torch

Plain = dict[str, Any]


class Snapshot:
    """Tensors of one launch by storage: views of one storage stay views of one storage."""

    def __init__(self) -> None:
        self.storages: list[torch.Tensor] = []
        self.seen: dict[tuple[int, torch.dtype], int] = {}

    def encode(self, value: Any) -> Any:
        """``value`` as numbers, text and {"tensor": …}, {"type": …}, {"kernel": …}, {"tuple": …}."""
        value = plain_tensor(value)
        if isinstance(value, torch.Tensor):
            whole = whole_storage(value)
            key = (whole.data_ptr(), value.dtype)
            if key not in self.seen:
                self.seen[key] = len(self.storages)
                self.storages.append(whole.clone())
            return {
                "tensor": self.seen[key], "offset": value.storage_offset(), "shape": list(value.shape),
                "stride": list(value.stride()),
            }  # fmt: skip
        if isinstance(value, (bool, int, float, str)) or value is None:
            return value
        if isinstance(value, (tuple, list)):
            return {"tuple": [self.encode(part) for part in value]}
        if hasattr(value, "primitive_bitwidth"):
            return {"type": str(value)}
        if hasattr(value, "fn"):
            code = value.fn.__code__
            return {"kernel": value.fn.__name__, "module": value.fn.__module__, "file": code.co_filename}
        if hasattr(value, "block_shape"):
            return {
                "descriptor": self.encode(value.base), "shape": list(value.shape), "strides": list(value.strides),
                "block": list(value.block_shape),
            }  # fmt: skip
        raise ValueError(f"an argument of type {type(value).__name__}")


def plain_tensor(value: Any) -> Any:
    """flag-gems' StridedBuffer as the tensor that begins at its address; the kernel gets strides of its own."""
    base = getattr(value, "_base", None)
    if type(value).__name__ != "StridedBuffer" or not isinstance(base, torch.Tensor):
        return value
    base = base.view(value.dtype) if base.dtype != value.dtype else base
    rest = base.untyped_storage().nbytes() // base.element_size() - base.storage_offset() - value.offset
    return torch.as_strided(base, (rest,), (1,), base.storage_offset() + value.offset)


def whole_storage(value: torch.Tensor) -> torch.Tensor:
    """All of the storage of a tensor as one flat tensor of its type, unknown to autograd."""
    size = value.untyped_storage().nbytes() // value.element_size()
    return torch.empty(0, dtype=value.dtype).set_(value.untyped_storage(), 0, (size,), (1,))


def decode(value: Any, storages: list[torch.Tensor], types: Any, kernels: Any, descriptors: Any) -> Any:
    """The argument again; ``types``, ``kernels`` and ``descriptors`` make what belongs to Triton."""
    if not isinstance(value, dict):
        return value
    if "tensor" in value:
        return torch.as_strided(storages[value["tensor"]], value["shape"], value["stride"], value["offset"])
    if "tuple" in value:
        return tuple(decode(part, storages, types, kernels, descriptors) for part in value["tuple"])
    if "type" in value:
        return types(value["type"])
    if "kernel" in value:
        return kernels(value["module"], value["kernel"], value["file"])
    base = decode(value["descriptor"], storages, types, kernels, descriptors)
    return descriptors(base, value["shape"], value["strides"], value["block"])

"""Asked by the doctor in a process of its own: PyTorch's version and build, and one product on the CPU."""

import importlib.util


def answer():
    """A dict for the doctor; raises whatever PyTorch raises."""
    import torch

    a = torch.tensor([[float((r + k) % 5 - 2) for k in range(8)] for r in range(8)])
    b = torch.tensor([[float((k + c) % 3 - 1) for c in range(8)] for k in range(8)])
    return {
        "version": str(torch.__version__),
        "cuda": torch.version.cuda,
        "hip": getattr(torch.version, "hip", None),
        "right": (a @ b)[0].tolist() == [0, 3, -3, 0, 3, -3, 0, 3],
        "numpy": importlib.util.find_spec("numpy") is not None,
    }

"""Asked by the doctor in a process of its own: what PyTorch sees of an NVIDIA GPU, and one product on it."""


def answer():
    """A dict for the doctor; raises whatever PyTorch raises when it uses the GPU."""
    import torch

    torch.cuda.init()
    device = "cuda"
    a = torch.tensor([[float((r + k) % 5 - 2) for k in range(8)] for r in range(8)], device=device)
    b = torch.tensor([[float((k + c) % 3 - 1) for c in range(8)] for k in range(8)], device=device)
    return {
        "name": torch.cuda.get_device_name(0),
        "capability": ".".join(map(str, torch.cuda.get_device_capability(0))),
        "right": (a @ b)[0].tolist() == [0, 3, -3, 0, 3, -3, 0, 3],
    }

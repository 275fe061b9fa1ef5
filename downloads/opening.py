"""The opening example of chapter 1: an 8 × 8 matrix product in PyTorch.

Run it:   python opening.py
Needs:    Python 3.9 or newer and PyTorch (pip install torch). An NVIDIA GPU is used when there is one.
"""

import sys

try:
    import torch
except ImportError:
    sys.exit("This example needs PyTorch: pip install torch (chapter 1, section “Run it yourself”).")

device, why = "cpu", ": PyTorch finds no CUDA device here."
if torch.cuda.is_available():
    try:
        torch.ones(2, device="cuda").sum().item()  # a GPU that is too old, or full, is found and cannot be used
        device, why = "cuda", "."
    except Exception as error:
        first_line = str(error).strip().partition("\n")[0]
        why = f": PyTorch finds a CUDA device and cannot use it ({first_line})."
print(f"Running on {device}{why}")

# region product
n = 8
a = torch.tensor([[(r + k) % 5 - 2 for k in range(n)] for r in range(n)], dtype=torch.float32, device=device)
b = torch.tensor([[(k + c) % 3 - 1 for c in range(n)] for k in range(n)], dtype=torch.float32, device=device)
c = a @ b
print(c)
# endregion product

expected_row = [0, 3, -3, 0, 3, -3, 0, 3]  # C[0, :], computed by hand
if c[0].tolist() != expected_row:
    sys.exit(f"C[0, :] should be {expected_row}, but this machine computed {c[0].tolist()}.")
print("C[0, :] is as expected.")

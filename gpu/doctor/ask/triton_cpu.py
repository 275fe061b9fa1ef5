"""Asked by the doctor with TRITON_INTERPRET=1: a small kernel with a mask, in Triton's interpreter."""

import torch
import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, y_ptr, size, WIDTH: tl.constexpr):
    """y = 2 x; the last program is masked."""
    places = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    mask = places < size
    tl.store(y_ptr + places, 2 * tl.load(x_ptr + places, mask=mask), mask=mask)


def answer(device="cpu"):
    """A dict for the doctor; raises whatever Triton raises."""
    x = torch.arange(5, dtype=torch.float32, device=device)
    y = torch.zeros_like(x)
    double_kernel[(3,)](x, y, 5, WIDTH=2)
    return {"version": str(triton.__version__), "right": y.tolist() == [0, 2, 4, 6, 8]}

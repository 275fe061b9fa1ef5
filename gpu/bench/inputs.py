"""Matrices to verify and to time with."""

import torch

DTYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32}
Pair = tuple[torch.Tensor, torch.Tensor]


def formula(M: int, N: int, K: int, dtype: torch.dtype, device: str) -> Pair:
    """A[r][k] = (r + k) % 5 - 2 and B[k][c] = (k + c) % 3 - 1, the pages' inputs.

    Their product repeats every 15 rows of K and is all zeros when K is a multiple of 15, so `integers` is checked too.
    """
    r, k, c = (torch.arange(size, device=device) for size in (M, K, N))
    return ((r[:, None] + k) % 5 - 2).to(dtype), ((k[:, None] + c) % 3 - 1).to(dtype)


def integers(M: int, N: int, K: int, dtype: torch.dtype, device: str, seed: int) -> Pair:
    """Random whole numbers from -3 to 3: products and float32 sums are exact, so C has one right value."""
    generator = torch.Generator(device=device).manual_seed(seed)
    a = torch.randint(-3, 4, (M, K), generator=generator, device=device).to(dtype)
    return a, torch.randint(-3, 4, (K, N), generator=generator, device=device).to(dtype)


def normal(M: int, N: int, K: int, dtype: torch.dtype, device: str, seed: int) -> Pair:
    """Random normal numbers: every bit of the format is in use, as in real data."""
    generator = torch.Generator(device=device).manual_seed(seed + 1)
    a = torch.randn((M, K), generator=generator, device=device, dtype=torch.float32).to(dtype)
    return a, torch.randn((K, N), generator=generator, device=device, dtype=torch.float32).to(dtype)

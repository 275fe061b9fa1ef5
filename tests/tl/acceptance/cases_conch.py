"""Cases of conch-triton-kernels (inference)."""

from typing import Any

import torch

from tests.tl.acceptance.hosts import Case, Cases, got, real


def op(module: str, name: str, *arguments: Any, **options: Any) -> Case:
    """One call."""
    return lambda: got(f"conch.ops.{module}", name)(*[a() if callable(a) else a for a in arguments], **options)


def x(*shape: int, dtype: torch.dtype = torch.float32) -> Any:
    """A maker of normal numbers."""
    return lambda: real(*shape, dtype=dtype)


def cases() -> Cases:
    """Activation, normalization, embedding, quantization, vision."""
    half = torch.float16
    return {
        "silu and mul": op("activation.silu_and_mul", "silu_and_mul", x(5, 64)),
        "gelu tanh and mul": op("activation.gelu_tanh_and_mul", "gelu_tanh_and_mul", x(5, 64)),
        "rms norm": op("normalization.rms_norm", "rms_norm", x(5, 40), x(40), 1e-6),
        "rms norm half": op("normalization.rms_norm", "rms_norm", x(5, 40, dtype=half), x(40, dtype=half), 1e-6),
        "add rms norm": op("normalization.rms_norm", "fused_add_rms_norm", x(5, 40), x(5, 40), x(40), 1e-6),
        "gemma rms norm": op("normalization.gemma_rms_norm", "gemma_rms_norm", x(5, 40), x(40), 1e-6),
        "rotary": op(
            "embedding.rotary_embedding", "rotary_embedding", lambda: torch.arange(4), x(4, 64), x(4, 32), 16, x(8, 16)
        ),
        "int8 static": op(
            "quantization.int8",
            "static_scaled_int8_quant",
            lambda: torch.empty(5, 64, dtype=torch.int8),
            x(5, 64),
            lambda: torch.tensor([0.05]),
        ),
        "int8": op("quantization.int8", "scaled_int8_quant", x(5, 64), lambda: torch.tensor([0.05])),
        "fp8 static": op(
            "quantization.fp8",
            "static_scaled_fp8_quant",
            lambda: torch.empty(5, 64, dtype=torch.float8_e4m3fn),
            x(5, 64),
            lambda: torch.tensor([0.05]),
        ),
        "fp8": op("quantization.fp8", "scaled_fp8_quant", x(5, 64), lambda: torch.tensor([0.05])),
        "scaled gemm": op(
            "quantization.gemm",
            "scaled_gemm",
            lambda: torch.randint(-5, 5, (32, 64), dtype=torch.int8),
            lambda: torch.randint(-5, 5, (64, 32), dtype=torch.int8),
            x(32, 1),
            x(32, 1),
            torch.float16,
        ),
        "nms": op(
            "vision.nms",
            "nms",
            lambda: torch.cat([torch.rand(20, 2), torch.rand(20, 2) + 1], 1),
            lambda: torch.rand(20),
            0.5,
        ),
        "copy blocks": lambda: got("conch.ops.vllm.copy_blocks", "copy_blocks")(
            [real(4, 256)], [real(4, 256)], torch.tensor([[0, 1], [2, 3]])
        ),
        "bev pool": lambda: got("conch.ops.vision.bev_pool", "bev_pool")(
            real(20, 8),
            torch.randint(0, 2, (20, 4)).int(),
            torch.tensor([0, 5, 12]).int(),
            torch.tensor([5, 7, 8]).int(),
            1,
            2,
            2,
            2,
        ),
    }

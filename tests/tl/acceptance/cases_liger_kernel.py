"""Cases of liger-kernel."""

from typing import Any

import torch

from tests.tl.acceptance.hosts import Case, Cases, both_ways, got, real


def cases() -> Cases:
    """Training kernels, forward and backward."""

    def op(file: str, name: str, *arguments: Any) -> Case:
        return lambda: both_ways(
            got(f"liger_kernel.ops.{file}", name).apply, *[a() if callable(a) else a for a in arguments]
        )

    x = lambda *shape, **options: lambda: real(*shape, grad=True, **options)  # noqa: E731
    logs = lambda: torch.randn(4, 33).log_softmax(-1).requires_grad_(True)  # noqa: E731
    return {
        "swiglu": op("swiglu", "LigerSiLUMulFunction", x(3, 40), x(3, 40)),
        "geglu": op("geglu", "LigerGELUMulFunction", x(3, 40), x(3, 40)),
        "relu squared": op("relu_squared", "LigerReLUSquaredFunction", x(3, 40)),
        "rms norm": op("rms_norm", "LigerRMSNormFunction", x(5, 40), x(40), 1e-6, 0.0, "llama", False),
        "rms norm gemma": op("rms_norm", "LigerRMSNormFunction", x(5, 40), x(40), 1e-6, 1.0, "gemma", False),
        "rms norm half": op(
            "rms_norm",
            "LigerRMSNormFunction",
            x(5, 40, dtype=torch.float16),
            x(40, dtype=torch.float16),
            1e-6,
            0.0,
            "llama",
            False,
        ),
        "layer norm": op("layer_norm", "LigerLayerNormFunction", x(5, 40), x(40), x(40), 1e-6),
        "group norm": op("group_norm", "LigerGroupNormFunction", x(2, 6, 10), x(6), x(6), 6, 3, 1e-6),
        "add rms norm": lambda: both_ways(
            got("liger_kernel.ops.fused_add_rms_norm", "LigerFusedAddRMSNormFunction").apply,
            real(5, 40, grad=True),
            real(5, 40, grad=True),
            real(40, grad=True),
            1e-6,
            0.0,
            "llama",
            False,
        ),
        "modulated rms norm": op(
            "modulated_rms_norm", "LigerModulatedRMSNormFunction", x(2, 3, 40), x(40), x(2, 40), x(2, 40), 1e-6
        ),
        "poly norm": op("poly_norm", "LigerPolyNormFunction", x(5, 40), x(3), x(1), 1e-6, False),
        "dyt": op("dyt", "LigerDyTFunction", x(5, 40), x(1), x(40), x(40)),
        "softmax": op("softmax", "LigerSoftmaxFunction", x(5, 40)),
        "softmax wide": op("softmax", "LigerSoftmaxFunction", x(2, 300)),
        "sparsemax": op("sparsemax", "LigerSparsemaxFunction", x(5, 33), -1),
        "kl div": lambda: both_ways(
            got("liger_kernel.ops.kl_div", "LigerKLDivLossFunction").apply, logs(), torch.randn(4, 33).softmax(-1)
        ),
        "jsd": lambda: both_ways(
            got("liger_kernel.ops.jsd", "LigerJSDFunction").apply, logs(), torch.randn(4, 33).log_softmax(-1)
        ),
        "tvd": lambda: both_ways(
            got("liger_kernel.ops.tvd", "LigerTVDLossFunction").apply,
            torch.randn(4, 33).softmax(-1).requires_grad_(True),
            torch.randn(4, 33).softmax(-1),
        ),
        "cross entropy": lambda: (
            got("liger_kernel.ops.cross_entropy", "LigerCrossEntropyFunction")
            .apply(real(6, 33, grad=True), torch.randint(0, 33, (6,)), None)[0]
            .backward()
        ),
        "cross entropy smoothed": lambda: (
            got("liger_kernel.ops.cross_entropy", "LigerCrossEntropyFunction")
            .apply(real(6, 33, grad=True), torch.randint(0, 33, (6,)), None, -100, 1e-4, 0.1, "mean", 30.0, True)[0]
            .backward()
        ),
        "linear cross entropy": lambda: (
            got("liger_kernel.ops.fused_linear_cross_entropy", "LigerFusedLinearCrossEntropyFunction")
            .apply(real(6, 16, grad=True), real(33, 16, grad=True), torch.randint(0, 33, (6,)))[0]
            .backward()
        ),
        "linear jsd": lambda: (
            got("liger_kernel.ops.fused_linear_jsd", "LigerFusedLinearJSDFunction")
            .apply(real(6, 16, grad=True), real(33, 16, grad=True), real(6, 16), real(33, 16))
            .backward()
        ),
        "rope": lambda: rope("liger_kernel.ops.rope", "LigerRopeFunction"),
        "llama4 rope": lambda: got("liger_kernel.ops.llama4_rope", "LigerLlama4RopeFunction").apply(
            real(1, 4, 2, 16), real(1, 4, 1, 16), torch.polar(torch.ones(4, 8), torch.randn(4, 8))
        ),
        "qwen2vl rope": lambda: got("liger_kernel.ops.qwen2vl_mrope", "LigerQwen2VLMRopeFunction").apply(
            real(1, 2, 4, 16), real(1, 1, 4, 16), real(3, 1, 4, 16), real(3, 1, 4, 16), [2, 3, 3]
        ),
        "grpo": lambda: got("liger_kernel.ops.grpo_loss", "GrpoLossFunction").apply(
            real(2, 5, 33, grad=True),
            real(2, 4),
            real(2, 4),
            torch.randint(0, 33, (2, 4)),
            real(2),
            None,
            0.9,
            0.04,
            0.2,
            0.2,
            True,
        ),
        "embedding": lambda: both_ways(
            got("liger_kernel.ops.experimental.embedding", "LigerEmbeddingFunction").apply,
            real(10, 20, grad=True),
            torch.randint(0, 10, (2, 3)),
        ),
        "mm int8 int2": lambda: got("liger_kernel.ops.experimental.mm_int8int2", "matmul")(
            torch.randint(-4, 5, (32, 512), dtype=torch.int8), torch.randint(0, 255, (128, 32), dtype=torch.uint8)
        ),
        "multi token attention": lambda: both_ways(
            got("liger_kernel.ops.multi_token_attention", "LigerMultiTokenAttentionFunction").apply,
            real(1, 2, 5, 5, grad=True),
            real(2, 2, 3, 3, grad=True),
            None,
            1,
            1,
            1,
            1,
            False,
        ),
        "neighborhood attention": lambda: both_ways(
            got("liger_kernel.ops.fused_neighborhood_attention", "LigerFusedNeighborhoodAttentionFunction").apply,
            real(1, 2, 8, 16, grad=True),
            real(1, 2, 8, 16, grad=True),
            real(1, 2, 8, 16, grad=True),
            3,
            1,
            None,
        ),
        "element mul": lambda: element_mul(),
        "attn res": op("attn_res", "LigerAttnResFunction", x(3, 2, 4, 16), x(16), x(16), 1e-6),
    }


def rope(module: str, name: str) -> None:
    """Rotary embedding, forward and backward."""
    q, k = real(1, 2, 4, 16, grad=True), real(1, 1, 4, 16, grad=True)
    angle = torch.randn(1, 4, 8).repeat(1, 1, 2)
    out = got(module, name).apply(q, k, angle.cos(), angle.sin())
    (out[0].sum() + out[1].sum()).backward()


def element_mul() -> None:
    """One kernel launched directly."""
    x, scale = real(3, 40), torch.tensor(2.5)
    got("liger_kernel.ops.utils", "element_mul_kernel")[(3,)](x, 40, scale, 40, BLOCK_SIZE=16)

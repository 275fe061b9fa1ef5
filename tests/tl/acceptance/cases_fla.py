"""Cases of fla-core (flash-linear-attention)."""

import inspect
from typing import Any

import torch

from tests.tl.acceptance.hosts import Case, Cases, both_ways, got, real

HEADS, WIDTH, STEPS = 2, 16, 20


def sequence(*shape: int) -> torch.Tensor:
    """[batch, time, heads, width] with a gradient."""
    return (torch.randn(1, STEPS, HEADS, *shape) * 0.5).requires_grad_(True)


def gate(*shape: int) -> torch.Tensor:
    """Logarithms of forget gates."""
    return torch.nn.functional.logsigmoid(torch.randn(1, STEPS, HEADS, *shape)).detach().requires_grad_(True)


def ready(name: str, parameter: inspect.Parameter) -> Any:
    """A value for a parameter of an attention function, by its usual name; None when there is no need."""
    values: dict[str, Any] = {
        "q": lambda: sequence(WIDTH),
        "k": lambda: torch.nn.functional.normalize(sequence(WIDTH), dim=-1),
        "v": lambda: sequence(WIDTH),
        "r": lambda: sequence(WIDTH),
        "beta": lambda: torch.rand(1, STEPS, HEADS),
        "w": lambda: gate(WIDTH),
        "u": lambda: real(HEADS, WIDTH, grad=True),
        "a": lambda: sequence(WIDTH) * 0.1,
        "b": lambda: sequence(WIDTH) * 0.1,
        "s": lambda: sequence(WIDTH),
        "f": lambda: gate(WIDTH),
    }
    return values[name]() if name in values else None


def attention(module: str, name: str, backward: bool = True, **given: Any) -> Case:
    """Run fla.ops.MODULE.NAME on small sequences; ``given`` are makers of its other arguments."""

    def run() -> None:
        function = got(f"fla.ops.{module}", name)
        parameters = inspect.signature(inspect.unwrap(function)).parameters
        arguments = {key: make() for key, make in given.items()}
        for key, parameter in parameters.items():
            if key not in arguments and parameter.default is parameter.empty and ready(key, parameter) is not None:
                arguments[key] = ready(key, parameter)
        if backward:
            both_ways(lambda: function(**arguments))
        else:
            function(**arguments)

    return run


def op(module: str, name: str, *makers: Any) -> Case:
    """Forward and backward of a function whose arguments the makers make."""
    return lambda: both_ways(got(f"fla.{module}", name), *[make() if callable(make) else make for make in makers])


def plain(module: str, name: str, *makers: Any, **options: Any) -> Case:
    """Forward only."""
    return lambda: got(f"fla.{module}", name)(*[make() if callable(make) else make for make in makers], **options)


def halves(*names: str) -> dict[str, Any]:
    """Sequences in fp16."""
    return {name: lambda: torch.nn.functional.normalize(sequence(WIDTH), dim=-1).half() for name in names}


def cases() -> Cases:
    """Layers, utilities and attention variants."""
    x = lambda *shape: lambda: real(*shape, grad=True)  # noqa: E731
    g, gk = (lambda: gate()), (lambda: gate(WIDTH))
    return {
        "layer norm": op("modules.norm.layernorm", "layer_norm", x(6, 40), x(40), x(40)),
        "rms norm": op("modules.norm.layernorm", "rms_norm", x(6, 40), x(40), lambda: None),
        "rms norm wide": op("modules.norm.layernorm", "rms_norm", x(3, 600), x(600), lambda: None),
        "norm gated": op("modules.norm.fused_norm_gate", "rms_norm_gated", x(6, 40), x(6, 40), x(40), lambda: None),
        "layer norm gated": op("modules.norm.layernorm_gated", "layernorm_fn", x(6, 40), x(40), x(40)),
        "l2 norm": op("modules.norm.l2norm", "l2norm", x(6, 40)),
        "sigmoid": op("modules.activations.ops", "sigmoid", x(3, 40)),
        "log sigmoid": op("modules.activations.ops", "logsigmoid", x(3, 40)),
        "swish": op("modules.activations.ops", "swish", x(3, 40)),
        "swiglu": op("modules.activations.ops", "swiglu", x(3, 40), x(3, 40)),
        "sigmoid glu": op("modules.activations.ops", "sigmoidglu", x(3, 40), x(3, 40)),
        "pow glu": op("modules.activations.ops", "powglu", x(3, 40), x(3, 40)),
        "elu plus one": op("modules.activations.ops", "elu_p1", x(3, 40)),
        "swiglu linear": op("modules.activations.ops", "swiglu_linear", x(3, 40), x(3, 40), x(8, 40), x(8)),
        "rotary": op("modules.rotary.ops", "rotary_embedding", x(1, 8, 2, 16), lambda: real(8, 8), lambda: real(8, 8)),
        "token shift": op("modules.token_shift", "token_shift", x(2, 8, 40)),
        "cross entropy": op(
            "modules.fused_cross_entropy.ops", "cross_entropy_loss", x(6, 33), lambda: torch.randint(0, 33, (6,))
        ),
        "kl div": op(
            "modules.fused_kl_div.ops",
            "fused_kl_div_loss",
            x(6, 16),
            lambda: real(6, 16),
            x(33, 16),
            lambda: real(33, 16),
        ),
        "linear cross entropy": op(
            "modules.fused_linear_cross_entropy.ops",
            "fused_linear_cross_entropy_loss",
            x(6, 16),
            lambda: torch.randint(0, 33, (6,)),
            x(33, 16),
        ),
        "causal conv1d": op("modules.causal_conv1d.ops", "causal_conv1d", x(1, 12, 32), x(32, 4), x(32)),
        "local cumsum": plain("ops.utils.cumsum", "chunk_local_cumsum", g, 16),
        "local cumsum of vectors": plain("ops.utils.cumsum", "chunk_local_cumsum", gk, 16),
        "global cumsum": plain("ops.utils.cumsum", "chunk_global_cumsum", g),
        "global cumsum of vectors": plain("ops.utils.cumsum", "chunk_global_cumsum", gk),
        "softmax": plain("ops.utils.softmax", "softmax_fwd", lambda: real(6, 40)),
        "logsumexp": plain("ops.utils.logsumexp", "logsumexp_fwd", lambda: real(6, 40)),
        "mean pooling": op("ops.utils.pooling", "mean_pooling", lambda: sequence(WIDTH), 16),
        "matmul": plain("ops.utils.matmul", "addmm", lambda: real(5, 9), lambda: real(5, 40), lambda: real(40, 9)),
        "solve tril": plain(
            "ops.utils.solve_tril",
            "solve_tril",
            lambda: (real(1, 16, 2, 16) * torch.ones(16, 16).tril(-1)[None, :, None]).contiguous(),
        ),
        "pack": plain("ops.utils.pack", "pack_sequence", lambda: real(2, 6, 8), lambda: torch.tensor([0, 3, 7])),
        "gla chunk": attention("gla", "chunk_gla", g=gk),
        "gla recurrent": attention("gla", "fused_recurrent_gla", gk=gk),
        "retention chunk": attention("retention", "chunk_retention"),
        "retention recurrent": attention("retention", "fused_recurrent_retention"),
        "retention parallel": attention("retention", "parallel_retention"),
        "simple gla chunk": attention("simple_gla", "chunk_simple_gla", g=g),
        "simple gla recurrent": attention("simple_gla", "fused_recurrent_simple_gla", g=g),
        "simple gla parallel": attention("simple_gla", "parallel_simple_gla", g=g),
        "simple gla fused chunk": attention("simple_gla", "fused_chunk_simple_gla", g=g),
        "linear attention chunk": attention("linear_attn", "chunk_linear_attn"),
        "linear attention fused chunk": attention("linear_attn", "fused_chunk_linear_attn"),
        "linear attention recurrent": attention("linear_attn", "fused_recurrent_linear_attn"),
        "delta rule chunk": attention(
            "delta_rule", "chunk_delta_rule", **halves("q", "k", "v"), beta=lambda: torch.rand(1, STEPS, HEADS).half()
        ),
        "delta rule recurrent": attention("delta_rule", "fused_recurrent_delta_rule"),
        "gated delta rule chunk": attention("gated_delta_rule", "chunk_gated_delta_rule", g=g),
        "gated delta rule recurrent": attention(
            "gated_delta_rule", "fused_recurrent_gated_delta_rule", backward=False, g=g
        ),
        "kda chunk": attention("kda", "chunk_kda", g=gk),
        "kda recurrent": attention("kda", "fused_recurrent_kda", backward=False, g=gk),
        "hgrn chunk": lambda: both_ways(
            got("fla.ops.hgrn", "chunk_hgrn"),
            real(1, 20, 32, grad=True),
            real(1, 20, 32).neg().abs().neg().requires_grad_(True),
        ),
        "hgrn recurrent": lambda: both_ways(
            got("fla.ops.hgrn", "fused_recurrent_hgrn"),
            real(1, 20, 32, grad=True),
            real(1, 20, 32).abs().neg().requires_grad_(True),
        ),
        "rwkv6 chunk": attention("rwkv6", "chunk_rwkv6"),
        "rwkv6 recurrent": attention("rwkv6", "fused_recurrent_rwkv6"),
        "rwkv7 chunk": attention("rwkv7", "chunk_rwkv7"),
        "rwkv7 recurrent": attention("rwkv7", "fused_recurrent_rwkv7", backward=False),
        "rwkv4": lambda: both_ways(
            got("fla.ops.rwkv4", "fused_recurrent_rwkv4"),
            real(32),
            real(32),
            real(1, 9, 32, grad=True),
            real(1, 9, 32, grad=True),
            torch.zeros(1, 3, 1, 32),
        ),
        "gsa chunk": attention("gsa", "chunk_gsa", g=gk),
        "gsa recurrent": attention("gsa", "fused_recurrent_gsa", g=gk),
        "based parallel": attention("based", "parallel_based"),
        "based fused chunk": attention("based", "fused_chunk_based"),
        "rebased parallel": attention("rebased", "parallel_rebased"),
        "attention": attention("attn", "parallel_attn"),
        "forgetting attention": attention("forgetting_attn", "parallel_forgetting_attn", g=g),
        "lightning attention": attention(
            "lightning_attn", "chunk_lightning_attn", layer_idx=lambda: 1, num_layers=lambda: 4
        ),
        "path attention": attention(
            "path_attn", "parallel_path_attn", w=lambda: torch.nn.functional.normalize(sequence(WIDTH), dim=-1)
        ),
        "mesa net": attention(
            "mesa_net", "chunk_mesa_net", backward=False, g=g, lamb=lambda: torch.rand(HEADS, WIDTH) + 0.5
        ),
        "stick breaking attention": attention("stickbreaking_attn", "parallel_stickbreaking_attn"),
        "dplr chunk": attention("generalized_delta_rule.dplr", "chunk_dplr_delta_rule", gk=gk),
        "iplr chunk": attention("generalized_delta_rule.iplr", "chunk_iplr_delta_rule", backward=False),
    }

"""Attention layers."""

from __future__ import annotations

from opwright import _C
from opwright.nn import functional, init
from opwright.nn._arguments import size
from opwright.nn.linear import Linear
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opwright import Tensor

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Module):
    """For each query a mean of values, weighted by how well their keys match it, in several heads.

    Queries have `embed_dim` features, keys `kdim` and values `vdim`, by default as many; the heads
    share them. `bias` is added to projections, which start as `init.xavier_uniform_` draws them,
    biases at zero. `add_bias_kv` and `add_zero_attn` add a key and a value, learnt or zero.
    `dropout` is the probability of weights to be left out while training. Tensors are `(L, N, E)`,
    with `batch_first` `(N, L, E)`, and in both cases `(L, E)` without a batch.

        >>> attention = opwright.nn.MultiheadAttention(4, 2, batch_first=True)
        >>> x = opwright.ones(3, 5, 4)
        >>> result, weights = attention(x, x, x)
        >>> result.shape, weights.shape
        (opwright.Size([3, 5, 4]), opwright.Size([3, 5, 5]))
    """

    __constants__ = ["batch_first"]  # noqa: RUF012

    in_proj_weight: Parameter | None
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        name = "MultiheadAttention"
        self.embed_dim = size(name, "embed_dim", embed_dim)
        self.num_heads = size(name, "num_heads", num_heads)
        if not self.embed_dim or not self.num_heads or self.embed_dim % self.num_heads:
            raise ValueError(
                f"{name}(): argument 'embed_dim' must be positive and divisible by "
                f"num_heads={num_heads}, but is {embed_dim}"
            )
        self.kdim = self.embed_dim if kdim is None else size(name, "kdim", kdim)
        self.vdim = self.embed_dim if vdim is None else size(name, "vdim", vdim)
        self._qkv_same_embed_dim = self.kdim == self.embed_dim == self.vdim
        self.head_dim = self.embed_dim // self.num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.add_zero_attn = add_zero_attn

        def learnt(is_there: bool, *shape: int) -> Parameter | None:
            return Parameter(_C.empty(shape, device=device, dtype=dtype)) if is_there else None

        count, alike = self.embed_dim, self._qkv_same_embed_dim
        self.register_parameter("q_proj_weight", learnt(not alike, count, count))
        self.register_parameter("k_proj_weight", learnt(not alike, count, self.kdim))
        self.register_parameter("v_proj_weight", learnt(not alike, count, self.vdim))
        self.register_parameter("in_proj_weight", learnt(alike, 3 * count, count))
        self.register_parameter("in_proj_bias", learnt(bias, 3 * count))
        self.register_parameter("bias_k", learnt(add_bias_kv, 1, 1, count))
        self.register_parameter("bias_v", learnt(add_bias_kv, 1, 1, count))
        self.out_proj = Linear(count, count, bias=bias, device=device, dtype=dtype)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for name in ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"):
            weight = getattr(self, name)
            if weight is not None:
                init.xavier_uniform_(weight)
        for move in (self.in_proj_bias, self.out_proj.bias):
            if move is not None:
                init.zeros_(move)
        for further in (self.bias_k, self.bias_v):
            if further is not None:
                init.xavier_normal_(further)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """What `functional.multi_head_attention_forward` returns: values and weights.

        Masks are true, or `-inf`, where nothing is attended to: `attn_mask` is `(L, S)` or `(N * H,
        L, S)`, and `key_padding_mask` is `(N, S)`. `is_causal` says that `attn_mask` is the causal
        one. Without `need_weights` the weights are None, and never held as a whole.
        """
        swaps = self.batch_first and query.ndim == 3
        if swaps:
            query, key, value = _swapped(query, key, value)
        result, weights = functional.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return result.transpose(0, 1) if swaps else result, weights


def _swapped(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Batches second; what was the same tensor is the same one again."""
    q = query.transpose(0, 1)
    k = q if key is query else key.transpose(0, 1)
    v = k if value is key else value.transpose(0, 1)
    return q, k, v

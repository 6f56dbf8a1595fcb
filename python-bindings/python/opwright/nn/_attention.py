"""Attention with several heads: projections, masks, and what is attended to.

A. Vaswani et al., "Attention is all you need", 2017. Heads are a dimension of their own, `(N, H, L,
E)`, and masks are added to scores in the shape `(N or 1, H or 1, L, S)`.
"""

from __future__ import annotations

from math import inf, sqrt

from opwright import _C
from opwright._C import _nn
from opwright._functions import with_own_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright import Tensor

    _Three = tuple[Tensor, Tensor, Tensor]

__all__ = ["additive_mask", "multi_head_attention_forward"]


@with_own_name()
def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """What `MultiheadAttention` computes: the values attended to, and by how much.

    `query` is `(L, N, E)` and `key` and `value` are `(S, N, E)`, or all without a batch. Weights of
    projections are one matrix `(3 * E, E)`, or with `use_separate_proj_weight` three. `bias_k` and
    `bias_v` are a further key and value, as are zeros with `add_zero_attn`; `static_k` and
    `static_v`, `(N * H, S, E / H)`, take the place of projected ones.

    Masks are true, or `-inf`, where nothing is attended to: `attn_mask` is `(L, S)` or `(N * H, L,
    S)`, and `key_padding_mask` is `(N, S)`. `is_causal` says that `attn_mask` is the causal one.
    Returns `(L, N, E)` and, with `need_weights`, the weights `(N, L, S)`, or `(N, H, L, S)` unless
    they are to be averaged.

        >>> x, weight = opwright.ones(2, 1, 2), opwright.ones(6, 2)
        >>> made, weights = opwright.nn.functional.multi_head_attention_forward(
        ...     x, x, x, 2, 1, weight, None, None, None, False, 0.0, opwright.eye(2), None
        ... )
        >>> made.shape, weights.tolist()
        (opwright.Size([2, 1, 2]), [[[0.5, 0.5], [0.5, 0.5]]])
    """
    is_batched = _check_dims(query, key, value, key_padding_mask)
    if not is_batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    _check_sizes(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    if is_causal and attn_mask is None:
        raise RuntimeError("argument 'is_causal' goes with 'attn_mask', the causal one")
    # The operator knows the mask by its name, unless somebody wants to see the weights.
    is_named = is_causal and key_padding_mask is None and not need_weights
    mask = None if is_named else _mask_of_scores(query, key, attn_mask, key_padding_mask, num_heads)
    if use_separate_proj_weight:
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        q, k, v = _projected_apart(query, key, value, weights, in_proj_bias)
    else:
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    if (bias_k is None) != (bias_v is None):
        raise ValueError("arguments 'bias_k' and 'bias_v' go together")
    if bias_k is not None and bias_v is not None:
        if static_k is not None or static_v is not None:
            raise ValueError("arguments 'static_k' and 'static_v' have no further key and value")
        batch = query.shape[1]
        k, v = (_C.cat([it, more.repeat(1, batch, 1)]) for it, more in ((k, bias_k), (v, bias_v)))
    q, k, v = (_in_heads(it, num_heads) for it in (q, k, v))
    k, v = (
        it if fixed is None else fixed.reshape(*q.shape[:2], -1, q.shape[-1])
        for it, fixed in ((k, static_k), (v, static_v))
    )
    if add_zero_attn:
        k, v = (_nn.pad(it, (0, 0, 0, 1)) for it in (k, v))
    if mask is not None and k.shape[2] > mask.shape[3] > 1:
        mask = _nn.pad(mask, (0, k.shape[2] - mask.shape[3]))
    dropout_p = dropout_p if training else 0.0
    weights_of = None
    if need_weights:
        made, weights_of = _attended(q, k, v, mask, dropout_p)
        weights_of = weights_of.mean(1) if average_attn_weights else weights_of
    else:
        made = _nn.scaled_dot_product_attention(q, k, v, mask, dropout_p, is_named)
    length, batch, size = query.shape
    made = made.permute((2, 0, 1, 3)).reshape(length, batch, size)
    made = _nn.linear(made, out_proj_weight, out_proj_bias)
    if is_batched:
        return made, weights_of
    return made.squeeze(1), None if weights_of is None else weights_of.squeeze(0)


def _check_dims(query: Tensor, key: Tensor, value: Tensor, padding: Tensor | None) -> bool:
    """Whether there is a batch, as there must be for all or none."""
    dims = query.ndim
    if dims not in (2, 3):
        raise ValueError(f"argument 'query' must have 2 or 3 dimensions, not {dims}")
    for name, it in (("key", key), ("value", value)):
        if it.ndim != dims:
            raise ValueError(f"argument {name!r} must have {dims} dimensions, not {it.ndim}")
    if padding is not None and padding.ndim != dims - 1:
        raise ValueError(
            f"argument 'key_padding_mask' must have {dims - 1} dimensions, not {padding.ndim}"
        )
    return dims == 3


def _check_sizes(
    query: Tensor, key: Tensor, value: Tensor, embed_dim: int, num_heads: int, apart: bool
) -> None:
    if query.shape[2] != embed_dim:
        raise ValueError(
            f"argument 'query' must have {embed_dim} features, but has shape {list(query.shape)}"
        )
    if embed_dim % num_heads:
        raise ValueError(f"{embed_dim} features cannot be divided among {num_heads} heads")
    count = 2 if apart else 3
    if key.shape[:count] != value.shape[:count]:
        raise ValueError(
            f"arguments 'key' and 'value' must have the same shape, but have {list(key.shape)} and "
            f"{list(value.shape)}"
        )


# --- masks ----------------------------------------------------------------------------------


def additive_mask(name: str, mask: Tensor, dtype: _C._DType) -> Tensor:
    """A mask to be added to scores: `-inf` where a truth value says that nothing is attended to."""
    if mask.dtype.is_floating_point:
        return mask
    if mask.dtype != _C.bool:
        raise ValueError(f"argument {name!r} must be bool or floating, not {mask.dtype}")
    return _C.zeros_like(mask, dtype=dtype).masked_fill(mask, -inf)


def _mask_of_scores(
    query: Tensor,
    key: Tensor,
    attn_mask: Tensor | None,
    padding: Tensor | None,
    num_heads: int,
) -> Tensor | None:
    """Both masks together, in the shape of scores."""
    (length, batch, _), source = query.shape, key.shape[0]
    if attn_mask is not None and padding is not None and attn_mask.dtype != padding.dtype:
        from warnings import warn

        message = "masks of different dtypes are deprecated: 'key_padding_mask' and 'attn_mask'"
        warn(message, UserWarning, stacklevel=5)
    found = None
    if attn_mask is not None:
        of_heads = (batch * num_heads, length, source)
        if tuple(attn_mask.shape) not in (of_heads[1:], of_heads):
            raise RuntimeError(
                f"argument 'attn_mask' must have the shape {list(of_heads[1:])} or "
                f"{list(of_heads)}, but has {list(attn_mask.shape)}"
            )
        found = additive_mask("attn_mask", attn_mask, query.dtype)
        shape = (1, 1) if found.ndim == 2 else (batch, num_heads)
        found = found.reshape(*shape, length, source)
    if padding is not None:
        if tuple(padding.shape) != (batch, source):
            raise ValueError(
                f"argument 'key_padding_mask' must have the shape {[batch, source]}, but has "
                f"{list(padding.shape)}"
            )
        of_keys = additive_mask("key_padding_mask", padding, query.dtype)
        of_keys = of_keys.reshape(batch, 1, 1, source)
        found = of_keys if found is None else found + of_keys
    return found


# --- projections and scores --------------------------------------------------------------


def _projected(
    query: Tensor, key: Tensor, value: Tensor, weight: Tensor | None, bias: Tensor | None
) -> _Three:
    """Projections by one matrix, in one product if all are projections of the same."""
    if weight is None:
        raise ValueError("argument 'in_proj_weight' must be a Tensor")
    if query is key and key is value:
        q, k, v = _nn.linear(query, weight, bias).chunk(3, -1)
        return q, k, v
    q_weight, k_weight, v_weight = weight.chunk(3)
    return _projected_apart(query, key, value, (q_weight, k_weight, v_weight), bias)


def _projected_apart(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    weights: tuple[Tensor | None, Tensor | None, Tensor | None],
    bias: Tensor | None,
) -> _Three:
    biases = (None, None, None) if bias is None else bias.chunk(3)
    made = []
    for name, it, weight, move in zip("qkv", (query, key, value), weights, biases, strict=True):
        if weight is None:
            raise ValueError(f"argument '{name}_proj_weight' must be a Tensor")
        made.append(_nn.linear(it, weight, move))
    q, k, v = made
    return q, k, v


def _in_heads(projected: Tensor, num_heads: int) -> Tensor:
    """`(L, N, E)` as `(N, H, L, E / H)`."""
    length, batch, size = projected.shape
    heads = projected.reshape(length, batch, num_heads, size // num_heads)
    return heads.permute((1, 2, 0, 3))


def _attended(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, dropout_p: float
) -> tuple[Tensor, Tensor]:
    """The values attended to, and the weights of all of them."""
    scores = (q * sqrt(1.0 / q.shape[-1])) @ k.transpose(-2, -1)
    weights = _C.softmax(scores if mask is None else scores + mask, -1)
    if dropout_p > 0.0:
        weights = _C.dropout(weights, dropout_p, True)
    return weights @ v, weights

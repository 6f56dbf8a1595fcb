"""Attention layers and transformers beside numpy."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import opwright.nn.functional as F
import pytest
from opwright import nn

Array = np.ndarray[Any, Any]
F64 = opwright.float64


def t(array: Array) -> Any:
    return opwright.from_numpy(np.array(array))


def close(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(actual.detach().numpy(), expected, rtol=1e-10, atol=1e-10)


def attended(layer: Any, q: Array, k: Array, v: Array, mask: Array | None) -> tuple[Array, Array]:
    """What a layer makes of one sample `(L, E)`; `mask` is added to the scores of each head."""
    state = {name: it.numpy() for name, it in layer.state_dict().items()}
    if "in_proj_weight" in state:
        weights = np.split(state["in_proj_weight"], 3)
    else:
        weights = [state[f"{it}_proj_weight"] for it in "qkv"]
    moves = np.split(state.get("in_proj_bias", np.zeros(3 * layer.embed_dim)), 3)
    q, k, v = (x @ w.T + b for x, w, b in zip((q, k, v), weights, moves, strict=True))
    if "bias_k" in state:
        k, v = np.r_[k, state["bias_k"][0]], np.r_[v, state["bias_v"][0]]
    if layer.add_zero_attn:
        k, v = (np.r_[it, np.zeros((1, layer.embed_dim))] for it in (k, v))
    size = layer.head_dim
    made, all_weights = [], []
    for head in range(layer.num_heads):
        own = slice(head * size, (head + 1) * size)
        scores = q[:, own] @ k[:, own].T / np.sqrt(size)
        if mask is not None:
            each = mask if mask.ndim == 2 else mask[head]
            scores = scores + np.pad(each, ((0, 0), (0, len(k) - each.shape[1])))
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        all_weights.append(powers / powers.sum(-1, keepdims=True))
        made.append(all_weights[-1] @ v[:, own])
    out = np.concatenate(made, -1) @ state["out_proj.weight"].T
    return out + state.get("out_proj.bias", 0.0), np.stack(all_weights)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"bias": False},
    {"add_bias_kv": True},
    {"add_zero_attn": True},
    {"add_bias_kv": True, "add_zero_attn": True},
    {"kdim": 3, "vdim": 5},
    {"kdim": 3, "bias": False, "batch_first": True},
]


@pytest.mark.parametrize("masked", ["", "bool", "additive", "heads", "padding", "both"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_attention_is_its_formula(
    options: dict[str, Any], masked: str, rng: np.random.Generator
) -> None:
    length, source, batch, heads = 3, 4, 2, 2
    layer = nn.MultiheadAttention(6, heads, dtype=F64, **options)
    q = rng.normal(size=(batch, length, 6))
    k = rng.normal(size=(batch, source, layer.kdim))
    v = rng.normal(size=(batch, source, layer.vdim))
    hidden = rng.random((length, source)) < 0.4
    hidden[:, 0] = False
    padding = np.array([[False, False, True, True], [False, False, False, True]])
    masks: dict[str, Any] = {}
    added = np.zeros((batch, heads, length, source))
    if masked in ("bool", "both"):
        masks["attn_mask"] = hidden
        added[..., hidden] = -np.inf
    elif masked == "additive":
        masks["attn_mask"] = rng.normal(size=(length, source))
        added += masks["attn_mask"]
    elif masked == "heads":
        masks["attn_mask"] = rng.normal(size=(batch * heads, length, source))
        added += masks["attn_mask"].reshape(added.shape)
    if masked in ("padding", "both"):
        masks["key_padding_mask"] = padding
        added += np.where(padding, -np.inf, 0.0)[:, None, None]
    given = {name: t(mask) for name, mask in masks.items()}
    first = layer.batch_first
    arrays = [it if first else it.swapaxes(0, 1) for it in (q, k, v)]
    expected, weights = zip(
        *(attended(layer, q[it], k[it], v[it], added[it]) for it in range(batch)), strict=True
    )
    for need in (True, False):
        result, found = layer(*map(t, arrays), need_weights=need, **given)
        close(result if first else result.transpose(0, 1), np.stack(expected))
        assert (found is None) is not need
    _, each = layer(*map(t, arrays), average_attn_weights=False, **given)
    close(each, np.stack(weights))
    close(layer(*map(t, arrays), **given)[1], np.stack(weights).mean(1))
    if masked != "heads":
        alone = {name: it[0] if it.shape == padding.shape else it for name, it in given.items()}
        result, found = layer(t(q[0]), t(k[0]), t(v[0]), **alone)
        close(result, expected[0])
        close(found, weights[0].mean(0))


@pytest.mark.parametrize("need_weights", [True, False])
def test_the_causal_mask_may_be_named(need_weights: bool, rng: np.random.Generator) -> None:
    layer = nn.MultiheadAttention(4, 2, dtype=F64, batch_first=True)
    x = t(rng.normal(size=(2, 5, 4)))
    mask = nn.Transformer.generate_square_subsequent_mask(5, dtype=F64)
    expected, _ = layer(x, x, x, attn_mask=mask)
    options: list[dict[str, Any]] = [
        {"attn_mask": mask},
        {"attn_mask": mask.isinf(), "key_padding_mask": opwright.zeros(2, 5, dtype=opwright.bool)},
    ]
    for each in options:
        found, _ = layer(x, x, x, need_weights=need_weights, is_causal=True, **each)
        close(found, expected.detach().numpy())
    # What comes later has no part in what was before.
    changed = x.clone()
    changed[:, 3:] = 7.0
    again, _ = layer(changed, changed, changed, attn_mask=mask, is_causal=True)
    close(again[:, :3], expected[:, :3].detach().numpy())


def test_given_keys_and_values(rng: np.random.Generator) -> None:
    layer = nn.MultiheadAttention(4, 2, dtype=F64)
    x = t(rng.normal(size=(3, 1, 4)))
    state = layer.state_dict()
    k, v = (
        F.linear(x, weight).reshape(3, 2, 2).transpose(0, 1)
        for weight in state["in_proj_weight"].chunk(3)[1:]
    )
    given: tuple[Any, ...] = (x, x, x, 4, 2, state["in_proj_weight"], None, None, None, False, 0.0)
    given = (*given, state["out_proj.weight"], None)
    expected, _ = F.multi_head_attention_forward(*given)
    found, _ = F.multi_head_attention_forward(*given, static_k=k, static_v=v)
    close(found, expected.detach().numpy())
    found, _ = F.multi_head_attention_forward(*given, static_k=k, static_v=v * 2)
    close(found, 2 * expected.detach().numpy())


def test_weights_are_left_out_while_training() -> None:
    opwright.manual_seed(1)
    layer = nn.MultiheadAttention(4, 2, dropout=0.5)
    x = opwright.ones(50, 2, 4)
    _, weights = layer(x, x, x, average_attn_weights=False)
    assert abs((weights == 0).float().mean().item() - 0.5) < 0.05
    _, weights = layer.eval()(x, x, x)
    np.testing.assert_allclose(weights.detach().numpy(), 0.02, rtol=1e-5)


def test_what_attention_starts_with() -> None:
    opwright.manual_seed(1)
    layer: Any = nn.MultiheadAttention(60, 3, add_bias_kv=True)
    bound = np.sqrt(6 / (4 * 60))
    assert abs(layer.in_proj_weight).max() <= bound
    assert abs(layer.in_proj_weight.std().item() * np.sqrt(3) / bound - 1) < 0.02
    assert not layer.in_proj_bias.any()
    assert not layer.out_proj.bias.any()
    assert layer.bias_k.any()


def x(*shape: int) -> Any:
    return opwright.ones(shape)


ATTENTION = nn.MultiheadAttention(4, 2)
WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: nn.MultiheadAttention(4, 3), ValueError, "divisible by num_heads=3, but is 4"),
    (lambda: nn.MultiheadAttention(0, 1), ValueError, "must be positive"),
    (lambda: ATTENTION(x(4), x(4), x(4)), ValueError, "2 or 3 dimensions, not 1"),
    (lambda: ATTENTION(x(2, 4), x(2, 1, 4), x(2, 4)), ValueError, "'key' must have 2 dimensions"),
    (lambda: ATTENTION(x(2, 3), x(2, 3), x(2, 3)), ValueError, "must have 4 features"),
    (lambda: ATTENTION(x(2, 4), x(3, 4), x(2, 4)), ValueError, "must have the same shape"),
    (lambda: ATTENTION(*[x(2, 4)] * 3, is_causal=True), RuntimeError, "goes with 'attn_mask'"),
    (
        lambda: ATTENTION(*[x(2, 4)] * 3, attn_mask=x(2, 3)),
        RuntimeError,
        r"\[2, 2\] or \[2, 2, 2\]",
    ),
    (lambda: ATTENTION(*[x(2, 4)] * 3, x(3)), ValueError, r"must have the shape \[1, 2\]"),
    (lambda: ATTENTION(*[x(2, 4)] * 3, x(2, 2)), ValueError, "must have 1 dimensions, not 2"),
    (
        lambda: ATTENTION(*[x(2, 4)] * 3, attn_mask=x(2, 2).long()),
        ValueError,
        "'attn_mask' must be bool or floating",
    ),
    (lambda: nn.TransformerEncoderLayer(4, 2, activation="sine"), RuntimeError, "'relu' or 'gelu'"),
    (lambda: nn.Transformer(4, 2, 1, 1, 8)(x(2, 1, 4), x(2, 2, 4)), RuntimeError, "of one size"),
    (
        lambda: nn.Transformer(4, 2, 1, 1, 8)(x(2, 1, 4), x(2, 1, 3)),
        RuntimeError,
        "tgt must have 4",
    ),
]


@pytest.mark.parametrize(("call", "error", "text"), WRONG, ids=[it[2] for it in WRONG])
def test_what_is_refused(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_masks_of_two_dtypes_are_deprecated() -> None:
    padding = opwright.zeros(2, dtype=opwright.bool)
    with pytest.warns(UserWarning, match="different dtypes are deprecated"):
        ATTENTION(*[x(2, 4)] * 3, padding, attn_mask=x(2, 2))


# --- layers and stacks --------------------------------------------------------------------


@pytest.mark.parametrize("norm_first", [False, True])
def test_an_encoder_layer_is_its_blocks(norm_first: bool, rng: np.random.Generator) -> None:
    layer = nn.TransformerEncoderLayer(
        4, 2, 8, 0.0, "gelu", norm_first=norm_first, dtype=F64, batch_first=True
    )
    src = t(rng.normal(size=(2, 3, 4)))

    def attention(x: Any) -> Any:
        return layer.self_attn(x, x, x)[0]

    def maps(x: Any) -> Any:
        return layer.linear2(F.gelu(layer.linear1(x)))

    if norm_first:
        expected = src + attention(layer.norm1(src))
        expected = expected + maps(layer.norm2(expected))
    else:
        expected = layer.norm1(src + attention(src))
        expected = layer.norm2(expected + maps(expected))
    close(layer(src), expected.detach().numpy())
    close(copy.deepcopy(layer)(src), expected.detach().numpy())


def test_a_transformer_is_its_layers(rng: np.random.Generator) -> None:
    model = nn.Transformer(4, 2, 2, 2, 8, 0.0, dtype=F64)
    src, tgt = t(rng.normal(size=(5, 3, 4))), t(rng.normal(size=(6, 3, 4)))
    mask = model.generate_square_subsequent_mask(6, dtype=F64)
    memory = model.encoder.norm(model.encoder.layers[1](model.encoder.layers[0](src)))
    made = tgt
    for layer in model.decoder.layers:
        made = layer(made, memory, tgt_mask=mask)
    expected = model.decoder.norm(made).detach().numpy()
    for causal in (mask, mask.isinf()):
        for known in (None, True, False):
            close(model(src, tgt, tgt_mask=causal, tgt_is_causal=known), expected)
    for parameter in model.parameters():
        if parameter.ndim > 1:
            assert abs(parameter).max() <= np.sqrt(6 / sum(parameter.shape)) + 1e-12
    assert model.encoder.layers[0].linear1.weight is not model.encoder.layers[1].linear1.weight
    assert opwright.equal(*(it.norm1.weight for it in model.encoder.layers))


def test_own_encoders_and_activations() -> None:
    encoder = nn.Identity()
    model = nn.Transformer(4, 2, 1, 1, 8, activation=nn.Tanh(), custom_decoder=encoder)
    assert model.decoder is encoder
    layer = model.encoder.layers[0]
    assert isinstance(layer.activation, nn.Tanh)
    assert isinstance(copy.deepcopy(layer).activation, nn.Tanh)


def test_a_transformer_learns() -> None:
    opwright.manual_seed(2)
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True), 1)
    # Each element is to become the last of its sequence.
    data = opwright.randn(16, 4, 8)
    target = data[:, -1:].expand(16, 4, 8)
    optimizer = opwright.optim.Adam(model.parameters(), 0.01)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = F.mse_loss(model(data), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]

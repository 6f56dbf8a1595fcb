"""Attention beside numpy: masks, heads that share keys, blocks, gradients."""

import numpy as np
import opwright
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opwright.autograd import gradcheck, gradgradcheck
from opwright.nn.functional import scaled_dot_product_attention as attention


def assert_close(found, wanted):
    np.testing.assert_allclose(found.detach().numpy(), wanted.detach().numpy(), 1e-6, 1e-7)


def normal(*shape, **options):
    return opwright.randn(*shape, dtype=opwright.float64, **options)


def wanted(query, key, value, mask=None, scale=None):
    scores = query @ np.swapaxes(key, -1, -2)
    scores *= query.shape[-1] ** -0.5 if scale is None else scale
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    return shares / shares.sum(-1, keepdims=True) @ value


@given(
    st.integers(1, 5),
    st.integers(1, 5),
    st.sampled_from([(), (2,), (2, 3)]),
    st.sampled_from(["none", "causal", "bool", "float", "row"]),
)
@settings(deadline=None)
def test_means_are_those_of_numpy(queries, keys, leading, kind):
    q, k, v = normal(*leading, queries, 4), normal(*leading, keys, 4), normal(*leading, keys, 3)
    mask, options = None, {}
    if kind == "causal":
        options["is_causal"] = True
        mask = np.tril(np.ones((queries, keys), bool))
    elif kind == "bool":
        mask = np.random.default_rng(keys).random((queries, keys)) > 0.4
        mask[:, 0] = True
    elif kind in ("float", "row"):
        mask = normal(queries if kind == "float" else 1, keys).numpy()
    if mask is not None and kind != "causal":
        options["attn_mask"] = opwright.tensor(mask)
    found = attention(q, k, v, **options)
    np.testing.assert_allclose(found.numpy(), wanted(q.numpy(), k.numpy(), v.numpy(), mask))


@pytest.mark.parametrize("is_causal", [False, True])
def test_many_queries_are_done_in_blocks(is_causal):
    q, k, v = normal(2, 900, 4), normal(2, 1300, 4), normal(2, 1300, 2)
    for x in (q, k, v):
        x.requires_grad_()
    mask = np.tril(np.ones((900, 1300), bool)) if is_causal else None
    found = attention(q, k, v, is_causal=is_causal)
    np.testing.assert_allclose(
        found.detach().numpy(),
        wanted(q.detach().numpy(), k.detach().numpy(), v.detach().numpy(), mask),
    )
    found.sum().backward()
    scores = (q.detach() * 0.5) @ k.detach().mT
    if is_causal:
        scores = scores.masked_fill(opwright.tensor(~mask), -float("inf"))
    shares = scores.softmax(-1)
    assert_close(v.grad, shares.mT @ opwright.ones_like(found))


def test_heads_share_keys():
    q, k, v = normal(1, 4, 3, 2), normal(1, 2, 5, 2), normal(1, 2, 5, 2)
    found = attention(q, k, v, enable_gqa=True)
    each = [attention(q[:, at], k[:, at // 2], v[:, at // 2]) for at in range(4)]
    assert_close(found, opwright.stack(each, 1))


@pytest.mark.parametrize("kind", ["none", "causal", "float", "row"])
def test_gradients(kind):
    q, k, v = (normal(2, 3, 2, requires_grad=True) for _ in range(3))
    if kind in ("float", "row"):
        mask = normal(3 if kind == "float" else 1, 3, requires_grad=True)
        assert gradcheck(attention, (q, k, v, mask))
        assert gradgradcheck(attention, (q, k, v, mask))
    else:
        is_causal = kind == "causal"
        assert gradcheck(lambda *x: attention(*x, is_causal=is_causal), (q, k, v))
        assert gradgradcheck(lambda *x: attention(*x, is_causal=is_causal), (q, k, v))


def test_dropout_leaves_means():
    opwright.manual_seed(0)
    q, k, v = opwright.zeros(200, 1), opwright.zeros(50, 1), opwright.ones(50, 1)
    found = attention(q, k, v, dropout_p=0.5)
    assert abs(found.mean().item() - 1) < 0.1
    assert found.std().item() > 0


def test_sizes_of_nothing():
    assert attention(opwright.ones(0, 2), opwright.ones(3, 2), opwright.ones(3, 4)).shape == (0, 4)
    found = attention(opwright.ones(2, 2), opwright.ones(0, 2), opwright.ones(0, 4))
    assert found.tolist() == [[0.0] * 4] * 2


def test_what_does_not_fit_is_refused():
    x = opwright.ones(2, 2)
    for arguments, options, text in (
        ((x, opwright.ones(2, 3), x), {}, "as many features"),
        ((x, x, opwright.ones(3, 2)), {}, "as many rows"),
        ((x, x.double(), x), {}, "same dtype"),
        ((x, x, x, x), {"is_causal": True}, "attn_mask"),
        ((x, x, x, x.long()), {}, "attn_mask dtype"),
        ((opwright.ones(3, 2, 2), x, x), {"enable_gqa": True}, "enable_gqa"),
    ):
        with pytest.raises(RuntimeError, match=text):
            attention(*arguments, **options)

"""Results of operators in JAX: their number, shapes, dtypes and memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import opwright as ow
import pytest
from opwright import ops
from test_batching_rules import flat

jax = pytest.importorskip("jax", reason="the package jax is absent")

import jax.numpy as jnp  # noqa: E402
from opwright.interop.jax import _eager, _xla, wrap  # noqa: E402

softplus = wrap(ops.softplus.default)


def test_several_results_are_a_tuple_and_numbers_are_arrays() -> None:
    x = jnp.asarray([3.0, 1.0, 2.0])
    assert type(wrap(ops.topk.default)(x, 2)) is tuple
    equal = wrap(ops.equal.default)
    assert bool(equal(x, x)) and not bool(jax.jit(equal)(x, x + 1))
    assert jax.vmap(equal)(x, x[::-1]).tolist() == [False, True, False]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "bfloat16", "complex64"])
def test_dtypes_cross(dtype: str) -> None:
    clone, x = wrap(ops.clone.default), jnp.asarray([[0, 1, 1]]).astype(dtype)
    for found in (clone(x), jax.jit(clone)(x), jax.jit(clone)(x[:0])):
        assert found.dtype == x.dtype
    assert (jax.jit(clone)(x) == x).all()


@pytest.mark.parametrize("dtype", ["bool", "uint16", "float16", "bfloat16", "float32", "complex64"])
def test_tensors_are_arguments_as_they_are_then(dtype: str) -> None:
    tensor = ow.tensor([[0, 1], [1, 1]]).to(getattr(ow, dtype))
    mul, ones = wrap(ops.mul.Tensor), jnp.ones((2, 2), dtype)
    expected = jnp.asarray([[0, 1], [1, 1]], dtype)
    values = mul(ones, tensor.t())
    assert values.dtype == dtype
    assert (values == expected).all()
    if jnp.issubdtype(dtype, jnp.floating):
        _, pull = jax.vjp(lambda it: mul(it, tensor), ones)
        tensor.fill_(0)
        assert (pull(ones)[0] == expected).all()


def test_elements_may_decide_shapes_where_nothing_is_traced() -> None:
    x = jnp.asarray([[0.0, 2.0], [3.0, 0.0]])
    assert wrap(ops.nonzero.default)(x).tolist() == [[0, 1], [1, 0]]
    assert [it.tolist() for it in wrap(ops.nonzero_numpy)(x)] == [[0, 1], [1, 0]]
    assert wrap(ops.masked_select)(x, x > 2).tolist() == [3.0]
    assert wrap(ops.index)(x[0], [jnp.asarray([False, True])]).tolist() == [2.0]


def test_declared_types_are_shapes_where_meta_kernels_know_none() -> None:
    counts = jax.jit(lambda it: wrap(ops.histc)(it, 4, 0, 4))(jnp.asarray([0.5, 2.5, 2.6]))
    assert counts.tolist() == [1.0, 0.0, 2.0, 0.0]
    repeat = jax.jit(lambda it: wrap(ops.repeat_interleave)(it, output_size=3))
    assert repeat(jnp.asarray([1, 2])).tolist() == [0, 1, 1]
    with pytest.raises(TypeError, match="not known without"):
        jax.jit(wrap(ops.repeat_interleave.Tensor))(jnp.asarray([1, 2]))


def test_results_have_the_shapes_that_memory_was_kept_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = jnp.ones(3)
    # One whose calls are not prepared yet.
    compiled = jax.jit(lambda it: softplus(it, beta=0.375)).lower(x).compile()
    for module in (_xla, _eager):
        monkeypatch.setattr(module, "function_of", lambda _: lambda _: [ow.ones(1 << 20)])
    with pytest.raises((RuntimeError, ValueError), match=r"shape \(1048576,\), .* said \(3,\)"):
        jax.block_until_ready(compiled(x))
    with pytest.raises(RuntimeError, match=r"softplus\(\) returned a tensor of shape"):
        softplus(x)


BY_ELEMENTS: dict[str, Callable[[Any], Any]] = {
    "reduce": lambda it: jax.lax.reduce(it, np.float32(0), wrap(ops.add.Tensor), (0,)),
    "reduce_window": lambda it: jax.lax.reduce_window(
        it, np.float32(0), wrap(ops.add.Tensor), (2,), (1,), "VALID"
    ),
    "scatter": lambda it: it.at[0].apply(softplus),
}  # fmt: skip


# XLA would end the process.
@pytest.mark.parametrize("name", BY_ELEMENTS)
def test_operators_are_no_functions_of_elements(name: str) -> None:
    with pytest.raises(NotImplementedError, match=f"for each element by `stablehlo.{name}`"):
        BY_ELEMENTS[name](jnp.ones(3))


LARGE: dict[str, tuple[Callable[..., Any], str]] = {
    "softplus": (softplus, "softplus.out"),
    "add": (lambda it: wrap(ops.add)(it, it[0], alpha=2), "add.out"),
    "qr": (wrap(ops.linalg_qr.default), "linalg_qr.out"),
    "compare": (lambda it: wrap(ops.eq.Tensor)(it, it.T), "eq.Tensor_out"),
    "a view": (wrap(ops.t.default), ""),
    "int64 that is int32": (lambda it: wrap(ops.topk.default)(it, 200), ""),
    "a gradient": (jax.grad(lambda it: softplus(it).sum()), ""),
    "few elements": (lambda it: softplus(it[0]), ""),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_results_are_written_where_they_belong(name: str) -> None:
    called, out = LARGE[name]
    x = jnp.linspace(-1.0, 1.0, 1 << 16).reshape(256, 256)
    lowered = jax.jit(called).lower(x)
    assert f'out = "{out}"' in lowered.as_text()
    for one, other in zip(flat(lowered.compile()(x)), flat(called(x)), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-6)

"""Operators in JAX: values, gradients, batches and shapes against ours, and what is refused.

`OPWRIGHT_EVERY=1` tries all operators, otherwise a sample is tried.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from inspect import signature
from itertools import product
from typing import Any

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import opwright as ow
import pytest
from hypothesis import given
from opwright import func, ops
from opwright.extending import native_op
from test_batching_rules import SETTINGS, argument_at, flat, overloads, replaced, spots

jax = pytest.importorskip("jax", reason="the package jax is absent")

import jax.numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402
from opwright.interop.jax import wrap  # noqa: E402
from opwright.interop.jax._calls import PULLBACK, Call, Step  # noqa: E402
from opwright.interop.jax._formulas import _compiled  # noqa: E402

EVERY = 1 if os.environ.get("OPWRIGHT_EVERY") else 32
REFUSALS = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError)

softplus = wrap(ops.softplus.default)
mm = wrap(ops.mm.default)


def is_tried(overload: Any) -> bool:
    """Whether an overload is a function of tensors whose shapes are known without elements."""
    words = {"nondeterministic_seeded", "data_dependent_output", "dynamic_output_shape"}
    head, _, returned = overload.schema.partition("->")
    is_function = "Tensor" in head and "Tensor" in returned and "Generator" not in head
    is_filled = not overload.name.startswith(("empty", "new_empty", "resize"))
    return is_function and is_filled and not overload.mutates and not words & set(overload.tags)


ALL = [it for it in overloads() if is_tried(it)]
DIFFERENTIABLE = [it for it in ALL if it.gradient in ("formula", "composed")]


@pytest.fixture
def x64() -> Iterator[None]:
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


def array(tensor: ow.Tensor) -> Any:
    return jnp.array(tensor.detach().to(ow.float32).numpy(), dtype=tensor.dtype.name)


def array_of(tensor: ow.Tensor) -> Any:
    is_numpy = tensor.dtype != ow.bfloat16
    return jnp.array(tensor.detach().numpy()) if is_numpy else array(tensor)


def assert_same(found: Any, expected: Any) -> None:
    for one, other in zip(flat(found), flat(expected), strict=True):
        known = array_of(other) if isinstance(other, ow.Tensor) else jnp.asarray(other)
        assert one.shape == known.shape
        assert one.dtype == known.dtype
        wide = jnp.complex128 if jnp.iscomplexobj(one) else jnp.float64
        np.testing.assert_allclose(one.astype(wide), known.astype(wide), rtol=1e-4, atol=1e-5)


def calls(overload: Any, count: int) -> Iterator[tuple[dict[str, Any], list[Any], Any]]:
    """Arguments, where their tensors are, and what our own call returns."""
    for make in ow._C._calls(overload.name, SETTINGS)[:count]:
        arguments = make()
        with suppress(*REFUSALS):
            expected = overload(**arguments)
            meta = any(isinstance(it, ow.Tensor) and it.is_meta for it in arguments.values())
            if not meta:
                yield arguments, spots(arguments), expected


def function(overload: Any, arguments: dict[str, Any], places: Any) -> Callable[..., Any]:
    """The overload in JAX as a function of what is at these places."""
    wrapped = wrap(overload)
    return lambda *arrays: wrapped(**replaced(arguments, places, arrays))


@pytest.mark.usefixtures("x64")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("overload", ALL[::EVERY], ids=lambda it: it.name)
def test_values_and_shapes_are_ours(overload: Any) -> None:
    for at, (arguments, places, expected) in enumerate(calls(overload, 4)):
        called = function(overload, arguments, places)
        arrays = [array_of(argument_at(arguments, it)) for it in places]
        found = called(*arrays)
        assert_same(found, expected)
        try:
            shapes = jax.eval_shape(called, *arrays)
        except TypeError as error:
            assert "not known without" in str(error)
            continue
        for one, shape in zip(flat(found), flat(shapes), strict=True):
            assert (one.shape, one.dtype) == (shape.shape, shape.dtype)
        if at == 0:
            assert_same(jax.jit(called)(*arrays), expected)


@pytest.mark.usefixtures("x64")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("overload", ALL[5::EVERY], ids=lambda it: it.name)
def test_batches_are_what_samples_are(overload: Any) -> None:
    for arguments, places, _ in calls(overload, 2):
        called = function(overload, arguments, places)
        batches = [
            jnp.stack([it, jnp.flip(it)])
            for it in (array_of(argument_at(arguments, it)) for it in places)
        ]
        try:
            each = [flat(called(*[it[at] for it in batches])) for at in range(2)]
        except REFUSALS:
            continue
        expected = [jnp.stack(list(it)) for it in zip(*each, strict=True)]
        assert_same(jax.vmap(called)(*batches), expected)


@pytest.mark.usefixtures("x64")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("overload", DIFFERENTIABLE[::EVERY], ids=lambda it: it.name)
def test_gradients_are_ours(overload: Any) -> None:
    for arguments, places, _ in calls(overload, 3):
        places = [it for it in places if argument_at(arguments, it).is_floating_point()]
        tensors = [argument_at(arguments, it).to(ow.float64) for it in places]

        def own(*given: Any, arguments: Any = arguments, places: Any = places) -> Any:
            return tuple(flat(overload(**replaced(arguments, places, given))))

        try:
            results, pull = func.vjp(own, *tensors)
            slopes = pull(tuple(ow.ones_like(it) for it in results))
        except REFUSALS:
            continue
        if not places or not all(it.is_floating_point() for it in results):
            continue
        called = function(overload, jaxed(arguments), places)
        arrays = [array_of(it) for it in tensors]
        values, back = jax.vjp(lambda *it, called=called: flat(called(*it)), *arrays)
        found = back([jnp.ones_like(it) for it in values])
        assert_same(list(found), list(slopes))


def jaxed(arguments: dict[str, Any]) -> dict[str, Any]:
    places = spots(arguments)
    return replaced(arguments, places, [array_of(argument_at(arguments, it)) for it in places])


FORMULAS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "softplus": (lambda x: softplus(x, beta=2.0), ((3,),)),
    "mm": (mm, ((2, 3), (3, 2))),
    "logsumexp": (lambda x: wrap(ops.logsumexp.default)(x, [1]), ((2, 3),)),
    "exp": (wrap(ops.exp.default), ((2,),)),
    "add with alpha": (lambda x, y: wrap(ops.add)(x, y, alpha=3), ((2, 3), (3,))),
    "cat": (lambda x, y: wrap(ops.cat.default)([x, y], dim=1), ((2, 1), (2, 3))),
    "topk": (lambda x: wrap(ops.topk.default)(x, 2)[0], ((4,),)),
    "det": (wrap(ops.linalg_det.default), ((2, 2),)),
}


@pytest.mark.usefixtures("x64")
@pytest.mark.parametrize("name", FORMULAS)
def test_derivatives_are_limits_of_differences(name: str, rng: np.random.Generator) -> None:
    called, shapes = FORMULAS[name]
    arrays = tuple(jnp.asarray(rng.standard_normal(it)) for it in shapes)
    check_grads(called, arrays, order=2, modes=("fwd", "rev"))
    check_grads(jax.jit(called), arrays, order=1, modes=("fwd", "rev"))


SHAPES = st.sampled_from([(), (3,), (0,), (2, 1), (2, 3)])


# Each shape is compiled once.
@given(hnp.arrays(np.float32, SHAPES, elements=st.floats(-9, 9, width=32)))
def test_transforms_agree_with_those_of_jax(values: np.ndarray[Any, Any]) -> None:
    x = jnp.asarray(values)
    np.testing.assert_allclose(softplus(x), jax.nn.softplus(x), rtol=1e-5, atol=1e-6)
    found = jax.grad(lambda it: softplus(it).sum())(x)
    np.testing.assert_allclose(found, jax.nn.sigmoid(x), rtol=1e-5, atol=1e-6)
    if x.ndim:
        each = jax.vmap(jax.grad(lambda it: softplus(it).sum()))(x)
        np.testing.assert_allclose(each, found, rtol=1e-5, atol=1e-6)


def test_gradients_of_complex_numbers_are_as_in_jax() -> None:
    sin, z = wrap(ops.sin.default), 1 + 2j
    for mine, theirs in (
        (jax.grad(lambda it: jnp.abs(sin(it))), jax.grad(lambda it: jnp.abs(jnp.sin(it)))),
        (jax.grad(sin, holomorphic=True), jnp.cos),
        (lambda it: jax.jvp(sin, (it,), (1j,))[1], lambda it: 1j * jnp.cos(it)),
    ):
        np.testing.assert_allclose(mine(z), theirs(z), rtol=1e-5)


def test_loops_and_branches_of_programs() -> None:
    x = jnp.linspace(-1.0, 1.0, 5)
    scanned, _ = jax.lax.scan(lambda carry, _: (softplus(carry), None), x, length=3)
    expected = jax.nn.softplus(jax.nn.softplus(jax.nn.softplus(x)))
    np.testing.assert_allclose(scanned, expected, rtol=1e-5)
    slopes = jax.grad(
        lambda it: jax.lax.scan(lambda c, _: (softplus(c), None), it, length=3)[0].sum()
    )(x)
    known = jax.grad(lambda it: jax.nn.softplus(jax.nn.softplus(jax.nn.softplus(it))).sum())(x)
    np.testing.assert_allclose(slopes, known, rtol=1e-5)
    chosen = jax.jit(lambda it: jax.lax.cond(it.sum() > 9, jnp.negative, softplus, it))(x)
    np.testing.assert_allclose(chosen, jax.nn.softplus(x), rtol=1e-5)
    again = jax.grad(lambda it: jax.checkpoint(lambda y: softplus(y).sum())(it))(x)
    np.testing.assert_allclose(again, jax.nn.sigmoid(x), rtol=1e-5)


def test_what_samples_share_has_a_gradient_for_each() -> None:
    a, b = jnp.arange(12.0).reshape(2, 2, 3), jnp.arange(6.0).reshape(3, 2)
    found = jax.vmap(jax.grad(lambda a, b: (mm(a, b) ** 2).sum(), argnums=1), (0, None))(a, b)
    known = jax.vmap(jax.grad(lambda a, b: ((a @ b) ** 2).sum(), argnums=1), (0, None))(a, b)
    np.testing.assert_allclose(found, known, rtol=1e-5)
    summed = jax.grad(lambda b: (jax.vmap(mm, (0, None))(a, b) ** 2).sum())(b)
    np.testing.assert_allclose(summed, known.sum(0), rtol=1e-5)


def test_samples_along_any_dimension() -> None:
    a, b = jnp.ones((4, 2, 3)), jnp.ones((3, 5, 4))
    assert jax.vmap(mm, (0, 2), out_axes=1)(a, b).shape == (2, 4, 5)
    assert jax.vmap(jax.vmap(mm, (None, 0)), (0, None))(a, jnp.ones((7, 3, 5))).shape == (
        4,
        7,
        2,
        5,
    )


def test_64_bits_become_32_as_in_jax_unless_they_do_not_fit(
    request: pytest.FixtureRequest,
) -> None:
    argmax, total = wrap(ops.argmax.default), wrap(ops.sum.default)
    x = jnp.asarray([1, 7, 3])
    assert argmax(x).dtype == jax.jit(argmax)(x).dtype == "int32"
    assert int(argmax(x)) == int(jax.jit(argmax)(x)) == 1
    large = jnp.full((4,), 2**30)
    with pytest.raises(OverflowError, match=r"does not fit into int32; .*jax_enable_x64"):
        total(large)
    with pytest.raises(RuntimeError, match=r"does not fit into int32; .*jax_enable_x64"):
        jax.block_until_ready(jax.jit(total)(large))
    request.getfixturevalue("x64")
    assert int(total(large)) == int(jax.jit(total)(large)) == 2**32


@pytest.mark.parametrize("make", [ow.tensor, np.array])
def test_arguments_lose_no_bits_of_integers(make: Any, request: pytest.FixtureRequest) -> None:
    clone, large = wrap(ops.clone.default), make([2**40])
    assert clone(make([2**31 - 1])).tolist() == [2**31 - 1]
    with pytest.raises(OverflowError, match=r"clone\(\): argument `self`: .*jax_enable_x64"):
        clone(large)
    request.getfixturevalue("x64")
    assert clone(large).tolist() == [2**40]


def test_floats_of_64_bits_are_rounded_without_the_switch() -> None:
    total = wrap(ops.sum.dim_IntList)
    x = jnp.full((2,), 3e38)
    for called in (total, jax.jit(total, static_argnums=1, static_argnames="dtype")):
        found = called(x, (0,), dtype=ow.float64)
        assert found.dtype == "float32"
        assert float(found) == float("inf")


def test_arguments_may_still_be_computed() -> None:
    busy = jax.jit(lambda it: softplus(it @ it))
    x = jnp.full((300, 300), 0.01)
    for _ in range(5):
        np.testing.assert_allclose(softplus(busy(x)), jax.nn.softplus(busy(x)), rtol=1e-5)


def test_indices_may_be_int32_where_jax_has_no_int64() -> None:
    rows = wrap(ops.one_hot.default)(jnp.asarray([1, 0]), 3)
    assert rows.tolist() == [[0, 1, 0], [1, 0, 0]]
    loss = wrap(ops.nll_loss.default)
    slopes = jax.jit(jax.grad(lambda it: loss(it, jnp.asarray([1, 0]))))(jnp.zeros((2, 2)))
    assert slopes.tolist() == [[0.0, -0.5], [-0.5, 0.0]]


def test_static_arguments_by_position_and_by_name() -> None:
    x = jnp.arange(6.0).reshape(2, 3)
    total = wrap(ops.sum.dim_IntList)
    assert total(x, [0]).tolist() == total(x, dim=(0,)).tolist() == [3.0, 5.0, 7.0]
    for dtype in (jnp.float16, "float16", ow.float16, np.dtype("float16")):
        assert total(x, [0], dtype=dtype).dtype == "float16"
    beta = jax.jit(softplus, static_argnames="beta")(x, beta=2.0)
    np.testing.assert_allclose(beta, jax.nn.softplus(2 * x) / 2, rtol=1e-5)
    np.testing.assert_allclose(softplus(x, np.float32(2)), beta, rtol=1e-5)
    assert str(signature(softplus)) == "(self, beta=1, threshold=20)"


NUMBERS = {"add": jnp.add, "mul": jnp.multiply, "sub": jnp.subtract, "pow": jnp.power}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int8", "int32"])
def test_numbers_of_python_decide_dtypes_as_in_jax(name: str, dtype: str) -> None:
    for x, number in product((jnp.ones((), dtype), jnp.ones(2, dtype)), (2, 0.5)):
        found, known = wrap(getattr(ops, name))(x, number), NUMBERS[name](x, number)
        assert (found.dtype, found.shape) == (known.dtype, known.shape)
        np.testing.assert_array_equal(found, known)


def test_overloads_are_picked_by_the_arguments() -> None:
    x = jnp.asarray([[1.0, 5.0], [7.0, 2.0]])
    largest = wrap(ops.max)
    assert float(largest(x)) == 7
    assert [it.tolist() for it in largest(x, 1)] == [[5.0, 7.0], [1, 0]]
    assert largest(x, x.T).tolist() == [[1.0, 7.0], [7.0, 2.0]]
    assert wrap(ops.add)(x, 1, alpha=2)[0].tolist() == [3.0, 7.0]
    with pytest.raises(TypeError, match=r"no overload takes .*\n *max\.dim\(|\n *max\("):
        largest(x, dim="first")


def test_arrays_share_memory_with_tensors() -> None:
    x = jnp.zeros(1000)
    assert ow.from_dlpack(x).data_ptr() == x.unsafe_buffer_pointer()
    view = wrap(ops.view.default)(x, [10, 100])
    assert view.unsafe_buffer_pointer() != x.unsafe_buffer_pointer()


def test_kernels_in_programs_see_subnormal_numbers() -> None:
    scale, tiny = wrap(ops.mul.Scalar), jnp.float32(1e-40)
    assert float(jax.jit(lambda it: scale(it, 2.0**20))(tiny)) == float(scale(tiny, 2.0**20)) > 0
    factor = jnp.asarray([[1 + 2j, 0], [0, 1 - 1j]])
    inverse = wrap(ops.cholesky_inverse.default)
    np.testing.assert_allclose(jax.jit(inverse)(factor), np.diag([0.2, 0.5]), rtol=1e-6)


def test_random_numbers_are_drawn_anew_and_have_no_gradient() -> None:
    draw, x = wrap(ops.bernoulli.default), jnp.full((64,), 0.5)
    one, other = jax.jit(lambda it: (draw(it), draw(it)))(x)
    assert (one != other).any()
    each = jax.vmap(draw)(jnp.stack([x, x]))
    assert (each[0] != each[1]).any()
    with pytest.raises(NotImplementedError, match="draws random numbers"):
        jax.grad(lambda it: draw(it).sum())(x)


def test_errors_of_operators_come_out_of_programs() -> None:
    cholesky = wrap(ops.linalg_cholesky.default)
    with pytest.raises(ow.linalg.LinAlgError):
        cholesky(-jnp.eye(2))
    with pytest.raises(RuntimeError, match=r"LinAlgError: .* not positive-definite"):
        jax.block_until_ready(jax.jit(cholesky)(-jnp.eye(2)))
    with pytest.raises(RuntimeError, match="cannot be multiplied"):
        jax.eval_shape(mm, jnp.ones((2, 3)), jnp.ones((2, 3)))


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "in place": (lambda: wrap(ops.add_), TypeError, r"add_\.Tensor\(\) writes to an argument"),
    "out": (lambda: wrap(ops.add.out), TypeError, "immutable; wrap one that does not"),
    "a function": (lambda: wrap(ow.add), TypeError, r"such as `opwright\.ops\.add`"),
    "a number": (lambda: wrap(3), TypeError, r"one of `opwright\.ops`, not `3`"),
    "no array": (lambda: wrap(ops.result_type.Tensor), TypeError, "which is no array"),
    "traced": (lambda: jax.jit(softplus)(jnp.ones(2), 2.0), TypeError, "`beta` is static"),
    "text": (lambda: softplus("x"), TypeError, "`self` must be an array, not str"),
    "texts": (
        lambda: softplus(np.array(["x"])), TypeError, "must be an array, not ndarray of dtype `<U1`"
    ),
    "a variable": (
        lambda: softplus(ow.TensorType("float32", (2,))("x")), TypeError, "an array, not Variable"
    ),
    "no elements": (
        lambda: softplus(ow.ones(2).to("meta")),
        NotImplementedError,
        r"softplus\(\): argument `self`: .* meta tensor has no memory",
    ),
    "recorded": (
        lambda: softplus(ow.ones(2).requires_grad_(True)),
        RuntimeError,
        r"softplus\(\): argument `self`: .*; call detach\(\) before",
    ),
    "a list": (lambda: softplus([1.0]), TypeError, "`self` must be an array, not list"),
    "one array": (
        lambda: wrap(ops.cat.default)(jnp.ones(2)), TypeError, "a list or tuple of arrays"
    ),
    "float8": (lambda: softplus(jnp.ones(2, jnp.float8_e4m3fn)), TypeError, "does not have"),
    "a key": (lambda: softplus(jax.random.key(0)), TypeError, "`key<fry>`, which opwright does"),
    "a keyword": (lambda: softplus(jnp.ones(2), gamma=1), TypeError, "keyword argument 'gamma'"),
    "a generator": (
        lambda: wrap(ops.bernoulli.default)(jnp.ones(2), generator=ow.Generator()),
        TypeError,
        "Generator cannot be part of a compiled program",
    ),
    "no dtype": (
        lambda: wrap(ops.sum.default)(jnp.ones(2), dtype="float99"), TypeError, "must be a dtype"
    ),
    "no shape": (
        lambda: jax.jit(wrap(ops.nonzero))(jnp.ones(2)), TypeError, "not known without elements"
    ),
    "no gradient": (
        lambda: jax.grad(wrap(ops.special_bessel_j0.default))(1.0),
        NotImplementedError,
        "has no gradient; `jax.lax.stop_gradient`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_is_named(what: str) -> None:
    call, kind, text = REFUSED[what]
    with pytest.raises(kind, match=text):
        call()


def test_other_platforms_are_refused_by_name() -> None:
    exported = pytest.importorskip("jax.export")
    shape = jax.ShapeDtypeStruct((2,), jnp.float32)
    with pytest.raises(NotImplementedError, match=r"computes on the CPU, and .* for tpu"):
        exported.export(jax.jit(softplus), platforms=["tpu"])(shape)
    with pytest.raises(TypeError, match="not symbols"):
        symbolic = jax.ShapeDtypeStruct(exported.symbolic_shape("n"), jnp.float32)
        exported.export(jax.jit(softplus))(symbolic)


def test_gradients_of_formulas_run_no_operator_twice() -> None:
    call = Call("mm", '{"self": {"tensor": 0}, "mat2": {"tensor": 1}}')
    step = Step(PULLBACK, (0, 1), (0,))
    types = tuple((ow.float32, shape) for shape in ((2, 3), (3, 4), (2, 4)))
    compiled: Any = _compiled(call.then(step), types)
    nodes = [str(it.op) for it in compiled.toposort()]
    assert sorted(nodes) == ["mm_mat1_backward", "mm_mat2_backward"]
    given = [ow.ones(*shape) for _, shape in types]
    assert [it.tolist() for it in compiled(*given)] == [[[4.0] * 3] * 2, [[2.0] * 4] * 3]


def test_threads_call_compiled_programs() -> None:
    compiled = jax.jit(jax.value_and_grad(lambda it: softplus(it).sum()))
    found: list[tuple[float, float]] = []

    def work() -> None:
        for it in range(20):
            value, slopes = compiled(jnp.full((100,), float(it)))
            found.append((float(value), float(slopes.sum())))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for it in threads:
        it.start()
    for it in threads:
        it.join()
    each = jnp.arange(20.0)
    expected = 100 * np.stack([jax.nn.softplus(each), jax.nn.sigmoid(each)], axis=1)
    np.testing.assert_allclose(sorted(found), np.repeat(expected, 4, axis=0), rtol=1e-4)


def test_programs_are_called_by_functions_that_a_graph_calls() -> None:
    draw, x = jax.jit(lambda it: softplus(wrap(ops.bernoulli.default)(it))), jnp.ones(3)

    @native_op("in_jax::drawn(Tensor x) -> Tensor")
    def drawn(x: ow.Tensor) -> ow.Tensor:
        return x * ow.from_dlpack(draw(jnp.from_dlpack(x)))

    drawn.meta(lambda x: x)
    given = ow.TensorType("float32", (3,))()
    (found,) = ow.function([given], [drawn(given)])(ow.ones(3))
    np.testing.assert_allclose(found, jax.nn.softplus(x), rtol=1e-5)


def test_hooks_keep_what_a_program_saved() -> None:
    kept: list[ow.Tensor] = []
    sin, x = wrap(ops.sin.default), jnp.linspace(0.0, 1.0, 1 << 16)
    pushed = jax.jit(lambda it: jax.jvp(sin, (it,), (it,))[1])

    def pack(tensor: ow.Tensor) -> ow.Tensor:
        kept.append(tensor)
        return tensor

    # XLA may call from a thread of its own, whose hooks are others.
    with ow.autograd.graph.saved_tensors_hooks(pack, lambda it: it):
        jax.block_until_ready(pushed(x))
    assert x.unsafe_buffer_pointer() not in {it.data_ptr() for it in kept}


CACHED = """
import sys, jax, jax.numpy as jnp, opwright
jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
softplus = opwright.interop.jax.wrap(opwright.ops.softplus.default)
for beta in sys.argv[2:]:
    print(float(jax.jit(lambda it: softplus(it, beta=float(beta)))(jnp.float32(0.0))))
"""


def test_programs_in_the_cache_know_their_static_arguments(tmp_path: Any) -> None:
    def run(*betas: str) -> list[float]:
        command = [sys.executable, "-P", "-c", CACHED, str(tmp_path), *betas]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return [float(it) for it in done.stdout.split()]

    np.testing.assert_allclose(run("1", "2"), [np.log(2), np.log(2) / 2], rtol=1e-5)
    assert list(tmp_path.iterdir())
    np.testing.assert_allclose(run("2"), np.log(2) / 2, rtol=1e-5)

"""Functions that take more than the schemas of operators say, with numpy as the oracle."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import opwright.nn.functional as F
import pytest
from opwright._C import _nn


def tensor(array: Any) -> opwright.Tensor:
    return opwright.from_numpy(np.asarray(array))


def same(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(actual.numpy(), expected, rtol=1e-12, atol=1e-12)


# --- tensors one by one -------------------------------------------------------


def test_einsum_takes_operands_one_by_one(rng: np.random.Generator) -> None:
    a, b, c = rng.normal(size=(2, 3)), rng.normal(size=(3, 4)), rng.normal(size=(4, 5))
    x, y, z = map(tensor, (a, b, c))
    same(opwright.einsum("ij,jk->ik", x, y), a @ b)
    same(opwright.einsum("ij,jk,kl", x, y, z), a @ b @ c)
    same(opwright.einsum("ij,jk,kl", x, y, z, path=(1, 2, 0, 1)), a @ b @ c)
    same(opwright.einsum("ij->ji", x), a.T)
    for operands in ([x, y], (x, y)):
        same(opwright.einsum("ij,jk->ik", operands), a @ b)


def test_einsum_takes_numbers_for_letters(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 3)), rng.normal(size=(3, 4))
    x, y = tensor(a), tensor(b)
    same(opwright.einsum(x, [0, 51], y, [51, 7], [7, 0]), (a @ b).T)
    same(opwright.einsum(x, [0, 1], y, [1, 2]), a @ b)
    same(opwright.einsum(x, [..., 1], y, [1, 2], [..., 2]), a @ b)
    with pytest.raises(ValueError, match="subscript 52 is not between 0 and 51"):
        opwright.einsum(x, [0, 52])
    with pytest.raises(TypeError, match="followed by the list of its dimensions, not by Tensor"):
        opwright.einsum(x, y)


def test_grids_and_broadcasts_take_tensors_one_by_one() -> None:
    a, b = np.arange(3), np.arange(4)
    x, y = tensor(a), tensor(b)
    for indexing in (None, "ij", "xy"):
        grid = opwright.meshgrid(x, y, indexing=indexing)
        assert isinstance(grid, tuple)
        expected = np.meshgrid(a, b, indexing="xy" if indexing == "xy" else "ij")
        for one, other in zip(grid, expected, strict=True):
            np.testing.assert_array_equal(one.numpy(), other)
        for listed in ([x, y], (x, y)):
            again = opwright.meshgrid(listed, indexing=indexing)
            assert [it.tolist() for it in again] == [it.tolist() for it in grid]
    assert opwright.meshgrid(x)[0].tolist() == a.tolist()
    column = x[:, None]
    for shapes in (
        opwright.broadcast_tensors(column, y),
        opwright.broadcast_tensors([column, y]),
        opwright.broadcast_tensors((column, y)),
    ):
        assert [tuple(it.shape) for it in shapes] == [(3, 4), (3, 4)]
    assert opwright.broadcast_tensors() == ()


@pytest.mark.parametrize(
    "call",
    [
        lambda: opwright.einsum("i", 3),
        lambda: opwright.meshgrid(opwright.ones(1), 3),  # type: ignore[arg-type]
        lambda: opwright.broadcast_tensors(3),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_tensor_is_refused_by_its_place(call: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match=r"position \d is int \(3\)"):
        call()


@pytest.mark.parametrize("dims", [0, 1, 2, ([1], [1]), ((0, 1), (2, 0)), (1, 1), [[-1], [1]]])
def test_tensordot_takes_numpys_dims(dims: Any, rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 3)), rng.normal(size=(3, 3, 2))
    if dims == 2:
        b = rng.normal(size=(2, 3, 4))
    x, y = tensor(a), tensor(b)
    expected = np.tensordot(a, b, dims)
    same(opwright.tensordot(x, y, dims), expected)
    same(opwright.tensordot(x, y, dims=dims), expected)
    out = opwright.empty(0, dtype=opwright.float64)
    assert opwright.tensordot(a=x, b=y, dims=dims, out=out) is out
    same(out, expected)


def test_tensordot_reads_dims_from_a_tensor(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 3)), rng.normal(size=(3, 2))
    x, y = tensor(a), tensor(b)
    same(opwright.tensordot(x, y, opwright.tensor(1)), a @ b)
    same(
        opwright.tensordot(x, y, opwright.tensor([[1, 0], [0, 1]])),
        np.tensordot(a, b, ((1, 0), (0, 1))),
    )
    same(opwright.tensordot(x, tensor(a)), (a * a).sum())


def test_tensordot_refuses_other_dims() -> None:
    x = opwright.ones(2, 2)
    for dims in (-1, 3):
        with pytest.raises(RuntimeError, match=f"'dims' must be between 0 and the 2 .* not {dims}"):
            opwright.tensordot(x, x, dims)
    with pytest.raises(RuntimeError, match="a list for each of both tensors, but has 3"):
        opwright.tensordot(x, x, ([0], [1], [1]))
    with pytest.raises(TypeError, match="'input'"):
        opwright.tensordot(3, x)  # type: ignore[arg-type]


# --- results by flags ---------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (5,), (3, 4), (2, 3, 4), (0, 3), (3, 0), (5000,), (3, 2100)])
def test_nonzero_as_a_tuple(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    array = np.asarray(rng.integers(0, 2, shape))
    x = tensor(array)
    expected = np.nonzero(np.atleast_1d(array))
    for found in (opwright.nonzero(x, as_tuple=True), x.nonzero(as_tuple=True)):
        assert isinstance(found, tuple)
        assert [it.tolist() for it in found] == [it.tolist() for it in expected]
    rows = np.argwhere(array)
    for rows_found in (
        opwright.nonzero(x),
        opwright.nonzero(x, as_tuple=False),
        x.nonzero(),
        x.nonzero(as_tuple=False),
        opwright.nonzero(x, out=opwright.empty(0, dtype=opwright.int64)),
    ):
        np.testing.assert_array_equal(rows_found.numpy(), rows)
    with pytest.raises(TypeError, match="'out' does not go with 'as_tuple'"):
        opwright.nonzero(x, as_tuple=True, out=x)  # type: ignore[call-overload]


def test_unique_consecutive_returns_what_is_asked_for() -> None:
    x = opwright.tensor([[1, 1, 2], [2, 2, 2]])
    whole = ([1, 2], [[0, 0, 1], [1, 1, 1]], [2, 4])
    rows = ([[1, 2], [2, 2]], [0, 0, 1], [2, 1])
    for dim, (values, inverse, counts) in [(None, whole), (1, rows)]:
        for call in (opwright.unique_consecutive, opwright.Tensor.unique_consecutive):
            assert call(x, dim=dim).tolist() == values
            assert call(x, False, False, dim).tolist() == values
            found = call(x, return_inverse=True, dim=dim)
            assert [it.tolist() for it in found] == [values, inverse]
            found = call(x, return_counts=True, dim=dim)
            assert [it.tolist() for it in found] == [values, counts]
            found = call(x, True, True, dim)
            assert [it.tolist() for it in found] == [values, inverse, counts]


def test_unique_consecutive_of_long_vectors(rng: np.random.Generator) -> None:
    for count in (0, 1, 2, 1023, 1024, 1025, 1026, 5000):
        for most in (1, 2, 1000):
            array = rng.integers(0, most, count)
            expected = array[np.diff(array, prepend=-1) != 0]
            for dtype in ("int64", "uint8", "float32", "bool"):
                found = opwright.unique_consecutive(tensor(array.astype(dtype)))
                again, inverse = opwright.unique_consecutive(
                    tensor(array.astype(dtype)), return_inverse=True
                )
                assert opwright.equal(found, again)
                np.testing.assert_array_equal(again.numpy()[inverse.numpy()], array.astype(dtype))
                if dtype == "int64":
                    np.testing.assert_array_equal(found.numpy(), expected)
    x = opwright.tensor([float("nan"), float("nan"), -0.0, 0.0])
    assert opwright.unique_consecutive(x).isnan().tolist() == [True, True, False]


def test_unique_sorts_and_counts(rng: np.random.Generator) -> None:
    for dtype in ("int64", "uint8", "float32", "bool"):
        array = rng.integers(0, 4, (5, 3)).astype(dtype)
        for dim in (None, 0, 1):
            expected = np.unique(array, return_inverse=True, return_counts=True, axis=dim)
            for call in (opwright.unique, opwright.Tensor.unique):
                np.testing.assert_array_equal(call(tensor(array), dim=dim).numpy(), expected[0])
                found = call(tensor(array), True, True, True, dim)
                for one, other in zip(found, expected, strict=True):
                    np.testing.assert_array_equal(one.numpy(), other.reshape(one.shape))
    x = opwright.tensor([float("nan"), 1.0, float("nan")])
    assert opwright.unique(x).isnan().tolist() == [False, True, True]
    assert opwright.unique(opwright.ones(0)).shape == (0,)
    with pytest.raises(RuntimeError, match="0 sized dimensions"):
        opwright.unique(opwright.ones(2, 0), dim=0)


def test_shapes_broadcast() -> None:
    assert opwright.broadcast_shapes() == ()
    assert opwright.broadcast_shapes((2, 1), 3, (1,)) == (2, 3)
    assert opwright.broadcast_shapes((0, 1), (3,)) == (0, 3)
    with pytest.raises(RuntimeError, match="cannot be broadcast to a single shape"):
        opwright.broadcast_shapes((2,), (3,))
    with pytest.raises(RuntimeError, match="negative dimension -1"):
        opwright.broadcast_shapes((-1,))


def test_places_as_indices() -> None:
    places = opwright.tensor([[0, 5], [19, 7]])
    for shape in ((4, 5), [2, 2, 5], 20):
        expected = np.unravel_index(places.numpy(), shape)
        found = opwright.unravel_index(places, shape)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one.numpy(), other)
    with pytest.raises(ValueError, match="expected 'indices' to be integer dtype"):
        opwright.unravel_index(opwright.tensor([1.0]), (2,))
    with pytest.raises(ValueError, match="'shape' cannot have negative values"):
        opwright.unravel_index(places, (-1,))
    with pytest.raises(TypeError, match="expected 'shape' to be int or sequence of ints"):
        opwright.unravel_index(places, 2.0)  # type: ignore[arg-type]


def test_least_numbers_of_dimensions() -> None:
    for least, function in enumerate(
        (opwright.atleast_1d, opwright.atleast_2d, opwright.atleast_3d), start=1
    ):
        assert function(opwright.tensor(1)).shape == (1,) * least
        one, other = function(opwright.tensor(1), opwright.ones(2, 2, 2, 2))
        assert (one.ndim, other.ndim) == (least, 4)
        assert isinstance(function([opwright.tensor(1)]), tuple)


def test_blocks_and_tuples_come_one_by_one() -> None:
    a, b = opwright.ones(2, 1), opwright.tensor([2.0])
    assert opwright.block_diag(a, b).tolist() == [[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]]
    assert opwright.block_diag().shape == (1, 0)
    pairs = opwright.cartesian_prod(opwright.tensor([1, 2]), opwright.tensor([3]))
    assert pairs.tolist() == [[1, 3], [2, 3]]


def test_lu_has_what_is_asked_for() -> None:
    matrix = opwright.tensor([[1.0, 2.0], [2.0, 2.0]])
    assert len(opwright.lu(matrix)) == len(matrix.lu()) == 2
    factors, pivots, infos = matrix.lu(get_infos=True)
    assert infos.item() == 0
    permutation, lower, upper = opwright.lu_unpack(factors, pivots)
    same(permutation @ lower @ upper, matrix.numpy())
    out = (opwright.empty(0), opwright.empty(0, dtype=opwright.int32))
    assert opwright.lu(matrix, out=out)[0] is out[0]
    assert out[1].tolist() == pivots.tolist()
    with pytest.raises(TypeError, match="argument 'out' must have a tensor for each of 2 results"):
        opwright.lu(matrix, out=out[:1])


NORMS: dict[str, tuple[tuple[Any, ...], dict[str, Any], Callable[[Any], Any]]] = {
    "fro": (("fro",), {}, lambda a: np.sqrt((a**2).sum())),
    "fro along": (("fro", 1), {}, lambda a: np.sqrt((a**2).sum(1))),
    "fro of two": (("fro", (0, 2), True), {}, lambda a: np.sqrt((a**2).sum((0, 2), keepdims=True))),
    "nuc of two": (
        ("nuc", (1, 2)),
        {},
        lambda a: np.linalg.norm(a, "nuc", axis=(1, 2)),
    ),
    "none": ((None,), {}, lambda a: np.sqrt((a**2).sum())),
    "no p": ((), {"dim": 1}, lambda a: np.sqrt((a**2).sum(1))),
    "no dim": ((1,), {"keepdim": True}, lambda a: abs(a).sum(keepdims=True)),
    "dim none": ((1, None), {}, lambda a: abs(a).sum()),
    "of all": ((3,), {}, lambda a: (abs(a) ** 3).sum() ** (1 / 3)),
}


@pytest.mark.parametrize("name", NORMS)
def test_norms(name: str, rng: np.random.Generator) -> None:
    args, kwargs, oracle = NORMS[name]
    array = rng.normal(size=(2, 3, 4))
    x, expected = tensor(array), oracle(array)
    same(opwright.norm(x, *args, **kwargs), expected)
    same(x.norm(*args, **kwargs), expected)
    out = opwright.empty(0, dtype=opwright.float64)
    assert opwright.norm(x, *args, **kwargs, out=out) is out
    same(out, expected)
    for call in (opwright.norm, opwright.Tensor.norm):
        single = call(x.float(), *args, **kwargs, dtype=opwright.float64)
        np.testing.assert_allclose(single.numpy(), expected, rtol=1e-6)
        assert single.dtype == opwright.float64


def test_norms_of_matrices_and_of_other_names() -> None:
    x = opwright.tensor([[3.0, 0.0], [0.0, -4.0]])
    assert abs(opwright.norm(x, "nuc").item() - 7) < 1e-6
    assert opwright.norm(x, "nuc", keepdim=True).shape == (1, 1)
    assert opwright.norm(x, 2, out=opwright.empty(())).item() == 5
    assert opwright.norm(x, 2, None, False, opwright.empty(()), opwright.float32).item() == 5
    for call in (opwright.norm, opwright.Tensor.norm):
        with pytest.raises(
            RuntimeError, match="valid string values are 'fro' and 'nuc', found 'f'"
        ):
            call(x, "f")
    with pytest.raises(TypeError, match=r"norm\(\): argument 'input' .* not int"):
        opwright.norm(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"'p' .* not (list|tuple)"):
        opwright.norm(x, [1])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"'p' .* must be Number, not str"):
        opwright._C.norm(x, "fro")  # type: ignore[call-overload]


# --- networks -------------------------------------------------------------------------

X = np.array([[0.2, 0.9, 0.5], [0.4, 0.1, 0.6]])
Y = np.array([[0.5, 0.5, 1.0], [0.0, 1.0, 0.25]])
W = np.array([[1.0, 2.0, 0.5], [0.0, 3.0, 1.0]])

LOSSES: dict[str, tuple[Callable[..., Any], dict[str, Any], Any]] = {
    "mse": (F.mse_loss, {}, (X - Y) ** 2),
    "l1": (F.l1_loss, {}, abs(X - Y)),
    "smooth l1": (
        F.smooth_l1_loss,
        {"beta": 0.3},
        np.where(abs(X - Y) < 0.3, (X - Y) ** 2 / 0.6, abs(X - Y) - 0.15),
    ),
    "huber": (
        F.huber_loss,
        {"delta": 0.4},
        np.where(abs(X - Y) <= 0.4, (X - Y) ** 2 / 2, 0.4 * (abs(X - Y) - 0.2)),
    ),
    "cross entropy": (
        F.binary_cross_entropy,
        {},
        -(Y * np.log(X) + (1 - Y) * np.log(1 - X)),
    ),
}


@pytest.mark.parametrize("name", LOSSES)
def test_losses_are_reduced_by_name(name: str) -> None:
    call, kwargs, losses = LOSSES[name]
    x, y = tensor(X), tensor(Y)
    same(call(x, y, **kwargs), losses.mean())
    same(call(x, y, reduction="mean", **kwargs), losses.mean())
    same(call(input=x, target=y, reduction="sum", **kwargs), losses.sum())
    same(call(x, y, reduction="none", **kwargs), losses)
    for wrong in ("abc", "Mean", "", 1, None, ["mean"]):
        with pytest.raises(ValueError, match="is not a valid value for reduction") as raised:
            call(x, y, reduction=wrong, **kwargs)
        assert raised.type is ValueError
        assert repr(wrong) in str(raised.value)
    with pytest.raises(TypeError, match="argument 'target'"):
        call(x, 3, **kwargs)


@pytest.mark.parametrize("name", ["mse", "l1", "huber"])
def test_losses_have_weights(name: str) -> None:
    call, kwargs, losses = LOSSES[name]
    x, y, w = tensor(X), tensor(Y), tensor(W)
    same(call(x, y, weight=w, **kwargs), (losses * W).sum() / W.sum())
    same(call(x, y, weight=w, reduction="sum", **kwargs), (losses * W).sum())
    same(call(x, y, weight=w, reduction="none", **kwargs), losses * W)
    with pytest.raises(ValueError, match=r"'weight' must have the shape .*\[2, 3\].* has \[3\]"):
        call(x, y, weight=w[0], **kwargs)


def test_weights_of_binary_cross_entropy() -> None:
    losses = LOSSES["cross entropy"][2]
    found = F.binary_cross_entropy(tensor(X), tensor(Y), tensor(W), reduction="none")
    same(found, losses * W)
    same(F.binary_cross_entropy(tensor(X), tensor(Y), tensor(W)), (losses * W).mean())


@pytest.mark.parametrize("name", [it for it in LOSSES if it != "huber"])
def test_older_flags_of_losses_work_and_warn(name: str) -> None:
    call, kwargs, losses = LOSSES[name]
    x, y = tensor(X), tensor(Y)
    for flags, expected in [
        ({"size_average": False}, losses.sum()),
        ({"size_average": True}, losses.mean()),
        ({"reduce": True}, losses.mean()),
        ({"reduce": False}, losses),
        ({"reduce": False, "size_average": True}, losses),
    ]:
        with pytest.warns(DeprecationWarning, match="pass reduction=") as caught:
            same(call(x, y, **flags, **kwargs), expected)
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call(x, y, **kwargs)


def test_losses_of_classes() -> None:
    logs = np.log([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]])
    x, y, w = tensor(logs), tensor([0, 2]), tensor([1.0, 2.0, 3.0])
    each = -np.array([logs[0, 0], logs[1, 2]])
    same(F.nll_loss(x, y), each.mean())
    same(F.nll_loss(x, y, reduction="none"), each)
    same(F.nll_loss(x, y, w, reduction="sum"), each @ [1, 3])
    same(F.nll_loss(x, y, weight=w), each @ [1, 3] / 4)
    same(F.nll_loss(x, y, None, None, 2), each[0])
    same(F.nll_loss(x[0], y[0]), each[0])
    images = x.t().reshape(1, 3, 2)
    same(F.nll_loss(images, y[None], reduction="none"), each[None])
    # The logarithms are those of probabilities that add up to 1, so they are their own softmax.
    same(F.cross_entropy(x, y), each.mean())
    same(F.cross_entropy(x, y, reduction="sum"), each.sum())
    smooth = F.cross_entropy(x, y, reduction="none", label_smoothing=0.3)
    same(smooth, 0.7 * each - 0.1 * logs.sum(1))
    same(F.cross_entropy(x, y, ignore_index=0), each[1])
    for call in (F.nll_loss, F.cross_entropy):
        with pytest.raises(ValueError, match="'abc' is not a valid value for reduction"):
            call(x, y, reduction="abc")
        with pytest.raises(IndexError, match="Target 3 is out of bounds"):
            call(x, y + 1)


IN_PLACE: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "relu": (F.relu, ()),
    "relu6": (F.relu6, ()),
    "hardtanh": (F.hardtanh, (-0.5, 0.25)),
    "leaky_relu": (F.leaky_relu, (0.1,)),
    "elu": (F.elu, (2.0,)),
    "celu": (F.celu, (2.0,)),
    "selu": (F.selu, ()),
    "threshold": (F.threshold, (0.5, -1.0)),
    "silu": (F.silu, ()),
    "mish": (F.mish, ()),
    "hardswish": (F.hardswish, ()),
    "hardsigmoid": (F.hardsigmoid, ()),
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_activations_may_write_to_their_input(name: str) -> None:
    call, args = IN_PLACE[name]
    x = opwright.tensor([-2.0, -0.25, 0.0, 0.75, 8.0])
    before = x.tolist()
    expected = call(x, *args)
    native = getattr(_nn, name, None) or getattr(opwright._C, name)
    assert expected.tolist() == native(x, *args).tolist()
    assert x.tolist() == before
    for given in ((True,), ()):
        y = x.clone()
        assert call(y, *args, *given, **({} if given else {"inplace": True})) is y
        assert y.tolist() == expected.tolist()
    if "out" in inspect.signature(call).parameters:
        out = opwright.empty(0)
        assert call(x, *args, out=out) is out
        assert out.tolist() == expected.tolist()
        with pytest.raises(TypeError, match="'inplace' does not go with 'out'"):
            call(x, *args, inplace=True, out=out)
    with pytest.raises(TypeError, match=rf"{name}\(\): argument 'input' .* not str"):
        call("x", *args)


def test_functions_of_entries_say_their_own_parameters() -> None:
    shown = "(input, p=0.5, training=True, inplace=False)"
    assert str(inspect.signature(F.dropout)) == shown
    assert [list(it.parameters) for it in opwright.get_overloads(F.nll_loss)] == [
        ["input", "target", "weight", "size_average", "ignore_index", "reduce", "reduction"]
    ]
    x = tensor(X)
    for call, text in [
        (
            lambda: F.dropout(x, train=False),
            r"dropout\(\) got an unexpected keyword argument 'train'",
        ),
        (lambda: F.elu(x, scale=2), r"elu\(\) got an unexpected keyword argument 'scale'"),
        (lambda: F.elu(x, 1, True, 2), r"elu\(\) takes .* 3 positional arguments but 4 were given"),
        (lambda: F.elu(x, input=x), r"elu\(\) got multiple values for argument 'input'"),
        (lambda: F.dropout(), r"dropout\(\) missing 1 required argument: 'input'"),
        (lambda: F.dropout(x, training="no"), r"dropout\(\): argument 'training' must be bool"),
        (lambda: F.cross_entropy(x, 3), r"cross_entropy\(\): argument 'target' .*Tensor"),
    ]:
        with pytest.raises(TypeError, match=text):
            call()
    with pytest.raises(IndexError, match=r"cross_entropy\(\): Target 5 is out of bounds"):
        F.cross_entropy(x, tensor([0, 5]))
    assert "inplace = bool (True)" in str(opwright.explain(F.elu, x, inplace=True))


def test_functions_of_entries_make_nodes_of_their_operators() -> None:
    x, y = (opwright.TensorType("float64", (2, 3))(name) for name in "xy")
    made: Any = [
        (F.smooth_l1_loss(x, y, reduction="sum", beta=2.0), _nn.smooth_l1_loss(x, y, "sum", 2.0)),
        (F.elu(x, 2.0, inplace=True), _nn.elu(x, 2.0)),
        (F.dropout(x, training=False), opwright._C.dropout(x, 0.5, False)),
    ]
    for found, expected in made:
        call = opwright.function([x, y], [found, expected], on_unused_input="ignore")
        one, two = call(tensor(X), tensor(Y))
        assert one.tolist() == two.tolist()
        assert found.owner.op == expected.owner.op


def test_dropout_has_defaults() -> None:
    ones = opwright.ones(20_000)
    dropped = F.dropout(ones)
    assert set(dropped.tolist()) == {0, 2}
    assert abs(dropped.mean().item() - 1) < 0.1
    assert F.dropout(ones, training=False).tolist() == ones.tolist()
    assert set(F.dropout(ones, 0.75).tolist()) == {0, 4}
    assert F.dropout(ones, 0.25, True, True) is ones
    assert len(set(ones.tolist())) == 2
    for p in (-0.1, 1.5, math.nan, 2):
        with pytest.raises(ValueError, match=f"'p' must be between 0 and 1, but is {p}") as raised:
            F.dropout(ones, p)
        assert raised.type is ValueError
    with pytest.raises(TypeError, match="'p'"):
        F.dropout(ones, "half")  # type: ignore[arg-type]


def test_embedding_takes_indices_first() -> None:
    table = np.arange(12.0).reshape(4, 3)
    weight, indices = tensor(table), tensor([[3, 0], [1, 1]])
    same(F.embedding(indices, weight), table[[[3, 0], [1, 1]]])
    same(F.embedding(input=indices, weight=weight, padding_idx=-1), table[[[3, 0], [1, 1]]])
    same(opwright.embedding(weight, indices), table[[[3, 0], [1, 1]]])
    for padding_idx in (4, -5):
        with pytest.raises(ValueError, match=f"one of 4 rows, but is {padding_idx}"):
            F.embedding(indices, weight, padding_idx)
    with pytest.raises(TypeError, match="'weight'"):
        F.embedding(indices, 3)  # type: ignore[arg-type]


def test_embedding_scales_long_rows_down() -> None:
    weight = opwright.tensor([[3.0, 4.0], [0.5, 0.0], [6.0, 8.0]], dtype=opwright.float64)
    found = F.embedding(opwright.tensor([0, 1, 0]), weight, max_norm=1.0)
    np.testing.assert_allclose(found.numpy(), [[0.6, 0.8], [0.5, 0], [0.6, 0.8]], rtol=1e-6)
    np.testing.assert_allclose(weight.numpy(), [[0.6, 0.8], [0.5, 0], [6, 8]], rtol=1e-6)


def test_operators_keep_the_parameters_of_their_schemas() -> None:
    x, y = tensor(X), tensor(Y)
    same(_nn.mse_loss(x, y, 2), ((X - Y) ** 2).sum())
    same(opwright._C.dropout(x, 0.5, False), X)
    assert opwright._C.nonzero(x).shape == (6, 2)
    assert len(opwright._C.unique_consecutive(x)) == 3
    same(opwright._C.tensordot(x, y, [0, 1], [0, 1]), (X * Y).sum())
    same(opwright._C.einsum("ij->ji", [x]), X.T)


def test_subclasses_see_the_operator() -> None:
    seen = []

    class Watched(opwright.Tensor):
        @classmethod
        def __opwright_function__(
            cls, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(function)
            return super().__opwright_function__(function, types, args, kwargs)

    x = opwright.ones(2, 2).as_subclass(Watched)
    assert isinstance(F.mse_loss(x, x), Watched)
    assert isinstance(opwright.einsum("ij->ji", x), Watched)
    assert isinstance(x.nonzero(), Watched)
    assert seen[:2] == [_nn.mse_loss, opwright._C.einsum]


def test_what_is_left_out_may_be_infinite() -> None:
    """Elements and gradients are chosen, not multiplied by 0."""
    x = opwright.full((64,), math.inf, requires_grad=True)
    y = opwright.dropout(x, 0.5, True)
    assert set(y.tolist()) == {0.0, math.inf}
    y.sum().backward()
    assert x.grad is not None and set(x.grad.tolist()) == {0.0, 2.0}
    kept = x.detach().clone()
    assert set(opwright.dropout_(kept, 0.5, True).tolist()) == {0.0, math.inf}
    for function in (
        opwright.max,
        opwright.amax,
        opwright.median,
        lambda x: opwright.linalg.vector_norm(x, math.inf),
    ):
        x = opwright.tensor([1.0, 3.0, 2.0], requires_grad=True)
        (gradient,) = opwright.autograd.grad(function(x), x, opwright.tensor(math.inf))
        assert sorted(gradient.tolist()) == [0.0, 0.0, math.inf], function


def test_what_is_impossible_and_not_wanted_costs_nothing() -> None:
    """A class of probability 0 whose logit is negative infinity."""
    cross_entropy = opwright.nn.functional.cross_entropy
    logits = opwright.tensor([[0.0, -math.inf]], requires_grad=True)
    loss = cross_entropy(logits, opwright.tensor([[1.0, 0.0]]))
    assert loss.item() == 0.0
    loss.backward()
    assert logits.grad is not None and logits.grad.tolist() == [[0.0, 0.0]]
    assert cross_entropy(logits, opwright.tensor([[0.5, 0.5]])).item() == math.inf
    # Where a logit is finite, so is the slope along the target.
    target = opwright.tensor([[1.0, 0.0]], requires_grad=True)
    cross_entropy(opwright.tensor([[0.0, 0.0]]), target).backward()
    assert target.grad is not None
    assert target.grad.tolist()[0] == pytest.approx([math.log(2.0)] * 2, rel=1e-6)

"""Functions of numpy that call the method of their argument, and others, with tensors."""

import inspect
from typing import Any

import numpy as np
import opwright
import pytest

MATRIX = np.array([[3.0, 1.0, 2.0], [1.0, 0.0, 5.0]])
FLAGS = MATRIX > 1
INDICES = np.array([1, 0])

# For each function what it is called with behind the matrix.
CALLS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    name: [((), {}), ((), {"axis": 0}), ((1,), {})]
    for name in ("argmax", "argmin", "cumprod", "cumsum", "argsort", "sort", "ptp", "squeeze")
}
CALLS |= {
    name: [
        ((), {}),
        ((0,), {}),
        ((), {"axis": 1, "keepdims": True}),
        ((), {"axis": (0, 1)}),
        ((), {"axis": 0, "out": np.zeros(3)}),
        ((), {"where": FLAGS, "initial": 2.0}),
    ]
    for name in ("sum", "prod", "max", "min", "amax", "amin")
}
CALLS |= {
    name: [((), {}), ((0,), {}), ((), {"axis": 1, "keepdims": True}), ((), {"where": FLAGS})]
    for name in ("all", "any", "mean", "std", "var")
}
for _name in ("std", "var"):
    CALLS[_name] += [((), {"ddof": 1}), ((), {"axis": 1, "dtype": np.float32})]
CALLS["squeeze"] = [((), {})]
CALLS |= {
    "around": [((), {}), ((1,), {})],
    "round": [((), {}), ((1,), {})],
    "argpartition": [((1,), {})],
    "partition": [((1,), {})],
    "clip": [((1.0, 2.0), {}), ((), {"min": 1.0}), ((None, 2.0), {})],
    "compress": [],
    "diagonal": [((), {}), ((1,), {})],
    "nonzero": [((), {})],
    "put": [],
    "choose": [],
    "ravel": [((), {}), (("F",), {})],
    "repeat": [((2,), {}), ((2,), {"axis": 0})],
    "reshape": [(((3, 2),), {}), ((-1,), {"order": "F"})],
    "resize": [(((3, 2),), {})],
    "swapaxes": [((0, 1), {})],
    "take": [((INDICES,), {}), ((INDICES,), {"axis": 1})],
    "trace": [((), {}), ((1,), {})],
    "transpose": [((), {}), (((1, 0),), {})],
    "copy": [((), {})],
    "dot": [((MATRIX.T,), {})],
}


def functions_that_call_methods() -> set[str]:
    """By their source: they ask their argument for a method, or are one of arrays."""
    found = set()
    for name in np.__all__:
        function = getattr(np, name)
        if not callable(function) or isinstance(function, type | np.ufunc):
            continue
        try:
            source = inspect.getsource(inspect.unwrap(function))
        except (OSError, TypeError):
            continue
        calls = "_wrapfunc(" in source or "_wrapreduction" in source
        if calls or callable(getattr(np.ndarray, name, None)):
            found.add(name)
    # They make arrays of other things, have no array, or are other names.
    return found - {"astype", "searchsorted", "cumulative_sum", "permute_dims"}


def test_all_functions_are_tried() -> None:
    found = functions_that_call_methods()
    assert {"mean", "sum", "std", "max", "argsort", "reshape"} <= found
    assert found <= set(CALLS), found - set(CALLS)


@pytest.mark.parametrize("name", [name for name, calls in CALLS.items() if calls])
def test_results_are_those_of_numpy_as_tensors(name: str) -> None:
    function = getattr(np, name)
    for args, keywords in CALLS[name]:
        expected = function(MATRIX.copy(), *args, **keywords)
        tensor = opwright.tensor(MATRIX)
        result = function(tensor, *args, **keywords)
        if "out" in keywords:
            assert result is keywords["out"]
            continue
        parts = zip(result, expected, strict=True) if name == "nonzero" else [(result, expected)]
        for made, wanted in parts:
            assert type(made) is opwright.Tensor, (args, keywords)
            np.testing.assert_array_equal(made.numpy(), wanted)
            assert str(made.dtype) == f"opwright.{np.asarray(wanted).dtype}"
        # Tensors among further arguments are arrays, too.
        others = [opwright.tensor(it) if isinstance(it, np.ndarray) else it for it in args]
        again = function(tensor, *others, **keywords)
        assert type(again) is type(result)


def test_outputs_are_returned() -> None:
    tensor, out = opwright.tensor(MATRIX), opwright.zeros(3, dtype=opwright.float64)
    assert np.sum(tensor, axis=0, out=out) is out
    assert np.max(tensor, 0, out) is out
    assert out.tolist() == [3, 1, 5]
    assert np.clip(tensor, 1, 2, out=tensor) is tensor
    assert tensor.tolist() == MATRIX.clip(1, 2).tolist()
    np.put(tensor, [0, 1], [7, 8])
    assert tensor[0, :2].tolist() == [7, 8]


def test_what_shares_memory_in_numpy_does_here() -> None:
    tensor = opwright.tensor(MATRIX)
    for made in (np.reshape(tensor, (3, 2)), np.transpose(tensor), np.ravel(tensor)):
        assert made.data_ptr() == tensor.data_ptr()


def test_other_functions_give_tensors_too() -> None:
    tensor = opwright.tensor(MATRIX)
    for function in (
        lambda it: np.concatenate([it, it]),
        lambda it: np.where(it > 1, it, 0),
        lambda it: np.median(it, axis=0),
        np.unique,
        lambda it: np.linalg.norm(it, axis=0),
        np.linalg.norm,
        lambda it: np.nanmax(it, axis=1),
        lambda it: np.einsum("ij,kj->ik", it, it),
        lambda it: np.pad(it, 1),
    ):
        made = function(tensor)
        assert type(made) is opwright.Tensor
        np.testing.assert_array_equal(made.numpy(), function(MATRIX))
    for several in (np.split(tensor, 2), np.linalg.svd(tensor), np.histogram(tensor)):
        assert isinstance(several, list | tuple)
        assert all(type(it) is opwright.Tensor for it in several)
    assert np.linalg.svd(tensor)._fields == np.linalg.svd(MATRIX)._fields
    assert np.choose(opwright.tensor([0, 1]), [np.ones(2), tensor[0, :2]]).tolist() == [1, 1]
    assert np.compress([True, False], tensor, axis=0).tolist() == [[3, 1, 2]]
    assert np.searchsorted(opwright.tensor([1.0, 2.0]), 1.5).item() == 1
    assert np.broadcast_to(tensor, (2, 2, 3)).shape == (2, 2, 3)
    assert type(np.asarray([1.0], like=tensor)) is opwright.Tensor


def test_what_is_no_array_stays_what_it_is() -> None:
    tensor = opwright.tensor(MATRIX)
    assert np.shape(tensor) == (2, 3)
    assert (np.ndim(tensor), np.size(tensor)) == (2, 6)
    assert np.array_equal(tensor, MATRIX) is True
    assert np.allclose(tensor, MATRIX) is True
    assert np.result_type(tensor, np.float32) == np.dtype("f8")
    assert isinstance(np.array2string(tensor), str)


def test_instances_have_it_where_libraries_ask() -> None:
    assert callable(opwright.ones(1).__array_function__)
    assert callable(opwright.Tensor.__array_function__)


def test_tensors_of_no_dtype_of_numpy_say_so() -> None:
    with pytest.raises(TypeError, match=r"numpy has no bfloat16; convert the tensor"):
        np.mean(opwright.ones(2, dtype=opwright.bfloat16))


def test_dask_over_arrays() -> None:
    dask = pytest.importorskip("dask.array")
    tensor = opwright.tensor(MATRIX)
    lazy = dask.from_array(tensor, chunks=(1, 2))
    assert np.dtype(lazy.dtype) == np.float64
    for name in ("sum", "mean", "max", "argmax", "cumsum"):
        keywords = {"axis": 1} if name in ("argmax", "cumsum") else {}
        expected = getattr(np, name)(MATRIX, **keywords)
        np.testing.assert_allclose(np.asarray(getattr(dask, name)(lazy, **keywords)), expected)
    np.testing.assert_array_equal(np.asarray((lazy + 1).T @ lazy), (MATRIX + 1).T @ MATRIX)

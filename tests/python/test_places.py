"""Operators that read and write at places named by other tensors, with numpy as the oracle."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from layouts import Array, dtype_of, pair

LAYOUTS = ["contiguous", "transposed", "stepped", "reversed", "stretched"]
DTYPES = [
    "bool",
    "uint8",
    "int16",
    "float16",
    "float32",
    "int64",
    "float64",
    "complex64",
    "complex128",
]


def tensor_of(array: Any) -> Any:
    return opwright.from_numpy(np.asarray(array))


def indices(rng: np.random.Generator, shape: tuple[int, ...], bound: int) -> Array:
    return np.asarray(rng.integers(0, bound, shape))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_reading(layout: str, dtype: str, rng: np.random.Generator) -> None:
    array, tensor = pair(rng, dtype, layout)
    rows, columns = array.shape
    some_rows, some_columns = indices(rng, (7,), rows), indices(rng, (5,), columns)
    flat = indices(rng, (3, 2), array.size) - array.size // 2
    down, across = indices(rng, (9, columns), rows), indices(rng, (rows, 2), columns)
    mask = np.asarray(rng.integers(0, 2, array.shape)).astype(bool)
    calls: dict[str, tuple[Any, Any]] = {
        "index_select": (tensor.index_select(0, tensor_of(some_rows)), array[some_rows]),
        "index_select columns": (
            opwright.index_select(tensor, -1, tensor_of(some_columns.astype(np.int32))),
            array[:, some_columns],
        ),
        "gather": (tensor.gather(0, tensor_of(down)), np.take_along_axis(array, down, 0)),
        "gather across": (
            opwright.gather(tensor, 1, tensor_of(across.T).t()),
            np.take_along_axis(array, across, 1),
        ),
        "gather a part": (
            tensor.gather(0, tensor_of(down[:, :1])),
            np.take_along_axis(array[:, :1], down[:, :1], 0),
        ),
        "take": (tensor.take(tensor_of(flat)), array.take(flat)),
        "take_along_dim": (
            opwright.take_along_dim(tensor, tensor_of(across), dim=1),
            np.take_along_axis(array, across, 1),
        ),
        "take_along_dim flat": (
            tensor.take_along_dim(tensor_of(flat[:, 0] % array.size)),
            np.take_along_axis(array, flat[:, 0] % array.size, None),
        ),
        "masked_select": (tensor.masked_select(tensor_of(mask)), array[mask]),
        "masked_select stretched": (
            opwright.masked_select(tensor, tensor_of(mask[:1])),
            array[np.broadcast_to(mask[:1], array.shape)],
        ),
        "nonzero": (tensor.nonzero(), np.argwhere(array)),
        "argwhere": (opwright.argwhere(tensor), np.argwhere(array)),
    }
    for name, (actual, expected) in calls.items():
        assert dtype_of(actual) == str(expected.dtype), name
        np.testing.assert_array_equal(actual.numpy(), expected, err_msg=name)


Write = Callable[[Any, Any], Any]


def added(array: Array, places: Any, values: Any) -> Array:
    np.add.at(array, places, values)
    return array


def put(array: Array, places: Any, values: Any) -> Array:
    array[places] = values
    return array


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", [it for it in LAYOUTS if it != "stretched"])
def test_writing(layout: str, dtype: str, rng: np.random.Generator) -> None:
    array, tensor = pair(rng, dtype, layout)
    rows, columns = array.shape
    index = np.asarray(rng.permutation(rows))[:3]
    source, source_tensor = pair(rng, dtype, "transposed")
    source = np.resize(source, (3, columns)).astype(dtype)
    source_tensor = tensor_of(source)
    grid = np.ix_(index, np.arange(columns))
    along = np.asarray(rng.permuted(np.tile(np.arange(rows), (columns, 1)), axis=1))[:, :3].T
    at = (along, np.arange(columns)[None])
    mask = np.asarray(rng.integers(0, 2, array.shape)).astype(bool)
    row_of = tensor_of(index)
    cases: dict[str, tuple[Write, Write]] = {
        "index_copy": (
            lambda t, s: t.index_copy_(0, row_of, s),
            lambda a, s: put(a, grid, s),
        ),
        "index_add": (
            lambda t, s: t.index_add_(0, row_of, s),
            lambda a, s: added(a, grid, s),
        ),
        "index_put": (
            lambda t, s: t.index_put_((row_of,), s),
            lambda a, s: put(a, grid, s),
        ),
        "index_put accumulated": (
            lambda t, s: t.index_put_((None, opwright.tensor([0, 0])), s[:1, :1], True),
            lambda a, s: added(a, (slice(None), [0, 0]), s[:1, :1]),
        ),
        "index_fill": (
            lambda t, s: t.index_fill_(0, row_of, 1),
            lambda a, s: put(a, grid, 1),
        ),
        "scatter": (
            lambda t, s: t.scatter_(0, tensor_of(along), s),
            lambda a, s: put(a, at, s),
        ),
        "scatter a value": (
            lambda t, s: t.scatter_(0, tensor_of(along), 1),
            lambda a, s: put(a, at, 1),
        ),
        "scatter_add": (
            lambda t, s: t.scatter_add_(0, tensor_of(along), s),
            lambda a, s: added(a, at, s),
        ),
        "masked_fill": (
            lambda t, s: t.masked_fill_(tensor_of(mask), 1),
            lambda a, s: put(a, mask, 1),
        ),
        "masked_fill with a tensor": (
            lambda t, s: t.masked_fill_(tensor_of(mask[0]), opwright.tensor(0)),
            lambda a, s: put(a, (slice(None), mask[0]), 0),
        ),
        "masked_scatter": (
            lambda t, s: t.masked_scatter_(tensor_of(mask), s.repeat(rows, 1)),
            lambda a, s: put(a, mask, np.tile(s, (rows, 1)).ravel()[: mask.sum()]),
        ),
    }
    before = array.copy()
    for name, (write, oracle) in cases.items():
        expected = oracle(before.copy(), source)
        array[...] = before
        assert write(tensor, source_tensor) is tensor, name
        np.testing.assert_array_equal(tensor.numpy(), expected, err_msg=name)


def test_the_other_variants_do_the_same(rng: np.random.Generator) -> None:
    array, tensor = pair(rng, "float32", "transposed")
    index = opwright.tensor([[0, 1, 2, 0], [5, 4, 3, 5]])
    source = opwright.ones(2, 4)
    before = tensor.clone()
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("scatter", (0, index, source), {}),
        ("scatter", (0, index, 2.5), {}),
        ("scatter", (0, index, source), {"reduce": "add"}),
        ("scatter", (0, index, 3.0), {"reduce": "multiply"}),
        ("scatter_add", (0, index, source), {}),
        ("index_add", (0, index[0], opwright.ones(4, 4)), {"alpha": 2}),
        ("index_copy", (0, index[0, :3], opwright.ones(3, 4)), {}),
        ("index_fill", (0, index[0], 2), {}),
        ("index_put", ((index,), opwright.ones(4)), {}),
        ("masked_fill", (tensor > 0, 9), {}),
        ("masked_scatter", (tensor > 0, opwright.zeros(24)), {}),
    ]
    for name, args, kwargs in calls:
        result = getattr(tensor, name)(*args, **kwargs)
        np.testing.assert_array_equal(array, before.numpy(), err_msg=name)
        inplace = tensor.clone()
        assert getattr(inplace, name + "_")(*args, **kwargs) is inplace
        np.testing.assert_array_equal(inplace.numpy(), result.numpy(), err_msg=name)
        if name in ("scatter", "scatter_add", "index_add", "index_copy"):
            out = opwright.empty(0)
            assert getattr(opwright, name)(tensor, *args, **kwargs, out=out) is out
            np.testing.assert_array_equal(out.numpy(), result.numpy(), err_msg=name)
        meta = opwright.empty_like(tensor, device="meta")
        moved = [it.to(device="meta") if isinstance(it, opwright.Tensor) else it for it in args]
        if name != "index_put":
            shape = getattr(meta, name)(*moved, **kwargs).shape
            assert shape == result.shape, name


def test_reductions_at_equal_places() -> None:
    zeros, index = opwright.zeros(3), opwright.tensor([0, 0, 2])
    ones = opwright.ones(3)
    assert zeros.scatter(0, index, ones, reduce="add").tolist() == [2, 0, 1]
    assert (zeros + 2).scatter(0, index, 3, reduce="multiply").tolist() == [18, 2, 6]
    assert zeros.scatter_add(0, index, ones).tolist() == [2, 0, 1]
    assert zeros.index_add(0, index, ones, alpha=0.5).tolist() == [1, 0, 0.5]
    # Of several values for one place, the last one stays.
    assert zeros.scatter(0, index, opwright.tensor([1.0, 2.0, 3.0])).tolist() == [2, 0, 3]
    flags = opwright.tensor([False, True])
    assert flags.scatter_add(0, opwright.tensor([0]), flags[1:]).tolist() == [True, True]


def test_an_input_may_be_the_output() -> None:
    tensor = opwright.tensor([2, 0, 1])
    opwright.gather(tensor, 0, tensor, out=tensor)
    assert tensor.tolist() == [1, 2, 0]
    flags = opwright.tensor([True, False])
    assert flags.masked_fill_(flags, False).tolist() == [False, False]


def test_out_of_reading_operators() -> None:
    tensor, index = opwright.arange(6).reshape(2, 3), opwright.tensor([1, 0])
    calls: list[tuple[str, tuple[Any, ...]]] = [
        ("index_select", (0, index)),
        ("gather", (1, index[:, None])),
        ("take", (index,)),
        ("take_along_dim", (index,)),
        ("masked_select", (tensor > 2,)),
        ("nonzero", ()),
    ]
    for name, args in calls:
        call = getattr(opwright, name)
        expected = call(tensor, *args)
        out = opwright.empty(0, dtype=opwright.int64)
        assert call(tensor, *args, out=out) is out
        assert out.tolist() == expected.tolist(), name
        strided = opwright.zeros(*expected.shape, 2, dtype=opwright.int64)[..., 0]
        call(tensor, *args, out=strided)
        assert strided.tolist() == expected.tolist(), name
        with pytest.raises(RuntimeError, match="dtype"):
            call(tensor, *args, out=opwright.empty(0))
        if name not in ("masked_select", "nonzero"):
            moved = [it.to(device="meta") if isinstance(it, opwright.Tensor) else it for it in args]
            assert call(tensor.to(device="meta"), *moved).shape == expected.shape


def test_tensors_without_dimensions() -> None:
    number, first = opwright.tensor(5), opwright.tensor(0)
    assert number.index_select(0, first[None]).item() == 5
    assert number.gather(0, first).item() == 5
    assert number.take(first).item() == 5
    assert number.scatter(0, first, 3).item() == 3
    assert number.index_fill(0, first, 2).item() == 2
    assert number.index_add(0, first, number).item() == 10
    assert tuple(number.nonzero().shape) == (1, 0)
    assert number.masked_select(opwright.tensor(True)).tolist() == [5]
    assert number.masked_fill(opwright.tensor([True, False]), 1).tolist() == [1, 5]


INDEX = opwright.tensor([3])

ERRORS: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda t: t.index_select(0, INDEX), IndexError, "index 3 is out of bounds for dimension 0"),
    (lambda t: t.index_select(0, -INDEX), IndexError, "index -3"),
    (lambda t: t.index_select(0, INDEX[None]), IndexError, "vector"),
    (lambda t: t.index_select(2, INDEX), IndexError, r"\[-2, 1\]"),
    (lambda t: t.index_select(0, INDEX / 1), RuntimeError, "int32/int64"),
    (lambda t: t.gather(1, INDEX[None]), RuntimeError, "index 3 is out of bounds for dimension 1"),
    (lambda t: t.gather(1, INDEX), RuntimeError, "same number of dimensions"),
    (lambda t: t.gather(0, INDEX.expand(1, 4)), RuntimeError, "no larger than self"),
    (lambda t: t.gather(0, INDEX[None].float()), RuntimeError, "int32/int64 for index"),
    (lambda t: t.take_along_dim(INDEX[None], 1), RuntimeError, "index 3 is out of bounds"),
    (lambda t: t.scatter(1, INDEX[None], 1), RuntimeError, "index 3 is out of bounds"),
    (lambda t: t.scatter_add(1, INDEX[None], t), RuntimeError, "index 3 is out of bounds"),
    (lambda t: t.scatter(1, INDEX[None], t[:0]), RuntimeError, "no larger size than src"),
    (lambda t: t.scatter(1, INDEX[None], t.double()), RuntimeError, "src.dtype"),
    (lambda t: t.scatter(1, INDEX[None], t, reduce="max"), RuntimeError, "add or multiply"),
    (lambda t: t.index_add(0, INDEX, t), RuntimeError, "does not fit"),
    (lambda t: t.index_add(0, INDEX, t[:1]), IndexError, "index 3"),
    (lambda t: t.index_copy(0, INDEX, t[:1].double()), RuntimeError, "same dtype"),
    (lambda t: t.index_fill(0, INDEX, t), RuntimeError, "0-dim"),
    (lambda t: t.take(opwright.tensor(6)), IndexError, "index 6"),
    (lambda t: t[:0].take(opwright.tensor(0)), IndexError, "empty"),
    (lambda t: t.masked_fill(t, 0), RuntimeError, "boolean masks"),
    (lambda t: t.masked_fill_(t[None] > 0, 0), RuntimeError, "number of sizes"),
    (lambda t: t.masked_fill(t > 0, t), RuntimeError, "0-dim"),
    (lambda t: t.masked_fill(t > 0, 1j), RuntimeError, "overflow"),
    (lambda t: t.masked_scatter(t == 0, t[:1]), RuntimeError, "source has 3 elements"),
    (lambda t: t.masked_select(t[:, :2] > 0), RuntimeError, "must match the size"),
    (lambda t: t.expand(2, 2, 3).masked_fill_(t > 0, 0), RuntimeError, "single memory"),
    (lambda t: t[:1].expand(2, 3).index_fill_(0, INDEX - 3, 0), RuntimeError, "single memory"),
    (lambda t: t.index_put((INDEX,), t.double()), IndexError, "dtypes match"),
    (lambda t: t.index_put((INDEX - 3,), t), RuntimeError, "shape mismatch"),
    (lambda t: t.index_put((INDEX, INDEX, INDEX), t), IndexError, "too many indices"),
    (lambda t: t.to(device="meta").nonzero(), NotImplementedError, "no kernel for Meta"),
    (lambda t: t.index_put_((INDEX - 3,), t.to(device="meta")[0]), NotImplementedError, "meta"),
    (lambda t: t.masked_scatter_(t == 0, t.to(device="meta")), NotImplementedError, "meta"),
    (lambda t: t.masked_fill_(t.to(device="meta") == 0, 0), NotImplementedError, "meta"),
    (lambda t: t.index_fill_(0, INDEX - 3, t.sum().to(device="meta")), NotImplementedError, "meta"),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_what_is_not_there_is_an_error(number: int) -> None:
    call, error, message = ERRORS[number]
    with pytest.raises(error, match=message) as raised:
        call(opwright.zeros(2, 3))
    assert raised.type is error


def test_a_mask_tells_the_shape_of_nothing() -> None:
    meta = opwright.empty(2, 3, device="meta")
    assert tuple(meta[opwright.tensor([True, False])].shape) == (1, 3)
    assert tuple(meta[opwright.tensor(True)].shape) == (1, 2, 3)
    meta[opwright.tensor([True, False])] = 1


def test_many_rows_of_nothing() -> None:
    rows = opwright.zeros(1, 2, 0).expand(2**40, 2, 0)
    assert tuple(rows.index_select(1, opwright.tensor([1])).shape) == (2**40, 1, 0)
    many = opwright.zeros(1, 2).expand(2**40, 2)
    with pytest.raises(MemoryError):
        many.index_select(1, opwright.tensor([1]))


def test_an_index_out_of_range_leaves_the_tensor_alone() -> None:
    tensor = opwright.zeros(3)
    with pytest.raises(IndexError):
        tensor[opwright.tensor([0, 3])] = 1
    assert tensor.tolist() == [0, 0, 0]


def test_large_tensors_on_several_threads(rng: np.random.Generator) -> None:
    array = np.asarray(rng.normal(size=(500, 300))).astype(np.float32)
    rows, columns = indices(rng, (2000,), 500), indices(rng, (500, 400), 300)
    tensor = tensor_of(array)
    np.testing.assert_array_equal(tensor[tensor_of(rows)].numpy(), array[rows])
    np.testing.assert_array_equal(
        tensor.gather(1, tensor_of(columns)).numpy(), np.take_along_axis(array, columns, 1)
    )
    np.testing.assert_array_equal(tensor[tensor > 1].numpy(), array[array > 1])
    columns[321, 123] = 300
    with pytest.raises(RuntimeError, match="index 300"):
        tensor.gather(1, tensor_of(columns))


def test_embedding_picks_rows(rng: np.random.Generator) -> None:
    table = np.asarray(rng.normal(size=(10, 4))).astype(np.float32)
    numbers = indices(rng, (3, 2), 10)
    picked = opwright.embedding(tensor_of(table), tensor_of(numbers))
    np.testing.assert_array_equal(picked.numpy(), table[numbers])
    with pytest.raises(IndexError, match="index 10"):
        opwright.embedding(tensor_of(table), opwright.tensor([10]))
    with pytest.raises(RuntimeError, match="2-D"):
        opwright.embedding(tensor_of(table[0]), opwright.tensor([1]))


@pytest.mark.parametrize("name", ["gather", "scatter", "scatter_add", "take", "take_along_dim"])
def test_narrow_indices_are_indices(name: str) -> None:
    x = opwright.arange(12.0).reshape(3, 4)
    wide = opwright.tensor([[2, 0, 1, 1]])
    further = {"scatter": (x[:1] + 100,), "scatter_add": (x[:1] + 100,)}.get(name, ())
    between = () if name == "take" else (0,)

    def call(index: Any) -> Any:
        # Without the name of the dimension: `take_along_dim` has it behind the index.
        if name == "take_along_dim":
            return x.take_along_dim(index, 0).tolist()
        return getattr(x, name)(*between, index, *further).tolist()

    assert call(wide.to(opwright.int32)) == call(wide)
    for dtype in ("int16", "uint8", "float32"):
        with pytest.raises(RuntimeError, match=f"int32/int64 for (index|indices), but got {dtype}"):
            call(wide.to(getattr(opwright, dtype)))


def test_truth_values_add_up_at_indices() -> None:
    x = opwright.tensor([True, False, False, False])
    index, source = opwright.tensor([1, 1, 2]), opwright.tensor([False, True, False])
    assert x.index_add(0, index, source).tolist() == [True, True, False, False]
    assert x.index_add(0, index, source, alpha=False).tolist() == x.tolist()
    assert x.index_add(0, index, source, alpha=True).tolist() == [True, True, False, False]
    out = opwright.empty(0, dtype=opwright.bool)
    assert opwright.index_add(x, 0, index, source, alpha=0, out=out).tolist() == x.tolist()


# Another thread writes to what was lent, while each of these reads it as indices.
RACES = {
    "index_select": "x.index_select(0, index)",
    "take": "x.take(index)",
    "embedding": "o._C.embedding(table, index)",
    "index": "x[index]",
    "two indices": "table[index, index]",
    "index_put_": "x.__setitem__(index, 1.0)",
    "index_put_ of several": "x.index_put_((index,), y, accumulate=True)",
    "index_add_": "x.index_add_(0, index, y)",
    "index_copy_": "x.index_copy_(0, index, y)",
    "index_fill_": "x.index_fill_(0, index, 1.0)",
    "gather": "x.gather(0, index)",
    "scatter_": "x.scatter_(0, index, y)",
    "scatter_add_": "x.scatter_add_(0, index, y)",
    "take_along_dim": "x.take_along_dim(index, 0)",
    "bincount": "o.bincount(index)",
    "bincount with weights": "o.bincount(index, y)",
    "one_hot": "o._C._nn.one_hot(index % 5)",
    "nll_loss": "o._C._nn.nll_loss(table.log(), index)",
    "repeat_interleave": "o.repeat_interleave(x, index % 3)",
    "searchsorted": "o.searchsorted(index, index)",
    "searchsorted by a sorter": "o.searchsorted(x, y, sorter=index)",
    "sort": "index.sort()",
    "topk": "index.topk(5)",
    "masked_select": "x.masked_select(mask)",
    "masked_scatter_": "x.masked_scatter_(mask, y)",
    "masked_fill_": "x.masked_fill_(mask, 1.0)",
    "a mask": "x[mask]",
    "nonzero": "mask.nonzero()",
}

RACE = """
import threading, time
import numpy as np
import opwright as o

numbers = np.zeros(4096, np.int64)
bits = numbers.view(np.uint8)[::8].astype(bool)
index, mask = o.from_numpy(numbers), o.from_numpy(bits)
x, y = o.zeros(4096), o.ones(4096)
table = o.ones(4096, 5)
over = False

def write():
    while not over:
        numbers[:] = 1 << 44
        bits[:] = True
        numbers[:] = 3
        bits[:] = False

thread = threading.Thread(target=write)
thread.start()
end = time.monotonic() + 0.25
while time.monotonic() < end:
    try:
        CALL
    except (IndexError, RuntimeError, MemoryError, OverflowError):
        pass
over = True
thread.join()
"""


@pytest.mark.parametrize("name", RACES)
def test_what_changes_while_it_is_read_leads_nowhere_else(name: str) -> None:
    code = RACE.replace("CALL", RACES[name])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "panicked" not in done.stderr

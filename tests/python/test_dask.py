"""Tensors as chunks of dask arrays, in one process."""

from __future__ import annotations

import operator
import pickle
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import Tensor, ops

dask = pytest.importorskip("dask", reason="dask is not installed")
da = pytest.importorskip("dask.array", reason="dask's arrays are not installed")

import opwright.dask  # noqa: E402
from chunks import NUMBERS, assert_same, chunked  # noqa: E402
from opwright.dask._blocks import Block  # noqa: E402


@pytest.fixture(autouse=True)
def scheduler(request: pytest.FixtureRequest) -> Iterator[None]:
    with dask.config.set(scheduler=getattr(request, "param", "synchronous")):
        yield


# What people do first: of tensors in chunks, and of arrays of numpy.
FIRST: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, _: x + x,
    "numbers": lambda x, _: 1 - x * np.float32(2),
    "compare": lambda x, _: x > 0.5,
    "sum": lambda x, _: x.sum(),
    "sum dtype": lambda x, _: x.sum(axis=0, dtype="float32"),
    "mean": lambda x, _: x.mean(axis=1),
    "std": lambda x, _: x.std(),
    "var": lambda x, _: x.var(axis=0, ddof=1),
    "max": lambda x, _: x.max(axis=0),
    "cumsum": lambda x, _: x.cumsum(axis=0),
    "T": lambda x, _: x.T,
    "matmul": lambda x, _: x @ x.T,
    "tensordot": lambda x, m: m.tensordot(x, x, axes=((0,), (0,))),
    "slice": lambda x, _: x[1:4, ::-2],
    "integer": lambda x, _: x[2],
    "list": lambda x, _: x[[0, 2, 5]],
    "mask": lambda x, _: x[np.arange(6) % 2 == 0],
    "concatenate": lambda x, m: m.concatenate([x, x], axis=1),
    "stack": lambda x, m: m.stack([x, x]),
    "einsum": lambda x, m: m.einsum("ij,kj->ik", x, x),
    "reshape": lambda x, _: x.reshape(48),
    "astype": lambda x, _: x.astype("float32"),
    "same astype": lambda x, _: x.astype("float64", copy=False),
    "where": lambda x, m: m.where(x > 0, x, 0),
    "clip": lambda x, _: x.clip(0.2, 0.8),
    "sin": lambda x, _: np.sin(x),
    "arctan2": lambda x, _: np.arctan2(x, x),
    "norm": lambda x, m: m.linalg.norm(x, axis=0),
    "median": lambda x, m: m.median(x, axis=0),
    "pad": lambda x, m: m.pad(x, 1),
    "nanmean": lambda x, m: m.nanmean(x, axis=0),
    "ones_like": lambda x, m: m.ones_like(x),
    "argmax": lambda x, m: m.argmax(x, axis=0),
    "argmin": lambda x, m: m.argmin(x),
    "nanargmax": lambda x, m: m.nanargmax(x, axis=1),
    "nanmax": lambda x, m: m.nanmax(x, axis=0),
    "nanmin": lambda x, m: m.nanmin(x),
    "index": lambda x, _: x[opwright.tensor([4, 0])],
    "with an array": lambda x, _: x + NUMBERS,
    "an array with it": lambda x, _: NUMBERS + x,
}


@pytest.mark.parametrize("scheduler", ["synchronous", "threads"], indirect=True)
@pytest.mark.parametrize("case", FIRST)
def test_functions_of_dask(case: str) -> None:
    expected = FIRST[case](NUMBERS, np)
    assert_same(FIRST[case](chunked(), da), opwright.tensor(expected))


def assigned(x: Any, index: Any, value: Any) -> Any:
    x[index] = value
    return x


# As dask does it with arrays of numpy.
ALIKE: dict[str, Callable[[Any], Any]] = {
    "vindex": lambda x: x.vindex[[0, 3, 5], [1, 2, 7]],
    "vindex rows": lambda x: x.vindex[[[0, 3], [5, 1]]],
    "indices of several chunks": lambda x: x[(x[:4, 0] > 9).argmax(keepdims=True)],
    "index of a mask": lambda x: x[:, opwright.arange(8) % 3 == 0],
    "setitem": lambda x: assigned(x, (slice(1, 5), 2), 0.5),
    "setitem of an array": lambda x: assigned(x, [1, 3], NUMBERS[:2]),
    "setitem of a tensor": lambda x: assigned(x, slice(2), opwright.tensor(NUMBERS[2:4])),
    "setitem of chunks": lambda x: assigned(x, slice(2), x[2:4]),
    "setitem by a mask": lambda x: assigned(x, x > 0, 0),
    "svd": lambda x: da.linalg.svd(x.T.rechunk((3, -1)))[0],
    "qr": lambda x: da.linalg.qr(x.T.rechunk((3, -1)))[1],
    "solve": lambda x: da.linalg.solve((x @ x.T).rechunk(3), x[:, 0].rechunk(3)),
    "lstsq": lambda x: da.linalg.lstsq(x.T.rechunk((3, -1)), x[0].rechunk(3))[0],
    "max without elements": lambda x: x[x > 1].max(),
    "min without elements": lambda x: (-x.reshape(-1).rechunk(5))[x.reshape(-1) > 1].min(),
    "topk": lambda x: da.topk(x, 2, axis=0),
    "percentile": lambda x: da.percentile(x.reshape(-1), [10, 50]),
}


@pytest.mark.parametrize("case", ALIKE)
def test_as_arrays_of_numpy(case: str) -> None:
    expected = ALIKE[case](da.from_array(NUMBERS, chunks=(4, 3))).compute()
    found = ALIKE[case](chunked()).compute()
    assert type(found) is Tensor
    np.testing.assert_allclose(found.numpy(), expected, 1e-6, 1e-12)
    assert found.numpy().dtype == expected.dtype


def test_rows_of_which_a_chunk_has_none() -> None:
    x, tensor = chunked(chunks=(2, 3)), opwright.tensor(NUMBERS)
    kept = NUMBERS[:, 0] > 0.4
    assert not all(kept[at : at + 2].any() for at in (0, 2, 4))
    for function in (np.max, np.min):
        found = function(x[x[:, 0] > 0.4], axis=0).compute()
        assert found.tolist() == function(tensor.numpy()[kept], axis=0).tolist()
    with pytest.raises(ValueError, match="no identity"):
        x[x > 100].max().compute()


def test_isnull() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    x = chunked(np.where(NUMBERS > 1, np.nan, NUMBERS))
    assert_same(da.isnull(x), opwright.tensor(NUMBERS > 1))


def test_overrides_leave_other_chunks_alone() -> None:
    numbers = da.from_array(NUMBERS, chunks=(4, 3))
    assert type(numbers.argmax(axis=0).compute()) is np.ndarray
    assert type(numbers.vindex[[0, 1], [2, 3]].compute()) is np.ndarray
    for function in (da.sum, da.core.elemwise, da.linalg.svd_flip, da.rechunk):
        assert pickle.loads(pickle.dumps(function)) is function
    # Processes that lack the package have dask's own.
    pickled = pickle.dumps(da.reductions.chunk_max)
    assert pickle.loads(pickled) is da.reductions.chunk_max
    printed = run(f"""
        import pickle, sys
        sys.modules["opwright"] = None
        print(pickle.loads({pickled!r}))
    """)
    assert printed.startswith("<function chunk_max")


@pytest.mark.parametrize("left", ["int64", "float32", "bool"])
@pytest.mark.parametrize(
    "right",
    [2, 2.5, 1j, np.float64(2), NUMBERS, opwright.tensor(NUMBERS), "int64", "float32", "sum"],
    ids=lambda it: it if isinstance(it, str) else type(it).__name__,
)
def test_dtypes_are_those_that_come_out(left: str, right: Any) -> None:
    """Dask would infer those of arrays of numpy: of `int64 * 2.5`, which is `float32`, another."""
    x = chunked().astype(left)
    y: Any = right
    if isinstance(right, str):
        y = x.sum() if right == "sum" else chunked().astype(right)
    for op in (operator.add, operator.mul, operator.truediv, operator.lt, np.multiply):
        # Complex numbers have no order.
        if op is operator.lt and isinstance(y, complex):
            continue
        made = op(x, y)
        assert made.dtype == made.compute().dtype


# What dask alone has.
@pytest.mark.parametrize(
    "changed",
    [
        lambda x: x.rechunk((2, 4)),
        lambda x: x.persist(),
        lambda x: x.map_blocks(lambda it: it),
        lambda x: x.map_overlap(lambda it: it + 0, depth=1, boundary="reflect"),
        lambda x: x.to_backend("opwright"),
    ],
)
def test_elements_stay(changed: Callable[[Any], Any]) -> None:
    assert_same(changed(chunked()), opwright.tensor(NUMBERS))


@pytest.mark.parametrize("flip", [False, True])
def test_tensors_beside_arrays(flip: bool) -> None:
    x, tensor = chunked(), opwright.tensor(NUMBERS)
    left, right = (tensor, x) if flip else (x, tensor)
    for found, expected in (
        (left + right, tensor + tensor),
        (left @ right.T, tensor @ tensor.T),
        (left > right, tensor > tensor),
    ):
        assert_same(found, expected)


def test_a_reduction_of_ones_own() -> None:
    def total(x: Tensor, axis: tuple[int, ...], keepdims: bool) -> Any:
        return x.sum(axis, keepdim=keepdims)

    found = da.reduction(chunked(), chunk=total, aggregate=total, axis=0, dtype="float64")
    assert_same(found, opwright.tensor(NUMBERS).sum(0))


def test_percentiles() -> None:
    x = chunked(np.arange(101.0), 101)
    found = da.percentile(x, [25, 50]).compute()
    assert isinstance(found, Tensor)
    assert found.tolist() == [25.0, 50.0]


def test_the_backend() -> None:
    with dask.config.set({"array.backend": "opwright"}):
        arrays = [
            da.ones((4, 4), chunks=2),
            da.zeros((4, 4), chunks=2, dtype="int32"),
            da.full((4, 4), 7.0, chunks=2),
            da.empty((4, 4), chunks=2),
            da.arange(4, chunks=2),
            da.random.random((4, 4), chunks=2),
            da.random.RandomState(1).normal(size=(4, 4), chunks=2),
            da.random.default_rng(1).normal(size=(4, 4), chunks=2),
            da.random.default_rng(1).integers(5, size=(4, 4), chunks=2),
        ]
    for array in arrays:
        assert type(array._meta) is type(array.compute()) is Tensor
        assert array.dtype == array.compute().dtype
    assert arrays[0].sum().compute().item() == 16
    assert_same(arrays[5], arrays[5].compute())
    plain = da.random.default_rng(1).normal(size=(4, 4), chunks=2).compute()
    assert arrays[7].compute().tolist() == plain.tolist()
    assert type(arrays[0].to_backend("numpy").compute()) is np.ndarray


# Those of which dask makes arrays of numpy, or promises them.
OWN: dict[str, Callable[[Any], Any]] = {
    "unique": da.unique,
    "unique and counts": lambda x: da.unique(x, return_index=True, return_counts=True),
    "unique and inverse": lambda x: da.unique(x.reshape(-1), return_inverse=True),
    "union1d": lambda x: da.union1d(x, x + 1),
    "nonzero": lambda x: x.nonzero(),
    "where": lambda x: da.where(x > 0),
    "argwhere": da.argwhere,
    "flatnonzero": da.flatnonzero,
    "mask": lambda x: x[x > 0],
    "rows": lambda x: x[x[:, 0] > 0],
    "extract": lambda x: da.extract(x > 0, x),
    "histogram": lambda x: da.histogram(x, bins=4, range=(0, 1))[0],
    "histogram2d": lambda x: da.histogram2d(x[:, 0], x[:, 1], bins=3, range=((-2, 2), (-2, 2)))[0],
    "histogramdd": lambda x: da.histogramdd(x[:, :2].rechunk((2, -1)), [2, 2], [(-2, 2)] * 2)[0],
    "coarsen": lambda x: da.coarsen(np.sum, x, {0: 2}, trim_excess=True),
    "percentile": lambda x: da.percentile(x.reshape(-1), [10, 50]),
    "nanpercentile": lambda x: da.nanpercentile(x.rechunk((2, -1)), 30, axis=1),
    "gradient": lambda x: da.gradient(x, axis=0),
    "cumsum": lambda x: da.cumsum(x, axis=0, method="blelloch"),
    "apply_along_axis": lambda x: da.apply_along_axis(np.sum, 0, x),
    "tril_indices_from": da.tril_indices_from,
    "fft": lambda x: da.fft.rfft(x.rechunk((2, -1))),
    "lu": lambda x: da.linalg.lu((x @ x.T).rechunk(3)),
    "inv": lambda x: da.linalg.inv((x @ x.T).rechunk(3)),
    "frexp": da.frexp,
}


@pytest.mark.parametrize(
    ("case", "dtype"),
    [(case, "float64") for case in OWN]
    + [(case, "bool") for case in ("unique and counts", "unique and inverse", "nonzero", "mask")]
    + [(case, "float32") for case in ("percentile", "nanpercentile")]
    + [("percentile", "int32")],
)
def test_results_stay_tensors(case: str, dtype: str) -> None:
    numbers = (NUMBERS * 2).astype(dtype)
    expected = OWN[case](da.from_array(numbers, chunks=(4, 3)))
    found = OWN[case](chunked(numbers))
    several = (found, expected) if isinstance(found, tuple) else ((found,), (expected,))
    for made, like in zip(*several, strict=True):
        computed, wanted = dask.compute(made, like)
        assert type(made._meta) is type(computed) is Tensor
        assert made.dtype == computed.dtype
        assert computed.shape == wanted.shape
        np.testing.assert_allclose(computed.numpy(), wanted, 1e-6, 1e-9)


@pytest.mark.parametrize("size", [1, 2])
def test_masks_of_one_element(size: int) -> None:
    """No positions: `numpy.ones(1)[opwright.tensor([False])]` is the first element."""
    positive = NUMBERS > 0
    x = chunked(chunks=size)
    rows = da.from_array(NUMBERS[:, 0].copy(), chunks=size)
    for made, expected in (
        ((x > 0).nonzero()[1], positive.nonzero()[1]),
        (x[x > 0], NUMBERS[positive]),
        (x[x[:, 0] > 0], NUMBERS[positive[:, 0]]),
        (rows[x[:, 0] > 0], NUMBERS[positive[:, 0], 0]),
        (x[rows > 0], NUMBERS[positive[:, 0]]),
    ):
        # Masks of chunks keep the order of chunks.
        found = np.asarray(made.compute())
        np.testing.assert_allclose(np.sort(found, axis=None), np.sort(expected, axis=None))


def test_outputs_that_are_passed() -> None:
    x = chunked()
    for function in (np.argmax, np.sum):
        out = da.zeros((8,), dtype="int64")
        assert function(x, axis=0, out=out) is out
        np.testing.assert_allclose(out.compute(), function(NUMBERS, axis=0))


def is_halves(x: Any) -> bool:
    return bool(x.dtype == opwright.bfloat16)


# Functions of dask over elements that numpy lacks, beside those of the first table.
HALVES: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(axis=0),
    "prod": lambda x: x.prod(),
    "root": lambda x: np.sqrt(x.max()),
    "any": lambda x: (x > 2).any(axis=1),
    "all": lambda x: x.all(),
    "median": lambda x: da.median(x, axis=1),
    "topk": lambda x: da.topk(x, 2, axis=0),
    "swapaxes": lambda x: x.swapaxes(0, 1),
    "transpose": lambda x: x.transpose([1, 0]),
    "repeat": lambda x: x.repeat(2, axis=0),
    "roll": lambda x: da.roll(x, 3),
    "diagonal": da.diagonal,
    "broadcast_to": lambda x: da.broadcast_to(x[0], (3, 8)),
    "block": lambda x: da.block([[x, x], [x, x]]),
    "with wider ones": lambda x: da.concatenate([x, x.astype("float32")]),
    "indices of several chunks": lambda x: x[(x[:4, 0] > 9).argmax(keepdims=True)],
    "mask of all": lambda x: x[x > 0.5],
    "vindex": lambda x: x.vindex[[0, 3, 5], [1, 2, 7]],
    "setitem": lambda x: assigned(x, (slice(1, 5), 2), 0.5),
    "setitem of a row": lambda x: assigned(x, 2, x[3]),
    "setitem by a mask": lambda x: assigned(x, x > 0, 0),
    "unique": da.unique,
    "nonzero": lambda x: da.nonzero(x)[0],
    "isin": lambda x: da.isin(x, [0.5]),
    "dot": lambda x: x.dot(x[0]),
    "solve": lambda x: da.linalg.solve((x @ x.T + 9 * da.eye(6, chunks=3)).rechunk(3), x[:, 0]),
    "map_blocks": lambda x: x.map_blocks(lambda it: it * 2),
    "map_overlap": lambda x: x.map_overlap(lambda it: it + 0, depth=1, boundary="reflect"),
    "windows": lambda x: da.lib.stride_tricks.sliding_window_view(x, 2, axis=0).sum(axis=-1),
    "apply_gufunc": lambda x: da.apply_gufunc(lambda it: it.sum(-1), "(i)->()", x[:, :3]),
    "outer": lambda x: np.add.outer(x[0], x[1]),
    "astype": lambda x: x.astype("int64"),
    "divmod": lambda x: divmod(x, 2)[1],
    "cov": da.cov,
    "fft": lambda x: da.fft.fft(x.rechunk((2, -1))),
    "argmax": lambda x: x.argmax(axis=1),
    **{name: lambda x, it=it: it(x, da) for name, it in FIRST.items() if "array" not in name},
}


@pytest.mark.parametrize("case", HALVES)
def test_a_dtype_that_numpy_lacks(case: str) -> None:
    """Calculated in `float32`, and rounded at the end."""
    tensor = opwright.tensor(NUMBERS).bfloat16()
    x = da.from_array(tensor, chunks=(4, 3), asarray=False)
    wider = da.from_array(tensor.float(), chunks=(4, 3), asarray=False)
    if case == "apply_gufunc":
        x, wider = (it.rechunk((4, -1)) for it in (x, wider))
    found, expected = HALVES[case](x), HALVES[case](wider)
    computed, wanted = dask.compute(found, expected)
    assert type(found._meta) is type(computed) is Tensor
    assert found.dtype == computed.dtype
    assert computed.shape == wanted.shape
    is_wider = any(word in case for word in ("wider", "dtype", "astype"))
    if wanted.dtype == opwright.float32 and not is_wider:
        assert is_halves(computed)
    np.testing.assert_allclose(
        computed.to(wanted.dtype).numpy(), wanted.numpy(), rtol=0.02, atol=0.05
    )


def test_sums_of_a_dtype_that_numpy_lacks_are_rounded_once() -> None:
    ones = da.from_array(opwright.ones(1000).bfloat16(), chunks=10, asarray=False)
    # A sum of chunks in `bfloat16` stays at 256, where the next number is 258.
    assert (ones * 1).sum().compute().item() == 1000
    assert ones.sum(dtype="float32").compute().dtype == opwright.float32
    assert (ones.astype("float32") + 0).sum(dtype=opwright.bfloat16).compute().item() == 1000
    assert ones.astype("float32").astype(opwright.bfloat16).dtype == opwright.bfloat16
    assert opwright.dask.map(ops.sum, ones).compute().item() == 1000
    assert opwright.dask.map(ops.add, ones, 1).compute().dtype == opwright.bfloat16


def test_a_dtype_that_numpy_lacks_is_requested() -> None:
    x, tensor = chunked().astype("float32"), opwright.tensor(NUMBERS).bfloat16()
    for made in (
        x.astype("bfloat16"),
        x.sum(dtype="bfloat16"),
        da.sum(tensor),
        da.from_delayed(dask.delayed(lambda: tensor)(), (6, 8), dtype=opwright.bfloat16).T,
    ):
        assert is_halves(made)
        assert is_halves(made.compute())
    halves = x.astype(opwright.bfloat16)
    for refused in (
        lambda: halves.astype("int8", casting="safe"),
        lambda: x.astype(opwright.bfloat16, casting="safe"),
    ):
        with pytest.raises(TypeError, match="Cannot cast array from"):
            refused()
    with pytest.raises(TypeError, match=r"does not take the following keyword.*depth"):
        halves.astype("float32", depth=1)
    with pytest.raises(TypeError, match="'unknown' not understood"):
        halves.astype("unknown")


@pytest.mark.parametrize("name", ["ones", "zeros", "empty"])
def test_made_of_a_dtype_that_numpy_lacks(name: str) -> None:
    with dask.config.set({"array.backend": "opwright"}):
        made = getattr(da, name)((4, 4), chunks=2, dtype=opwright.bfloat16)
        like = getattr(da, name + "_like")(made)
        row = da.arange(4, dtype=opwright.bfloat16)
    for it in (made, like, row, da.eye(3, dtype=opwright.bfloat16)):
        assert is_halves(it)
        assert is_halves(it.compute())


def run(code: str) -> str:
    """What a process of its own prints."""
    command = [sys.executable, "-P", "-c", textwrap.dedent(code)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_dtype_that_numpy_lacks_is_refused_by_name() -> None:
    # Other tests may have loaded `ml_dtypes`, by which numpy has it.
    refused = run("""
        import sys
        import dask.array as da
        import numpy as np
        import opwright.dask
        x = da.from_array(opwright.ones(4, 4).bfloat16(), chunks=2, asarray=False)
        print(x.rechunk(3).compute().dtype, "ml_dtypes" in sys.modules)
        print((x * 2 + x > 2).compute().all().item(), (1 - x).compute().dtype)
        print(np.exp(x.T @ x).sum().compute().dtype, np.concatenate([x, x]).compute().dtype)
        out = da.zeros((4, 4)).map_blocks(lambda it: it, dtype=x.dtype, meta=x._meta)
        for call in (
            lambda: x.view("int16"),
            lambda: np.asarray(x),
            lambda: x.to_backend("numpy"),
            lambda: np.nextafter(x, x),
            lambda: np.spacing(x),
            lambda: da.nan_to_num(x),
            lambda: da.sum(x, axis=0, out=out),
            lambda: np.exp(x, out=out),
        ):
            try:
                call()
            except TypeError as error:
                print(error)
    """)
    lines = refused.splitlines()
    half = "opwright.bfloat16"
    assert lines[:3] == [f"{half} False", f"True {half}", f"{half} {half}"]
    way_out = r"numpy has no dtype `opwright.bfloat16`.*opwright.dask.map\(opwright.ops.exp, x\)"
    assert len(re.findall(way_out, refused)) == 8


XARRAY: dict[str, Callable[[Any], Any]] = {
    "mean": lambda x: x.mean("time"),
    "std": lambda x: x.std(),
    "anomalies": lambda x: x - x.mean("time"),
    "groups": lambda x: x.groupby(x.time % 2).mean(),
    "coarsen": lambda x: x.coarsen(time=2).max(),
    "cumsum": lambda x: x.cumsum("time"),
    "argmax": lambda x: x.argmax("space"),
    "isnull": lambda x: x.isnull(),
    "where": lambda x: x.where(x > 0, 0),
    "points": lambda x: x.isel(time=[0, 3], space=[1]),
}


@pytest.mark.parametrize("case", XARRAY)
def test_xarray(case: str) -> None:
    xarray = pytest.importorskip("xarray", reason="xarray is not installed")
    coordinates = {"time": np.arange(6), "space": np.arange(8)}
    found, halves, expected = (
        XARRAY[case](xarray.DataArray(it, coordinates, ("time", "space")))
        for it in (chunked(), chunked().astype(opwright.bfloat16), NUMBERS)
    )
    computed = found.compute().data
    assert type(computed) is Tensor
    assert found.dtype == computed.dtype
    np.testing.assert_allclose(computed.numpy(), expected.data, 1e-6)
    assert halves.dtype == halves.compute().dtype


def test_namespaces() -> None:
    namespace = chunked().__array_namespace__()
    assert namespace.isdtype(chunked().dtype, "real floating")
    assert not namespace.isdtype(np.dtype("int8"), "real floating")
    assert namespace.float32 is opwright.float32
    assert namespace.sum is da.sum
    assert not hasattr(da.from_array(NUMBERS), "__array_namespace__")


def test_dask_is_absent_or_too_old() -> None:
    absent = run("""
        import sys
        sys.modules["dask"] = None
        import opwright
        try:
            import opwright.dask
        except ImportError as error:
            print(error.name, error)
    """)
    assert absent.startswith("dask `opwright.dask` needs `dask`, which cannot be imported")
    assert "pip install 'dask[array]>=" in absent
    old = run("""
        import importlib.metadata
        importlib.metadata.version = lambda _: "2023.1.0"
        try:
            import opwright.dask
        except ImportError as error:
            print(error.name, error)
    """)
    assert "but 2023.1.0 is installed: pip install -U 'dask[array]>=" in old


def test_pickles_say_what_a_process_lacks(tmp_path: Path) -> None:
    """Not while they are read, which would end the connection of a worker."""
    for it in (ops.add.Tensor, ops.add, Block(ops.exp.default, ("self",), ())):
        pickled = pickle.dumps(it)
        assert pickle.loads(pickled) == it
        (tmp_path / "pickled").write_bytes(pickled)
        printed = run(f"""
            import pickle, sys
            sys.modules["opwright"] = None
            with open({str(tmp_path / "pickled")!r}, "rb") as file:
                found = pickle.load(file)
            try:
                found(1)
            except ModuleNotFoundError as error:
                print(error.name, error)
        """)
        assert printed.startswith("opwright this process cannot import")
        assert "install the package `opwright` there" in printed

"""Libraries that are written for the array API standard take tensors as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import array_api as xp

X = opwright.tensor([[1.0, 2.0], [3.0, 5.0]])


def _same(found: Any, expected: Any) -> None:
    assert isinstance(found, opwright.Tensor)
    np.testing.assert_allclose(found.numpy(), np.asarray(expected), rtol=1e-6)


def test_array_api_compat() -> None:
    compat = pytest.importorskip("array_api_compat")
    assert compat.is_array_api_obj(X)
    assert compat.array_namespace(X) is xp
    assert compat.array_namespace(X, 1.5, None, api_version="2024.12") is xp
    assert compat.device(X) == X.device
    assert compat.to_device(X, "cpu") is X
    assert compat.size(X) == 4
    assert compat.is_writeable_array(X)
    assert not compat.is_lazy_array(X)
    assert not compat.is_torch_array(X)


def test_array_api_extra() -> None:
    extra = pytest.importorskip("array_api_extra")
    vector = opwright.tensor([3.0, 1.0, 2.0])
    doubled = extra.apply_where(X > 2, (X,), lambda it: it * 2, fill_value=0.0)
    _same(doubled, [[0, 0], [6, 10]])
    _same(extra.at(xp.asarray(X, copy=True))[0, :].set(7.0), [[7, 7], [3, 5]])
    _same(extra.at(X, X > 2).add(1.0, copy=True), [[1, 2], [4, 6]])
    _same(extra.atleast_nd(vector, ndim=2), [[3, 1, 2]])
    _same(extra.cov(X), np.cov(X.numpy()))
    _same(extra.create_diagonal(vector), np.diag(vector.numpy()))
    _same(extra.kron(X, X), np.kron(X.numpy(), X.numpy()))
    _same(extra.pad(X, 1), np.pad(X.numpy(), 1))
    _same(extra.setdiff1d(vector, vector[:1]), [1, 2])
    _same(extra.sinc(vector / 4), np.sinc(vector.numpy() / 4))
    _same(extra.isclose(X, X + 1e-9), [[True] * 2] * 2)
    _same(extra.nan_to_num(xp.asarray([float("nan"), 1.0])), [0, 1])
    assert int(extra.nunique(X)) == 4


def _runs(program: str) -> None:
    """Runs a program where scipy is asked for the standard, which it is when it is imported."""
    head = "import numpy as np, opwright\nX = opwright.tensor([[1.0, 2.0], [3.0, 5.0]])\n"
    check = (
        "def same(found, expected):\n"
        "    assert type(found) is opwright.Tensor, type(found)\n"
        "    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", head + check + program],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_scipy() -> None:
    pytest.importorskip("scipy", minversion="1.15")
    _runs("""
from scipy import fft, special, stats
from scipy.cluster import vq
from scipy.integrate import trapezoid

x = X.numpy()
same(special.logsumexp(X, axis=0), np.log(np.exp(x).sum(0)))
same(special.expit(X), 1 / (1 + np.exp(-x)))
same(special.softmax(X, axis=0), np.exp(x) / np.exp(x).sum(0))
same(vq.whiten(X), x / x.std(0))
codes, distances = vq.vq(X, X[:1, :])
assert codes.tolist() == [0, 0] and type(distances) is opwright.Tensor
same(fft.fft(X), np.fft.fft(x))
same(fft.dctn(X), fft.dctn(x))
same(stats.zscore(X), (x - x.mean(0)) / x.std(0))
same(stats.gmean(X), np.sqrt(x[0] * x[1]))
same(trapezoid(X), (x[:, 0] + x[:, 1]) / 2)
""")


def test_scikit_learn() -> None:
    pytest.importorskip("sklearn", minversion="1.6")
    _runs("""
import sklearn
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, mean_squared_error
from sklearn.preprocessing import MinMaxScaler, StandardScaler

x = np.random.default_rng(0).normal(size=(20, 4))
y = x @ np.arange(1.0, 5)
points, values, classes = map(opwright.from_numpy, (x, y, (y > 0).astype(int)))

with sklearn.config_context(array_api_dispatch=True):
    same(StandardScaler().fit_transform(points), (x - x.mean(0)) / x.std(0))
    same(MinMaxScaler().fit_transform(points), (x - x.min(0)) / (x.max(0) - x.min(0)))
    model = PCA(2, svd_solver="full").fit(points)
    same(abs(model.transform(points)), abs(PCA(2, svd_solver="full").fit(x).transform(x)))
    same(Ridge(solver="svd").fit(points, values).coef_, Ridge(solver="svd").fit(x, y).coef_)
    found = LinearDiscriminantAnalysis().fit(points, classes).predict(points)
    same(found, LinearDiscriminantAnalysis().fit(x, (y > 0).astype(int)).predict(x))
    assert accuracy_score(classes, found) > 0.9
    assert mean_squared_error(values, values + 1) == 1
""")


_NUMBERS = np.arange(24.0).reshape(4, 6)
_DASK = {
    "sum": lambda _, it: it.sum(),
    "mean": lambda _, it: it.mean(axis=1),
    "std": lambda _, it: it.std(),
    "max": lambda _, it: it.max(axis=0),
    "cumsum": lambda _, it: it.cumsum(axis=1),
    "any": lambda _, it: (it > 3).any(axis=0),
    "product": lambda _, it: it @ it.T,
    "numbers": lambda _, it: 1 + it * 2,
    "slices": lambda _, it: it[1:3, ::2],
    "list": lambda _, it: it[[0, 2]],
    "mask": lambda _, it: it[it > 3],
    "where": lambda da, it: da.where(it > 3, it, 0),
    "concatenate": lambda da, it: da.concatenate([it, it]),
    "stack": lambda da, it: da.stack([it, it]),
    "sin": lambda da, it: da.sin(it),
    "ufunc": lambda _, it: np.exp(it / 24),
    "reshape": lambda _, it: it.reshape(24),
    "astype": lambda _, it: it.astype("f4"),
    "tensordot": lambda da, it: da.tensordot(it, it.T, 1),
    "nanmean": lambda da, it: da.nanmean(it, axis=0),
    "blocks": lambda _, it: it.map_blocks(lambda block: block * 2),
    "overlap": lambda _, it: it.map_overlap(lambda block: block + 1, depth=1, boundary=0),
    "einsum": lambda da, it: da.einsum("ij,kj->ik", it, it),
    "svd": lambda da, it: da.linalg.svd(it.rechunk((2, 6)).T)[1],
    "pad": lambda da, it: da.pad(it, 1),
    "diff": lambda da, it: da.diff(it, axis=0),
}


@pytest.mark.parametrize("name", _DASK)
def test_dask(name: str) -> None:
    da = pytest.importorskip("dask.array")
    function = _DASK[name]
    tensor = opwright.from_numpy(_NUMBERS.copy())
    # Tensors are chunks without being asked for.
    for options in ({}, {"asarray": False}):
        lazy = da.from_array(tensor, chunks=(2, 3), **options)
        found = function(da, lazy).compute(scheduler="sync")
        expected = function(da, da.from_array(_NUMBERS, chunks=(2, 3))).compute()
        assert type(found) is opwright.Tensor
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


_XARRAY = {
    "numbers": lambda _, it: 1 + it * 2,
    "arrays": lambda _, it: it * it.isel(x=0),
    "aligned": lambda _, it: it + it.isel(y=[1, 2]),
    "ufunc": lambda _, it: np.sin(it),
    "sum": lambda _, it: it.sum(),
    "mean": lambda _, it: it.mean("y"),
    "std": lambda _, it: it.std(("x", "y")),
    "max": lambda _, it: it.max("z"),
    "median": lambda _, it: it.median("z"),
    "count": lambda _, it: it.count("x"),
    "any": lambda _, it: (it > 3).any("x"),
    "argmax": lambda _, it: it.argmax("z"),
    "cumsum": lambda _, it: it.cumsum("x"),
    "quantile": lambda _, it: it.quantile(0.3, "z"),
    "isel": lambda _, it: it.isel(x=0, y=[0, 2]),
    "sel": lambda _, it: it.sel(z="c", y=slice(0, 1)),
    "assigned": lambda xr, it: xr.concat([it.copy(), it], "x").transpose("z", ...),
    "groupby": lambda _, it: it.groupby("x").sum(),
    "anomalies": lambda _, it: it.groupby("x").map(lambda group: group - group.mean()),
    "where": lambda xr, it: xr.where(it > 3, it, -1.0),
    "other": lambda _, it: it.where(it > 3, 0.0),
    "isnull": lambda _, it: it.isnull(),
    "fillna": lambda _, it: it.fillna(0.0),
    "new": lambda xr, it: xr.concat([it, it], "new"),
    "stack": lambda _, it: it.stack(k=("x", "y")).unstack("k"),
    "diff": lambda _, it: it.diff("y"),
    "clip": lambda _, it: it.clip(1, 5),
    "astype": lambda _, it: it.astype("float32"),
    "dot": lambda xr, it: xr.dot(it, it, dim="z"),
    "dataset": lambda _, it: it.to_dataset().mean()["v"],
}


@pytest.mark.parametrize("name", _XARRAY)
@pytest.mark.filterwarnings("ignore")
def test_xarray(name: str) -> None:
    xr = pytest.importorskip("xarray")
    numbers = _NUMBERS.reshape(2, 3, 4).copy()
    numbers[0, 0, 0] = np.nan

    def called(data: Any) -> Any:
        coordinates = {"x": [0, 1], "y": [0.0, 1.0, 2.0], "z": list("abcd")}
        array = xr.DataArray(data, dims=("x", "y", "z"), coords=coordinates, name="v")
        return _XARRAY[name](xr, array)

    found, expected = called(opwright.from_numpy(numbers.copy())), called(numbers)
    assert type(found.data) is opwright.Tensor
    assert found.dims == expected.dims
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_xarray_interpolates() -> None:
    xr = pytest.importorskip("xarray")
    pytest.importorskip("scipy")
    array = xr.DataArray(opwright.tensor([1.0, 2.0, 4.0]), dims="x", coords={"x": [0, 1, 2]})
    assert array.interp(x=[0.5, 1.5]).values.tolist() == [1.5, 3.0]


def test_einops() -> None:
    # einops knows libraries by their names, and others by their namespace.
    einops = pytest.importorskip("einops.array_api")
    x = opwright.arange(24).reshape(2, 3, 4).to(opwright.float32)
    _same(einops.rearrange(x, "a b c -> c (b a)"), x.numpy().transpose(2, 1, 0).reshape(4, 6))
    _same(einops.reduce(x, "a b c -> a", "mean"), x.numpy().mean((1, 2)))
    _same(einops.repeat(x, "a b c -> a b c d", d=2), np.repeat(x.numpy()[..., None], 2, 3))
    assert einops.pack([x, x], "* c")[0].shape == (12, 4)

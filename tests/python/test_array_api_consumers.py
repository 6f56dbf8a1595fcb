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

"""Functions of numpy in compiled functions have numpy's values, dtypes and classes of errors."""

from __future__ import annotations

import linecache
import warnings
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import jit
from opwright.extending import TypingError

VALUES: dict[str, Any] = {
    "A": np.array([[3.0, 1.0, 2.0], [6.0, 5.0, -4.0]]),
    "V": np.array([3.0, 1.0, 2.0, 5.0]),
    "W": np.array([1.0, 2.0, 0.0, 4.0]),
    "I": np.array([3, 1, 2, 3, 0]),
    "I2": np.array([[1, 2, 3], [4, 5, 6]]),
    "I8": np.array([3, 1, 2], np.int8),
    "F": np.array([1.5, 2.5, -3.0], np.float32),
    "B": np.array([True, False, True]),
    "S": np.array([[4.0, 1.0], [2.0, 3.0]]),
    "Z": np.array([1 + 2j, 3 - 1j]),
    "NA": np.array([1.0, np.nan, 3.0]),
    "E": np.zeros(0),
    "x": 2.5,
    "n": 7,
}

CALLS = """
sum(A) | sum(A, axis=0) | sum(A, 1, keepdims=True) | sum(I8) | sum(B) | sum(F) | sum(Z) | sum(E)
sum(F, dtype=np.float64) | sum(A, axis=(0, 1)) | prod(A) | prod(I8) | prod(A, axis=(0, 1))
prod(I2, axis=1, keepdims=True) | min(A) | max(A, axis=1) | min(NA) | max(B) | amin(A, 0)
mean(A) | mean(I) | mean(F) | mean(Z) | mean(E) | mean(A, axis=1, keepdims=True)
var(A) | var(A, ddof=1) | var(I) | std(I2, axis=0, ddof=1) | std(A, 0) | var(F)
median(V) | median(A) | median(A, axis=0) | median(A, axis=1, keepdims=True) | median(I)
median(NA) | median(F) | argmin(A) | argmax(A, axis=1, keepdims=True) | argmin(NA) | argmax(B)
argsort(V) | argsort(A, axis=0) | sort(A) | sort(A, axis=0) | sort(A, axis=None) | sort(NA)
sort(I8) | cumsum(A) | cumsum(A, axis=1) | cumsum(I8) | cumprod(A) | cumprod(I8)
any(A, axis=0) | all(A > 0, axis=1) | all(A, axis=1, keepdims=True) | where(B, I8, F)
where(V > 2, V, 0.0) | where(V > 2) | where(A > 2) | nonzero(W) | flatnonzero(W) | argwhere(A > 2)
clip(V, 1.5, 3) | clip(V, None, 2) | clip(x, 0.0, 1.0) | diff(V) | diff(V, 2) | diff(A, axis=0)
diff(I8) | diff(B) | concatenate((V, W)) | concatenate((A, A), axis=1) | concatenate((V, I))
concatenate((A, S), axis=None) | stack((V, W)) | stack((V, W), axis=1) | stack((A, A), axis=-1)
vstack((V, W)) | vstack((A, A)) | hstack((V, W)) | hstack((A, A)) | dstack((V, W))
column_stack((V, W)) | append(V, W) | append(V, 1.0) | append(I, 2.5) | repeat(V, 2) | repeat(A, 2)
repeat(A, 2, axis=1) | repeat(I8, I8) | tile(V, 2) | tile(V, (2, 2)) | tile(A, (2, 1)) | tile(A, 3)
roll(V, 1) | roll(A, 1) | roll(A, 1, axis=0) | roll(A, (1, 2), axis=(0, 1)) | roll(V, -2)
flip(A) | flip(A, 0) | fliplr(A) | flipud(A) | rot90(A) | unique(I) | unique(A) | unique(NA)
unique(I, return_counts=True) | unique(I, return_index=True, return_inverse=True)
searchsorted(np.sort(V), W) | searchsorted(np.sort(V), 2.5) | searchsorted(np.sort(I), n)
searchsorted(np.sort(V), W, side="right") | digitize(V, np.sort(W)) | bincount(I) | bincount(I8)
bincount(I, minlength=10) | bincount(I, I * 0.5) | histogram(V, 4) | histogram(V)
histogram(V, 3, (0.0, 4.0)) | histogram(V, np.sort(W)) | histogram(I, 3) | outer(V, W) | outer(A, V)
kron(V, W) | kron(A, S) | kron(V, S) | trace(S) | trace(A, -1) | trace(I2) | dot(V, W)
dot(A, A.T) | dot(A, x) | dot(V, I[:4]) | dot(F, I8) | vdot(Z, Z) | inner(V, W) | matmul(A, A.T)
linalg.norm(V) | linalg.norm(A) | linalg.norm(A, axis=1) | linalg.norm(V, 1) | linalg.norm(I)
linalg.norm(V, np.inf) | linalg.norm(Z) | linalg.norm(A, 1) | linalg.solve(S, V[:2])
linalg.inv(S) | linalg.det(S) | linalg.inv(I2[:, :2]) | linalg.cholesky(S + S.T)
isclose(V, W) | isclose(x, x + 1e-10) | isclose(NA, NA, equal_nan=True) | isclose(V, W, 1.0)
allclose(V, W) | allclose(V, V + 1e-12) | array_equal(V, V) | array_equal(V, I) | nansum(NA)
nanmean(NA) | nanmin(NA) | nanmax(NA) | nanstd(NA) | ptp(V) | average(V, weights=W)
percentile(V, 50) | quantile(V, 0.3) | quantile(V, W[:2] / 4) | count_nonzero(W) | diag(V) | diag(A)
diag(S, 1) | tril(A) | triu(A, 1) | eye(3) | eye(2, 3) | eye(3, k=1) | eye(3, dtype=np.int64)
identity(3) | linspace(0, 10, n) | linspace(0.0, 1.0, 5, endpoint=False) | take(V, I[:3])
take(A, 1) | take(A, I8[1:] % 2, axis=0) | expand_dims(V, 0) | squeeze(A[:1], axis=0)
atleast_2d(V) | swapaxes(A, 0, 1) | moveaxis(A, 0, 1) | interp(W, np.sort(V), W) | isin(I, I8)
cross(V[:3], W[:3]) | convolve(V, W) | convolve(V, W, "same") | round(A, 1) | round(x, 1)
invert(I) | real(Z) | imag(Z) | conj(Z) | equal(V, W) | greater_equal(x, n) | less(V, 2)
"""

ERRORS = [
    ("np.min(E)", ValueError),
    ("np.argmin(E)", ValueError),
    ("np.linalg.inv(S * 0)", np.linalg.LinAlgError),
    ("np.linalg.solve(S * 0, S)", np.linalg.LinAlgError),
    ("np.linalg.inv(A)", np.linalg.LinAlgError),
    ("np.linalg.cholesky(-S)", np.linalg.LinAlgError),
    ("np.dot(V, F)", ValueError),
    ("np.concatenate((A, S), axis=0)", ValueError),
    ("np.stack((V, F))", ValueError),
    ("np.bincount(I - 2)", ValueError),
    ("np.repeat(V, -1)", ValueError),
    ("np.linspace(0, 1, -1)", ValueError),
]


def compiled(expression: str) -> tuple[Any, list[Any]]:
    """A function of an expression, and the values of its parameters."""
    names = [it for it in VALUES if it in compile(expression, "", "eval").co_names]
    text = f"def f({', '.join(names)}):\n    return {expression}\n"
    file = f"<{expression}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"], [VALUES[it] for it in names]


def check_same(found: Any, expected: Any) -> None:
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            check_same(one, other)
        return
    if isinstance(expected, np.ndarray):
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert np.asarray(found).dtype.kind == np.asarray(expected).dtype.kind
    tolerance = 1e-6 if np.asarray(expected).dtype == np.float32 else 1e-13
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=0)


@pytest.mark.parametrize("call", [it.strip() for it in CALLS.replace("\n", "|").split("|") if it])
def test_values_are_those_of_numpy(call: str) -> None:
    function, args = compiled(f"np.{call}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(*args)
    check_same(jit(function)(*args), expected)


@pytest.mark.parametrize(("expression", "error"), ERRORS)
def test_errors_are_those_of_numpy(expression: str, error: type[Exception]) -> None:
    function, args = compiled(expression)
    with pytest.raises(error):
        function(*args)
    with pytest.raises(error) as caught:
        jit(function)(*args)
    assert type(caught.value) is error


def test_what_is_not_compiled_names_the_nearest() -> None:
    function, args = compiled("np.linalg.eigvals(S)")
    with pytest.raises(TypingError, match=r"numpy\.linalg\.eigvals\(\) is not compiled") as caught:
        jit(function)(*args)
    assert caught.value.line == 2
    function, args = compiled("np.nanmedian(V)")
    with pytest.raises(TypingError, match="did you mean nanmean"):
        jit(function)(*args)


def test_an_axis_is_a_constant_of_the_array() -> None:
    function, args = compiled("np.stack((V, W), axis=5)")
    with pytest.raises(TypingError, match="axis 5 is out of bounds"):
        jit(function)(*args)


@jit
def ours(a, b):
    return (
        opwright.relu(a),
        opwright.sum(a, 1, keepdim=True),
        opwright.softmax(a, dim=-1),
        opwright.cat((a, b), 0),
        opwright.add(a, b, alpha=2.0),
        opwright.where(a > b, a, b),
        opwright.sqrt(a),
        opwright.linalg.det(opwright.matmul(a, b)),
        opwright.transpose(a, 0, 1),
        opwright.zeros(2, 3),
    )


def test_operators_are_called_by_their_own_parameters() -> None:
    a = opwright.tensor([[1.0, -2.0], [3.0, 0.5]])
    b = opwright.tensor([[0.5, 2.0], [-1.0, 1.0]])
    for found, expected in zip(ours(a, b), ours.py_func(a, b), strict=True):
        assert np.array_equal(found, expected, equal_nan=True)


def test_a_tensor_of_integers_promotes_as_ours() -> None:
    a = opwright.tensor([1, 4])
    found = jit(lambda a: opwright.sqrt(a))(a)
    assert found.dtype == opwright.float32
    assert found.tolist() == [1.0, 2.0]


@jit
def written(a):
    return opwright.neg_(a)


def test_what_writes_to_its_argument_gives_it_back() -> None:
    a = opwright.tensor([1.0, 2.0])
    assert written(a) is a
    assert a.tolist() == [-1.0, -2.0]
    readonly = np.ones(2)
    readonly.flags.writeable = False
    with pytest.raises(TypingError, match="read-only"):
        written(readonly)


def test_parts_of_complex_numbers_are_no_arrays_of_them() -> None:
    z = np.array([1 + 2j, 3 - 1j])
    real = jit(lambda z: z.real)(z)
    assert real.dtype == np.float64
    real[0] = 9
    assert z[0] == 9 + 2j

"""Functions of numpy in compiled functions have numpy's values, dtypes and classes of errors."""

from __future__ import annotations

import linecache
import warnings
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import extending, jit
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
mean(A) | mean(I) | mean(F) | mean(Z) | mean(E) | mean(A, axis=1, keepdims=True) | var(A)
var(A, ddof=1) | var(I) | std(I2, axis=0, ddof=1) | std(A, 0) | var(F) | median(V) | median(A)
median(A, axis=0) | median(A, axis=1, keepdims=True) | median(I) | median(NA) | median(F)
argmin(A) | argmax(A, axis=1, keepdims=True) | argmin(NA) | argmax(B) | argsort(V)
argsort(A, axis=0) | sort(A) | sort(A, axis=0) | sort(A, axis=None) | sort(NA) | sort(I8)
cumsum(A) | cumsum(A, axis=1) | cumsum(I8) | cumprod(A) | cumprod(I8) | any(A, axis=0)
all(A > 0, axis=1) | all(A, axis=1, keepdims=True) | where(B, I8, F) | where(V > 2, V, 0.0)
where(V > 2) | where(A > 2) | nonzero(W) | flatnonzero(W) | argwhere(A > 2) | clip(V, 1.5, 3)
clip(V, None, 2) | clip(x, 0.0, 1.0) | diff(V) | diff(V, 2) | diff(A, axis=0) | diff(I8) | diff(B)
concatenate((V, W)) | concatenate((A, A), axis=1) | concatenate((V, I))
concatenate((A, S), axis=None) | stack((V, W)) | stack((V, W), axis=1) | stack((A, A), axis=-1)
vstack((V, W)) | vstack((A, A)) | hstack((V, W)) | hstack((A, A)) | dstack((V, W))
column_stack((V, W)) | append(V, W) | append(V, 1.0) | append(I, 2.5) | repeat(V, 2)
repeat(A, 2) | repeat(A, 2, axis=1) | repeat(I8, I8) | tile(V, 2) | tile(V, (2, 2))
tile(A, (2, 1)) | tile(A, 3) | roll(V, 1) | roll(A, 1) | roll(A, 1, axis=0)
roll(A, (1, 2), axis=(0, 1)) | roll(V, -2) | flip(A) | flip(A, 0) | fliplr(A) | flipud(A)
rot90(A) | unique(I) | unique(A) | unique(NA) | unique(I, return_counts=True)
unique(I, return_index=True, return_inverse=True) | searchsorted(np.sort(V), W)
searchsorted(np.sort(V), 2.5) | searchsorted(np.sort(I), n)
searchsorted(np.sort(V), W, side="right") | digitize(V, np.sort(W)) | bincount(I) | bincount(I8)
bincount(I, minlength=10) | bincount(I, I * 0.5) | histogram(V, 4) | histogram(V)
histogram(V, 3, (0.0, 4.0)) | histogram(V, np.sort(W)) | histogram(I, 3) | outer(V, W)
outer(A, V) | kron(V, W) | kron(A, S) | kron(V, S) | trace(S) | trace(A, -1) | trace(I2)
dot(V, W) | dot(A, A.T) | dot(A, x) | dot(V, I[:4]) | dot(F, I8) | vdot(Z, Z) | inner(V, W)
matmul(A, A.T) | linalg.norm(V) | linalg.norm(A) | linalg.norm(A, axis=1) | linalg.norm(V, 1)
linalg.norm(I) | linalg.norm(V, np.inf) | linalg.norm(Z) | linalg.norm(A, 1)
linalg.solve(S, V[:2]) | linalg.inv(S) | linalg.det(S) | linalg.inv(I2[:, :2])
linalg.cholesky(S + S.T) | isclose(V, W) | isclose(x, x + 1e-10) | isclose(NA, NA, equal_nan=True)
isclose(V, W, 1.0) | allclose(V, W) | allclose(V, V + 1e-12) | array_equal(V, V)
array_equal(V, I) | nansum(NA) | nanmean(NA) | nanmin(NA) | nanmax(NA) | nanstd(NA) | ptp(V)
average(V, weights=W) | percentile(V, 50) | quantile(V, 0.3) | quantile(V, W[:2] / 4)
count_nonzero(W) | diag(V) | diag(A) | diag(S, 1) | tril(A) | triu(A, 1) | eye(3) | eye(2, 3)
eye(3, k=1) | eye(3, dtype=np.int64) | identity(3) | linspace(0, 10, n)
linspace(0.0, 1.0, 5, endpoint=False) | take(V, I[:3]) | take(A, 1) | take(A, I8[1:] % 2, axis=0)
expand_dims(V, 0) | squeeze(A[:1], axis=0) | atleast_2d(V) | swapaxes(A, 0, 1) | moveaxis(A, 0, 1)
interp(W, np.sort(V), W) | isin(I, I8) | cross(V[:3], W[:3]) | convolve(V, W)
convolve(V, W, "same") | round(A, 1) | round(x, 1) | clip(I8, -1, 2) | clip(F, 0.1, 1.0)
clip(V, 2.0, None) | clip(V, a_min=0, a_max=1) | clip(I, 0.5, 2) | clip(A, E[:0].sum(), V[:3])
clip(NA, 0.0, 1.0) | where(B, 1, 0) | where(B, F, 0.0) | where(I, Z[0], 0)
where(A > 2, V[:3], -1) | round(F * 1.26, 1) | round(I, -1) | around(V / 3, 2)
heaviside(V - 2, 0.5) | sinc(F) | sinc(I) | angle(Z) | angle(Z, deg=True) | logaddexp(V, W)
logaddexp2(V, F[0]) | isposinf(V) | isneginf(-W / 0.0) | nan_to_num(NA) | nan_to_num(NA, nan=2.0)
nan_to_num(W / 0.0, posinf=1.0, neginf=x) | float_power(I, 2) | iscomplexobj(Z) | isrealobj(Z)
isscalar(x) | divmod(V, 2.0) | average(A, axis=0) | average(A, axis=1, weights=V[:3])
average(A, weights=A * A) | logspace(0, 2, 5) | logspace(0.0, 3.0) | logspace(0, 3, 4, base=2.0)
geomspace(1.0, 1000.0, 4) | cov(A) | cov(V, W) | cov(A, rowvar=False) | cov(A, ddof=0)
cov(I2, bias=True) | corrcoef(A) | corrcoef(V, W) | pad(V, 2) | pad(V, (1, 2))
pad(A, ((1, 0), (2, 1))) | pad(A, 1, mode="edge") | pad(V, 2, mode="reflect")
pad(V, 9, "reflect") | pad(V, 3, mode="wrap") | pad(V, 9, mode="symmetric")
pad(I8, 2, "constant", constant_values=7) | pad(F[:1], 2, mode="reflect") | insert(V, 1, 9.0)
insert(V, 2, W) | insert(I, -1, n) | insert(I, I8, n) | insert(A, 1, x, axis=0)
insert(A, 1, V[:3], axis=0) | insert(A, 1, V[:2], axis=1) | insert(A, 1, x) | append(A, A, axis=0)
append(A, I2, axis=1) | delete(V, 1) | delete(V, I[1:3]) | delete(A, 1, axis=0)
delete(A, -1, axis=1) | delete(A, I8[1:] % 2) | delete(V[:3], B) | linalg.eigvalsh(S + S.T)
linalg.eigvals(S) | linalg.eigvals(I2[:, :2] @ I2[:, :2].T) | linalg.svd(A, compute_uv=False)
linalg.matrix_rank(A) | linalg.matrix_rank(A, 100.0) | linalg.matrix_power(S, 3)
linalg.matrix_power(S, -2) | linalg.matrix_power(I2[:, :2], 0) | linalg.pinv(A) | linalg.cond(S)
linalg.cond(S, 1) | linalg.slogdet(S) | linalg.lstsq(A.T, W[:3])
linalg.lstsq(A.T, W[:3] + A.T[:, 0], rcond=None) | linalg.lstsq(A, W[:2]) | meshgrid(V, W)
meshgrid(V, F, indexing="ij") | split(V, 2) | array_split(V, 3) | hsplit(A, 3) | vsplit(A, 2)
nancumsum(NA) | nancumprod(NA) | nanprod(NA) | nanmedian(NA) | nanpercentile(NA, 50)
nanquantile(NA, W[:2] / 4) | ediff1d(A) | trim_zeros(W - 1, "f") | trim_zeros(W * (W < 3))
union1d(V, I) | intersect1d(V, W) | setdiff1d(V, W) | setxor1d(V, W)
select((V > 2, W > 1), (V, W), 0.5) | select((V > 4, W > 3), (V, W)) | sort(np.partition(V, 2))
tri(3) | tri(2, 3, 1) | tril_indices(3) | triu_indices(3, 1) | triu_indices(2, m=4) | vander(V, 3)
vander(I) | vander(V, 2, increasing=True) | polyval(V, x) | polyval(I, W) | correlate(V, W)
correlate(V, F, "full") | correlate(F, V, "same") | correlate(Z, V, "full") | bartlett(n)
hamming(n) | hanning(n) | blackman(n) | broadcast_to(V, (2, 4)) | broadcast_to(x, 3)
asfortranarray(A) | take_along_axis(A, np.argsort(A, 1), 1) | take_along_axis(A, I2[:1, :] % 2, 0)
compress(B, A, axis=1) | compress(B, V[:3]) | extract(V > 2, V) | resize(V, 6) | resize(A, (2, 2))
rollaxis(A, 1) | atleast_3d(V) | atleast_3d(A) | invert(I) | real(Z) | imag(Z) | conj(Z)
equal(V, W) | greater_equal(x, n) | less(V, 2) | take(A, I2 % 3) | take(V, I[:2], axis=-1)
take(A, 1, axis=1) | indices((2, 3)) | unwrap(V * 3) | diagflat(A) | diagflat(V, 1)
tril_indices_from(A) | triu_indices_from(A, 1) | diag_indices(3) | nanargmax(NA)
nanargmin(A, axis=1) | iscomplex(Z) | isreal(Z) | isreal(V) | isreal(x)
dsplit(np.stack((A, A), axis=2), 2) | finfo(np.float64).eps | iinfo(np.int8).min
iinfo(np.uint64).max | finfo(F.dtype).bits
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
    ("np.delete(V, 9)", IndexError),
    ("np.insert(V, 9, 1.0)", IndexError),
    ("np.pad(V, -1)", ValueError),
    ("np.split(V, 3)", ValueError),
    ("np.linalg.eigvalsh(A)", np.linalg.LinAlgError),
    ("np.linalg.matrix_power(S * 0, -1)", np.linalg.LinAlgError),
    ("np.linalg.lstsq(S, V)", np.linalg.LinAlgError),
    ("np.average(V, weights=V * 0)", ZeroDivisionError),
    ("np.average(A, axis=1, weights=V)", ValueError),
    ("np.geomspace(0.0, 1.0, 3)", ValueError),
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
    if isinstance(expected, (tuple, list)):
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
    function, args = compiled("np.linalg.tensorinv(S)")
    with pytest.raises(TypingError, match=r"linalg\.tensorinv\(\) is not compiled") as caught:
        jit(function)(*args)
    assert caught.value.line == 2
    function, args = compiled("np.nanmx(V)")
    with pytest.raises(TypingError, match="has no attribute 'nanmx'"):
        jit(function)(*args)
    function, args = compiled("np.histogram_bin_edges(V)")
    with pytest.raises(TypingError, match="did you mean histogram"):
        jit(function)(*args)


def test_an_axis_is_a_constant_of_the_array() -> None:
    for call, said in [
        ("take(A, 0, axis=2)", "axis 2 is out"),
        ("take(A, 0, axis=n)", "axis has to be known"),
    ]:
        function, args = compiled(f"np.{call}")
        with pytest.raises(TypingError, match=said):
            jit(function)(*args)
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


@pytest.mark.parametrize(
    ("matrix", "mode"), [("A", "reduced"), ("A.T", "reduced"), ("A.T", "complete"), ("S", "r")]
)
def test_factors_make_up_the_matrix(matrix: str, mode: str) -> None:
    function, args = compiled(f"np.linalg.qr({matrix}, '{mode}')")
    found, expected = jit(function)(*args), function(*args)
    if mode == "r":
        np.testing.assert_allclose(np.abs(found), np.abs(expected), rtol=1e-12)
        return
    q, r = found
    assert (q.shape, r.shape) == (expected[0].shape, expected[1].shape)
    np.testing.assert_allclose(q @ r, eval(matrix, VALUES), atol=1e-12)
    np.testing.assert_allclose(q.T @ q, np.eye(q.shape[1]), atol=1e-12)


def test_vectors_belong_to_their_values() -> None:
    function, args = compiled("np.linalg.eigh(S + S.T)")
    values, vectors = jit(function)(*args)
    whole = VALUES["S"] + VALUES["S"].T
    np.testing.assert_allclose(whole @ vectors, vectors * values, atol=1e-12)
    function, args = compiled("np.linalg.eig(S)")
    values, vectors = jit(function)(*args)
    np.testing.assert_allclose(VALUES["S"] @ vectors, vectors * values, atol=1e-12)
    function, args = compiled("np.linalg.svd(A, full_matrices=False)")
    u, s, vt = jit(function)(*args)
    np.testing.assert_allclose(u * s @ vt, VALUES["A"], atol=1e-12)


def test_values_of_a_real_matrix_that_are_complex_are_refused() -> None:
    function, _ = compiled("np.linalg.eigvals(S)")
    turned = np.array([[0.0, 1.0], [-1.0, 0.0]])
    with pytest.raises(ValueError, match="pass an array of complex numbers"):
        jit(function)(turned)
    found = jit(function)(turned + 0j)
    np.testing.assert_allclose(sorted(found.imag), [-1, 1])


@jit
def written_to(v, w, i, s):
    np.copyto(v, w)
    np.put(v, i, 9.0)
    np.place(w, w > 1, v)
    np.fill_diagonal(s, 0.5)
    v.sort()


def test_what_is_written_to_is_numpys() -> None:
    ours, theirs = (
        [VALUES[name].copy() for name in ("V", "W")] + [np.array([1, 0]), VALUES["S"].copy()]
        for _ in range(2)
    )
    written_to(*ours)
    written_to.py_func(*theirs)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other)


METHODS = """
V.sum() | A.sum(axis=0) | A.max(1) | A.std(ddof=1) | V.var() | A.cumsum() | A.prod(axis=(0, 1))
V.clip(1, 3) | V.argsort() | V.argmin() | V.round(1) | V.take(I[:2] % 2) | A.take(I8 % 2, axis=0)
A.repeat(2, axis=1) | V.searchsorted(2.0) | W.nonzero() | A.diagonal() | A.trace() | Z.conj()
A[:1].squeeze(axis=0) | V.dot(W) | V.any() | W.all() | V.item(2) | A.item(1, 2) | A.item(-1)
V.mean()
"""


@pytest.mark.parametrize("call", [it.strip() for it in METHODS.replace("\n", "|").split("|") if it])
def test_methods_are_functions_of_numpy(call: str) -> None:
    function, args = compiled(call)
    check_same(jit(function)(*args), function(*args))


@jit
def chained(a, b):
    return np.clip(a + b, 0.0, 1.0) * 2 - np.where(a > b, a, b)


def test_chains_of_elements_are_one_loop() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((2, 1000))
    assert np.array_equal(chained(a, b), chained.py_func(a, b))
    (text,) = chained.inspect_ir().values()
    # The result is the only array that is made.
    assert text.count("alloc") == 1


def test_what_is_built_in_is_listed_like_others() -> None:
    listed = extending.operators()
    for function in (len, np.where, np.clip, np.take, np.round, any, all, reversed, np.linalg.qr):
        assert function in listed


def test_methods_of_ones_own_come_first() -> None:
    @extending.overload_method(opwright.types.Buffer, "ptp_of_ours")
    def _(a: Any) -> Any:
        return lambda a: a.max() - a.min()

    assert jit(lambda a: a.ptp_of_ours())(VALUES["V"]) == 4.0
    handle = jit(lambda a: a.trace())

    @extending.overload_method(opwright.types.Buffer, "trace")
    def _(a: Any) -> Any:
        return (lambda a: -1.0) if a.ndim == 3 else None

    assert handle(np.zeros((2, 2, 2))) == -1.0
    assert handle(VALUES["S"]) == 7.0


def test_what_is_built_in_says_why_it_declines() -> None:
    for call, said in [
        ("np.clip(V)", "a least or a greatest number"),
        ("np.clip(V, 0, 1, out=V)", r"assign to out\[...\]"),
        ("np.round(V, n)", "decimals has to be a constant"),
        ("np.where(V, 'text', V)", "is not for these types"),
        ("V.take()", "missing a required argument: 'indices'"),
        ("np.clip(V, 'text')", r"no function numpy\.clip of"),
        ("A.sort(n)", "has no method 'sort' for these(.|\n)*known while typing"),
        ("A.sort(0, kind='stable')", "unexpected keyword argument 'kind'"),
    ]:
        function, args = compiled(call)
        with pytest.raises(TypingError, match=said):
            jit(function)(*args)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_arrays_are_sorted_in_place(axis: int) -> None:
    a, expected = VALUES["A"].copy(), np.sort(VALUES["A"], axis)

    @jit
    def f(a):
        return a.sort(axis)

    assert f(a) is None
    np.testing.assert_array_equal(a, expected)

"""First and second derivatives of functions of matrices at those that are not generic.

Symmetric, orthogonal, repeated, rank-deficient and empty ones, compared with differences.
`OPWRIGHT_EVERY=1` tries larger ones, too.
"""

import os
from collections.abc import Callable

import opwright as ow
import pytest
from opwright import linalg
from opwright.autograd import grad, gradcheck
from opwright.autograd.functional import hessian, jacobian

Function = Callable[[ow.Tensor], ow.Tensor]

EVERY = os.environ.get("OPWRIGHT_EVERY") == "1"


def matrix(rows: list[list[float]]) -> ow.Tensor:
    return ow.tensor(rows, dtype=ow.float64)


def eye(size: int) -> ow.Tensor:
    return ow.eye(size, dtype=ow.float64)


def diagonal(*values: float) -> ow.Tensor:
    return eye(len(values)) * ow.tensor(values, dtype=ow.float64)


def product(left: list[list[float]], right: list[list[float]]) -> ow.Tensor:
    return matrix(left) @ matrix(right)


ROTATION = matrix([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])

REGULAR: dict[str, ow.Tensor] = {
    "symmetric": matrix([[2.0, 0.5, 0.3], [0.5, 1.0, -0.4], [0.3, -0.4, -1.5]]),
    "orthogonal": ROTATION,
    "identity": eye(3),
    "two equal": diagonal(2.0, 2.0, 3.0),
    "two equal, turned": ROTATION @ diagonal(3.0, 2.0, 3.0) @ ROTATION.mT,
    "swapped rows": matrix([[0.0, 1.0], [1.0, 0.0]]),
    "of one element": matrix([[2.5]]),
    "batch": ow.stack(
        [eye(2), matrix([[0.0, 1.0], [-1.0, 0.0]]), matrix([[2.0, 1.0], [0.0, 2.0]])]
    ),
}
SINGULAR: dict[str, ow.Tensor] = {
    "of rank 2": product([[1.0, 0.0], [2.0, 1.0], [0.5, -1.0]], [[1.0, 2.0, 0.0], [0.3, 0.0, 1.0]]),
    "of rank 1": product([[1.0], [2.0], [-1.0]], [[0.5, 1.0, 2.0]]),
    "zero": ow.zeros(3, 3, dtype=ow.float64),
    "nilpotent": matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]),
    "zero of one element": matrix([[0.0]]),
    "batch of ranks": ow.stack(
        [eye(2), ow.ones(2, 2, dtype=ow.float64), ow.zeros(2, 2, dtype=ow.float64)]
    ),
}
EMPTY = {
    "empty": ow.zeros(0, 0, dtype=ow.float64),
    "empty batch": ow.zeros(0, 2, 2, dtype=ow.float64),
}
if EVERY:
    REGULAR |= {"identity of 5": eye(5), "identity of 9": eye(9)}
    SINGULAR |= {"zero of 4": ow.zeros(4, 4, dtype=ow.float64), "of rank 8": diagonal(*range(9))}
    SINGULAR |= {"of rank 7": diagonal(0, 0, *range(1, 8))}


def symmetric(a: ow.Tensor) -> ow.Tensor:
    return (a + a.mT) / 2


def right(a: ow.Tensor) -> ow.Tensor:
    return ow.arange(1.0, a.shape[-1] * 2 + 1, dtype=a.dtype).reshape(a.shape[-1], 2) * a.new_ones(
        (*a.shape[:-2], 1, 1)
    )


def lu_solved(a: ow.Tensor) -> ow.Tensor:
    factors, pivots = linalg.lu_factor(a)
    return linalg.lu_solve(factors, pivots, right(a))


def qr(a: ow.Tensor) -> ow.Tensor:
    """Both factors, with a positive diagonal: signs jump where there is nothing to reflect."""
    q, r = linalg.qr(a)
    signs = r.detach().diagonal(dim1=-2, dim2=-1).sign()
    return ow.cat([q * signs.unsqueeze(-2), r * signs.unsqueeze(-1)], -1)


# Polynomials, which have derivatives everywhere, and what has them with equal values.
POLYNOMIALS: dict[str, Function] = {
    "det": linalg.det,
    "det of the plain name": ow.det,
    "matrix_power 0": lambda a: linalg.matrix_power(a, 0) * a.sum(),
    "matrix_power 1": lambda a: linalg.matrix_power(a, 1),
    "matrix_power 2": lambda a: linalg.matrix_power(a, 2),
    "matrix_power 5": lambda a: linalg.matrix_power(a, 5),
    "multi_dot": lambda a: linalg.multi_dot([a, a, a]) if a.ndim == 2 else a,
    "matmul": lambda a: a @ a.mT,
    "trace": lambda a: a.diagonal(dim1=-2, dim2=-1).sum(),
    "sum of eigenvalues": lambda a: linalg.eigvals(a).sum().real,
    "sum of symmetric eigenvalues": lambda a: linalg.eigvalsh(symmetric(a)).sum(),
    "cholesky": lambda a: linalg.cholesky(a @ a.mT + eye(a.shape[-1])),
    "cholesky, upper": lambda a: ow.cholesky(a @ a.mT + eye(a.shape[-1]), upper=True),
}
# Of matrices with an inverse.
RATIONAL: dict[str, Function] = {
    "slogdet": lambda a: linalg.slogdet(a)[1],
    "inv": linalg.inv,
    "inv_ex": lambda a: linalg.inv_ex(a)[0],
    "pinv": linalg.pinv,
    "matrix_power -1": lambda a: linalg.matrix_power(a, -1),
    "matrix_power -3": lambda a: linalg.matrix_power(a, -3),
    "solve": lambda a: linalg.solve(a, right(a)),
    "solve from the right": lambda a: linalg.solve(a, right(a).mT, left=False),
    "solve_triangular": lambda a: linalg.solve_triangular(
        a.triu() + 3 * eye(a.shape[-1]), right(a), upper=True
    ),
    "lstsq": lambda a: linalg.lstsq(a, right(a))[0],
    "qr": qr,
    "lu_solve": lu_solved,
    "nuclear norm": lambda a: linalg.matrix_norm(a, "nuc"),
    "sum of singular values": lambda a: linalg.svdvals(a).sum(),
    "Frobenius norm": linalg.matrix_norm,
}

# Of values that differ.
SPECTRAL: dict[str, Function] = {
    "squares of singular values": lambda a: linalg.svdvals(a).square().sum(),
    "squares of symmetric eigenvalues": lambda a: linalg.eigvalsh(symmetric(a)).square().sum(),
    "factors of svd": lambda a: (lambda u, s, vh: (u * s.unsqueeze(-2)) @ vh)(*linalg.svd(a)),
    "factors of eigh": lambda a: (lambda s, v: (v * s.unsqueeze(-2)) @ v.mT)(
        *linalg.eigh(symmetric(a))
    ),
}

# What has no derivatives there, or none that can be told from what is asked for.
KNOWN: dict[tuple[str, str], str] = {}
for _function in SPECTRAL:
    for _name in {**REGULAR, **SINGULAR}:
        if _name not in ("symmetric", "of rank 2", "of one element", "zero of one element"):
            KNOWN[_function, _name] = "with equal values it is not told what is done with them"
for _name in [*SINGULAR]:
    for _function in RATIONAL:
        KNOWN[_function, _name] = "has no inverse, or not the full rank: not differentiable"
for _name in ("of rank 2", "of rank 1", "nilpotent", "of rank 8", "of rank 7"):
    KNOWN.pop(("Frobenius norm", _name), None)
for _name in SINGULAR:
    KNOWN.pop(("solve_triangular", _name), None)


def places() -> list[tuple[str, str]]:
    every = {**REGULAR, **SINGULAR, **EMPTY}
    functions = {**POLYNOMIALS, **RATIONAL, **SPECTRAL}
    pairs = [(function, place) for function in functions for place in every]
    return [pair for pair in pairs if pair not in KNOWN]


def weighted(result: ow.Tensor) -> ow.Tensor:
    """A sum in which no two elements of a result count alike."""
    weights = ow.arange(1.0, result.numel() + 1, dtype=ow.float64) / 3
    return (result * weights.reshape(result.shape)).sum()


@pytest.mark.parametrize(("name", "place"), places())
def test_both_derivatives_are_there(name: str, place: str) -> None:
    function = {**POLYNOMIALS, **RATIONAL, **SPECTRAL}[name]
    point = {**REGULAR, **SINGULAR, **EMPTY}[place].clone().requires_grad_()
    slope = lambda a: grad(weighted(function(a)), a, create_graph=True)[0]  # noqa: E731
    if point.numel() == 0:
        assert slope(point).shape == point.shape
        return
    assert gradcheck(lambda a: weighted(function(a)), (point,))
    assert gradcheck(slope, (point,), atol=1e-4)


@pytest.mark.parametrize("name", SPECTRAL)
def test_what_cannot_be_told_is_not_a_number(name: str) -> None:
    point = eye(3).requires_grad_()
    slope = grad(weighted(SPECTRAL[name](point)), point, create_graph=True)[0]
    if slope.isfinite().all():
        (slope,) = grad(weighted(slope), point)
    assert not slope.isfinite().all()


def test_polynomials_have_all_derivatives() -> None:
    of_two = jacobian(lambda a: hessian(linalg.det, a, create_graph=True), eye(3))
    assert of_two.isfinite().all()
    third = of_two.reshape(9, 9, 9)
    # The determinant is linear in each row.
    for one in range(9):
        assert third[one, one].abs().max().item() < 1e-12
    assert third[0, 4, 8].item() == pytest.approx(1.0)
    assert third[0, 5, 7].item() == pytest.approx(-1.0)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 8])
def test_determinants_of_zeros(size: int) -> None:
    point = ow.zeros(size, size, dtype=ow.float64)
    found = hessian(linalg.det, point)
    assert found.isfinite().all()
    assert (found != 0).sum().item() == (4 if size == 2 else 0)


@pytest.mark.parametrize("size", [2, 5, 7, 12])
@pytest.mark.parametrize("dtype", [ow.float64, ow.complex128])
@pytest.mark.parametrize("lacking", [0, 1, 2])
def test_determinants_of_any_size(size: int, dtype: ow.dtype, lacking: int) -> None:
    ow.manual_seed(size)
    rank = size - lacking
    point = ow.randn(size, rank, dtype=dtype) @ ow.randn(rank, size, dtype=dtype) / size
    direction = ow.randn(size, size, dtype=dtype)

    def length(a: ow.Tensor) -> ow.Tensor:
        found = linalg.det(a)
        return (found * found.conj()).real + found.real

    def slope(step: ow.Tensor) -> ow.Tensor:
        return grad(length(point + step * direction), step, create_graph=True)[0]

    def at(step: float) -> ow.Tensor:
        return ow.tensor(step, dtype=ow.float64, requires_grad=True)

    assert gradcheck(linalg.det, (point.requires_grad_(),))
    start, step = at(0.0), 1e-5
    (found,) = grad(slope(start), start)
    by_differences = (slope(at(step)) - slope(at(-step))).item() / (2 * step)
    assert found.item() == pytest.approx(by_differences, rel=1e-4, abs=1e-6)


def random_complex(size: int) -> ow.Tensor:
    ow.manual_seed(3)
    return ow.randn(size, size, dtype=ow.complex128)


HERMITIAN = lambda a: (a + a.mT.conj()) / 2  # noqa: E731

# Losses that change with the phases of vectors, and those that do not.
PHASES: dict[str, tuple[Function, Function]] = {
    "svd": (
        lambda a: linalg.svd(a)[0].real.sum(),
        lambda a: (lambda u, s, vh: ((u * s**2) @ vh).real.sum())(*linalg.svd(a)),
    ),
    "svd, V alone": (
        lambda a: linalg.svd(a)[2].imag.sum(),
        lambda a: linalg.svd(a)[2].abs().sum(),
    ),
    "eigh": (
        lambda a: linalg.eigh(HERMITIAN(a))[1].real.sum(),
        lambda a: linalg.eigh(HERMITIAN(a))[1].abs().sum(),
    ),
    "eig": (
        lambda a: linalg.eig(a)[1].real.sum(),
        lambda a: linalg.eig(a)[1].abs().sum(),
    ),
}


@pytest.mark.parametrize("name", PHASES)
@pytest.mark.parametrize("dtype", [ow.complex64, ow.complex128])
def test_phases_are_arbitrary(name: str, dtype: ow.dtype) -> None:
    depends, does_not = PHASES[name]
    point = random_complex(4).to(dtype).requires_grad_()
    with pytest.raises(RuntimeError, match=r"phase"):
        depends(point).backward()
    does_not(point).backward()
    assert point.grad is not None
    assert point.grad.isfinite().all()
    if dtype == ow.complex128:
        assert gradcheck(does_not, (random_complex(3).requires_grad_(),))


def test_rows_that_coincide_have_no_slope() -> None:
    for count in (3, 26, 60):
        rows = (ow.arange(float(count * 3), dtype=ow.float64) % 5).reshape(count, 3) + 1000
        rows.requires_grad_()
        (slope,) = grad(ow.cdist(rows, rows.detach()).sum(), rows, create_graph=True)
        assert slope.isfinite().all()
        same = ow.ones(count, 3, dtype=ow.float64, requires_grad=True)
        ow.cdist(same, same).sum().backward()
        assert same.grad is not None
        assert not same.grad.any()

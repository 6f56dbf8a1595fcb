"""Gradients of decompositions, of what of them is determined: not signs and phases of vectors."""

from collections.abc import Callable

import numpy as np
import opwright
import pytest
from opwright import Tensor, linalg
from opwright.autograd import gradcheck, gradgradcheck

KINDS = ["float64", "complex128"]


def matrix(*shape: int, kind: str = "float64") -> Tensor:
    source = np.random.default_rng(sum(shape))
    values = source.normal(size=shape)
    if kind == "complex128":
        values = values + 1j * source.normal(size=shape)
    return opwright.tensor(values.tolist(), dtype=getattr(opwright, kind), requires_grad=True)


def adjoint(x: Tensor) -> Tensor:
    return x.transpose(-2, -1).conj()


def check(func: Callable[..., object], *inputs: Tensor) -> None:
    assert gradcheck(func, inputs)
    assert gradgradcheck(func, inputs)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 2)])
def test_singular_values_and_vectors(shape: tuple[int, ...], kind: str) -> None:
    def determined(x: Tensor) -> tuple[Tensor, ...]:
        u, s, vh = linalg.svd(x, full_matrices=False)
        return u.abs(), s, vh.abs(), u @ vh, (u * s.unsqueeze(-2).exp()) @ vh

    check(determined, matrix(*shape, kind=kind))
    check(linalg.svdvals, matrix(*shape, kind=kind))


def test_full_matrices_count_as_far_as_they_are_determined() -> None:
    def determined(x: Tensor) -> tuple[Tensor, ...]:
        u, s, vh = linalg.svd(x)
        return u[:, :2].abs(), s, vh[:2].abs()

    check(determined, matrix(4, 2))
    check(determined, matrix(2, 4))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("uplo", ["L", "U"])
def test_eigenvalues_and_eigenvectors_of_symmetric_matrices(uplo: str, kind: str) -> None:
    def determined(x: Tensor) -> tuple[Tensor, ...]:
        values, vectors = linalg.eigh(x + adjoint(x), UPLO=uplo)
        return values, vectors.abs(), (vectors * values.exp()) @ adjoint(vectors)

    check(determined, matrix(3, 3, kind=kind))
    check(lambda x: linalg.eigvalsh(x + adjoint(x), UPLO=uplo), matrix(2, 3, 3, kind=kind))


@pytest.mark.parametrize("kind", KINDS)
def test_factors_of_symmetric_matrices(kind: str) -> None:
    for factor in (linalg.cholesky, lambda x: opwright.cholesky(x, upper=True)):
        check(lambda x, factor=factor: factor(x @ adjoint(x)), matrix(3, 3, kind=kind))


@pytest.mark.parametrize("kind", KINDS)
def test_determinants(kind: str) -> None:
    check(linalg.det, matrix(3, 3, kind=kind))
    check(linalg.det, matrix(2, 2, 2, kind=kind))
    check(linalg.det, matrix(1, 1, kind=kind))


def test_determinants_of_matrices_without_an_inverse() -> None:
    x = opwright.tensor([[1.0, 2.0], [2.0, 4.0]], dtype=opwright.float64, requires_grad=True)
    assert gradcheck(linalg.det, x)
    zeros = opwright.zeros(2, 2, dtype=opwright.float64, requires_grad=True)
    linalg.det(zeros).backward()
    assert zeros.grad is not None and zeros.grad.tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("kind", KINDS)
def test_solutions(kind: str) -> None:
    check(linalg.solve, matrix(3, 3, kind=kind), matrix(3, 2, kind=kind))
    check(linalg.solve, matrix(3, 3, kind=kind), matrix(3, kind=kind))
    check(linalg.solve, matrix(2, 3, 3, kind=kind), matrix(2, 3, kind=kind))
    check(linalg.solve, matrix(2, 3, 3, kind=kind), matrix(3, 1, kind=kind))
    right = (matrix(3, 3, kind=kind), matrix(2, 3, kind=kind))
    check(lambda a, b: linalg.solve(a, b, left=False), *right)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("left", [True, False])
def test_solutions_of_triangles(left: bool, kind: str) -> None:
    eye = opwright.eye(3, dtype=getattr(opwright, kind))
    for upper in (True, False):
        for unit in (True, False):

            def solve(a: Tensor, b: Tensor, upper: bool = upper, unit: bool = unit) -> Tensor:
                return linalg.solve_triangular(
                    a + 3 * eye, b, upper=upper, left=left, unitriangular=unit
                )

            right = (3, 2) if left else (2, 3)
            check(solve, matrix(3, 3, kind=kind), matrix(*right, kind=kind))
            check(solve, matrix(2, 3, 3, kind=kind), matrix(*right, kind=kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 3)])
def test_factors_of_exchanged_rows(shape: tuple[int, ...], kind: str) -> None:
    check(lambda x: linalg.lu(x)[1:], matrix(*shape, kind=kind))
    check(lambda x: linalg.lu_factor(x).LU, matrix(*shape, kind=kind))


@pytest.mark.parametrize("kind", KINDS)
def test_eigenvalues_and_eigenvectors_of_any_matrix(kind: str) -> None:
    def determined(x: Tensor) -> tuple[Tensor, ...]:
        values, vectors = linalg.eig(x)
        whole = (vectors * values.exp().unsqueeze(-2)) @ linalg.inv(vectors)
        return values, vectors.abs(), whole, opwright.real(values.sum())

    for shape in [(3, 3), (1, 1), (2, 3, 3)]:
        check(determined, matrix(*shape, kind=kind))
        check(linalg.eigvals, matrix(*shape, kind=kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 2)])
def test_pseudoinverses(shape: tuple[int, ...], kind: str) -> None:
    check(linalg.pinv, matrix(*shape, kind=kind))
    check(lambda x: linalg.pinv(x, 1e-5), matrix(*shape, kind=kind))


@pytest.mark.parametrize("kind", KINDS)
def test_pseudoinverses_of_matrices_of_low_rank(kind: str) -> None:
    check(lambda x, y: linalg.pinv(x @ y), matrix(4, 2, kind=kind), matrix(2, 3, kind=kind))
    check(lambda x: linalg.pinv(x @ adjoint(x), hermitian=True), matrix(3, 2, kind=kind))


def test_pseudoinverses_of_equal_singular_values() -> None:
    x = opwright.eye(3, dtype=opwright.float64, requires_grad=True)
    assert gradcheck(linalg.pinv, x)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [None, -2, 1, -1, float("inf"), "fro", "nuc"])
def test_condition_numbers(order: object, kind: str) -> None:
    check(lambda x: linalg.cond(x, order), matrix(3, 3, kind=kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 4, 3)])
def test_least_squares(shape: tuple[int, ...], kind: str) -> None:
    def solve(a: Tensor, b: Tensor) -> tuple[Tensor, ...]:
        solution, residuals, _, _ = linalg.lstsq(a, b)
        return (solution, residuals) if residuals.numel() else (solution,)

    right = (*shape[:-1], 2)
    check(solve, matrix(*shape, kind=kind), matrix(*right, kind=kind))
    check(solve, matrix(*shape, kind=kind), matrix(*shape[:-1], kind=kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("adjoint_", [False, True])
@pytest.mark.parametrize("left", [True, False])
def test_solutions_with_factors(left: bool, adjoint_: bool, kind: str) -> None:
    def solve(a: Tensor, b: Tensor) -> Tensor:
        return linalg.lu_solve(*linalg.lu_factor(a), b, left=left, adjoint=adjoint_)

    right = (3, 2) if left else (2, 3)
    check(solve, matrix(3, 3, kind=kind), matrix(*right, kind=kind))
    check(solve, matrix(2, 3, 3, kind=kind), matrix(*right, kind=kind))


def test_least_and_greatest_elements_share() -> None:
    x = opwright.tensor([1.0, 3.0, 1.0], requires_grad=True)
    least, greatest = opwright.aminmax(x)
    (least + 2 * greatest).backward()
    assert x.grad is not None and x.grad.tolist() == [0.5, 2.0, 0.5]
    check(lambda x: opwright.aminmax(x, dim=1, keepdim=True), matrix(2, 3))
    check(lambda x: opwright.aminmax(x, dim=0), matrix(2, 3))


def test_elements_that_are_left_out_have_no_gradient() -> None:
    x = opwright.ones(100, requires_grad=True)
    y = opwright.dropout(x, 0.25, True)
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == y.tolist()
    assert set(y.tolist()) == {0.0, opwright.tensor(1 / 0.75).item()}
    z = opwright.ones(100, requires_grad=True)
    w = opwright.dropout_(z * 2, 0.5, True)
    w.sum().backward()
    assert z.grad is not None and z.grad.tolist() == w.tolist()


def test_axes_that_are_swapped_in_place_are_recorded() -> None:
    x = matrix(2, 3)
    y = (x * 2).swapaxes_(0, 1)
    y[0].sum().backward()
    assert x.grad is not None and x.grad.tolist() == [[2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]

"""Gradients of operators for which upstream has no formula."""

from typing import Any

import opwright
import pytest
from functions import leaf
from opwright.autograd import gradcheck, gradgradcheck

INDEX = opwright.tensor([[0, 1, 1], [2, 0, 0]])


def source(*rows: list[float]) -> opwright.Tensor:
    return opwright.tensor(rows, dtype=opwright.float64, requires_grad=True)


@pytest.mark.parametrize("reduce", ["add", "multiply"])
@pytest.mark.parametrize(
    "rows",
    [
        ([1.5, 2.0, -0.5], [0.7, 3.0, 1.1]),
        # One factor of a place is zero; two are.
        ([1.5, 2.0, 0.0], [0.7, 3.0, 1.1]),
        ([0.0, 2.0, 0.0], [0.0, 0.0, 1.1]),
    ],
)
def test_what_is_scattered_and_reduced(reduce: str, rows: Any) -> None:
    own = source([0.5, 1.0, 2.0], [1.5, -1.0, 0.3], [2.0, 0.4, 0.6])

    def scattered(x: Any, y: Any) -> Any:
        return x.scatter(0, INDEX, y, reduce=reduce)

    def in_place(x: Any, y: Any) -> Any:
        return (x * 1).scatter_(0, INDEX, y, reduce=reduce)

    def by_number(x: Any) -> Any:
        return x.scatter(0, INDEX, 1.5, reduce=reduce)

    for function in (scattered, in_place):
        assert gradcheck(function, (own, source(*rows)))
    assert gradcheck(by_number, (own,)) and gradgradcheck(by_number, (own,))


def test_what_is_scattered_has_second_gradients() -> None:
    def scattered(x: Any, y: Any) -> Any:
        return x.scatter(0, INDEX, y, reduce="multiply")

    own = source([0.5, 1.0, 2.0], [1.5, -1.0, 0.3], [2.0, 0.4, 0.6])
    assert gradgradcheck(scattered, (own, source([1.5, 2.0, -0.5], [0.7, 3.0, 1.1])))


def test_complex_factors() -> None:
    own = opwright.tensor([1 + 2j, 0.5j], requires_grad=True, dtype=opwright.complex128)
    factors = opwright.tensor([2 - 1j, 0j], requires_grad=True, dtype=opwright.complex128)
    index = opwright.tensor([0, 1])
    assert gradcheck(lambda x, y: x.scatter(0, index, y, reduce="multiply"), (own, factors))
    assert gradcheck(lambda x: x.scatter(0, index, 1 - 2j, reduce="multiply"), (own,))


@pytest.mark.parametrize("dtype", [opwright.float64, opwright.complex128])
def test_products_with_a_dtype(dtype: Any) -> None:
    def matrix(*shape: int) -> Any:
        return opwright.rand(*shape, dtype=dtype, requires_grad=True)

    for operator, shapes in [
        (opwright.mm, [(2, 3), (3, 2)]),
        (opwright.bmm, [(2, 2, 3), (2, 3, 1)]),
        (opwright.addmm, [(2, 2), (2, 3), (3, 2)]),
        (opwright.baddbmm, [(2, 2, 1), (2, 2, 3), (2, 3, 1)]),
    ]:
        inputs = tuple(matrix(*it) for it in shapes)
        assert gradcheck(lambda *it, of=operator: of(*it, out_dtype=dtype), inputs)


def test_products_of_half_precision_in_single_precision() -> None:
    a = opwright.ones(2, 2, dtype=opwright.float16, requires_grad=True)
    product = opwright.mm(a, a, out_dtype=opwright.float32)
    product.sum().backward()
    assert (product.dtype, a.grad.dtype) == (opwright.float32, opwright.float16)
    assert a.grad.tolist() == [[4.0, 4.0], [4.0, 4.0]]


def test_weights_that_are_counted() -> None:
    index = opwright.tensor([2, 0, 2])
    assert gradcheck(lambda it: opwright.bincount(index, it, 5), (leaf(0.5, 1.0, 2.0),))


@pytest.mark.parametrize("name", ["acosh_", "asinh_", "atanh_"])
def test_inverses_in_place(name: str) -> None:
    x = leaf(1.5, 2.5) if name == "acosh_" else leaf(0.2, -0.5)
    assert gradcheck(lambda it: getattr(it * 1, name)(), (x,))


def test_truth_values_in_place_are_constant() -> None:
    x, y = leaf(0.0, 2.0), leaf(1.0, 3.0)
    for name in ("logical_and_", "logical_or_", "logical_xor_"):
        result = getattr(x * 1, name)(y)
        assert opwright.autograd.grad(result.sum(), [x, y])[0].tolist() == [0.0, 0.0]
    result = (x * 1).logical_not_()
    assert result.tolist() == [1.0, 0.0]
    assert opwright.autograd.grad(result.sum(), x)[0].tolist() == [0.0, 0.0]


def test_overloads_that_cannot_be_called_miss_no_formula() -> None:
    assert opwright.ops.sum.dim_DimnameList.gradient == "none"

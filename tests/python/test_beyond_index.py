"""Gradients of operators that take an index, with operands larger than the index.

`OPWRIGHT_EVERY=1` tries all sizes, otherwise those of a sample are tried.
"""

import itertools
import os
from collections.abc import Callable

import opwright as ow
import pytest
from opwright.autograd import gradcheck, gradgradcheck

Function = Callable[[ow.Tensor, ow.Tensor, int, ow.Tensor], ow.Tensor]

EVERY = os.environ.get("OPWRIGHT_EVERY") == "1"
DIMS = [0, 1, 2, -1]

# Of a tensor, a source, a dimension and an index that neither is smaller than.
SCATTERED: dict[str, Function] = {
    "scatter": lambda x, src, dim, index: x.scatter(dim, index, src),
    "scatter_": lambda x, src, dim, index: x.clone().scatter_(dim, index, src),
    "scatter value": lambda x, src, dim, index: x.scatter(dim, index, 2.0) * src.sum(),
    "scatter add": lambda x, src, dim, index: x.scatter(dim, index, src, reduce="add"),
    "scatter multiply": lambda x, src, dim, index: x.scatter(dim, index, src, reduce="multiply"),
    "scatter value multiply": lambda x, src, dim, index: (
        x.scatter(dim, index, 2.0, reduce="multiply") * src.sum()
    ),
    "scatter_add": lambda x, src, dim, index: x.scatter_add(dim, index, src),
    "scatter_add_": lambda x, src, dim, index: x.clone().scatter_add_(dim, index, src),
    "gather": lambda x, src, dim, index: x.gather(dim, index) * src.sum(),
}

# How much larger than the index the source is along each dimension, and the tensor.
LARGER = [(1, 0, 2)]
if EVERY:
    LARGER = list(itertools.product((0, 1, 2), repeat=3))


def numbers(*shape: int, dtype: ow.dtype = ow.float64) -> ow.Tensor:
    return (ow.rand(shape, dtype=ow.float64) + 0.5).to(dtype).requires_grad_()


def distinct(dim: int, size: int) -> ow.Tensor:
    """An index of shape (2, 2, 2) that names no place twice."""
    place = ow.tensor([size - 1, 0]).reshape([2 if it == dim % 3 else 1 for it in range(3)])
    return place.expand(2, 2, 2).clone()


@pytest.mark.parametrize("name", SCATTERED)
@pytest.mark.parametrize("dim", DIMS)
def test_what_the_index_leaves_out_has_no_gradient(name: str, dim: int) -> None:
    ow.manual_seed(0)
    function = SCATTERED[name]
    for larger in LARGER:
        src = numbers(*(2 + it for it in larger))
        tensor = numbers(*(2 + it for it in reversed(larger)))
        index = distinct(dim, tensor.shape[dim])
        call = lambda x, src: function(x, src, dim, index)  # noqa: B023, E731
        assert gradcheck(call, (tensor, src))
        if EVERY or (dim == 1 and "_" not in name):
            assert gradgradcheck(call, (tensor, src))
        function(tensor, src, dim, index).sum().backward()
        assert src.grad is not None
        assert src.grad.shape == src.shape
        if not any(word in name for word in ("value", "gather")):
            beyond = src.grad.clone()
            beyond[:2, :2, :2] = 0
            assert not beyond.any()


@pytest.mark.parametrize("name", ["scatter", "scatter add", "scatter multiply", "scatter_add"])
@pytest.mark.parametrize("dtype", [ow.float64, ow.complex128])
def test_an_index_may_be_empty(name: str, dtype: ow.dtype) -> None:
    tensor, src = numbers(3, 3, dtype=dtype), numbers(2, 4, dtype=dtype)
    index = ow.zeros((0, 2), dtype=ow.int64)
    SCATTERED[name](tensor, src, 0, index).abs().sum().backward()
    assert src.grad is not None
    assert src.grad.tolist() == ow.zeros_like(src).tolist()
    assert tensor.grad is not None


def test_a_source_of_any_dtype_is_padded() -> None:
    for dtype in (ow.float16, ow.bfloat16, ow.float32, ow.complex64):
        src = numbers(3, 4, dtype=dtype)
        result = ow.zeros(3, 3, dtype=dtype).scatter(0, ow.tensor([[0, 1]]), src)
        (grad,) = ow.autograd.grad(result.real.sum() if dtype.is_complex else result.sum(), src)
        assert grad.dtype == dtype
        assert grad.tolist() == [[1, 1, 0, 0], [0] * 4, [0] * 4]


def test_one_element_has_no_dimensions_or_one() -> None:
    zero = ow.tensor(0)
    for shape in ((), (1,), (3,)):
        src = numbers(*shape)
        index = zero if len(shape) == 0 else zero.reshape(1)
        ow.zeros(2, dtype=ow.float64).scatter(0, index, src).sum().backward()
        assert src.grad is not None
        assert src.grad.shape == src.shape
        assert src.grad.sum().item() == 1


# Of a tensor and a source that is stretched, or of which only a part is read.
WRITTEN: dict[str, Callable[[ow.Tensor, ow.Tensor], ow.Tensor]] = {
    "index_add": lambda x, src: x.index_add(0, ow.tensor([2, 0]), src[:2]),
    "index_add twice": lambda x, src: x.index_add(1, ow.tensor([1, 1]), src[:, :2]),
    "index_copy": lambda x, src: x.index_copy(0, ow.tensor([2, 0]), src[:2]),
    "index_fill": lambda x, src: x.index_fill(1, ow.tensor([2, 0, 2]), src[0, 0]),
    "index_put": lambda x, src: x.index_put([ow.tensor([0, 1])], src[0]),
    "index_put accumulate": lambda x, src: x.index_put([ow.tensor([0, 0])], src[0], True),
    "index_put of both": lambda x, src: x.index_put(
        [ow.tensor([[0], [1]]), ow.tensor([2, 0])], src[0, 0]
    ),
    "masked_scatter": lambda x, src: x.masked_scatter(x.detach() > 0.9, src),
    "masked_fill": lambda x, src: x.masked_fill(x.detach() > 0.9, src[0, 0]),
    "index_select": lambda x, src: x.index_select(1, ow.tensor([2, 2])) * src.sum(),
    "take": lambda x, src: x.take(ow.tensor([[4, 0], [4, 8]])) * src.sum(),
    "take_along_dim": lambda x, src: ow.take_along_dim(x, ow.tensor([[0, 2]]), 1) * src.sum(),
    "take_along_dim of all": lambda x, src: ow.take_along_dim(x, ow.tensor([7, 1])) * src.sum(),
    "bracket": lambda x, src: x[ow.tensor([0, 2]), ow.tensor([1, 1])] * src.sum(),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_updates_of_a_part(name: str) -> None:
    ow.manual_seed(1)
    tensor, src = numbers(3, 3), numbers(3, 3)
    assert gradcheck(WRITTEN[name], (tensor, src))
    assert gradgradcheck(WRITTEN[name], (tensor, src))

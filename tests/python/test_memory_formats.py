"""Results lie in memory as their inputs do."""

from collections.abc import Callable, Iterator
from typing import Any

import opwright
import pytest
from bound_operators import Operator, operators
from opwright import Tensor, tensor

SHAPE = (2, 3, 4, 5)


def last(x: Tensor) -> Tensor:
    return x.to(memory_format=opwright.channels_last)


def channels_last() -> Tensor:
    return last(opwright.arange(120).float().reshape(SHAPE))


KEPT: dict[str, Callable[[Tensor], Any]] = {
    "neg": lambda x: -x,
    "add": lambda x: x + x.clone(),
    "number": lambda x: x + 1,
    "broadcast": lambda x: x + opwright.ones(3, 1, 1),
    "contiguous": lambda x: x + x.contiguous(),
    "where": lambda x: opwright.where(x > 1, x, x),
    "compare": lambda x: x > 1,
    "clone": lambda x: x.clone(),
    "to": lambda x: x.to(opwright.float64),
    "double": lambda x: x.double(),
    "copy": lambda x: x.to(x.dtype, copy=True),
    "flip": lambda x: x.flip(2),
    "flip nothing": lambda x: x.flip([]),
    "roll": lambda x: x.roll(1, 2),
    "roll flat": lambda x: x.roll(1),
    "sort": lambda x: x.sort(1)[0],
    "argsort": lambda x: x.sort(2)[1],
    "cat": lambda x: opwright.cat([x, x], 1),
    "cat of rows": lambda x: opwright.cat([x, x], 2),
    "cumsum": lambda x: x.cumsum(1),
    "softmax": lambda x: x.softmax(1),
    "log_softmax": lambda x: x.log_softmax(3),
    "masked_fill": lambda x: x.masked_fill(x > 1, 0),
    "scatter": lambda x: x.scatter(1, opwright.zeros(2, 1, 4, 5).long(), 0.0),
    "tril": lambda x: opwright.tril(x),
    "dropout": lambda x: opwright.nn.functional.dropout(x, 0.0),
    "empty_like": lambda x: opwright.empty_like(x),
    "out": lambda x: opwright.neg(x, out=opwright.empty_like(x)),
}


@pytest.mark.parametrize("name", KEPT)
def test_channels_stay_last(name: str) -> None:
    x = channels_last()
    result = KEPT[name](x)
    assert result.is_contiguous(memory_format=opwright.channels_last)
    if name != "empty_like":
        assert opwright.equal(result, KEPT[name](x.contiguous()))


def test_the_first_operand_decides() -> None:
    x = channels_last()
    assert (x.contiguous() + x).is_contiguous()
    assert (opwright.ones(3, 1, 1) + x).is_contiguous(memory_format=opwright.channels_last)


def test_reductions_keep_the_order() -> None:
    x = channels_last()
    for result, expected in [
        (x.sum(2), (15, 1, 3)),
        (x.amax(0), (1, 15, 3)),
        (x.mean(2, keepdim=True), (15, 1, 15, 3)),
    ]:
        assert result.stride() == expected
    assert opwright.equal(x.sum(2), x.contiguous().sum(2))
    assert opwright.equal(x.any(1), x.contiguous().any(1))


def test_new_dimensions_have_strides() -> None:
    assert opwright.ones(5).expand(1, 1, 5).stride() == (5, 5, 1)
    assert opwright.ones(5).expand(1, 2, 5).stride() == (0, 0, 1)
    assert opwright.ones(2, 5).expand(3, 2, 5).stride() == (0, 5, 1)
    assert opwright.ones(()).expand(2, 3).stride() == (0, 0)


def test_gaps_are_left_out_and_the_order_kept() -> None:
    x = opwright.arange(192).reshape(4, 6, 8)[:, ::2].permute(2, 0, 1)
    for copy in (x.clone(), x + 0, x.double(), opwright.empty_like(x)):
        assert copy.stride() == (1, 24, 8)
    assert x.clone().tolist() == x.tolist()
    rows = tensor([1.0, 2.0]).reshape(2, 1).expand(2, 3)
    assert rows.clone().stride() == (3, 1)


def scaled(shape: tuple[int, ...], order: tuple[int, ...]) -> Tensor:
    """Numbers between 0 and 1 in another order in memory."""
    return (opwright.arange(120).float().reshape(shape) / 121 + 0.001).permute(order)


# Tensors of `SHAPE`, by the order in which dimensions lie in memory.
ORDERS: dict[str, Callable[[], Tensor]] = {
    "channels last": lambda: scaled((2, 4, 5, 3), (0, 3, 1, 2)),
    "reversed": lambda: scaled((5, 4, 3, 2), (3, 2, 1, 0)),
    "pairs": lambda: scaled((3, 2, 5, 4), (1, 0, 3, 2)),
}

DTYPES = [opwright.float32, opwright.int64, opwright.bool, opwright.complex64]

# Those whose results, although as large as their inputs, are not element by element from them.
APART = {
    "Tensor.contiguous": "asks for an order",
    "cross": "has vectors along one dimension, which lies last",
    "Tensor.cross": "as `cross`",
    "imag": "a view of every second number",
    "real": "as `imag`",
    "searchsorted": "looks up rows",
    "take": "takes from a vector",
    "Tensor.take": "as `take`",
    "_fft.fft_fft": "transforms lanes",
    "_fft.fft_fft2": "transforms lanes",
    "_fft.fft_fftn": "transforms lanes",
    "_fft.fft_ifft": "transforms lanes",
    "_fft.fft_ifft2": "transforms lanes",
    "_fft.fft_ifftn": "transforms lanes",
    "_linalg.linalg_lu": "decomposes matrices",
    "_linalg.linalg_lu_factor": "decomposes matrices",
    "_linalg.linalg_lu_factor_ex": "decomposes matrices",
    "_linalg.linalg_qr": "decomposes matrices",
    "qr": "as `_linalg.linalg_qr`",
    "Tensor.qr": "as `_linalg.linalg_qr`",
    "geqrf": "decomposes matrices",
    "Tensor.geqrf": "decomposes matrices",
    "gradient": "joins slices of one index, of which no order is seen",
    "alias_copy": "copies in the order of rows, as all copies of views do",
    "detach_copy": "as `alias_copy`",
    "slice_copy": "as `alias_copy`",
    "squeeze_copy": "as `alias_copy`",
}


def results(operator: Operator, order: Callable[[], Tensor]) -> Iterator[tuple[Tensor, Tensor]]:
    """Inputs, and results as large, of calls with nothing but tensors of one order."""
    for dtype in DTYPES:
        x = order()
        x = x.mul(120).to(dtype) if dtype == opwright.int64 else x.to(dtype)
        for count in (1, 2, 3):
            try:
                found = operator.function(*[x] * count)
            except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
                continue
            found = found if isinstance(found, tuple | list) else [found]
            tensors = (it for it in found if isinstance(it, Tensor))
            yield from ((x, it) for it in tensors if it.shape == x.shape)


@pytest.mark.filterwarnings("ignore")
def test_results_of_all_operators_lie_as_their_inputs_do() -> None:
    looked_at, other = 0, set()
    for operator in operators():
        if operator.name.endswith("_") or operator.name.split(".")[-1].startswith("_"):
            continue
        for order in ORDERS.values():
            for x, result in results(operator, order):
                looked_at += 1
                if result.stride() != x.stride():
                    other.add(operator.name)
    assert looked_at > 2000
    assert other == set(APART)

"""Promotion of dtypes as the standard has it, where tensors without dimensions are like others."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from opwright import _C
from opwright._array_functions import isdtype
from opwright._functions import with_own_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from opwright import Tensor

    _OfTwo = Callable[[Tensor | complex, Tensor | complex], Tensor]

_NUMBERS = (bool, int, float, complex)


def result_type(*arrays_and_dtypes: Tensor | _C.dtype | complex) -> _C.dtype:
    """The dtype that a result of these tensors, dtypes and numbers has.

    What stands for a dtype as an argument does here, too: a text, or a dtype of numpy. Raises
    `ValueError` if there are only numbers, and `TypeError` for anything else.
    """
    numbers = [it for it in arrays_and_dtypes if isinstance(it, _NUMBERS)]
    dtypes = [_dtype_of(it) for it in arrays_and_dtypes if not isinstance(it, _NUMBERS)]
    if not dtypes:
        raise ValueError("result_type(): at least one argument must be a tensor or a dtype")
    dtype = reduce(_C.promote_types, dtypes)
    for number in numbers:
        dtype = _C.result_type(_C.empty((1,), dtype=dtype, device="meta"), number)
    return dtype


def _dtype_of(value: Any) -> _C.dtype:
    if isinstance(value, _C.TensorBase):
        return value.dtype
    if isinstance(value, _C.dtype):
        return value
    try:
        return _C._graph.named_dtype(value)
    except TypeError:
        kind = type(value).__name__
        text = f"result_type(): an argument must be Tensor, dtype or a number, not {kind}"
        raise TypeError(text) from None


@with_own_name(dtype="to")
def can_cast(from_: _C.dtype | Tensor, to: _C.dtype, /) -> bool:
    """Whether promotion leads from a dtype, or a tensor's, to another one.

    It does not lead from integers to other numbers, nor from truth values to numbers.
    """
    dtype, to = _dtype_of(from_), _dtype_of(to)
    kinds = ("bool", "integral", ("real floating", "complex floating"))
    is_one_kind = any(isdtype(dtype, it) and isdtype(to, it) for it in kinds)
    # No integer dtype holds the values of both.
    is_apart = _C.uint64 in (dtype, to) and (dtype.is_signed or to.is_signed)
    return is_one_kind and not is_apart and _C.promote_types(dtype, to) == to


def promoted(*operands: Any) -> list[Any]:
    """Operands, of which those that PyTorch would promote otherwise have the dtype of the result.

    Numbers become tensors. What is neither is left to the function that the operands are for.
    """
    tensors = [it for it in operands if isinstance(it, _C.TensorBase)]
    if len(tensors) == len(operands) and _is_promoted_alike(tensors):
        return tensors
    if any(not isinstance(it, _C.TensorBase | bool | int | float | complex) for it in operands):
        return list(operands)
    if not tensors:
        raise TypeError("at least one operand must be a tensor, but all are numbers")
    dtype = result_type(*operands)
    device = tensors[0].device
    return [
        it.to(dtype)
        if isinstance(it, _C.TensorBase)
        else _C.full((), it, dtype=dtype, device=device)
        for it in operands
    ]


def _is_promoted_alike(tensors: list[_C.TensorBase]) -> bool:
    first = tensors[0].dtype
    return all(it.dtype == first for it in tensors) or all(it.ndim for it in tensors)


def promoting(function: Callable[..., Tensor], name: str, *, takes_numbers: bool = False) -> _OfTwo:
    """A function of two tensors, of which one may be a number, with the standard's promotion.

    Numbers are made tensors unless `function` takes them.
    """

    def call(x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
        if takes_numbers and isinstance(x1, _NUMBERS) != isinstance(x2, _NUMBERS):
            return function(x1, x2)
        return function(*promoted(x1, x2))

    return _named(call, name, function.__name__)


def comparing(function: Callable[..., Tensor], swapped: Callable[..., Tensor], name: str) -> _OfTwo:
    """A comparison of two tensors, of which one may be a number; `swapped` takes it second.

    A number is compared as what it is, though the dtype of the tensor may not hold it.
    """

    def call(x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
        if isinstance(x2, _NUMBERS) and isinstance(x1, _C.TensorBase):
            return function(x1, x2)
        if isinstance(x1, _NUMBERS) and isinstance(x2, _C.TensorBase):
            return swapped(x2, x1)
        return function(*promoted(x1, x2))

    return _named(call, name, function.__name__)


def _named(call: _OfTwo, name: str, original: str) -> _OfTwo:
    # By module and name `pickle` finds a function again.
    call.__module__ = __name__.rpartition(".")[0]
    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"What `opwright.{original}` computes, of two tensors or a tensor and a number.\n"
        f"\n"
        f"Tensors without dimensions count for the dtype of the result like all others. Raises\n"
        f"`TypeError` if both operands are numbers."
    )
    return with_own_name(input="x1", other="x2", self="x1", exponent="x2")(call)

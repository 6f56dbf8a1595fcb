"""What numpy's functions and operators do with tensors."""

from __future__ import annotations

import operator

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# What `array + tensor` calls, and what it means.
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "power": operator.pow,
    "matmul": operator.matmul,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "left_shift": operator.lshift,
    "right_shift": operator.rshift,
    "less": operator.lt,
    "less_equal": operator.le,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}


def apply(ufunc: Any, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The result of a function of numpy that was called with a tensor.

    Operators are those of tensors, so that dtypes are promoted in the same way whichever side an
    array or a numpy scalar is on. Other functions see arrays over the tensors' memory, and their
    results become tensors.
    """
    meaning = _OPERATORS.get(ufunc.__name__) if method == "__call__" and not keywords else None
    if meaning is not None and len(inputs) == 2:
        return meaning(*map(_operand, inputs))
    out = keywords.get("out")
    arrays = {name: _array(value) for name, value in keywords.items()}
    result = getattr(ufunc, method)(*map(_array, inputs), **arrays)
    if out is not None:
        return out[0] if len(out) == 1 else out
    return tuple(map(_tensor, result)) if isinstance(result, tuple) else _tensor(result)


def _operand(value: Any) -> Any:
    """An array as a tensor, a numpy scalar as a number."""
    import numpy as np

    if isinstance(value, np.generic):
        return value.item()
    return _C.as_tensor(value) if isinstance(value, np.ndarray | list | tuple) else value


def _array(value: Any) -> Any:
    if isinstance(value, _C.TensorBase):
        return value.numpy()
    return tuple(map(_array, value)) if isinstance(value, tuple) else value


def _tensor(value: Any) -> Any:
    """A tensor, unless there is no such dtype."""
    if value is None:
        return None
    try:
        return _C.as_tensor(value)
    except TypeError:
        return value

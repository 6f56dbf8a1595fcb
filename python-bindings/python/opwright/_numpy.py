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


def call(function: Any, types: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The result of a function of numpy other than those of `apply`.

    It sees arrays over the tensors' memory, and what it makes of them are tensors again, also in
    lists and tuples.
    """
    import numpy as np

    # What was passed, by the array that numpy sees.
    arrays: dict[int, tuple[Any, Any]] = {}

    def array(value: Any) -> Any:
        if isinstance(value, _C.TensorBase | np.ndarray):
            made = value if isinstance(value, np.ndarray) else value.numpy()
            arrays[id(made)] = made, value
            return made
        return type(value)(map(array, value)) if type(value) in (list, tuple) else value

    def tensor(value: Any) -> Any:
        if isinstance(value, tuple | list):
            several = map(tensor, value)
            # Tuples with names, such as that of `linalg.svd`, take what is in them one by one.
            return type(value)(*several) if hasattr(value, "_fields") else type(value)(several)
        # An output that was passed is what is returned.
        _, passed = arrays.get(id(value), (None, None))
        if passed is not None:
            return passed
        return _tensor(value) if isinstance(value, np.ndarray | np.generic) else value

    given = {name: array(value) for name, value in keywords.items()}
    return tensor(function(*map(array, args), **given))


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

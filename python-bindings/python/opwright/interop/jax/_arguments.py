"""Arguments of an operator in two parts: arrays, which JAX traces, and a text of what is static.

The text is JSON, a value for each parameter that is passed. `{"tensor": 1}` stands for the second
of the arrays, and `{"int64": 1}` for it as an int64. The text says everything, so that a compiled
program which has it as an attribute can be kept in a file and loaded by another process.
"""

from __future__ import annotations

import json
import numbers
import re
from functools import cache
from inspect import Signature

import jax
import jax.numpy as jnp
import numpy as np

from ... import _C
from ._calls import PACKAGE
from ._memory import stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

# Objects of Python that stand for one of few, by the attribute of the module that they are.
_NAMED = {"layout": _C.layout, "memory_format": _C.memory_format}

_OF_PYTHON = (bool, int, float, complex)


def split(row: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], str]:
    """The arrays among the arguments of a call, and the text of the others.

    Raises:
        TypeError: The overload does not take them, or what is static is traced.
    """
    signature = _signature(row)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{row.name}(): {error}") from None
    arrays: list[Any] = []
    values = {
        name: _encoded(row, name, value, arrays, str(signature.parameters[name].annotation))
        for name, value in bound.arguments.items()
    }
    return arrays, json.dumps(values)


def has_number_for_tensor(row: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a number of Python is passed where the overload has a tensor.

    An overload that has a number there does better: a tensor of it would decide about dtypes.
    """
    signature = _signature(row)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return any(
        type(value) in _OF_PYTHON
        and str(signature.parameters[name].annotation).startswith("Tensor")
        for name, value in bound.arguments.items()
    )


@cache
def _signature(row: Any) -> Signature:
    found: Signature = row.__signature__
    return found


def _encoded(row: Any, name: str, value: Any, arrays: list[Any], annotation: str) -> Any:
    """An argument as its part of the text; arrays go to their list."""
    kind = re.sub(r"\([^)]*\)", "", annotation)
    if not kind.startswith("Tensor"):
        return _static(row, name, value, is_dtype=kind.startswith("ScalarType"))
    if value is None:
        return None
    if "[" not in kind:
        arrays.append(_array(row, name, value))
        return {"tensor": len(arrays) - 1}
    if not isinstance(value, list | tuple):
        raise TypeError(
            f"{row.name}(): argument `{name}` must be a list or tuple of arrays, not "
            f"{type(value).__name__}"
        )
    return [_encoded(row, name, it, arrays, kind.partition("[")[0]) for it in value]


def _array(row: Any, name: str, value: Any) -> Any:
    try:
        array = _converted(value)
    except (OverflowError, RuntimeError) as error:
        raise type(error)(f"{row.name}(): argument `{name}`: {error}") from None
    except (TypeError, ValueError):
        of = f" of dtype `{value.dtype}`" if isinstance(value, np.ndarray) else ""
        raise TypeError(
            f"{row.name}(): argument `{name}` must be an array, not {type(value).__name__}{of}"
        ) from None
    if jax.dtypes.issubdtype(array.dtype, jax.dtypes.extended) or not is_known(array.dtype):
        raise TypeError(
            f"{row.name}(): argument `{name}` is of dtype `{array.dtype}`, which {PACKAGE} does "
            "not have; `astype` converts it"
        )
    return array


def _converted(value: Any) -> Any:
    """What JAX takes for an array, and tensors; none of them loses bits of integers."""
    if isinstance(value, str | bytes | list | tuple | dict | set):
        raise TypeError
    if not isinstance(value, _C.TensorBase | np.ndarray):
        return jnp.asarray(value)
    dtype = jax.dtypes.canonicalize_dtype(np.dtype(getattr(value.dtype, "name", value.dtype)))
    if value.dtype.name != dtype.name:
        return jnp.asarray(stored(value, dtype))
    if isinstance(value, np.ndarray):
        return jnp.asarray(value)
    # A copy, because tensors are written to.
    return jnp.array(jax.dlpack.from_dlpack(value.contiguous()), copy=True)


def is_known(dtype: Any) -> bool:
    """Whether there are tensors of a dtype of JAX."""
    return isinstance(getattr(_C, np.dtype(dtype).name, None), _C.dtype)


def _static(row: Any, name: str, value: Any, is_dtype: bool) -> Any:
    """A value that is no array, as JSON."""
    if isinstance(value, jax.core.Tracer):
        raise TypeError(
            f"{row.name}(): argument `{name}` is static, and JAX traces what was passed; close "
            "over a value of Python, or name it in `static_argnames` of `jax.jit`"
        )
    if value is None:
        return value
    if isinstance(value, list | tuple):
        return [_static(row, name, it, is_dtype) for it in value]
    if isinstance(value, jax.Array | np.ndarray):
        return _static(row, name, value.tolist(), is_dtype)
    if isinstance(value, _C.dtype):
        return {"dtype": value.name}
    if is_dtype:
        return {"dtype": _dtype_name(row, name, value)}
    if isinstance(value, str):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    return _number(row, name, value)


def _dtype_name(row: Any, name: str, value: Any) -> str:
    """The name of what numpy or JAX take for a dtype, or of a type of Python."""
    of_python = {float: str(_C.get_default_dtype().name), int: "int64", bool: "bool"}
    try:
        found = of_python.get(value) or np.dtype(value).name
    except TypeError:
        found = ""
    if not isinstance(getattr(_C, found, None), _C.dtype):
        raise TypeError(f"{row.name}(): argument `{name}` must be a dtype, not `{value!r}`")
    return found


def _number(row: Any, name: str, value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, numbers.Complex):
        value = complex(value)
        return {"complex": [value.real, value.imag]}
    if isinstance(value, _C.device):
        return {"device": str(value)}
    for kind, class_ in _NAMED.items():
        if isinstance(value, class_):
            return {kind: repr(value).rpartition(".")[2]}
    raise TypeError(
        f"{row.name}(): argument `{name}` is static, and {type(value).__name__} cannot be part of "
        "a compiled program; numbers, text, dtypes and lists of them can"
    )


def widened(text: str, numbers: Sequence[int]) -> str:
    """The text with these tensors converted to int64."""

    def wider(value: Any) -> Any:
        if isinstance(value, list):
            return [wider(it) for it in value]
        if isinstance(value, dict) and value.get("tensor") in numbers:
            return {"int64": value["tensor"]}
        return value

    return json.dumps({name: wider(it) for name, it in json.loads(text).items()})


def name_of(text: str, number: int) -> str:
    """The parameter whose argument is, or has, one of the arrays, by its number."""
    for name, value in json.loads(text).items():
        if {"tensor": number} in (value if isinstance(value, list) else [value]):
            return str(name)
    return ""


class Template:
    """Arguments with places for tensors, made from their text."""

    def __init__(self, text: str) -> None:
        self._values = json.loads(text)

    def filled(self, tensors: Sequence[Any]) -> dict[str, Any]:
        """The arguments by name, with these tensors in their places."""
        given = {"tensor": lambda at: tensors[at], "int64": lambda at: tensors[at].to(_C.int64)}
        return {name: _decoded(it, given) for name, it in self._values.items()}

    def places(self) -> dict[str, Any]:
        """The arguments by name, with the places of tensors as the text has them."""
        kept = {"tensor": lambda at: {"tensor": at}, "int64": lambda at: {"int64": at}}
        return {name: _decoded(it, kept) for name, it in self._values.items()}


def _decoded(value: Any, tensors: dict[str, Callable[[int], Any]]) -> Any:
    if isinstance(value, list):
        return [_decoded(it, tensors) for it in value]
    if not isinstance(value, dict):
        return value
    ((kind, what),) = value.items()
    if kind in tensors:
        return tensors[kind](what)
    if kind == "complex":
        return complex(*what)
    if kind == "device":
        return _C.device(what)
    return getattr(_C, what)

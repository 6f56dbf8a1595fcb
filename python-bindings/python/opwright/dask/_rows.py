"""What the row of an operator says: which overload is called, its parameters, its results."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from math import isnan

import dask.array as da

from .. import _C, _tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inspect import BoundArguments
    from typing import Any

_PACKAGE = __name__.partition(".")[0]


@dataclass(frozen=True)
class Call:
    """An overload with arguments, and what its Meta kernel made of them."""

    row: Any
    bound: BoundArguments
    result: Any

    @property
    def tensors(self) -> dict[str, Any]:
        """The arguments of parameters that are tensors, by name."""
        kinds = self.row.__signature__.parameters
        return {
            name: value
            for name, value in self.bound.arguments.items()
            if kinds[name].annotation.startswith("Tensor") and value is not None
        }

    @property
    def results(self) -> tuple[Any, ...]:
        """The results, as many as there are."""
        return self.result if isinstance(self.result, tuple) else (self.result,)

    def has(self, name: str) -> bool:
        """Whether the schema has such a parameter."""
        return name in self.row.__signature__.parameters

    def argument(self, name: str) -> Any:
        """An argument, or its default; `None` for a parameter that is not there."""
        if not self.has(name):
            return None
        default = self.row.__signature__.parameters[name].default
        return self.bound.arguments.get(name, default)


def home(op: Any) -> str:
    """The package of an operator, an overload or a function."""
    return (getattr(op, "__module__", None) or type(op).__module__).partition(".")[0]


def rows(op: Any) -> list[Any]:
    """The overloads that a call may choose from, in the order in which they are tried.

    Raises `TypeError` for what is no operator.
    """
    kind = type(op).__name__
    if kind == "Overload" and hasattr(op, "schema"):
        return [op]
    ops = import_module(f"{_PACKAGE}._C") and sys.modules.get(f"{_PACKAGE}.ops")
    named = op if kind == "Operator" else getattr(ops, getattr(op, "__name__", ""), None)
    if type(named).__name__ != "Operator" or (kind != "Operator" and not _is_native(op)):
        raise TypeError(
            f"map(): expected an operator such as `{_PACKAGE}.ops.exp`, but got `{op!r}`; "
            f"other functions are for `x.map_blocks`"
        )
    return [getattr(named, name) for name in named.overloads]


def _is_native(op: Any) -> bool:
    return type(op) is type(len)


def resolve(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """The overload that takes the arguments, found by its Meta kernel: nothing is calculated.

    Raises what the operator raises of such arguments.
    """
    shapes = [_meta(value) for value in args], {name: _meta(it) for name, it in kwargs.items()}
    candidates = rows(op)
    for row in candidates:
        try:
            bound = row.__signature__.bind(*args, **kwargs)
            result = row(*shapes[0], **shapes[1])
        except TypeError:
            if row is candidates[-1] and len(candidates) == 1:
                raise
            continue
        return Call(row, bound, result)
    # Its own message names the parameters.
    op(*shapes[0], **shapes[1])
    raise TypeError(f"map(): no overload of `{op.__name__}` takes these arguments")


def _meta(value: Any) -> Any:
    """What stands for an argument in a call of a Meta kernel."""
    if isinstance(value, da.Array):
        shape = [1 if isnan(size) else size for size in value.shape]
        return _C.empty(shape, dtype=dtype_of(value), device="meta")
    if isinstance(value, _C.TensorBase):
        return _C.empty(value.shape, dtype=value.dtype, device="meta")
    if isinstance(value, list | tuple):
        return type(value)(map(_meta, value))
    return value


def dtype_of(array: Any) -> Any:
    """The dtype that tensors over chunks have."""
    if isinstance(array._meta, _tensor.Tensor):
        return array._meta.dtype
    return _C.as_tensor(array._meta).dtype


def empty_like(result: Any) -> Any:
    """What tells dask of chunks like a result: a tensor of no elements."""
    return _C.empty((0,) * result.ndim, dtype=result.dtype)

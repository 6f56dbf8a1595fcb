"""What the row of an operator says: which overload is called, its parameters, its results."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import isnan

import dask.array as da

from .. import _C, _tensor
from . import _named

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


def is_row(op: Any) -> bool:
    """Whether it is an operator or an overload, of whichever module."""
    return type(op).__name__ in ("Overload", "Operator") and type(op).__module__.endswith(".ops")


def rows(op: Any) -> list[Any]:
    """The overloads that a call may choose from, in the order in which they are tried.

    Raises `TypeError` for what is no operator.
    """
    if is_row(op):
        _named.register(type(op))
        named = op
    else:
        ops = sys.modules.get(f"{home(op)}.ops")
        # Functions are called as their operators are; those written in Python may do more.
        named = getattr(ops, op.__name__, None) if type(op) is type(len) else None
        if named is None:
            raise TypeError(
                f"map(): expected an operator such as `{_PACKAGE}.ops.exp`, but got `{op!r}`; "
                f"other functions are for `x.map_blocks`"
            )
    if type(named).__name__ == "Overload":
        return [named]
    return [getattr(named, name) for name in named.overloads]


def resolve(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """The overload that takes the arguments, found by its Meta kernel: nothing is calculated.

    Raises what the operator raises of such arguments.
    """
    package = home(op)
    metas = [_meta(it, package) for it in args]
    named = {name: _meta(it, package) for name, it in kwargs.items()}
    refusal = None
    for row in rows(op):
        try:
            bound = row.__signature__.bind(*args, **kwargs)
            result = row(*metas, **named)
        except TypeError:
            continue
        # A number that an overload would take as a tensor, which is none on the device meta.
        except RuntimeError as error:
            refusal = refusal or error
            continue
        return Call(row, bound, _own(result))
    if refusal is not None:
        raise refusal
    # Its own message names the parameters.
    op(*metas, **named)
    raise TypeError(f"map(): no overload of `{op.__name__}` takes these arguments")


def _meta(value: Any, package: str) -> Any:
    """What stands for an argument in a call of a Meta kernel of a module."""
    if isinstance(value, da.Array):
        shape = [1 if isnan(size) else size for size in value.shape]
        return _made(package, shape, dtype_of(value))
    if isinstance(value, _C.TensorBase):
        return _made(package, value.shape, value.dtype)
    if isinstance(value, list | tuple):
        return type(value)(_meta(it, package) for it in value)
    return value


def _made(package: str, shape: Any, dtype: Any) -> Any:
    """A meta tensor of a module; those of others may have no operator that makes one."""
    if package == _PACKAGE:
        return _C.empty(shape, dtype=dtype, device="meta")
    module = sys.modules[package]
    dtype = getattr(module, str(dtype).rpartition(".")[2])
    return sys.modules[f"{package}._C"]._rebuild(module.Tensor, None, dtype, tuple(shape))


def _own(result: Any) -> Any:
    """A result of a Meta kernel as a meta tensor of this module."""
    if isinstance(result, tuple):
        return tuple(_own(it) for it in result)
    if isinstance(result, _C.TensorBase) or not hasattr(result, "is_meta"):
        return result
    dtype = getattr(_C, str(result.dtype).rpartition(".")[2])
    return _made(_PACKAGE, tuple(result.shape), dtype)


def dtype_of(array: Any) -> Any:
    """The dtype that tensors over chunks have."""
    if isinstance(array._meta, _tensor.Tensor):
        return array._meta.dtype
    return _C.as_tensor(array._meta).dtype


def empty_like(result: Any) -> Any:
    """What tells dask of chunks like a result: a tensor of no elements."""
    return _C.empty((0,) * result.ndim, dtype=result.dtype)

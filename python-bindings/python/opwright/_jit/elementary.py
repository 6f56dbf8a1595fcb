# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Elementary functions of Python, and attributes of arrays, by the extension points.

What is a step or a constant for given types is answered with a lowering, which costs no source to
be read; the rest are bodies in the language. Those of others are preferred.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .. import types
from . import registry
from .lowering import Lowering
from .overloads import builtin
from .registry import DECLINED, LOWERED, Answer, Candidate

# Others come first.
_PRIORITY = -1


def lowered(op: Any) -> Any:
    """Register a function from a type of one argument to a lowering, or to None."""

    def register(find: Any) -> Any:
        known = cache(find)

        def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
            is_one = len(args) == 1 and not set(keywords) - {"name"}
            made = known(_plain(args[0])) if is_one else None
            if made is None:
                return Answer(DECLINED, reason="is not for these types")
            return Answer(LOWERED, made)

        registry.add(op, Candidate(ask, find.__name__, _PRIORITY, is_builtin=True))
        return find

    return register


def _plain(ty: Any) -> Any:
    """The type of an argument; of text, which has no other values, its own."""
    return ty if isinstance(ty, types.StringLiteral) else types.unliteral(ty)


@lowered(len)
def _len(ty: Any) -> Lowering | None:
    if isinstance(ty, types.Optional):
        inner: Lowering | None = _len(ty.type)
        return inner
    if isinstance(ty, (types.BaseTuple, types.StringLiteral)):
        count = len(ty.literal_value if isinstance(ty, types.StringLiteral) else ty)
        return Lowering((), types.int64, lambda builder, args: builder.constant(types.int64, count))
    has_length = isinstance(ty, (types.RangeType, types.NumpyFlatType)) or (
        isinstance(ty, types.Array) and ty.ndim > 0
    )
    if has_length:
        return Lowering((ty,), types.int64, lambda builder, args: builder.length(args[0]))
    return None


@builtin(any)
def _any(iterable: Any) -> Any:
    def any_(iterable):
        for x in iterable:  # noqa: SIM110 - there are no generators
            if x:
                return True
        return False

    return any_ if _is_looped_over(iterable) else None


@builtin(all)
def _all(iterable: Any) -> Any:
    def all_(iterable):
        for x in iterable:  # noqa: SIM110 - there are no generators
            if not x:
                return False
        return True

    return all_ if _is_looped_over(iterable) else None


def _is_looped_over(ty: Any) -> bool:
    return isinstance(ty, (types.Array, types.BaseTuple, types.RangeType))


@lowered((types.Array, "get", "itemsize"))
def _itemsize(ty: Any) -> Lowering:
    size = _size(ty)
    return Lowering((ty,), types.int64, lambda builder, args: builder.constant(types.int64, size))


@lowered((types.Array, "get", "nbytes"))
def _nbytes(ty: Any) -> Lowering:
    def run(builder: Any, args: Any) -> Any:
        bytes_ = builder.constant(types.int64, _size(ty))
        for at in range(ty.ndim):
            bytes_ = builder.mul(bytes_, builder.dim(args[0], at))
        return bytes_

    return Lowering((ty,), types.int64, run)


def _size(ty: Any) -> int:
    """How many bytes an element takes."""
    return 1 if isinstance(ty.dtype, types.Boolean) else int(ty.dtype.bitwidth) // 8


def _are_numbers(*tys: Any) -> bool:
    return all(isinstance(ty, types.Number | types.Boolean) for ty in tys)


@builtin(divmod)
def _divmod(x: Any, y: Any) -> Any:
    if not _are_numbers(x, y):
        return None

    def divmod_(x, y):
        return x // y, x % y

    return divmod_


@builtin(pow)
def _pow(base: Any, exp: Any) -> Any:
    def pow_(base, exp):
        return base**exp

    return pow_

"""What a function takes and returns."""

from __future__ import annotations

from .. import _C
from .base import Type
from .native import TensorType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inspect import Signature as PythonSignature
    from typing import Any


class Signature:
    """The types of a function's arguments and of its result.

    >>> made = opwright.types.float64(opwright.types.int64, opwright.types.int64)
    >>> made, made.args, made.return_type
    ((int64, int64) -> float64, (int64, int64), float64)
    """

    __slots__ = ("args", "pysig", "recvr", "return_type")

    return_type: Type
    # The types of the arguments.
    args: tuple[Type, ...]
    # The type of the receiver of a method, if it is one that is bound.
    recvr: Type | None
    # Names and defaults of the parameters, if they are known.
    pysig: PythonSignature | None

    def __init__(
        self,
        return_type: Any,
        args: Any,
        recvr: Any = None,
        pysig: PythonSignature | None = None,
    ) -> None:
        """Make a signature; types of tensors become those that they are compiled as.

        Raises:
            TypeError: One of them is no type.
        """
        made = (_compiled(return_type), tuple(map(_compiled, args)))
        receiver = None if recvr is None else _compiled(recvr)
        for name, it in zip(self.__slots__, (made[1], pysig, receiver, made[0]), strict=True):
            object.__setattr__(self, name, it)

    def replace(self, **changes: Any) -> Signature:
        """Return a signature like this one but for the changes."""
        return Signature(
            **{**{name: getattr(self, name) for name in self.__slots__}, **changes},
        )

    def is_precise(self) -> bool:
        """Whether nothing of its types is left to be found out."""
        return self.return_type.is_precise() and all(it.is_precise() for it in self.args)

    def as_method(self) -> Signature:
        """Return the signature of the bound method, whose receiver is the first argument."""
        if self.recvr is not None:
            return self
        return Signature(self.return_type, self.args[1:], self.args[0])

    def as_function(self) -> Signature:
        """Return the signature of the function that takes the receiver as its first argument."""
        if self.recvr is None:
            return self
        return Signature(self.return_type, (self.recvr, *self.args))

    def _all(self) -> tuple[Any, ...]:
        return self.return_type, self.args, self.recvr, self.pysig

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash((self.return_type, self.args))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a signature does not change: '{name}' cannot be set; see replace()")

    def __reduce__(self) -> tuple[Any, ...]:
        return Signature, self._all()

    def __repr__(self) -> str:
        return f"{self.args} -> {self.return_type}"


def _compiled(ty: Any) -> Any:
    if not isinstance(ty, Type):
        raise TypeError(f"a signature is of types, not of {ty!r}")
    return ty.compiled if isinstance(ty, TensorType) else ty


def signature(return_type: Any, *args: Any, recvr: Any = None, pysig: Any = None) -> Signature:
    """Return the signature of a function of these arguments.

    >>> opwright.types.signature(opwright.types.none)
    () -> none

    Args:
        return_type: The type of the result.
        args: The types of the arguments.
        recvr: The type of the receiver, of a method that is bound.
        pysig: Names and defaults of the parameters, as `inspect.signature` has them.

    Raises:
        TypeError: One of them is no type.
    """
    return Signature(return_type, args, recvr, pysig)


def as_signature(given: Any) -> Signature:
    """Return what was given where a signature is wanted.

    Raises:
        TypeError: It is none, such as the variable of a graph that `types.float64()` makes.
    """
    if isinstance(given, Signature):
        return given
    if isinstance(given, _C._graph.Variable):
        raise TypeError(
            f"expected a signature, and {given.type}() is a variable of a graph; "
            f"extending.signature({given.type}) is that of a function without arguments"
        )
    raise TypeError(f"expected a signature, such as types.float64(types.int64), not {given!r}")

"""Values that may be missing, and arguments that were left out."""

from __future__ import annotations

from .base import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Optional(Type):
    """Values of a type, or None.

    >>> opwright.types.Optional(opwright.types.int64)
    OptionalType(int64)
    """

    def __new__(cls, type: Type) -> Any:
        # What may be missing twice may be missing.
        return type if isinstance(type, Optional) else super().__new__(cls)

    def __init__(self, type: Type) -> None:
        """Make the type of such values; literal types lose their value.

        Raises:
            TypeError: It is no type, or that of None.
        """
        from .literal import unliteral
        from .native import NoneType

        if not isinstance(type, Type) or isinstance(type, NoneType):
            raise TypeError(f"expected the type of what may be missing, not {type!r}")
        self.type = unliteral(type)
        super().__init__(f"OptionalType({self.type})")

    @property
    def key(self) -> Any:
        return self.type

    def is_precise(self) -> bool:
        precise: bool = self.type.is_precise()
        return precise

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        if value is None:
            return None
        return self.type.filter(value, strict=strict, allow_downcast=allow_downcast)

    def is_super(self, other: Any) -> bool:
        from .native import NoneType

        return self == other or isinstance(other, NoneType) or bool(self.type.is_super(other))

    def cast_python_value(self, args: Any) -> Any:
        return None if args is None else self.type.cast_python_value(args)


class Omitted(Type):
    """An argument that a call left out: `value` is the default of the parameter.

    >>> opwright.types.Omitted(1.5)
    omitted(default=1.5)
    """

    def __init__(self, default: Any) -> None:
        """Make the type of a parameter with this default."""
        self.value = default
        super().__init__(f"omitted(default={default!r})")

    @property
    def key(self) -> Any:
        return type(self.value), id(self.value)

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        raise TypeError(f"{self} is the type of an argument that is not there")

"""How messages of Python speak of objects."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

# What parameters take: of another class with such a name the module is told.
_TAKEN = {"Parameter", "Module", "Optimizer", "Tensor", "bool", "device", "dtype", "float", "int"}


def kind(value: object) -> str:
    """The name of an object's class, with its module if it is not the one that one thinks of."""
    made = type(value)
    is_known = made.__module__.partition(".")[0] in ("builtins", __name__.partition(".")[0])
    if made.__name__ in _TAKEN and not is_known:
        return f"{made.__module__}.{made.__name__}"
    return "None" if value is None else made.__name__


def is_bool(value: Any) -> TypeGuard[bool]:
    """Whether an object is a bool of Python or of numpy."""
    if isinstance(value, bool):
        return True
    made = type(value)
    return made.__module__ == "numpy" and made.__name__ in ("bool", "bool_")

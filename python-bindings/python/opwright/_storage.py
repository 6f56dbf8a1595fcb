"""The classes of storages: one for each dtype, and one for bytes.

They are made from the native bases, which follow from the table of dtypes; `_C/__init__.pyi` shows
them to type checkers.
"""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PACKAGE = __name__.rpartition(".")[0]


def _conversion(name: str, dtype: _C.dtype) -> Callable[[Any], Any]:
    """Make the method that converts to a dtype."""

    def convert(self: Any) -> Any:
        return self._to(dtype)

    convert.__doc__ = f"Convert to a storage of {dtype}; one of that dtype is returned itself."
    convert.__name__, convert.__qualname__ = name, f"{_C._AnyStorage.__name__}.{name}"
    convert.__module__ = f"{_PACKAGE}._C"
    return convert


def _public(base: type) -> type:
    """Make the class that people know from its native base."""
    name = base.__name__.removeprefix("_").removesuffix("Base")
    dtype = getattr(base, "dtype", None)
    about = f"Memory of elements of {dtype}." if dtype else "Memory of bytes."
    made = type(name, (base,), {"__module__": _PACKAGE, "__slots__": (), "__doc__": about})
    _C._set_storage_class(made)
    return made


# What the classes of each dtype are called after: `Float` for `FloatTensor`.
_C._titles = [
    base.__name__.removeprefix("_").removesuffix("StorageBase")
    for base, dtype, _ in _C._storages
    if dtype is not None
]
for _base, _dtype, _name in _C._storages:
    _made = _public(_base)
    setattr(_C, _made.__name__, _made)
    if _dtype is not None:
        setattr(_C._AnyStorage, _name, _conversion(_name, _dtype))
# The older name.
_C.Storage = _C.UntypedStorage

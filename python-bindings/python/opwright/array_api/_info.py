"""What programs may ask about the namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import opwright
from opwright import _C
from opwright._array_functions import isdtype

if TYPE_CHECKING:
    _Device = _C.device | str

# The dtypes of the standard.
_NAMES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)


class NamespaceInfo:
    """Capabilities, dtypes and devices of `opwright.array_api`."""

    def capabilities(self) -> dict[str, bool | int]:
        """What of the optional parts there is, and how many dimensions a tensor has at most."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 128}

    def default_device(self) -> _C.device:
        """The device on which tensors are made."""
        return opwright.device("cpu")

    def default_dtypes(self, *, device: _Device | None = None) -> dict[str, _C.dtype]:
        """The dtypes of what is made without one.

        Those of floating numbers are those that `opwright.set_default_dtype` set last.
        """
        real = _C.get_default_dtype()
        wide = _C.complex128 if real == _C.float64 else _C.complex64
        return {
            "real floating": real,
            "complex floating": wide,
            "integral": _C.int64,
            "indexing": _C.int64,
        }

    def dtypes(
        self, *, device: _Device | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, _C.dtype]:
        """The dtypes of the standard, by their names, or those of a kind or of several.

        Kinds are those of `isdtype`. Raises `ValueError` for an unknown one.
        """
        found = {it: getattr(_C, it) for it in _NAMES if hasattr(_C, it)}
        return {name: it for name, it in found.items() if kind is None or isdtype(it, kind)}

    def devices(self) -> list[_C.device]:
        """The devices whose tensors have elements."""
        return [opwright.device("cpu")]


def __array_namespace_info__() -> NamespaceInfo:  # noqa: N807
    """What programs may ask about the namespace."""
    return NamespaceInfo()

"""Arrays of numpy over memory that a compiled function returns a part of."""

from __future__ import annotations

from typing import Any


class _Part:
    """Memory of an array, for as long as it is used."""

    def __init__(self, array: Any, interface: dict[str, Any]) -> None:
        self.array = array
        self.__array_interface__ = interface


def view(array: Any, address: int, name: str, shape: list[int], strides: list[int]) -> Any:
    """Return the part of an array that begins at an address."""
    import numpy as np

    interface = {
        "version": 3,
        "typestr": np.dtype(name).str,
        "data": (address, not array.flags.writeable),
        "shape": tuple(shape),
        "strides": tuple(strides),
    }
    return np.asarray(_Part(array, interface))


def dtype(name: str) -> Any:
    """Return the dtype of a name."""
    import numpy as np

    return np.dtype(name)

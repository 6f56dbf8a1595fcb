"""A tensor to be: its elements and dtype, from which it is made anew for each call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
import opwright

# The dtype of numpy in which the elements of each dtype are made.
DTYPES = {
    name: "float32" if name == "bfloat16" else name
    for name, it in vars(opwright).items()
    if isinstance(it, opwright.dtype) and repr(it) == f"opwright.{name}"
}


@dataclass(frozen=True)
class Elements:
    """What a tensor argument is made from."""

    values: np.ndarray[Any, Any]
    dtype: str

    def __repr__(self) -> str:
        shape = list(self.values.shape)
        return f"Tensor({self.dtype}, shape {shape})"

    def tensor(self, native: ModuleType) -> Any:
        """A new tensor with memory of its own."""
        values = self.values.astype(DTYPES[self.dtype])
        if self.dtype == "bfloat16":
            return native.tensor(values, dtype=native.bfloat16)
        return native.from_numpy(values)

    def cast(self, dtype: str) -> Elements:
        """The same numbers in another dtype; imaginary parts may go."""
        values = self.values
        if np.iscomplexobj(values) and not dtype.startswith("complex"):
            values = values.real
        return replace(self, values=values, dtype=dtype)

    def reshaped(self, change: Callable[[np.ndarray[Any, Any]], Any]) -> Elements:
        """Other elements of the same kind."""
        return replace(self, values=np.asarray(change(self.values)))


def of(values: Any, dtype: str) -> Elements:
    """Elements from nested lists."""
    return Elements(np.asarray(values), dtype)

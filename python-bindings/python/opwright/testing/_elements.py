"""A tensor to be: its elements, dtype and layout, from which it is made anew for each call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
import opwright

LAYOUTS = ["transposed", "stepped"]

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
    layout: str = "contiguous"

    def __repr__(self) -> str:
        shape = list(self.values.shape)
        layout = "" if self.layout == "contiguous" else f", {self.layout}"
        return f"Tensor({self.dtype}, shape {shape}{layout})"

    def tensor(self, native: ModuleType) -> Any:
        """A new tensor with memory of its own."""
        values = self.values.astype(DTYPES[self.dtype])
        if self.dtype == "bfloat16":
            return native.tensor(values, dtype=native.bfloat16)
        if self.layout == "transposed":
            values = np.array(values, order="F")
        elif self.layout == "stepped":
            wide = np.zeros([2 * size for size in values.shape], values.dtype)
            wide[(slice(None, None, 2),) * values.ndim] = values
            values = wide[(slice(None, None, 2),) * values.ndim]
        return native.from_numpy(values)

    def cast(self, dtype: str) -> Elements:
        """The same numbers in another dtype; imaginary parts may go."""
        values = self.values
        if np.iscomplexobj(values) and not dtype.startswith("complex"):
            values = values.real
        return replace(self, values=values, dtype=dtype)

    def laid_out(self, layout: str) -> Elements:
        """The same elements in another place."""
        return replace(self, layout=layout)

    def reshaped(self, change: Callable[[np.ndarray[Any, Any]], Any]) -> Elements:
        """Other elements of the same kind."""
        return replace(self, values=np.asarray(change(self.values)))


def of(values: Any, dtype: str) -> Elements:
    """Elements from nested lists."""
    return Elements(np.asarray(values), dtype)


def array(native: ModuleType, tensor: Any) -> np.ndarray[Any, Any]:
    """The elements of a tensor, as a copy; numpy has no bfloat16."""
    if tensor.dtype == native.bfloat16:
        tensor = tensor.to(native.float32)
    return np.array(tensor.numpy())

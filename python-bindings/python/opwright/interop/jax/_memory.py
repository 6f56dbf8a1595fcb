"""Results in memory of XLA, and in dtypes of fewer bits."""

from __future__ import annotations

import ctypes

import numpy as np

from ... import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..._tensor import Tensor

_HAS_SWITCH = "`jax.config.update('jax_enable_x64', True)` lets JAX have 64 bits"


def write(result: Any, output: Tensor) -> None:
    """Write a result, which has the dtype of the output or one with more bits, to its memory.

    Raises:
        OverflowError: An integer does not fit.
    """
    if isinstance(result, _C.TensorBase) and result.dtype is output.dtype:
        tensor = result.contiguous()
        if tensor.numel():
            ctypes.memmove(output.data_ptr(), tensor.data_ptr(), tensor.nbytes)
        return
    values = stored(result, np.dtype(output.dtype.name))
    ctypes.memmove(output.data_ptr(), values.ctypes.data, values.nbytes)


def stored(result: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """A tensor or number as an array of numpy of a dtype with fewer bits.

    Raises:
        OverflowError: An integer does not fit.
    """
    is_tensor = isinstance(result, _C.TensorBase)
    values = result.numpy() if is_tensor else np.asarray(result)
    if dtype.kind in "iu" and values.size:
        limits = np.iinfo(dtype)
        if values.min() < limits.min or values.max() > limits.max:
            raise OverflowError(f"an integer does not fit into {dtype}; {_HAS_SWITCH}")
    # As in JAX, a number that is too large for fewer bits is infinite.
    with np.errstate(over="ignore"):
        return values.astype(dtype, order="C")

"""Tensors over memory of XLA, and what is written to it."""

from __future__ import annotations

import ctypes
import math
from functools import cache

import numpy as np

from ... import _C
from ..._tensor import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HAS_SWITCH = "`jax.config.update('jax_enable_x64', True)` lets JAX have 64 bits"


def tensor_at(address: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Tensor:
    """A tensor over memory that somebody else keeps."""
    count = dtype.itemsize * math.prod(shape)
    made: Tensor
    if count == 0:
        made = _C._rebuild(Tensor, b"", getattr(_C, dtype.name), shape)
        return made
    memory = (ctypes.c_char * count).from_address(address)
    if dtype.isbuiltin == 1:
        made = _C.from_numpy(np.ndarray(shape, dtype, memoryview(memory)))
        return made
    # One that numpy does not have itself, such as bfloat16.
    own = getattr(_C, dtype.name)
    storage = _C.frombuffer(memory, dtype=own).untyped_storage()
    strides = [math.prod(shape[at + 1 :]) for at in range(len(shape))]
    made = _C._rebuild_view(Tensor, storage, own, shape, strides, 0)
    return made


def write(result: Any, address: int, dtype: Any) -> None:
    """Write a result, which has this dtype or one with more bits, to memory.

    Raises:
        OverflowError: An integer does not fit.
    """
    if isinstance(result, _C.TensorBase) and result.dtype is _tensor_dtype(dtype):
        tensor = result.contiguous()
        if tensor.numel():
            ctypes.memmove(address, tensor.data_ptr(), tensor.nbytes)
        return
    values = stored(result, dtype)
    ctypes.memmove(address, values.ctypes.data, values.nbytes)


@cache
def _tensor_dtype(dtype: Any) -> Any:
    return getattr(_C, dtype.name)


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

"""Tensors over memory of XLA, and what is written to it."""

from __future__ import annotations

import ctypes

import numpy as np

from ... import _C
from ..._tensor import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HAS_SWITCH = "`jax.config.update('jax_enable_x64', True)` lets JAX have 64 bits"


def tensor_at(address: int, shape: tuple[int, ...], dtype: _C.dtype) -> Tensor:
    """A tensor over memory that somebody else keeps."""
    strides: list[int] = []
    count = 1
    for size in reversed(shape):
        strides.insert(0, count)
        count *= size
    made: Tensor
    if count == 0:
        made = _C._rebuild(Tensor, b"", dtype, shape)
        return made
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    storage = _C.frombuffer(memory, dtype=dtype).untyped_storage()
    made = _C._rebuild_view(Tensor, storage, dtype, shape, strides, 0)
    return made


def write(result: Any, address: int, dtype: Any) -> None:
    """Write a result, which has this dtype or one with more bits, to memory.

    Raises:
        OverflowError: An integer does not fit.
    """
    if isinstance(result, _C.TensorBase) and result.dtype.name == dtype.name:
        tensor = result.detach().contiguous()
        if tensor.numel():
            ctypes.memmove(address, tensor.data_ptr(), tensor.nbytes)
        return
    values = stored(result, dtype)
    ctypes.memmove(address, values.ctypes.data, values.nbytes)


def stored(result: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """A tensor or number as an array of numpy of a dtype with fewer bits.

    Raises:
        OverflowError: An integer does not fit.
    """
    is_tensor = isinstance(result, _C.TensorBase)
    values = result.detach().numpy() if is_tensor else np.asarray(result)
    if dtype.kind in "iu" and values.size:
        limits = np.iinfo(dtype)
        if values.min() < limits.min or values.max() > limits.max:
            raise OverflowError(f"a result does not fit into {dtype}; {_HAS_SWITCH}")
    return values.astype(dtype, order="C")

"""Registration of tensors with dask: dispatch tables, types of chunks, backends."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import dask.array as da
import numpy as np
from dask.array import backends, chunk_types, dispatch
from dask.sizeof import sizeof

from .. import _C, _tensor
from . import _named, _overrides
from ._backend import Backend, to_tensor
from ._blocks import tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PACKAGE = __name__.partition(".")[0]


def register() -> None:
    """Tell dask, and distributed where it is installed, what tensors are.

    Importing the module does it; calling it again changes nothing.
    """
    kind = _tensor.Tensor
    if kind not in chunk_types._HANDLED_CHUNK_TYPES:
        da.register_chunk_type(kind)
    dispatch.concatenate_lookup.register(kind, _concatenate)
    # Functions of numpy are those of tensors when they are called with them.
    dispatch.tensordot_lookup.register(kind, np.tensordot)
    dispatch.einsum_lookup.register(kind, _einsum)
    dispatch.take_lookup.register(kind, _take)
    dispatch.percentile_lookup.register(kind, backends.percentile)
    dispatch.empty_lookup.register(kind, _empty)
    dispatch.numel_lookup.register(kind, backends._numel_arraylike)
    dispatch.to_numpy_dispatch.register(kind, _to_numpy)
    to_tensor.register(kind, _same)
    sizeof.register(kind, kind.__sizeof__)
    ops = sys.modules[f"{_PACKAGE}.ops"]
    for rows in (ops.Operator, ops.Overload):
        _named.register(rows)
    _overrides.register()
    backends.array_creation_dispatch.register_backend(_PACKAGE, Backend())
    if "distributed" in sys.modules or find_spec("distributed") is not None:
        from . import _serialization

        _serialization.register()


def _concatenate(arrays: Any, axis: int = 0) -> Any:
    """The native operator joins tensors of every dtype; other modules may have none."""
    if not hasattr(_C, "cat"):
        return np.concatenate(arrays, axis=axis)
    return _C.cat([tensor(it) for it in arrays], axis)


def _take(x: Any, indices: Any, axis: int = 0) -> Any:
    """Slices along an axis, of every dtype where the module has the native operator."""
    if not hasattr(_C, "index_select"):
        return np.take(x, indices, axis=axis)
    return _C.index_select(x, axis, tensor(indices).to(_C.int64))


def _einsum(subscripts: str, *operands: Any, dtype: Any = None, **_: Any) -> Any:
    """`numpy.einsum`; its `order` and `casting` say nothing of tensors."""
    result = np.einsum(subscripts, *operands)
    return result if dtype is None else result.astype(dtype)


def _empty(shape: Any, dtype: Any = None, **_: Any) -> Any:
    return _C.empty(shape, dtype=_C._graph.named_dtype(dtype or "float64"))


def _to_numpy(data: Any, **_: Any) -> Any:
    return data.detach().numpy()


def _same(data: Any, **_: Any) -> Any:
    return data

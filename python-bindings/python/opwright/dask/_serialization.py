"""Tensors between the processes of `distributed`: a header, and a frame over their memory.

Processes that lack the package get stand-ins, which name it where they are used.
"""

from __future__ import annotations

import pickle

from .. import _C, _pickle, _tensor
from . import _pickles, _requirements
from ._named import IMPORTED, Loader, imported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_PACKAGE = __name__.partition(".")[0]


def register() -> None:
    """Tell `distributed` how tensors are sent."""
    _requirements.distributed()
    from distributed.protocol import (
        dask_deserialize,
        dask_serialize,
        register_serialization_family,
    )
    from distributed.protocol.serialize import families

    dask_serialize.register(_tensor.Tensor, serialize)
    dask_deserialize.register(_tensor.Tensor, deserialize)
    dumps, loads, *_ = families["dask"]
    register_serialization_family("dask", _by_name(dumps), loads)
    _pickles.register(
        {
            _tensor.Tensor: _reduced,
            _C.UntypedStorage: _reduced_storage,
            _C.dtype: _reduced_dtype,
        }
    )


def _by_name(dumps: Any) -> Any:
    """What the family "dask" of serializers calls, with a class that arrives everywhere."""

    def run(x: Any, context: Any = None) -> tuple[dict[str, Any], list[Any]]:
        header, frames = dumps(x, context=context)
        if type(x) is _tensor.Tensor:
            header["type-serialized"] = pickle.dumps(_Class())
        return header, frames

    return run


class _Class:
    """Unpickled, it is the class of tensors, or of stand-ins for them."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _FOUND, (_PACKAGE, __name__)


def _found(package: str, module: str) -> Any:
    """Run by the worker, which may have nothing of this package: hence no names of it."""
    import importlib

    try:
        importlib.import_module(module)
        return importlib.import_module(package).Tensor
    except ImportError:
        from distributed.protocol import dask_deserialize

    class Missing:
        """The class of what `imported` makes is made by each call."""

    def deserialize(header: Any, frames: Any) -> Any:
        # Copies: older protocols of pickles, which this may be sent on by, have no buffers.
        return imported(module, "deserialize", (header, [bytes(it) for it in frames]))

    dask_deserialize.register(Missing, deserialize)
    return Missing


_FOUND = Loader(_found, imported=IMPORTED)


def _reduced(tensor: Any) -> tuple[Any, ...]:
    """What makes a tensor again, and its memory, in a pickle that names the package."""
    if not _has_elements_alone(tensor):
        return _pickle.reduced(tensor)
    storage, dtype, *place = _C._parts(tensor)
    return IMPORTED, (__name__, "rebuild", (storage, _name(dtype), *place))


def rebuild(storage: Any, dtype: str, *place: Any) -> Any:
    """The tensor over a storage."""
    return _C._rebuild_view(_tensor.Tensor, storage, getattr(_C, dtype), *place)


def _reduced_storage(storage: Any) -> tuple[Any, ...]:
    return IMPORTED, (_PACKAGE, "UntypedStorage", (_Memory(storage),))


def _reduced_dtype(dtype: Any) -> tuple[Any, ...]:
    return IMPORTED, (_PACKAGE, _name(dtype), None)


class _Memory:
    """The memory of a storage: beside the pickle where its protocol allows it."""

    def __init__(self, storage: Any) -> None:
        self._storage = storage

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        (memory,) = self._storage.__reduce_ex__(protocol)[1]
        return (bytes if isinstance(memory, bytes) else memoryview), (memory,)


def serialize(tensor: Any) -> tuple[dict[str, Any], list[Any]]:
    """A header, and the memory that the elements are in: not copied where there are no gaps.

    Raises `NotImplementedError` for what has more to it than elements, which `pickle` knows: other
    classes, attributes, gradients, meta tensors.
    """
    if not _has_elements_alone(tensor):
        raise NotImplementedError(f"{type(tensor).__name__} is sent as a pickle")
    if not _is_dense(tensor):
        tensor = tensor.contiguous()
    size = tensor.dtype.itemsize
    first = tensor.storage_offset() * size
    memory = memoryview(tensor.untyped_storage())[first : first + _span(tensor) * size]
    header = {
        "dtype": _name(tensor.dtype),
        "shape": tuple(tensor.shape),
        "strides": tensor.stride(),
    }
    return header, [memory]


def deserialize(header: dict[str, Any], frames: list[Any]) -> Any:
    """The tensor over the memory of the frame.

    It is copied if it cannot be written to, or begins where no element of the dtype may: small
    frames arrive one behind the other in one buffer.
    """
    dtype, shape = getattr(_C, header["dtype"]), header["shape"]
    if 0 in shape:
        return _C.empty(shape, dtype=dtype)
    (frame,) = frames
    if memoryview(frame).readonly or not _is_aligned(frame, dtype):
        frame = bytearray(frame)
    return _C.frombuffer(frame, dtype=dtype).as_strided(shape, header["strides"])


def _has_elements_alone(tensor: Any) -> bool:
    return (
        type(tensor) is _tensor.Tensor
        and object.__getstate__(tensor) is None
        and not tensor.requires_grad
        and not tensor.is_meta
    )


def _name(dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


def _span(tensor: Any) -> int:
    """How many elements there are from the first to the last, gaps included."""
    if 0 in tensor.shape:
        return 0
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    return 1 + int(sum((size - 1) * stride for size, stride in steps))


def _is_dense(tensor: Any) -> bool:
    """Whether there are no gaps; elements that a view repeats are sent once."""
    count = 1
    for size, stride in zip(tensor.shape, tensor.stride(), strict=True):
        count *= size if stride else 1
    return _span(tensor) <= count


def _is_aligned(frame: Any, dtype: Any) -> bool:
    start = _C.frombuffer(frame, dtype=_C.uint8, count=1).data_ptr()
    return bool(start % dtype.itemsize == 0)

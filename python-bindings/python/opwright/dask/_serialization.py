"""Tensors between the processes of `distributed`: a header, and a frame over their memory."""

from __future__ import annotations

from .. import _C, _tensor
from . import _requirements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def register() -> None:
    """Tell `distributed` how tensors are sent."""
    _requirements.distributed()
    from distributed.protocol import dask_deserialize, dask_serialize

    dask_serialize.register(_tensor.Tensor, serialize)
    dask_deserialize.register(_tensor.Tensor, deserialize)


def serialize(tensor: Any) -> tuple[dict[str, Any], list[Any]]:
    """A header, and the memory that the elements are in: not copied where there are no gaps.

    Raises `NotImplementedError` for what has more to it than elements, which `pickle` knows: other
    classes, attributes, gradients, meta tensors.
    """
    if (
        type(tensor) is not _tensor.Tensor
        or object.__getstate__(tensor) is not None
        or tensor.requires_grad
        or tensor.is_meta
    ):
        raise NotImplementedError(f"{type(tensor).__name__} is sent as a pickle")
    if not _is_dense(tensor):
        tensor = tensor.contiguous()
    size = tensor.dtype.itemsize
    first = tensor.storage_offset() * size
    memory = memoryview(tensor.untyped_storage())[first : first + _span(tensor) * size]
    header = {
        "dtype": str(tensor.dtype).rpartition(".")[2],
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

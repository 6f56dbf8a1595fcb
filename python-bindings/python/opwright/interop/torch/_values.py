"""Values on their way between PyTorch and this module; tensors cross by DLPack, without a copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ... import _C
from ._private import from_dlpack, to_dlpack
from ._schema import Slot

Convert = Callable[[Any], Any]

_DTYPES = [
    name
    for name in dir(_C)
    if isinstance(getattr(_C, name), _C.dtype) and str(getattr(_C, name)).endswith(f".{name}")
]
# Either may lack some.
_OURS = {getattr(torch, it): getattr(_C, it) for it in _DTYPES if hasattr(torch, it)}
_THEIRS = {ours: theirs for theirs, ours in _OURS.items()}

# Classes whose instances are nothing but their elements.
_PLAIN = {torch.Tensor, torch.nn.Parameter, getattr(torch.nn, "Buffer", torch.Tensor)}

import_ = _C.from_dlpack
export = _C.TensorBase.__dlpack__


def take(tensor: Any) -> Any:
    """A tensor of ours over the memory of one of PyTorch.

    Raises:
        TypeError: It is of a subclass, or of a dtype that there is not here.
        RuntimeError: Its elements do not lie in the memory of the CPU, at strides.
    """
    if type(tensor) not in _PLAIN:
        raise TypeError(_subclass(tensor) if tensor is not None else _NONE)
    try:
        return import_(to_dlpack(tensor))
    except (BufferError, RuntimeError, TypeError) as error:
        raise _refusal(tensor) from error


def take_row_major(tensor: Any) -> Any:
    """The same over a copy, unless the elements lie in row-major order."""
    return take(tensor.contiguous() if type(tensor) in _PLAIN else tensor)


# A module that stands alone may lack `empty_strided`: its metas are row-major, and so that results
# lie as those of metas, what it reads has to be, too.
HAS_STRIDES = hasattr(_C, "empty_strided")
read = take if HAS_STRIDES else take_row_major


def is_plain(tensor: Any) -> bool:
    """Whether it is a tensor of PyTorch with elements, behind which nothing else is."""
    return type(tensor) in _PLAIN and tensor.device.type == "cpu"


def give(tensor: Any) -> Any:
    """A tensor of PyTorch over the memory of one of ours."""
    return from_dlpack(export(tensor))


# PyTorch lets it pass where a tensor is declared.
_NONE = "expected a `torch.Tensor`, and got None"


def _subclass(tensor: Any) -> str:
    name = f"{type(tensor).__module__}.{type(tensor).__qualname__}"
    return (
        f"expected a plain `torch.Tensor`, and got a `{name}`, whose class would get lost; "
        f"pass `.as_subclass(torch.Tensor)`"
    )


def _refusal(tensor: Any) -> Exception:
    """Why a tensor cannot cross."""
    if tensor.device.type != "cpu":
        return RuntimeError(
            f"operators run on the CPU, and an argument is on `{tensor.device}`; pass `.cpu()`"
        )
    if tensor.is_quantized:
        return RuntimeError(f"an argument is quantized, of `{tensor.dtype}`; pass `.dequantize()`")
    if tensor.layout != torch.strided:
        return RuntimeError(
            f"an argument has the layout `{tensor.layout}`, and operators take `torch.strided`; "
            f"pass `.to_dense()`"
        )
    if tensor.dtype not in _OURS:
        return TypeError(_no_dtype(tensor.dtype))
    return RuntimeError(f"the memory of an argument cannot be shared: `{type(tensor).__name__}`")


def _no_dtype(dtype: Any) -> str:
    names = ", ".join(_DTYPES)
    return f"there is no dtype `{dtype}` here; there are {names}"


def dtype(value: Any) -> Any:
    """The dtype of ours for one of PyTorch."""
    try:
        return _OURS[value]
    except KeyError:
        raise TypeError(_no_dtype(value)) from None


def torch_dtype(value: Any) -> Any:
    """The dtype of PyTorch for one of ours."""
    try:
        return _THEIRS[value]
    except KeyError:
        raise TypeError(f"this version of `torch` has no dtype for `{value}`") from None


def _device(value: Any) -> Any:
    if value.type not in {"cpu", "meta"}:
        raise RuntimeError(f"operators run on the CPU, and `device` is `{value}`")
    return value.type


def _layout(value: Any) -> Any:
    if value != torch.strided:
        raise RuntimeError(f"results are `torch.strided`, and `layout` is `{value}`")
    return _C.strided


def _memory_format(value: Any) -> Any:
    return getattr(_C, str(value).removeprefix("torch."))


def _generator(value: Any) -> Any:
    """A generator of ours that goes on from one of PyTorch, which moves on."""
    seed = torch.randint(2**62, (), generator=value)
    ours = _C.Generator()
    ours.manual_seed(int(seed))
    return ours


_CONVERTERS: dict[str, Convert] = {
    "Tensor": take,
    "ScalarType": dtype,
    "Device": _device,
    "Layout": _layout,
    "MemoryFormat": _memory_format,
    "Generator": _generator,
}


def converter(slot: Slot, tensors: Convert | None = None) -> Convert | None:
    """What converts arguments of a parameter to ours; None if they pass as they are."""
    tensors = tensors or (take if slot.writes else read)
    found = tensors if slot.base == "Tensor" else _CONVERTERS.get(slot.base)
    return _lifted(found, slot) if found is not None else None


def _lifted(one: Convert, slot: Slot) -> Convert:
    """The converter of a type's elements, for lists and for what may be left out."""
    if slot.suffix == "":
        return one

    def optional(value: Any) -> Any:
        return None if value is None else one(value)

    if not slot.is_list:
        return optional
    element = optional if slot.suffix.startswith("?") else one

    def listed(value: Any) -> Any:
        return None if value is None else [element(it) for it in value]

    return listed


def results(slots: tuple[Slot, ...], tensors: Convert = give) -> Convert:
    """What converts the results of a call to those of PyTorch."""
    each = [_result(it, tensors) for it in slots]
    if not each:
        return lambda _: None
    if len(each) == 1:
        return each[0]
    return lambda found: tuple(convert(it) for convert, it in zip(each, found, strict=True))


def _result(slot: Slot, tensors: Convert) -> Convert:
    if slot.base == "ScalarType":
        return torch_dtype
    if slot.base != "Tensor":
        return lambda found: found
    return _lifted(tensors, slot)

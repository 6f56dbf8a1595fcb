"""The function that compiled programs call, in the C interface of XLA for such functions.

It reads which call is meant from an attribute, makes tensors over the memory of the arguments, and
writes the results to the memory of XLA. The structures are those of `xla/ffi/api/c_api.h`, which
every jaxlib has with it.

Here is what happens the first time, and when a call fails. Calls of an operator alone and of the
formula of a gradient, which are most, are prepared: the next ones run without the interpreter.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache, lru_cache
from pathlib import Path

import jax
import jax.numpy as jnp

from ... import _C
from ._arguments import Template
from ._calls import PACKAGE, read, row_of
from ._evaluation import function_of
from ._floating_point import default_environment
from ._formulas import compiled_pullback
from ._memory import tensor_at, write
from ._out import out_names, writing_function
from ._results import check_shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._calls import Call

# Of `XLA_FFI_API_MINOR`, the last that these structures are known to fit.
_MINOR = 3
_INVALID_ARGUMENT, _UNIMPLEMENTED, _INTERNAL = 3, 12, 13
_METADATA = 1

# By `XLA_FFI_DataType`.
_DTYPES = {
    1: "bool", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "uint8", 7: "uint16",
    8: "uint32", 9: "uint64", 10: "float16", 11: "float32", 12: "float64", 15: "complex64",
    16: "bfloat16", 18: "complex128",
}  # fmt: skip

_size, _pointer, _int64 = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int64


class _Extensible(ctypes.Structure):
    _fields_ = [("struct_size", _size), ("extension", _pointer)]


class _Buffer(_Extensible):
    _fields_ = [
        ("dtype", ctypes.c_int), ("data", _pointer), ("rank", _int64),
        ("dims", ctypes.POINTER(_int64)),
    ]  # fmt: skip


class _Buffers(_Extensible):
    _fields_ = [
        ("size", _int64), ("types", _pointer),
        ("buffers", ctypes.POINTER(ctypes.POINTER(_Buffer))),
    ]  # fmt: skip


class _Text(ctypes.Structure):
    _fields_ = [("start", _pointer), ("length", _size)]


class _Attributes(_Extensible):
    _fields_ = [
        ("size", _int64), ("types", _pointer), ("names", _pointer),
        ("values", ctypes.POINTER(ctypes.POINTER(_Text))),
    ]  # fmt: skip


class _Version(_Extensible):
    _fields_ = [("major", ctypes.c_int), ("minor", ctypes.c_int)]


class _ErrorArguments(_Extensible):
    _fields_ = [("message", ctypes.c_char_p), ("code", ctypes.c_int)]


_MakeError = ctypes.CFUNCTYPE(_pointer, ctypes.POINTER(_ErrorArguments))


class _Api(_Extensible):
    _fields_ = [("version", _Version), ("internal", _pointer), ("make_error", _MakeError)]


class _Frame(_Extensible):
    _fields_ = [
        ("api", ctypes.POINTER(_Api)), ("context", _pointer), ("stage", ctypes.c_int),
        ("arguments", _Buffers), ("results", _Buffers), ("attributes", _Attributes),
    ]  # fmt: skip


class _Metadata(ctypes.Structure):
    _fields_ = [("struct_size", _size), ("version", _Version), ("traits", ctypes.c_uint32)]


class _MetadataExtension(ctypes.Structure):
    _fields_ = [
        ("struct_size", _size), ("type", ctypes.c_int), ("next", _pointer),
        ("metadata", ctypes.POINTER(_Metadata)),
    ]  # fmt: skip


@cache
def register() -> str:
    """Register the function that compiled programs call with XLA, and return its name there.

    Programs that this process traces do it by themselves; one that `jax.export` made in another
    process needs it before it runs. `jax.export.DisabledSafetyCheck.custom_call` takes the name.

    Raises:
        ImportError: The interface is another one in this jaxlib.
    """
    # A refusal then comes from here, and does not keep JAX from having a CPU.
    jax.devices("cpu")
    name = f"{PACKAGE}.call"
    address = _C._xla_handler(_run)
    try:
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(address), platform="cpu")
    except Exception as error:
        raise ImportError(
            f"`jaxlib` {jax.__version__} has another interface for functions of others than "
            f"`{__package__}` knows: {error}",
            name="jaxlib",
        ) from error
    return name


def _run(address: int) -> Any:
    frame = _Frame.from_address(address)
    try:
        if frame.extension and _describe(frame):
            return None
        _execute(frame)
    except BaseException as error:  # nothing may leave a function that C calls
        return _error(frame, error)
    return None


def _describe(frame: Any) -> bool:
    """Say which version of the interface this is, if that is the question."""
    extension = _MetadataExtension.from_address(frame.extension)
    if extension.type != _METADATA:
        return False
    metadata = extension.metadata.contents
    metadata.version.major = 0
    metadata.version.minor = min(_version_there(), _MINOR)
    metadata.traits = 0
    return True


def _version_there() -> int:
    """The minor version of the interface of this jaxlib, by its header."""
    header = Path(jax.ffi.include_dir()) / "xla/ffi/api/c_api.h"
    found = re.search(r"XLA_FFI_API_MINOR (\d+)", header.read_text())
    return int(found[1]) if found else _MINOR


def _execute(frame: Any) -> None:
    # In the order of their names.
    call, out = (_bytes(frame.attributes.values[at].contents) for at in range(2))
    tensors = [_tensor(it) for it in _contents(frame.arguments)]
    buffers = _contents(frame.results)
    with default_environment():
        if out:
            _writing(call, out)(tensors, [_tensor(it) for it in buffers])
        else:
            function, operator = _function(call)
            for result, buffer in zip(function(tensors), buffers, strict=True):
                check_shape(operator, result, tuple(buffer.dims[: buffer.rank]))
                write(result, buffer.data, _dtype(buffer.dtype))
    _prepare(call, out, tensors)


def _bytes(text: Any) -> bytes:
    return ctypes.string_at(text.start, text.length) if text.length else b""


def _contents(buffers: Any) -> list[Any]:
    return [buffers.buffers[at].contents for at in range(buffers.size)]


@lru_cache(maxsize=4096)
def _function(text: bytes) -> tuple[Callable[[list[Any]], list[Any]], str]:
    """What a call stands for, and the name of its operator."""
    call = read(text.decode())
    return function_of(call), call.operator


@lru_cache(maxsize=4096)
def _writing(text: bytes, out: bytes) -> Callable[[list[Any], list[Any]], None]:
    return writing_function(read(text.decode()), out.decode())


def _prepare(call: bytes, out: bytes, tensors: list[Any]) -> None:
    """Have the next calls run without the interpreter: those of an operator or of a graph."""
    meant = _meant(call)
    if meant.batches or meant.is_random():
        return
    if meant.steps:
        compiled = None if _has_complex(tensors) else compiled_pullback(meant, tensors)
        if compiled is not None:
            _C._prepare_xla_function(compiled)
        return
    row = row_of(out.decode()) if out else meant.row
    arguments = Template(meant.arguments).places()
    if out:
        arguments |= {name: {"output": at} for at, name in enumerate(out_names(row))}
    _C._prepare_xla_call(row, arguments)


@lru_cache(maxsize=4096)
def _meant(text: bytes) -> Call:
    return read(text.decode())


def _has_complex(tensors: list[Any]) -> bool:
    """Whether seeds are to be conjugated."""
    return any(it.dtype.is_complex for it in tensors)


def _tensor(buffer: Any) -> Any:
    return tensor_at(buffer.data, tuple(buffer.dims[: buffer.rank]), _dtype(buffer.dtype))


@cache
def _dtype(number: int) -> Any:
    return jnp.dtype(_DTYPES[number])


def _error(frame: Any, error: BaseException) -> Any:
    code = _INTERNAL
    if isinstance(error, NotImplementedError):
        code = _UNIMPLEMENTED
    elif isinstance(error, (ValueError, TypeError, IndexError, RuntimeError, OverflowError)):
        code = _INVALID_ARGUMENT
    message = f"{type(error).__name__}: {error}".encode()
    arguments = _ErrorArguments(ctypes.sizeof(_ErrorArguments), None, message, code)
    return frame.api.contents.make_error(ctypes.byref(arguments))

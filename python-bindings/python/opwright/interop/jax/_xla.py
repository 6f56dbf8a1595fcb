"""The function that compiled programs call, registered with XLA.

`python-bindings/src/xla` reads what XLA passes. Here is what happens the first time, and when a
call fails. Calls of an operator alone and of the formula of a gradient, which are most, are
prepared: the next ones run without the interpreter.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

import jax

from ... import _C
from ._arguments import Template
from ._calls import PACKAGE, read, row_of
from ._evaluation import function_of
from ._formulas import compiled_pullback
from ._memory import write
from ._out import out_names, writing_function
from ._results import check_shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..._tensor import Tensor
    from ._calls import Call


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
    try:
        address = _C._xla_handler(_run, _minor_version())
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(address), platform="cpu")
    except Exception as error:
        raise ImportError(
            f"`jaxlib` {jax.__version__} has another interface for functions of others than "
            f"`{__package__}` knows: {error}",
            name="jaxlib",
        ) from error
    return name


def _minor_version() -> int:
    """The minor version of the interface of this jaxlib, by its header."""
    header = Path(jax.ffi.include_dir()) / "xla/ffi/api/c_api.h"
    found = re.search(r"XLA_FFI_API_MINOR (\d+)", header.read_text())
    if found is None:
        raise ValueError(f"{header} has no XLA_FFI_API_MINOR")
    return int(found[1])


def _run(text: str, out: str, inputs: list[Tensor], outputs: list[Tensor]) -> None:
    """Make a call, by the overload `out` if it has a name; `outputs` are over the memory of XLA."""
    call = _call(text)
    if out:
        writing_function(call, out)(inputs, outputs)
    else:
        for result, output in zip(function_of(call)(inputs), outputs, strict=True):
            check_shape(call.operator, result, tuple(output.shape))
            write(result, output)
    _prepare(call, out, inputs)


_call = lru_cache(maxsize=4096)(read)


def _prepare(call: Call, out: str, tensors: list[Tensor]) -> None:
    """Have the next calls run without the interpreter: those of an operator or of a graph."""
    if call.batches or call.is_random():
        return
    if call.steps:
        compiled = None if _has_complex(tensors) else compiled_pullback(call, tensors)
        if compiled is not None:
            _C._prepare_xla_function(compiled)
        return
    row = row_of(out) if out else call.row
    arguments = Template(call.arguments).places()
    if out:
        arguments |= {name: {"output": at} for at, name in enumerate(out_names(row))}
    _C._prepare_xla_call(row, arguments)


def _has_complex(tensors: list[Tensor]) -> bool:
    """Whether seeds are to be conjugated."""
    return any(it.dtype.is_complex for it in tensors)

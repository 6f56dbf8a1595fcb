"""Calls outside of compiled programs: arrays and tensors over one memory, by DLPack."""

from __future__ import annotations

from functools import cache, lru_cache

import jax
import jax.numpy as jnp
import numpy as np

from ... import _C, autograd
from ._arguments import Template
from ._evaluation import function_of
from ._memory import stored
from ._results import abstract, check_shape, flat, shaped, struct, structure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._calls import Call


def run(*arrays: Any, call: Call) -> list[Any]:
    """What a call returns for arrays.

    Those that are elsewhere than on one device of the CPU go through a compiled program.
    """
    if not all(_is_here(it) for it in arrays):
        found: list[Any] = _compiled(call)(*arrays)
        return found
    tensors = _tensors(arrays)
    results, avals = function_of(call)(tensors), abstract(call, arrays)
    for result, aval in zip(results, avals, strict=True):
        check_shape(call.operator, result, aval.shape)
    return [_array(it, aval, tensors) for it, aval in zip(results, avals, strict=True)]


def run_unknown(row: Any, text: str, arrays: Sequence[Any]) -> Any:
    """What an operator returns whose shapes are known only then, in its own form."""
    tensors = _tensors([jax.device_put(it, _home()) for it in arrays])
    with autograd.no_grad():
        returned = row(**Template(text).filled(tensors))
    results = [_array(it, struct(it), tensors) for it in flat(returned)]
    return shaped(structure(returned), results)


def _tensors(arrays: Sequence[Any]) -> list[Any]:
    # Programs that compute them may wait for the GIL, which DLPack would hold.
    jax.block_until_ready(arrays)
    return [_C.from_dlpack(it) for it in arrays]


def _is_here(array: Any) -> bool:
    return isinstance(array, jax.Array) and array.device == _home()


@cache
def _home() -> Any:
    return jax.devices("cpu")[0]


@lru_cache(maxsize=4096)
def _compiled(call: Call) -> Any:
    from ._primitive import bind

    return jax.jit(lambda *arrays: bind(call, arrays))


def _array(result: Any, aval: Any, inputs: list[Any]) -> Any:
    """A result as an array, over its memory if that is no argument's."""
    if not isinstance(result, _C.TensorBase) or result.dtype.name != np.dtype(aval.dtype).name:
        return jnp.asarray(stored(result, aval.dtype))
    tensor = result.contiguous()
    if _shares(tensor, inputs):
        tensor = _C.asarray(tensor, copy=True)
    return jax.dlpack.from_dlpack(tensor)


def _shares(tensor: Any, inputs: list[Any]) -> bool:
    own = tensor.untyped_storage().data_ptr()
    return any(it.untyped_storage().data_ptr() == own for it in inputs)

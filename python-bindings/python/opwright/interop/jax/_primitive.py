"""Operators as primitives of JAX: shapes, values, derivatives and batches of their calls."""

from __future__ import annotations

from functools import cache
from inspect import signature

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.extend.mlir import ir
from jax.interpreters import ad, batching, mlir

from . import _batching, _xla
from ._calls import PACKAGE, PULLBACK, PUSHFORWARD, Step
from ._eager import run
from ._manual_axes import aligned, axes_of, shaped_array
from ._out import writer
from ._randomness import WAY_OUT, check_may_be_drawless
from ._results import abstract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._calls import Call


def bind(call: Call, arrays: Sequence[Any]) -> list[Any]:
    """What a call returns for arrays, traced ones included, one result after the other."""
    found: list[Any] = _primitive(call.operator).bind(*aligned(arrays), call=call)
    return found


# Lowered anew each time, so that `_lowered` sees what the call is lowered into.
_HAS_CACHE = "cacheable" in signature(mlir.register_lowering).parameters
_IN_PLACE = {"cacheable": False} if _HAS_CACHE else {}


@cache
def _primitive(operator: str) -> Primitive:
    """The primitive of an overload; its derivatives and batches are other calls of it."""
    made = Primitive(f"{PACKAGE}.{operator}")
    made.multiple_results = True
    made.def_impl(run)
    made.def_abstract_eval(_abstract)
    ad.primitive_jvps[made] = _jvp
    ad.primitive_transposes[made] = _transpose
    batching.primitive_batchers[made] = _batch
    mlir.register_lowering(made, _elsewhere)
    mlir.register_lowering(made, _lowered, platform="cpu", **_IN_PLACE)
    return made


def _abstract(*avals: Any, call: Call) -> list[Any]:
    axes = axes_of(avals)
    return [shaped_array(it.shape, it.dtype, axes) for it in abstract(call, avals)]


def _lowered(context: Any, *operands: Any, call: Call) -> Any:
    _check_place(call)
    lowering = jax.ffi.ffi_lowering(_xla.register(), has_side_effect=call.is_random())
    out = writer(call, context.avals_in, context.avals_out)
    return lowering(context, *operands, call=call.text(), out=out)


# What computes elements by a function that XLA compiles with them, and no call can be a part of.
_OF_ELEMENTS = {
    f"stablehlo.{it}"
    for it in ("map", "reduce", "reduce_window", "scatter", "select_and_scatter", "sort")
}


def _check_place(call: Call) -> None:
    """See that XLA can call from here; it ends the process where it cannot."""
    around = ir.InsertionPoint.current.block.owner.operation.name
    if around in _OF_ELEMENTS:
        raise NotImplementedError(
            f"{call.operator}() cannot be called for each element by `{around}`; call an operator "
            "for whole arrays there, or a function of JAX"
        )


def _elsewhere(context: Any, *_: Any, call: Call) -> Any:
    platforms = ", ".join(context.module_context.platforms)
    raise NotImplementedError(
        f"{call.operator}(): {PACKAGE} computes on the CPU, and this is compiled for {platforms}; "
        '`jax.default_device(jax.devices("cpu")[0])` compiles for the CPU'
    )


# --- derivatives --------------------------------------------------------------


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, call: Call) -> tuple[Any, Any]:
    outputs = bind(call, primals)
    pushed = [ad.Zero(jax.typeof(it).to_tangent_aval()) for it in outputs]
    step = Step(
        PUSHFORWARD,
        tuple(at for at, it in enumerate(tangents) if not isinstance(it, ad.Zero)),
        tuple(at for at, it in enumerate(outputs) if jnp.issubdtype(it.dtype, jnp.inexact)),
    )
    if step.inputs and step.outputs:
        _check_differentiable(call)
        given = [tangents[at] for at in step.inputs]
        found = bind(call.then(step), [*primals, *given])
        for at, tangent in zip(step.outputs, found, strict=True):
            pushed[at] = tangent
    return outputs, pushed


def _check_differentiable(call: Call) -> None:
    if call.row.gradient in ("none", "not implemented"):
        raise NotImplementedError(f"{call.operator}() has no gradient; {WAY_OUT}")
    check_may_be_drawless(call)


def _transpose(cotangents: Sequence[Any], *args: Any, call: Call) -> list[Any]:
    step = call.steps[-1] if call.steps else None
    linear = [ad.is_undefined_primal(it) for it in args]
    count = len(args) - (0 if step is None else _linear_count(step))
    if step is None or any(linear[:count]) or not all(linear[count:]):
        raise NotImplementedError(f"{call.operator}() is not linear in what it is transposed by")
    given = [ad.instantiate_zeros(it) for it in cotangents]
    transposed = call.before().then(step.transposed())
    return [*[None] * count, *bind(transposed, [*args[:count], *given])]


def _linear_count(step: Step) -> int:
    return len(step.outputs if step.kind == PULLBACK else step.inputs)


# --- batches ------------------------------------------------------------------


def _batch(args: Sequence[Any], dims: Sequence[Any], *, call: Call) -> tuple[list[Any], list[int]]:
    found = _batching.batched(call, args, dims, bind)
    return found, [0] * len(found)

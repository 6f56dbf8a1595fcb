"""Functions of JAX, made of operators."""

from __future__ import annotations

import inspect

import jax

from ... import _C
from ._arguments import has_number_for_tensor, split, widened
from ._calls import PACKAGE, Call
from ._eager import run_unknown
from ._primitive import bind
from ._results import UnknownShapesError, inferred, returned_types, shaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_RESULTS = {"Tensor", "bool", "int", "float", "SymInt", "SymBool"}


def wrap(operator: Any) -> Callable[..., Any]:
    """A function of arrays of JAX that runs an operator of this module.

    `operator` is an overload, `ops.softplus.default`, or an operator with all of them, `ops.add`:
    each call then takes the first that fits it, in the order of their declaration, of those that
    write to no argument; one that has a number where a number is passed goes first. The parameters
    are those of the schema, by position or by name. Tensors are arrays and are traced; everything
    else is static, as numbers, text, dtypes, and lists of them.

    The function returns an array, or a tuple of them where the schema has several results. Numbers
    are arrays without dimensions. Shapes and dtypes are those of the operator's Meta kernel, or of
    the `types` that its entry declares; without these, it is called only where JAX traces nothing.
    What has 64 bits has 32 unless `jax_enable_x64` is set, as with functions of JAX.

    It works under `jax.jit`, `jax.grad`, `jax.jvp`, `jax.vmap` and whatever else JAX makes of
    functions, on the CPU. Gradients are those of the operator.

        >>> softplus = opwright.interop.jax.wrap(opwright.ops.softplus.default)
        >>> jax.grad(softplus)(0.0)
        Array(0.5, dtype=float32, weak_type=True)

    Raises:
        TypeError: It is no operator of this module, or writes to its arguments, or returns what is
            neither an array nor a number.
    """
    rows = _rows(operator)
    refused = {row.name: why for row in rows if (why := _refusal(row)) is not None}
    taken = [row for row in rows if row.name not in refused]
    if not taken:
        raise TypeError("; ".join(f"{name}() {why}" for name, why in refused.items()))

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return _called(taken, args, kwargs)

    name = rows[0].name if len(rows) == 1 else operator.name
    wrapped.__name__ = wrapped.__qualname__ = name
    wrapped.__doc__ = "An operator in JAX:\n\n" + "\n".join(f"    {it.schema}" for it in taken)
    if len(taken) == 1:
        wrapped.__signature__ = _untyped(taken[0].__signature__)  # type: ignore[attr-defined]
    return wrapped


def _rows(operator: Any) -> list[Any]:
    if isinstance(operator, _C.ops.Overload):
        return [operator]
    if isinstance(operator, _C.ops.Operator):
        return [getattr(operator, it) for it in operator.overloads]
    name = getattr(operator, "__name__", "")
    hint = f"`{PACKAGE}.ops.{name}`" if hasattr(_C.ops, name) else f"one of `{PACKAGE}.ops`"
    raise TypeError(
        f"wrap(): argument `operator` must be an operator of {PACKAGE}, such as {hint}, not "
        f"`{operator!r}`"
    )


def _refusal(row: Any) -> str | None:
    """Why there is no function of JAX for an overload."""
    if row.mutates:
        return "writes to an argument, and arrays of JAX are immutable; wrap one that does not"
    types = returned_types(row)
    strange = [it for it in types if it.partition("[")[0] not in _RESULTS]
    if strange or not types:
        what = f"`{strange[0]}`" if strange else "nothing"
        return f"returns {what}, which is no array"
    return None


def _untyped(signature: inspect.Signature) -> inspect.Signature:
    """A signature without the types of the schema, which are not those of JAX."""
    parameters = [
        it.replace(annotation=inspect.Parameter.empty) for it in signature.parameters.values()
    ]
    return signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)


def _called(rows: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(rows) == 1:
        return _prepared(rows[0], args, kwargs)()
    reasons = []
    for row in sorted(rows, key=lambda it: has_number_for_tensor(it, args, kwargs)):
        try:
            run = _prepared(row, args, kwargs)
        except (TypeError, NotImplementedError) as error:
            reasons.append(f"    {row.schema}: {error}")
            continue
        return run()
    raise TypeError("no overload takes these arguments:\n" + "\n".join(reasons))


def _prepared(row: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[], Any]:
    """A call of an overload that takes the arguments."""
    arrays, text = split(row, args, kwargs)
    try:
        call, form = _inferred(row, arrays, text)
    except UnknownShapesError:
        if any(isinstance(it, jax.core.Tracer) for it in arrays):
            raise
        results = run_unknown(row, text, arrays)
        return lambda: results
    return lambda: shaped(form, bind(call, arrays))


def _inferred(row: Any, arrays: Sequence[Any], text: str) -> tuple[Call, Any]:
    """A call, and the form of its results.

    JAX has no int64 by default, which some operators want of indices; int32 does for it then.
    """
    call = Call(row.name, text)
    try:
        return call, inferred(call, arrays)[0]
    except Exception:
        narrow = [at for at, it in enumerate(arrays) if it.dtype.name == "int32"]
        if not narrow or jax.config.jax_enable_x64:
            raise
        wide = Call(row.name, widened(text, narrow))
        try:
            return wide, inferred(wide, arrays)[0]
        except Exception:  # that of the arguments as they were passed is raised
            pass
        raise

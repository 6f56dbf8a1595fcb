"""Results of operators: their shapes and dtypes before they run, and how they are put together."""

from __future__ import annotations

from functools import cache, lru_cache

import jax
import numpy as np

from ... import _C
from ..._tensor import Tensor
from ._arguments import Template
from ._calls import PUSHFORWARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._calls import Call

    _Shapes = Sequence[tuple[tuple[int, ...], str]]


class UnknownShapesError(TypeError):
    """The shapes of results are not known before there are elements."""


# What numbers among results become.
_NUMBERS = {"bool": "bool", "int": "int64", "float": "float64"}
_NUMBERS |= {"SymInt": "int64", "SymBool": "bool"}


def flat(returned: Any) -> list[Any]:
    """The results of a call one after the other."""
    if isinstance(returned, tuple | list) and not isinstance(returned, _C._SizeBase):
        return [part for it in returned for part in flat(it)]
    return [returned]


def structure(returned: Any) -> Any:
    """Results as tuples of numbers, those of `flat`."""
    count = iter(range(len(flat(returned))))

    def numbered(value: Any) -> Any:
        if isinstance(value, tuple | list) and not isinstance(value, _C._SizeBase):
            return tuple(numbered(it) for it in value)
        return next(count)

    return numbered(returned)


def shaped(form: Any, results: Sequence[Any]) -> Any:
    """Results in the form that `structure` found."""
    if isinstance(form, tuple):
        return tuple(shaped(it, results) for it in form)
    return results[form]


@cache
def returned_types(row: Any) -> tuple[str, ...]:
    """The types of the results that a schema names, without names."""
    text = row.schema.rpartition(" -> ")[2].strip()
    parts = text[1:-1].split(",") if text.startswith("(") else [text]
    return tuple(it.split()[0].partition("(")[0] for it in parts if it.strip())


def inferred(call: Call, inputs: Sequence[Any]) -> tuple[Any, list[jax.ShapeDtypeStruct]]:
    """The form of the results of an operator, and their shapes and dtypes.

    Its Meta kernel says them, or what its entry declares as `types`.

    Raises:
        UnknownShapesError: Neither does; whatever the operator raises.
    """
    if not all(isinstance(size, int) for it in inputs for size in it.shape):
        raise TypeError(f"{call.operator}(): shapes must be numbers, and not symbols as here")
    shapes = tuple((tuple(it.shape), np.dtype(it.dtype).name) for it in inputs)
    return _inferred(call, shapes, jax.config.jax_enable_x64)


@lru_cache(maxsize=4096)
def _inferred(call: Call, shapes: _Shapes, _: bool) -> tuple[Any, list[jax.ShapeDtypeStruct]]:
    types = returned_types(call.row)
    if all(it in _NUMBERS for it in types):
        form = 0 if len(types) == 1 else tuple(range(len(types)))
        dtypes = [_canonical(np.dtype(_NUMBERS[it])) for it in types]
        return form, [jax.ShapeDtypeStruct((), it) for it in dtypes]
    returned = _returned(call, shapes)
    return structure(returned), [struct(it) for it in flat(returned)]


def raw_dtypes(call: Call, inputs: Sequence[Any]) -> list[str]:
    """The dtypes of the tensors that an operator returns, those of 64 bits included."""
    shapes = tuple((tuple(it.shape), np.dtype(it.dtype).name) for it in inputs)
    return [str(it.dtype.name) for it in flat(_returned(call, shapes))]


def _returned(call: Call, shapes: _Shapes) -> Any:
    """What an operator returns for such tensors, without elements."""
    is_dynamic = bool({"dynamic_output_shape", "data_dependent_output"} & set(call.row.tags))
    template = Template(call.arguments)
    try:
        return call.row(**template.filled([on_meta(*it) for it in shapes]))
    except RuntimeError as error:
        is_absent = isinstance(error, NotImplementedError)
        if not is_dynamic and not is_absent:
            raise
        declared = _declared(call.row, template, shapes)
        if declared is not None:
            return declared
        raise UnknownShapesError(_unknown(call, is_dynamic, error)) from None


def _unknown(call: Call, is_dynamic: bool, error: Exception) -> str:
    known = "not known without elements" if is_dynamic else "not known without a Meta kernel"
    way_out = "" if is_dynamic else "write one with `key = Meta`, or declare `types`, or "
    return (
        f"{call.operator}(): the shapes of its results are {known}, and JAX asks for them before "
        f"it is run; {way_out}call it where JAX traces nothing ({error})"
    )


def _declared(row: Any, template: Template, shapes: _Shapes) -> Any:
    """Results of the types that an entry declares, without elements; None if these are open."""
    try:
        returned = row(**template.filled([variable(*it) for it in shapes]))
        types = [it.type for it in flat(returned)]
        metas = [on_meta(tuple(it.shape), it.dtype.name) for it in types]
    except (AttributeError, RuntimeError, TypeError, ValueError):
        return None
    return shaped(structure(returned), metas)


def variable(shape: tuple[int, ...], dtype: str) -> Any:
    """A variable of a graph."""
    from ...types import TensorType

    return TensorType(dtype, shape)()


def check_shape(operator: str, result: Any, shape: tuple[int, ...]) -> None:
    """See that a result has the shape that JAX was told, and keeps memory for.

    Raises:
        RuntimeError: It has another one.
    """
    found = tuple(result.shape) if isinstance(result, _C.TensorBase) else np.shape(result)
    if found != shape:
        raise RuntimeError(
            f"{operator}() returned a tensor of shape {found}, and its Meta kernel or its `types` "
            f"had said {shape}"
        )


def on_meta(shape: tuple[int, ...], dtype: str) -> Tensor:
    """A tensor without elements."""
    made: Tensor = _C._rebuild(Tensor, None, getattr(_C, dtype), shape)
    return made


def struct(value: Any) -> jax.ShapeDtypeStruct:
    """The shape and dtype that a result has in JAX."""
    if isinstance(value, _C.TensorBase):
        dtype = _canonical(jax.numpy.dtype(value.dtype.name))
        return jax.ShapeDtypeStruct(tuple(value.shape), dtype)
    return jax.ShapeDtypeStruct((), _canonical(np.asarray(value).dtype))


def _canonical(dtype: Any) -> Any:
    """The dtype that JAX has in the place of one of 64 bits."""
    return jax.dtypes.canonicalize_dtype(dtype)


def abstract(call: Call, inputs: Sequence[Any]) -> list[Any]:
    """Shapes and dtypes of what a call returns for such inputs."""
    if call.steps:
        step, before = call.steps[-1], call.before()
        if step.kind == PUSHFORWARD:
            outputs = abstract(before, inputs[: len(inputs) - len(step.inputs)])
            return [outputs[at] for at in step.outputs]
        return [inputs[at] for at in step.inputs]
    sizes: list[int] = []
    samples = list(inputs)
    for mask in reversed(call.batches):
        sizes.append(next(it.shape[0] for it, is_in in zip(samples, mask, strict=True) if is_in))
        samples = [
            jax.ShapeDtypeStruct(it.shape[1:], it.dtype) if is_in else it
            for it, is_in in zip(samples, mask, strict=True)
        ]
    return [
        jax.ShapeDtypeStruct((*sizes, *it.shape), it.dtype) for it in inferred(call, samples)[1]
    ]

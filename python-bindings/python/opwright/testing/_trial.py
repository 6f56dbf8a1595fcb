"""One call of an operator, with what was passed and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from opwright.testing import _elements, _samples
from opwright.testing._operator import Operator
from opwright.testing._samples import Sample
from opwright.testing._schema import Schema, Slot


@dataclass(frozen=True, eq=False)
class State:
    """What a tensor is at a moment."""

    shape: tuple[int, ...]
    dtype: Any
    values: np.ndarray[Any, Any]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.shape == other.shape
            and self.dtype == other.dtype
            and np.array_equal(self.values, other.values, equal_nan=self.values.dtype.kind in "fc")
        )


@dataclass
class Trial:
    """A call that succeeded."""

    operator: Operator
    sample: Sample
    schema: Schema
    # Each parameter's value, in the order of the schema, as far as one was passed.
    passed: dict[str, Any]
    before: dict[str, list[State]]
    result: Any

    def tensors(self, slot: Slot) -> list[Any]:
        """The tensors that were passed for a parameter."""
        return tensors(self.passed.get(slot.name))

    @property
    def results(self) -> list[Any]:
        """What was returned for each of the schema's results."""
        count = len(self.schema.results)
        if count == 1:
            return [self.result]
        return list(self.result) if count else []

    def state(self, tensor: Any) -> State:
        """What a tensor is now."""
        return state(self.operator, tensor)

    def again(self, sample: Sample | None = None, **kwargs: Any) -> Any:
        """The result of the call made again, of a changed one, or with further keywords."""
        return _samples.run(self.operator, sample or self.sample, **kwargs)


def attempt(operator: Operator, sample: Sample) -> Trial | None:
    """Makes a call and keeps what there is to know about it."""
    schema = sample.overload.base
    if schema is None:
        return None
    args, kwargs = _samples.arguments(operator, sample)
    names = list(sample.overload.signature.parameters)
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    # The schema's `self` has other names in Python; it comes first in both.
    passed = {_schema_name(schema, names, name): it for name, it in given.items()}
    before = {
        name: [state(operator, it) for it in tensors(value)] for name, value in passed.items()
    }
    result = operator.function(*args, **kwargs)
    return Trial(operator, sample, schema, passed, before, result)


def _schema_name(schema: Schema, names: list[str], name: str) -> str:
    known = {it.name for it in schema.params}
    if name in known:
        return name
    return "self" if "self" in known and name == names[0] else name.removesuffix("_")


def state(operator: Operator, tensor: Any) -> State:
    """What a tensor is now."""
    values = _elements.array(operator.native, tensor)
    return State(tuple(tensor.shape), tensor.dtype, values)


def tensors(value: Any) -> list[Any]:
    """The tensors in an argument or a result."""
    return list(_walk(value))


def _walk(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for element in value:
            yield from _walk(element)
    elif hasattr(value, "untyped_storage"):
        yield value

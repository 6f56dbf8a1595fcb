"""Calls of an operator, made from what its signatures accept, to observe what comes of them."""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import Parameter, Signature
from types import ModuleType
from typing import Any

import numpy as np
from opwright.testing import _documented
from opwright.testing._elements import Elements, of
from opwright.testing._operator import Operator, Overload

# What an operator may raise when it is called with what it does not take.
REFUSALS = (TypeError, ValueError, IndexError, RuntimeError, OverflowError)

Change = Callable[[Elements], Elements]

# Positional arguments and keywords.
Call = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class Sample:
    """Arguments of a call; tensors and generators are made when it is made."""

    overload: Overload
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    kind: str

    def __str__(self) -> str:
        named = [f"{name}={value!r}" for name, value in self.kwargs.items()]
        return f"({', '.join([*map(repr, self.args), *named])})"

    def changed(self, kind: str, change: Change) -> Sample:
        """The same call with other tensors."""
        args = tuple(_mapped(it, change) for it in self.args)
        kwargs = {name: _mapped(it, change) for name, it in self.kwargs.items()}
        return Sample(self.overload, args, kwargs, kind)

    def elements(self) -> list[Elements]:
        """All tensors, in the order of the parameters."""
        found: list[Elements] = []

        def note(it: Elements) -> Elements:
            found.append(it)
            return it

        self.changed(self.kind, note)
        return found

    def stand_ins(self) -> int:
        """How many numbers stand in the place of tensors."""
        parameters = self.overload.signature.parameters
        given = [*zip(parameters, self.args, strict=False), *self.kwargs.items()]
        return sum(
            isinstance(value, (int, float, complex))
            and name in parameters
            and "Tensor" in str(parameters[name].annotation).split("|")
            for name, value in given
        )


@dataclass(frozen=True)
class Recipe:
    """What else is made anew for each call."""

    text: str
    make: Callable[[ModuleType], Any]

    def __repr__(self) -> str:
        return self.text


def _mapped(value: Any, change: Change) -> Any:
    if isinstance(value, Elements):
        return change(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_mapped(it, change) for it in value)
    return value


def made(native: ModuleType, value: Any) -> Any:
    """An argument as it is passed."""
    if isinstance(value, Elements):
        return value.tensor(native)
    if isinstance(value, Recipe):
        return value.make(native)
    if isinstance(value, (list, tuple)):
        return type(value)(made(native, it) for it in value)
    return value


def arguments(operator: Operator, sample: Sample) -> tuple[list[Any], dict[str, Any]]:
    """New arguments; random numbers start anew."""
    native = operator.native
    native.default_generator.manual_seed(1)
    args = [made(native, it) for it in sample.args]
    return args, {name: made(native, it) for name, it in sample.kwargs.items()}


def run(operator: Operator, sample: Sample) -> Any:
    """Makes the call."""
    args, kwargs = arguments(operator, sample)
    return operator.function(*args, **kwargs)


def seeds(operator: Operator, overload: Overload) -> Iterator[Sample]:
    """Calls that the operator takes, found by trying; the first leave out what has a default.

    Where none is found, those of the documentation are.
    """
    ways = (
        _guesses(operator, overload),
        _guesses(operator, overload, of_images=True),
        _documented_calls(operator, overload),
    )
    for way in ways:
        found = False
        for sample in accepted(operator, way):
            found = True
            yield sample
        if found:
            return


def _documented_calls(operator: Operator, overload: Overload) -> Iterator[Sample]:
    for args, kwargs in _documented.calls(operator):
        try:
            given = overload.signature.bind(*args, **kwargs).arguments
        except TypeError:
            continue
        parameters = overload.signature.parameters
        # Another overload may have as many parameters.
        if all(
            (parameters[it].annotation == "Tensor") <= isinstance(given[it], Elements)
            for it in given
        ):
            yield Sample(overload, args, kwargs, "small")


def accepted(operator: Operator, calls: Iterator[Sample]) -> Iterator[Sample]:
    """Those of the calls that the operator takes."""
    for sample in calls:
        try:
            run(operator, sample)
        except REFUSALS:
            continue
        yield sample


def cast(seed: Sample, dtype: str) -> Sample:
    """The call with another dtype for the first tensor and those that are like it."""
    first = seed.elements()[0].dtype
    return seed.changed(dtype, functools.partial(_cast, first, dtype))


def _cast(from_: str, to: str, elements: Elements) -> Elements:
    return elements.cast(to) if elements.dtype == from_ else elements


def _guesses(
    operator: Operator, overload: Overload, *, of_images: bool = False
) -> Iterator[Sample]:
    native, signature = operator.native, overload.signature
    calls = guesses(native, signature, overload.text, 6000, of_images=of_images)
    return (Sample(overload, args, kwargs, "small") for args, kwargs in calls)


def guesses(
    native: ModuleType, signature: Signature, seed: str, count: int, *, of_images: bool = False
) -> Iterator[Call]:
    """Calls that fit a signature by type; the first ones leave out what has a default.

    With `of_images` tensors are images and volumes, and numbers are for their dimensions.
    """
    source = random.Random(seed)
    tables = {
        name: _candidates(native, it.annotation)
        for name, it in signature.parameters.items()
        if name != "out"
    }
    if not all(tables.values()):
        return
    if of_images:
        tables = {
            name: _IMAGES if it[0] is _MATRIX else _LATTICES if it[0] == [2, 2] else it
            for name, it in tables.items()
        }
    yield from _drawn(source, signature, tables, count)


def _drawn(
    source: random.Random, signature: Signature, tables: dict[str, list[Any]], count: int
) -> Iterator[Call]:
    for attempt in range(count):
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for at, (name, values) in enumerate(tables.items()):
            parameter = signature.parameters[name]
            if parameter.default is not Parameter.empty and source.random() > attempt / count:
                continue
            # Small numbers first: they are likelier to fit.
            value = values[min(int(source.expovariate(3 / len(values))), len(values) - 1)]
            if parameter.kind is Parameter.KEYWORD_ONLY or len(args) < at:
                kwargs[_keyword(name)] = value
            else:
                args.append(value)
        yield tuple(args), kwargs


def _keyword(name: str) -> str:
    """A parameter's name, which may be a keyword of Python, without what tells it apart."""
    return name.removesuffix("_") if name in {"from_", "lambda_", "in_", "is_", "not_"} else name


_MATRIX = of([[4.0, 1.0], [1.0, 3.0]], "float32")

# Those that many operators take, the likeliest first.
TENSORS = [
    _MATRIX,
    of([0.5, 0.25], "float32"),
    of([1, 0], "int64"),
    of([[1, 0], [0, 1]], "int64"),
    of([[True, False], [True, True]], "bool"),
    of(0.5, "float32"),
    of(1, "int64"),
    of([[[4.0, 1.0], [1.0, 3.0]]], "float32"),
    of(np.ones((1, 1, 2, 2)), "float32"),
    of([[1 + 2j, 0j], [0j, 1 - 1j]], "complex64"),
    of([1, 2], "uint8"),
    of(np.ones((1, 2, 3)), "float32"),
    of([True, False], "bool"),
    of(np.ones((2, 2, 2)), "float32"),
    of(np.ones(3), "float32"),
    of(np.ones((2, 2)), "float64"),
    of(np.zeros((1, 2, 2)), "int64"),
]


# Those that convolutions take, and numbers for their dimensions.
_SHAPES = [(1, 1, 2, 2, 2), (1, 1, 2, 2), (1, 1, 1, 1, 3)]
_IMAGES = [*(of(np.ones(it), "float32") for it in _SHAPES), None]
_LATTICES = [[1], [1, 1], [0], [1, 1, 1], [0] * 6]


def _generator(native: ModuleType) -> Any:
    generator = native.Generator()
    generator.manual_seed(1)
    return generator


_VALUES: dict[str, list[Any]] = {
    "Tensor": TENSORS,
    "Number": [1, 0.5, 2, 0, True, 2j],
    "int": [0, 1, 2, -1],
    "bool": [True, False],
    "float": [0.5, 1.0, 2],
    "reduction": ["mean", "none", "sum", 1],
    "str": ["mean", "add", "L", "reduced", "sum", "floor", "fro", "linear", "ij->ij", "ij"],
    "device": ["cpu"],
    "Generator": [Recipe("Generator()", _generator)],
    "object": [_MATRIX, 1, [0], Recipe("ones(2)", lambda _: np.ones(2))],
    "Storage": [Recipe("UntypedStorage()", lambda it: _MATRIX.tensor(it).untyped_storage())],
    "tuple[Tensor]": [[_MATRIX, _MATRIX], (_MATRIX,), [of([1, 0], "int64")]],
    "tuple[Tensor|None]": [[of([1, 0], "int64")], [None, of([0], "int64")]],
    "tuple[int]": [[2, 2], [0], (1,), [0, 1], [1, 1], [4], [1, 1, 1, 1], []],
    "tuple[float]": [[1.0, 0.5], (1.0,)],
    "tuple[bool]": [[True], [True, False]],
    "tuple[Number]": [[1, 0.5]],
    "None": [None],
}


def _candidates(native: ModuleType, annotation: Any) -> list[Any]:
    """Values of a parameter's type, the likeliest first; the names are those of messages."""
    if annotation is Parameter.empty:
        return TENSORS
    named = {
        "dtype": [native.float32, native.int64, float],
        "layout": [native.strided],
        "memory_format": [native.contiguous_format, native.preserve_format],
        "type": [native.TensorBase, native.float32],
    }
    # Not at the bar within brackets.
    lists = [(_VALUES | named).get(it, []) for it in re.split(r"\|(?![^\[]*\])", annotation)]
    gap = object()
    turns = itertools.zip_longest(*lists, fillvalue=gap)
    return [it for turn in turns for it in turn if it is not gap]

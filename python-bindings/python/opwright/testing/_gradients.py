"""Gradients of operators, compared with differences."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Collection, Iterator
from types import ModuleType
from typing import Any

from opwright import _C
from opwright.testing import _checks, _slopes
from opwright.testing._operator import Operator, Overload
from opwright.testing._schema import Schema

# The checks, in the order in which they are made.
CHECKS = ("gradcheck", "gradgradcheck")

# Matrices have as many entries as inputs and outputs have elements together.
_MOST_ELEMENTS = 64

# Where elements are looked for, far from the places where functions have no derivative: between
# zero and one; beside those of the sample; above one.
_PLACES: list[Callable[[float, float], float]] = [
    lambda _, by: 0.15 + 0.7 * by,
    lambda given, by: given + 0.05 + 0.1 * by,
    lambda _, by: 1.2 + by,
]

# What a call raises that is not possible there; other modules may lack methods of tensors.
_REFUSALS = (TypeError, ValueError, IndexError, RuntimeError, OverflowError, AttributeError)

# More tensors of integers than these are not tried as others.
_MOST_TENSORS = 4

Made = dict[str, Any]

# A tensor among arguments: its parameter, and its number if that is a list.
_Key = tuple[str, int]


def trial(operator: Operator, overload: Overload, make: Callable[[], Made]) -> Trial | None:
    """The call at a place where it has derivatives; nothing if it has none."""
    if overload.base is None or not hasattr(operator.native, "ops"):
        return None
    row = _checks.row(operator.native, overload.base)
    if row.gradient not in {"formula", "composed"}:
        return None
    for chosen in _choices(make()):
        for place in _PLACES:
            found = Trial(operator, overload, make, chosen, place)
            if found.has_gradients():
                return found
    return None


def lost(operator: Operator, overload: Overload, make: Callable[[], Made]) -> str | None:
    """The input that a composite call depends on without a gradient; nothing if there is none."""
    if overload.base is None or not hasattr(operator.native, "ops"):
        return None
    if _checks.row(operator.native, overload.base).gradient != "composed":
        return None
    for chosen in _choices(make()):
        found = Trial(operator, overload, make, chosen, _PLACES[0])
        if found.writes:
            return None
        try:
            return next(found.lost(), None)
        except _REFUSALS:
            continue
    return None


def problems(trial: Trial, skip: Collection[str]) -> Iterator[tuple[str, str]]:
    """The check and the text of each thing that does not hold of the gradients of a call."""
    own = trial.native is _C
    checks: list[Callable[[Trial], None]] = [_first, _second] if own else [_plain, _plain_second]
    for name, check in zip(CHECKS, checks, strict=True):
        if name in skip:
            continue
        try:
            check(trial)
        except Exception as error:
            lacks_operators = not getattr(trial.native, "_adds_by_operators", True)
            if lacks_operators and isinstance(error, NotImplementedError):
                continue
            yield name, f"{type(error).__name__}: {error}"


def _first(trial: Trial) -> None:
    from opwright.autograd.gradcheck import gradcheck

    gradcheck(trial, tuple(trial.leaves))


def _second(trial: Trial) -> None:
    from opwright.autograd.gradcheck import gradgradcheck

    gradgradcheck(trial, tuple(trial.leaves))


def _plain(trial: Trial) -> None:
    _slopes.check(trial.native, trial, trial.leaves)


def _plain_second(trial: Trial) -> None:
    native, leaves = trial.native, trial.leaves
    given = [*leaves, *_slopes.seeds(native, trial, leaves)]
    _slopes.check(native, _slopes.gradients_of(native, trial, len(leaves)), given)


def _choices(given: Made) -> Iterator[set[_Key]]:
    """Tensors of a call that may have gradients: those that are no integers.

    If all are, then some of them, as many as possible; the others may be indices.
    """
    keys: dict[_Key, Any] = {}
    for name, value in given.items():
        keys.update(((name, at), it) for at, it in enumerate(_checks.tensors(value)))
    chosen = {key for key, it in keys.items() if not _is_whole(it)}
    if chosen:
        yield chosen
    elif len(keys) <= _MOST_TENSORS:
        for count in range(len(keys), 0, -1):
            yield from map(set, itertools.combinations(keys, count))


class Trial:
    """A call as a function of those of its tensors that have gradients."""

    def __init__(
        self,
        operator: Operator,
        overload: Overload,
        make: Callable[[], Made],
        chosen: set[_Key],
        place: Callable[[float, float], float],
    ) -> None:
        self.native = operator.native
        self._operator, self._overload, self._make = operator, overload, make
        assert overload.base is not None
        self._written = {it.name for it in overload.base.params if it.writes}
        source = random.Random(overload.base.name)
        self._inputs: dict[_Key, Any] = {}
        for name, value in make().items():
            for at, tensor in enumerate(_checks.tensors(value)):
                if (name, at) in chosen:
                    moved = _moved(operator.native, tensor, place, source)
                    self._inputs[name, at] = moved
        self._learnt: list[_Key] = []

    @property
    def leaves(self) -> list[Any]:
        """The inputs that have gradients."""
        return [self._inputs[it] for it in self._learnt]

    def has_gradients(self) -> bool:
        """Whether the call is possible there, and finite, and some of its inputs have gradients."""
        if not self._inputs:
            return False
        try:
            self()
            self._learnt = [it for it in self._inputs if self._reaches(it)]
            outputs = self(*self.leaves)
        except _REFUSALS:
            return False
        tensors = [*outputs, *self.leaves]
        if self.native is not _C and any(it.dtype.is_complex for it in tensors):
            return False
        elements = [number for it in tensors for number in numbers(it)]
        is_finite = all(abs(it) < 1e6 for it in elements)
        return bool(self._learnt) and is_finite and len(elements) <= _MOST_ELEMENTS

    def lost(self) -> Iterator[str]:
        """Inputs that results depend on, though none requires gradients if one of these does."""
        for key, tensor in self._inputs.items():
            self._learnt = []
            before = [numbers(it) for it in self()]
            if not before or self._reaches(key):
                tensor.requires_grad_(False)
                continue
            self._learnt = []
            self._inputs[key] = self.native.tensor(
                [it + 0.01 for it in numbers(tensor)], dtype=tensor.dtype
            ).reshape(tensor.shape)
            after = [numbers(it) for it in self()]
            self._inputs[key] = tensor
            if after != before:
                yield key[0]

    def _reaches(self, key: _Key) -> bool:
        """Whether results require gradients if this input alone does."""
        tensor = self._inputs[key]
        self._learnt = [key]
        tensor.requires_grad_()
        reaches = any(it.requires_grad for it in self(tensor))
        if not reaches:
            tensor.requires_grad_(False)
        return reaches

    @property
    def schema(self) -> Schema:
        """What is called."""
        assert self._overload.base is not None
        return self._overload.base

    @property
    def writes(self) -> bool:
        """Whether the call writes to an argument."""
        return bool(self._written)

    def arguments(self, *learnt: Any) -> Made:
        """What it is called with, with others in the place of those that have gradients."""
        given = self._make()
        changed = zip(self._learnt, learnt, strict=True) if learnt else ()
        values = {**self._inputs, **dict(changed)}
        return {name: self._replaced(name, value, values) for name, value in given.items()}

    def __call__(self, *learnt: Any) -> tuple[Any, ...]:
        given = self.arguments(*learnt)
        call = _checks.bound(self._overload, given)
        assert call is not None, "it was possible before"
        result = _checks.run(self._operator, call)
        found = _checks.tensors(result)
        return tuple(it for it in found if not _is_whole(it))

    def _replaced(self, name: str, value: Any, values: dict[_Key, Any]) -> Any:
        """An argument with the tensors that take its place."""
        count = 0

        def replaced(value: Any) -> Any:
            nonlocal count
            if isinstance(value, (list, tuple)):
                return type(value)([replaced(it) for it in value])
            if isinstance(value, self.native.dtype):
                return _double(self.native, value)
            if not hasattr(value, "untyped_storage"):
                return value
            found = values.get((name, count), value)
            count += 1
            # A leaf is not written to.
            return found.clone() if name in self._written else found

        return replaced(value)


def _double(native: ModuleType, dtype: Any) -> Any:
    """The dtype of double precision of the same kind; integers stay."""
    if dtype.is_complex:
        return native.complex128
    return native.float64 if dtype.is_floating_point else dtype


def _moved(
    native: ModuleType,
    tensor: Any,
    place: Callable[[float, float], float],
    source: random.Random,
) -> Any:
    """A tensor of double precision with elements at another place."""
    is_complex = tensor.dtype.is_complex

    def move(value: Any) -> Any:
        if isinstance(value, list):
            return [move(it) for it in value]
        if is_complex:
            return complex(place(value.real, source.random()), place(value.imag, source.random()))
        return place(value, source.random())

    dtype = native.complex128 if is_complex else native.float64
    moved = native.tensor(move(tensor.tolist()), dtype=dtype)
    return moved if moved.shape == tensor.shape else moved.reshape(tensor.shape)


def _is_whole(tensor: Any) -> bool:
    return not (tensor.dtype.is_floating_point or tensor.dtype.is_complex)


def numbers(tensor: Any) -> list[complex]:
    """The elements of a tensor."""

    def flat(value: Any) -> Iterator[complex]:
        if isinstance(value, list):
            for it in value:
                yield from flat(it)
        else:
            yield value

    return list(flat(tensor.data.tolist()))

"""Calls of operators in PyTorch, made from the samples of `opwright.testing`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import opwright
import pytest
import torch
from opwright.interop.torch import _schema, _values
from opwright.testing import _operator, _samples
from opwright.testing._elements import Elements

ELEMENTS = torch.tensor([[0.3, 0.6, 0.2], [0.9, 0.1, 0.4]], dtype=torch.float64)


def refusal(call: Any, *args: Any, **kwargs: Any) -> str:
    """The message of the error that a call is."""
    with pytest.raises((TypeError, RuntimeError, ValueError)) as caught:
        call(*args, **kwargs)
    return str(caught.value)


@dataclass(frozen=True)
class TorchCall:
    """An operator of `torch.ops.opwright`, our overload, and arguments that it takes."""

    row: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def op(self) -> Any:
        """The operator in PyTorch."""
        return overload("opwright", self.row.name)

    def differentiable(self) -> TorchCall:
        """The same call, of tensors that require gradients."""
        kwargs = {name: _leaf(it) for name, it in self.kwargs.items()}
        return TorchCall(self.row, tuple(map(_leaf, self.args)), kwargs)


def overload(namespace: str, name: str) -> Any:
    """An overload in PyTorch: `add.Tensor`, `relu`."""
    base, _, of = name.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), base), of or "default")


def calls(wanted: Callable[[Any], bool]) -> Iterator[TorchCall]:
    """A call of each of the wanted overloads for which one is found."""
    seen = set()
    for operator in _operator.operators(opwright):
        if operator.function is None or operator.name.startswith(_operator.FUNCTIONAL):
            continue
        for each in operator.overloads:
            if each.base is None or each.base.name in seen:
                continue
            seen.add(each.base.name)
            found = _call(operator, each) if wanted(_row(each.base.name)) else None
            if found is not None:
                yield found


@cache
def sampled() -> list[TorchCall]:
    """A call of every third operator whose schema and Meta kernel say all."""
    names = [it for it in opwright.interop.torch.register().operators if not it.startswith("_")]
    chosen = {*random.Random(7).sample(names, len(names) // 3)}
    return [*calls(lambda row: row.name in chosen and _is_known(row))]


def _is_known(row: Any) -> bool:
    tags = {"nondeterministic_seeded", "dynamic_output_shape", "data_dependent_output"}
    return not {*row.tags} & {*tags, "maybe_aliasing_or_mutating"}


def _row(name: str) -> Any:
    base, _, of = name.partition(".")
    return getattr(getattr(opwright.ops, base), of or "default")


def _call(operator: Any, each: Any) -> TorchCall | None:
    row = _row(each.base.name)
    try:
        schema = _schema.of(row)
    except _schema.InexpressibleError:
        return None
    guesses = _samples._guesses(operator, each)
    tried = _samples.accepted(operator, (it for it, _ in zip(guesses, range(400), strict=False)))
    for sample in tried:
        try:
            return _arguments(row, schema, each.signature.bind(*sample.args, **sample.kwargs))
        except LookupError:
            continue
    return None


def _arguments(row: Any, schema: Any, bound: Any) -> TorchCall:
    """The call by the names of the schema; `LookupError` if PyTorch takes it differently."""
    given = {}
    for name, value in bound.arguments.items():
        given["self" if name == "input" else name] = value
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for slot in schema.params:
        if slot.name not in given:
            continue
        value = _value(given.pop(slot.name))
        # Ours take a number for a list of one, or for a tensor, and words for reductions.
        is_other = (
            slot.is_list != isinstance(value, list)
            or (slot.base == "Tensor" and not slot.is_list and not isinstance(value, torch.Tensor))
            or (slot.base == "Reduction" and isinstance(value, str))
        )
        if value is not None and is_other:
            raise LookupError
        if not slot.keyword_only and len(args) == schema.positional.index(slot):
            args.append(value)
        else:
            kwargs[slot.name] = value
    if given:
        raise LookupError
    return TorchCall(row, tuple(args), kwargs)


def _value(value: Any) -> Any:
    if isinstance(value, Elements):
        return _values.give(value.tensor(opwright._C)).clone()
    if isinstance(value, opwright.dtype):
        return _values.torch_dtype(value)
    if isinstance(value, (list, tuple)):
        return [_value(it) for it in value]
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return value
    raise LookupError


def _leaf(value: Any) -> Any:
    if isinstance(value, list):
        return [_leaf(it) for it in value]
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.clone().requires_grad_()
    return value

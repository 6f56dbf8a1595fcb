"""Calls of operators in PyTorch, made from the samples of `opwright.testing`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import opwright
import torch
from opwright.interop.torch import _schema, _values
from opwright.testing import _operator, _samples
from opwright.testing._elements import Elements


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

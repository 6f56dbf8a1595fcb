"""Puts operators into a namespace of `torch.ops`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import torch

from ... import ops
from . import _batching, _fake, _gradients, _kernels, _schema, _straight, _views, _writes
from ._gradients import Derivative, Differentiate, no_derivative, once
from ._kernels import Kernel, later
from ._private import register_fake
from ._schema import InexpressibleError, Schema

_BACKEND = "CompositeExplicitAutograd"
_COMPOSED = "CompositeImplicitAutograd"

# What names of operators begin with that return a copy where the module's own returns a view.
_COPYING = "_copying_"

# Gradients of operators that draw random numbers would be those of other numbers.
_SEEDED = "nondeterministic_seeded"
# Of the operators for gradients: forward mode takes one more than it has derivatives.
_HIGHEST_ORDER = 3
# Schemas that do not say all of what becomes of memory.
_UNDECLARED = "maybe_aliasing_or_mutating"
# `core` says what belongs to PyTorch's own intermediate representation.
_KEPT = {
    it
    for it in dir(torch.Tag)
    if it in {"pointwise", _SEEDED, "dynamic_output_shape", "data_dependent_output"}
}


class Namespace:
    """A namespace below `torch.ops`, and what of ours is in it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.defined: set[str] = set()
        self.backward: dict[str, str] = {}
        self.skipped: dict[str, str] = {}
        # It keeps what is registered alive.
        self._library = torch.library.Library(name, "FRAGMENT")

    def add(self, row: Any) -> None:
        """Registers an overload, unless it is there."""
        if row.name in self.defined or row.name in self.skipped:
            return
        try:
            schema = _schema.of(row)
        except InexpressibleError as error:
            self.skipped[row.name] = str(error)
            return
        if row.is_view:
            self._view(row, schema)
        elif "inplace_view" in row.tags and schema.aliased:
            self._compose(schema, later(partial(_views.reshaping, row, schema)))
        elif row.mutates:
            self._write(row, schema)
        else:
            make = _kernels.copying if _UNDECLARED in row.tags else _kernels.functional
            direct = later(partial(make, row, schema))
            self._define(schema, row.tags, direct, self._fake_kernel(row, schema))
            rule = _batching.Rule(_is_pointwise(schema, row.tags), draws=_SEEDED in row.tags)
            self._batch(schema, rule)
            self._differentiate(direct, row, schema, row.tags, row.gradient)
        self.defined.add(row.name)

    def _differentiate(
        self, direct: Kernel, call: Kernel, schema: Schema, tags: Any, gradient: str
    ) -> None:
        """Registers what autograd does with an operator, and the operator for gradients."""
        if not any(it.base == "Tensor" for it in schema.params):
            return
        if gradient == "none" or any(it.base != "Tensor" for it in schema.results):
            kernel = torch.library.fallthrough_kernel
            self._library.impl(schema.full_name, kernel, "Autograd")
            return
        if gradient == "not implemented":
            derivative = no_derivative(
                f"the gradient of `{schema.full_name}` is not implemented; pass `.detach()` of "
                f"what needs none"
            )
        elif _SEEDED in tags:
            derivative = no_derivative(
                f"`{schema.full_name}` draws random numbers, which its gradient would draw anew"
            )
        else:
            found = self._derivative(call, schema, _is_pointwise(schema, tags))
            derivative = lambda: found  # noqa: E731
        # What may be an argument itself has to be looked at.
        fresh = not schema.name.startswith(_COPYING) and _UNDECLARED not in tags
        self._record(direct, schema, derivative, call if fresh else None)

    def _record(
        self,
        direct: Kernel,
        schema: Schema,
        derivative: Differentiate,
        call: Kernel | None = None,
    ) -> None:
        kernel = _gradients.autograd(partial(self._op, schema), direct, derivative)
        if call is not None:
            kernel = _straight.functional(call, schema, kernel)
        self._library.impl(schema.full_name, kernel, "Autograd", with_keyset=True)

    def _derivative(
        self, call: Kernel, schema: Schema, is_pointwise: bool, order: int = 1
    ) -> Derivative:
        """The operator for the gradients of another one, which has one for its own."""
        own = _gradients.backward_schema(schema, _backward_name(schema.name))
        run = _gradients.Backward(call)
        direct = later(partial(_gradients.kernel, run, own))
        self._define(own, (), direct, _gradients.fake)
        self._batch(own, _batching.Rule(is_pointwise=is_pointwise, is_gradient=True))
        if order == 1:
            self.backward[schema.full_name] = own.full_name
        if order < _HIGHEST_ORDER:
            # Few programs need it.
            further = once(lambda: self._derivative(run, own, is_pointwise, order + 1))
        else:
            further = no_derivative(
                f"`{schema.full_name}` can be differentiated no further in PyTorch"
            )
        self._record(direct, own, further)
        return Derivative(partial(self._op, own), further)

    def _write(self, row: Any, schema: Schema) -> None:
        direct = later(partial(_kernels.writing, row, schema))
        is_composed = len(schema.aliased) == len(schema.results)
        inner = _writes.inner_schema(schema) if is_composed else schema
        self._define(inner, row.tags, direct, self._fake_kernel(row, schema))
        find = partial(self._op, inner)
        kernel = _writes.counting(find, inner)
        self._library.impl(inner.full_name, kernel, "ADInplaceOrView", with_keyset=True)
        self._batch(inner, _batching.Rule(draws=_SEEDED in row.tags))
        if is_composed:
            functional = self._functional_of(schema)
            kernel = _writes.composite(schema, find, direct, functional)
            kernel = _straight.in_place(row, schema, kernel)
            self._compose(schema, kernel, with_keyset=True)
            self._batch(schema, _batching.Rule(draws=_SEEDED in row.tags))

    def _functional_of(self, schema: Schema) -> Callable[[], Any] | None:
        """The operator that returns what an in-place one writes, if there is a gradient."""
        if any(it.keyword_only for it in schema.written) or not schema.name.endswith("_"):
            return None
        row = overload(schema.name[:-1], schema.overload or "default")
        if row is None or row.mutates or row.gradient not in {"formula", "composed"}:
            return None
        self.add(row)
        if row.name not in self.defined:
            return None
        found = _schema.of(row)
        return partial(self._op, found) if len(found.params) == len(schema.params) else None

    def _view(self, row: Any, schema: Schema) -> None:
        copying = None
        if len(schema.results) == 1 and not schema.results[0].is_list:
            plain = schema.without_aliases(_COPYING + schema.name)
            direct = later(partial(_kernels.copying, row, plain))
            self._define(plain, (), direct, self._fake_kernel(row, plain))
            self._differentiate(direct, row, plain, (), row.gradient)
            self._batch(plain, _batching.Rule())
            copying = partial(self._op, plain)
        kernel = later(partial(_views.composite, row, schema, copying))
        kernel = _straight.view(row, schema, kernel)
        self._compose(schema, kernel, with_keyset=True)
        self._batch(schema, _batching.Rule(is_view=True))

    def _batch(self, schema: Schema, rule: _batching.Rule) -> None:
        """Registers what `torch.vmap` does with an operator."""
        if any(it.base == "Tensor" for it in schema.params):
            kernel = _batching.kernel(partial(self._op, schema), schema, rule)
            self._library.impl(schema.full_name, kernel, "FuncTorchBatched", with_keyset=True)

    def _compose(self, schema: Schema, kernel: Kernel, *, with_keyset: bool = False) -> None:
        """Registers an operator that is composed of others."""
        self._library.define(schema.text(), tags=_tags(()))
        self._library.impl(schema.full_name, kernel, _COMPOSED, with_keyset=with_keyset)

    def _define(self, schema: Schema, tags: Any, direct: Kernel, fake: Kernel) -> None:
        """Registers an operator that has kernels of its own."""
        self._library.define(schema.text(), tags=_tags(tags))
        self._library.impl(schema.full_name, direct, _BACKEND)
        register_fake(self._library, f"{self.name}::{schema.full_name}", fake)

    def _fake_kernel(self, row: Any, schema: Schema) -> Kernel:
        return later(lambda: _fake.kernel(row, schema, row.tags, self.name))

    def _op(self, schema: Schema) -> Any:
        packet = getattr(getattr(torch.ops, self.name), schema.name)
        return getattr(packet, schema.overload or "default")


def _is_pointwise(schema: Schema, tags: Any) -> bool:
    """Whether each element of the result, which is one tensor, depends on those at its place."""
    lists = any(it.is_list for it in schema.params if it.base == "Tensor")
    results = [(it.base, it.suffix) for it in schema.results]
    return "pointwise" in tags and not lists and results == [("Tensor", "")]


def _tags(of: Any) -> list[Any]:
    return [torch.Tag.pt2_compliant_tag, *(getattr(torch.Tag, it) for it in of if it in _KEPT)]


def _backward_name(name: str) -> str:
    """A name that no operator of the module has."""
    found = f"{name}_backward"
    while found in _names():
        found = f"_{found}"
    return found


@cache
def _names() -> frozenset[str]:
    """The operators of this module."""
    return frozenset(name for name in dir(ops) if type(getattr(ops, name)) is ops.Operator)


def names() -> list[str]:
    """The names of all operators of this module."""
    return sorted(_names())


def overloads(name: str) -> list[Any]:
    """The overloads of an operator of ours, none if there is no such operator."""
    if name not in _names():
        return []
    found = getattr(ops, name)
    return [getattr(found, it or "default") for it in found.overloads]


def overload(name: str, of: str) -> Any:
    """An overload of ours, None if there is none of that name."""
    return next((it for it in overloads(name) if it.overload == of), None)

"""Puts operators into a namespace of `torch.ops`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from ... import ops
from . import _fake, _gradients, _kernels, _schema, _views, _writes
from ._kernels import Kernel
from ._schema import Inexpressible, Schema

_BACKEND = "CompositeExplicitAutograd"
_COMPOSED = "CompositeImplicitAutograd"

# Gradients of operators that draw random numbers would be those of other numbers.
_SEEDED = "nondeterministic_seeded"
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
        except Inexpressible as error:
            self.skipped[row.name] = str(error)
            return
        if row.is_view:
            self._view(row, schema)
        elif "inplace_view" in row.tags and schema.aliased:
            self._define(schema, (), implicit=_views.reshaping(row, schema))
        elif row.mutates:
            self._write(row, schema)
        else:
            self._functional(row, schema, row.tags, row.gradient)
        self.defined.add(row.name)

    def _functional(self, call: Kernel, schema: Schema, tags: Any, gradient: str) -> None:
        direct = _kernels.functional(call, schema)
        op = self._define(schema, tags, direct, _fake.kernel(call, schema, tags))
        self._differentiate(op, direct, call, schema, tags, gradient)

    def _differentiate(
        self, op: Any, direct: Kernel, call: Kernel, schema: Schema, tags: Any, gradient: str
    ) -> None:
        """Registers what autograd does with an operator, and the operators for gradients."""
        if not any(it.base == "Tensor" for it in schema.params):
            return
        if gradient == "none" or any(it.base != "Tensor" for it in schema.results):
            self._library.impl(
                schema.full_name, torch.library.fallthrough_kernel, "Autograd"
            )
            return
        backward: Any = None
        if gradient == "not implemented":
            backward = f"the gradient of `{schema.full_name}` is not implemented"
        elif _SEEDED in tags:
            backward = (
                f"`{schema.full_name}` draws random numbers, which its gradient would draw anew"
            )
        else:
            backward = self._backward(call, schema)
            self.backward[schema.full_name] = _name(backward)
        kernel = _gradients.autograd(op, direct, backward)
        self._library.impl(schema.full_name, kernel, "Autograd", with_keyset=True)

    def _backward(self, call: Kernel, schema: Schema, order: int = 1) -> Any:
        """The operator for the gradients of another one, which has one for its own."""
        own = _gradients.backward_schema(schema, _backward_name(schema.name))
        run = _gradients.Backward(call)
        direct = _gradients.kernel(run, own)
        op = self._define(own, (), direct, _gradients.fake)
        further: Any = f"`{schema.full_name}` cannot be differentiated three times in PyTorch"
        if order == 1:
            further = self._backward(run, own, 2)
        kernel = _gradients.autograd(op, direct, further)
        self._library.impl(own.full_name, kernel, "Autograd", with_keyset=True)
        return op

    def _write(self, row: Any, schema: Schema) -> None:
        direct = _kernels.writing(row, schema)
        if not schema.aliased:
            op = self._define(schema, row.tags, direct, _fake.kernel(row, schema, row.tags))
            self._bump(op, schema)
            return
        inner = _writes.inner_schema(schema)
        fake = _fake.kernel(row, schema, row.tags)
        op = self._define(inner, row.tags, direct, fake)
        self._bump(op, inner)
        partner = self._partner(schema)
        composite = _writes.composite(schema, op, direct, partner)
        self._define(schema, (), implicit=composite, with_keyset=True)

    def _bump(self, op: Any, schema: Schema) -> None:
        """Has writes counted, which autograd asks for before it uses what it saved."""
        below = torch._C._AutoDispatchBelowADInplaceOrView
        after = torch._C._after_ADInplaceOrView_keyset

        def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
            _kernels.count_writes(schema, args, kwargs)
            with below():
                return op.redispatch(keyset & after, *args, **kwargs)

        self._library.impl(schema.full_name, kernel, "ADInplaceOrView", with_keyset=True)

    def _partner(self, schema: Schema) -> Any:
        """The operator that returns what an in-place one writes, if there is a gradient."""
        if any(it.keyword_only for it in schema.written) or not schema.name.endswith("_"):
            return None
        row = overload(schema.name[:-1], schema.overload or "default")
        if row is None or row.mutates or row.gradient not in {"formula", "composed"}:
            return None
        self.add(row)
        if row.name not in self.defined or len(_schema.of(row).params) != len(schema.params):
            return None
        return self._op(_schema.of(row))

    def _view(self, row: Any, schema: Schema) -> None:
        copying = None
        if len(schema.results) == 1 and not schema.results[0].is_list:
            plain = replace(
                schema,
                name=f"_copying_{schema.name}",
                params=tuple(replace(it, alias="") for it in schema.params),
                results=tuple(replace(it, alias="") for it in schema.results),
            )
            direct = _kernels.copying(row, plain)
            copying = self._define(plain, (), direct, _fake.kernel(row, plain, ()))
            self._differentiate(copying, direct, row, plain, (), row.gradient)
            self.backward.pop(plain.full_name, None)
        self._define(schema, (), implicit=_views.composite(row, schema, copying))

    def _define(
        self,
        schema: Schema,
        tags: Any,
        direct: Kernel | None = None,
        fake: Kernel | None = None,
        *,
        implicit: Kernel | None = None,
        with_keyset: bool = False,
    ) -> Any:
        """Registers an operator, with kernels or with what it is composed of."""
        kept = [getattr(torch.Tag, it) for it in tags if it in _KEPT]
        self._library.define(schema.text(), tags=[torch.Tag.pt2_compliant_tag, *kept])
        name = schema.full_name
        if implicit is not None:
            self._library.impl(name, implicit, _COMPOSED, with_keyset=with_keyset)
        else:
            assert direct is not None
            assert fake is not None
            self._library.impl(name, direct, _BACKEND)
            torch.library.register_fake(f"{self.name}::{name}", fake, lib=self._library)
        return self._op(schema)

    def _op(self, schema: Schema) -> Any:
        packet = getattr(getattr(torch.ops, self.name), schema.name)
        return getattr(packet, schema.overload or "default")


def _name(op: Any) -> str:
    name = op.name().partition("::")[2]
    return str(name)


def _backward_name(name: str) -> str:
    """A name that no operator of the module has."""
    found = f"{name}_backward"
    while overloads(found):
        found = f"_{found}"
    return found


def overloads(name: str) -> list[Any]:
    """The overloads of an operator of ours, none if there is no such operator."""
    found = getattr(ops, name, None) if not name.startswith("__") or name in dir(ops) else None
    if not isinstance(found, ops.Operator):
        return []
    return [getattr(found, it or "default") for it in found.overloads]


def overload(name: str, of: str) -> Any:
    """An overload of ours, None if there is none of that name."""
    return next((it for it in overloads(name) if it.overload == of), None)

"""Operators of this module in PyTorch: `register` puts them under `torch.ops`.

    >>> opwright.interop.torch.register()
    >>> torch.ops.opwright.softplus(torch.tensor([0.0, 1.0], requires_grad=True))
    tensor([0.6931, 1.3133], grad_fn=<_RecordedBackward>)

Tensors share their memory with ours while a call runs. Operators have fake kernels and gradients,
so `torch.compile`, `torch.export` and `torch.library.opcheck` take them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock
from types import FunctionType
from typing import Any

from ... import ops

# This first: it says what is missing.
from . import _private  # isort: skip
from . import (
    _batching,
    _fake,
    _gradients,
    _kernels,
    _library,
    _polynomials,
    _sizes,
    _straight,
    _values,
    _views,
    _writes,
)

__all__ = ["Registered", "register"]

_PACKAGE = __name__.removesuffix(".interop.torch")

_private.hide_from_compiler(
    member
    for module in (
        *(_batching, _fake, _gradients, _kernels, _polynomials, _sizes, _straight),
        *(_values, _views, _writes),
    )
    for owner in (module, *(it for it in vars(module).values() if isinstance(it, type)))
    for member in vars(owner).values()
    if isinstance(member, FunctionType) and member.__module__ == module.__name__
)

_namespaces: dict[str, _library.Namespace] = {}
_lock = Lock()


@dataclass(frozen=True)
class Registered:
    """What is in a namespace of PyTorch."""

    namespace: str
    # Names of overloads, as schemas have them: `add.Tensor`, `relu`.
    operators: tuple[str, ...]
    # The names of the operators that compute gradients of others.
    backward: dict[str, str] = field(repr=False)
    # Overloads that PyTorch cannot have, and why.
    skipped: dict[str, str] = field(repr=False)

    def __repr__(self) -> str:
        return (
            f"<{len(self.operators)} operators in torch.ops.{self.namespace}, "
            f"{len(self.backward)} with gradients, {len(self.skipped)} left out>"
        )


def register(namespace: str | None = None, *, operators: Iterable[Any] | None = None) -> Registered:
    """Put operators of this module under `torch.ops`.

    They come to `torch.ops.<namespace>`, which is by default named like the module. `operators`
    are names (`"add"`, `"add.Tensor"`) or operators (`ops.add`, `ops.add.Tensor`); without them all
    are registered. What is there already stays as it is, so that it does no harm to call it again.
    Returns the names that are in the namespace now, and for those that PyTorch cannot have, why.

    Raises:
        ImportError: `torch` is not installed, or too old.
        ValueError: There is no such operator, or the namespace is not a name.
        RuntimeError: Someone else has an operator of that name in the namespace.

    Example:
        >>> opwright.interop.torch.register(operators=["softplus"])
        <2 operators in torch.ops.opwright, 1 with gradients, 0 left out>
    """
    name = _PACKAGE.rpartition(".")[2] if namespace is None else namespace
    if not name.isidentifier():
        raise ValueError(f"`{name}` is not a name that a namespace of `torch.ops` can have")
    rows = _all() if operators is None else [row for it in operators for row in _rows(it)]
    with _lock:
        known = _namespaces.get(name)
        if known is None:
            known = _namespaces[name] = _library.Namespace(name)
        for row in rows:
            known.add(row)
        return Registered(
            name, tuple(sorted(known.defined)), dict(known.backward), dict(known.skipped)
        )


def _all() -> list[Any]:
    return [row for name in _library.names() for row in _library.overloads(name)]


def _rows(asked: Any) -> list[Any]:
    """The overloads that a name or an operator stands for."""
    name = asked if isinstance(asked, str) else getattr(asked, "name", None)
    if not isinstance(name, str):
        raise ValueError(f"`{asked!r}` is neither an operator nor the name of one")
    base, _, of = name.partition(".")
    found = _library.overloads(base)
    if of or isinstance(asked, ops.Overload):
        found = [it for it in found if it.overload == (of or "default")]
    if not found:
        raise ValueError(f"`{name}` is not an operator of `{_PACKAGE}`")
    return found

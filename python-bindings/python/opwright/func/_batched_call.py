"""Calls with batched tensors: what they are called with, and how results are put together."""

from __future__ import annotations

import re
from functools import cache

from opwright import _C
from opwright._overloads import native_names
from opwright._tensor import Tensor

from . import _batched
from ._batched import BatchedTensor, union, wrapped
from ._pytree import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

# Parameters that are dimensions, those from the start included.
DIMENSIONS = frozenset(
    (
        "dim",
        "dims",
        "axis",
        "axes",
        "dim0",
        "dim1",
        "dim2",
        "axis0",
        "axis1",
        "start_dim",
        "end_dim",
        "source",
        "destination",
        "batch_dim",
    )
)


class BatchedCall:
    """A call with batched tensors among its arguments."""

    def __init__(
        self, function: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.function = function
        self.name = name
        self.args = args
        self.kwargs = kwargs
        self.leaves, self.structure = flatten((list(args), kwargs))
        self.tensors: list[Any] = [it for it in self.leaves if isinstance(it, _C.TensorBase)]
        self.levels = union(self.tensors)

    def again(self, leaves: Iterable[Any]) -> Any:
        """The same call with other leaves of its arguments."""
        args, kwargs = self.structure.unflatten(list(leaves))
        return self.function(*args, **kwargs)

    def sample(self) -> Any:
        """The call for one sample without elements."""
        return _C._call_without_overrides(Tensor, self.function, self.args, self.kwargs)

    def outcome(self, returned: Any) -> Any:
        """What a call of all samples returned, as batched tensors."""
        return mapped_results(lambda it: self._batched(it), returned)

    def _batched(self, value: Any) -> Any:
        if not isinstance(value, _C.TensorBase):
            return value
        sizes = _batched.sizes_of(self.levels)
        shape = sizes + tuple(value.shape[len(sizes) :])
        return wrapped(value if tuple(value.shape) == shape else value.expand(shape), self.levels)

    def bound(self) -> BoundCall | None:
        """The call with its arguments by their names; None if no overload takes them."""
        if isinstance(self.function, _C.ops.Overload):
            parameters = self.function.schema.rpartition(") -> ")[0]
            return BoundCall(self, f"{parameters})", is_method=False)
        for name in native_names(self.function):
            if not _C._signatures(name):
                continue
            plain = [_plain(it) for it in self.leaves]
            args, kwargs = self.structure.unflatten(plain)
            text = _C._explain(name, *args, **kwargs)[0]
            if text is not None:
                return BoundCall(self, text, is_method=name.startswith("Tensor."))
        return None

    def is_in_place(self) -> bool:
        """Whether it writes to its first argument."""
        return self.name.endswith("_") and not self.name.endswith("__")


def _plain(value: Any) -> Any:
    """A tensor of one sample that no call is taken over for."""
    if not isinstance(value, BatchedTensor):
        return value
    return _C.empty(tuple(value.shape), dtype=value.dtype, device="meta")


def mapped_results(function: Callable[[Any], Any], returned: Any) -> Any:
    """What a call returned with what a function makes of each result."""
    if isinstance(returned, tuple | list) and not isinstance(returned, _C._SizeBase):
        parts = [mapped_results(function, it) for it in returned]
        make = getattr(type(returned), "_make", None)
        return make(parts) if make is not None else type(returned)(parts)
    return function(returned)


class BoundCall:
    """A call whose arguments are known by the names of an overload's parameters."""

    def __init__(self, call: BatchedCall, text: str, is_method: bool) -> None:
        self.call = call
        self.parameters = _parameters(text)
        positional = list(call.args)
        self.receiver = [positional.pop(0)] if is_method else []
        names = [name for name, _, _ in self.parameters]
        self.values: dict[str, Any] = {}
        if len(positional) > len(names) or (
            positional and isinstance(positional[0], int) and _is_variadic(self.parameters)
        ):
            self.values[names[0]] = tuple(positional)
        else:
            self.values.update(zip(names, positional, strict=False))
        self.values.update(call.kwargs)
        for name, _, default in self.parameters:
            if name not in self.values and default is not None and name in DIMENSIONS:
                self.values[name] = default

    def first(self) -> Any:
        """The first argument."""
        return self.receiver[0] if self.receiver else next(iter(self.values.values()), None)

    def with_first(self, value: Any) -> None:
        """Puts another value in the place of the first."""
        if self.receiver:
            self.receiver = [value]
        else:
            self.values[next(iter(self.values))] = value

    def run(self) -> Any:
        """Calls the function with the arguments as they are now."""
        return self.call.function(*self.receiver, **self.values)


def _is_variadic(parameters: list[tuple[str, str, Any]]) -> bool:
    return bool(parameters) and parameters[0][1].startswith("tuple[int]")


@cache
def _parameters(text: str) -> list[tuple[str, str, Any]]:
    """Names, types and defaults of the parameters of a signature."""
    inside = re.sub(r"\(\w* ?->[^)]*\)|\(\w!?\)", "", text[text.index("(") + 1 : text.rindex(")")])
    found = []
    for part in re.split(r",\s*(?![^()\[\]]*[)\]])", inside):
        if part in ("*", "/", ""):
            continue
        declared, _, default = part.partition("=")
        kind, _, name = declared.strip().rpartition(" ")
        found.append((name, kind, _default(default)))
    return found


def _default(text: str) -> Any:
    """A default that is an integer, or some of them."""
    text = text.strip()
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"[(\[](-?\d+(, ?)?)*[)\]]", text):
        return tuple(int(it) for it in re.findall(r"-?\d+", text))
    return None

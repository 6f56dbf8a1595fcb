"""Fake kernels: Meta kernels of ours, run for tensors of PyTorch that have no elements.

Sizes that are symbols stay symbols: where results have the broadcast shape of the arguments, which
operators with the tag `pointwise` say, and where probing tells what the sizes of results are.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import torch
from torch._subclasses.fake_tensor import (
    DynamicOutputShapeException,
    FakeTensor,
    UnsupportedOperatorException,
)

from ... import _C
from ..._tensor import Tensor
from . import _gradients, _kernels, _sizes, _values
from ._kernels import Kernel
from ._schema import Schema, Slot
from ._sizes import Replace

# Tags of operators whose results are not known before the elements of the arguments are.
_DEPENDING = {"dynamic_output_shape", "data_dependent_output"}

_KINDS: tuple[tuple[Any, Any], ...] = (
    (torch.SymInt, int),
    (torch.SymFloat, float),
    (torch.SymBool, bool),
)


def meta(tensor: Any, replace: Replace | None = None) -> Any:
    """A meta tensor of ours like a tensor of PyTorch; symbols become numbers, with guards."""
    number = replace or int
    dtype = _values.dtype(tensor.dtype)
    shape = [number(it) for it in tensor.shape]
    if not _values.HAS_STRIDES:
        return _C._rebuild(Tensor, None, dtype, shape)
    strides = [number(it) for it in tensor.stride()]
    return _C.empty_strided(shape, strides, dtype=dtype, device="meta")


def kernel(call: Kernel, schema: Schema, tags: tuple[str, ...], namespace: str) -> Kernel:
    """The fake kernel of an operator whose results, but for those it wrote to, are new."""
    name = f"{namespace}::{schema.full_name}"
    ask = _asking(call, schema)
    of_numbers = _of_numbers(ask, schema)
    of_symbols = (_broadcast if "pointwise" in tags else _probed)(ask, schema)
    returns_nothing = all(it.alias for it in schema.results)

    def fake(*args: Any, **kwargs: Any) -> Any:
        values = (*args, *kwargs.values())
        try:
            return (of_symbols if is_symbolic(values) else of_numbers)(args, kwargs)
        except NotImplementedError as error:
            # No shape has to be found out.
            if returns_nothing:
                return None
            if not any(map(_is_fake, values)):
                raise
            if _DEPENDING.isdisjoint(tags):
                raise UnknownResult(name, error) from error
            raise DependsOnElements(name, error) from error

    return fake


class UnknownResult(UnsupportedOperatorException):  # type: ignore[misc]
    """A result of which no Meta kernel says the shape.

    PyTorch makes two graphs of one where it may, and prints what stands for the operator.
    """

    def __init__(self, name: str, reason: NotImplementedError) -> None:
        super().__init__(
            f"`{name}` has no Meta kernel that says what it returns ({reason}); give it one with "
            f'`torch.library.register_fake("{name}")`, or call it outside of the graph'
        )

    def __str__(self) -> str:
        return str(self.func)


class DependsOnElements(DynamicOutputShapeException):  # type: ignore[misc]
    """A result that is not known before the elements of the arguments are.

    PyTorch makes two graphs of one where it may, and calls the operator between them.
    """

    def __init__(self, name: str, reason: NotImplementedError) -> None:
        super().__init__(name)
        self._reason = reason

    def __str__(self) -> str:
        return (
            f"what `{self.func}` returns depends on the elements of its arguments, which a graph "
            f"of PyTorch does not know; call it outside of the graph: {self._reason}"
        )


def known(call: Kernel, schema: Schema, tensor: Any) -> Kernel:
    """The call, which tells PyTorch if its result depends on the elements of a fake tensor."""
    if not _is_fake(tensor):
        return call

    def telling(*args: Any, **kwargs: Any) -> Any:
        try:
            return call(*args, **kwargs)
        except NotImplementedError as error:
            raise DependsOnElements(schema.full_name, error) from error

    return telling


def _is_fake(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_fake, value))
    return isinstance(value, FakeTensor)


def _asking(call: Kernel, schema: Schema) -> Kernel:
    """What calls the Meta kernel, and returns its new results.

    It takes what replaces symbols, by default with guards.
    """
    convert_whole = _kernels.arguments(schema, meta)
    fresh = [at for at, it in enumerate(schema.results) if not it.alias]
    is_silent = not schema.written
    takes_device = any(it.name == "device" for it in schema.keywords)

    def ask(args: Any, kwargs: Any, replace: Replace = whole) -> Any:
        convert = convert_whole
        if replace is not whole:
            convert = _kernels.arguments(schema, lambda it: meta(it, replace))
        ours, named = convert(*replaced(args, kwargs, replace))
        if "device" in named or (takes_device and not _has_tensors(ours)):
            named["device"] = "meta"
        check = _kernels.check_sizes(schema, ours, named)
        found = call(*ours, **named)
        check()
        for it in _gradients.tensors_of(ours, named, Tensor) if is_silent else ():
            if it._version:
                raise RuntimeError(
                    f"`{schema.full_name}` writes to an argument without declaring it, which a "
                    f"graph of PyTorch cannot take in; call it outside of the graph"
                )
        if len(schema.results) < 2:
            return found
        return found[fresh[0]] if len(fresh) == 1 else [found[at] for at in fresh]

    return ask


def _of_numbers(ask: Kernel, schema: Schema) -> Kernel:
    """The fake kernel where all sizes are, or become, numbers."""
    slots = _fresh(schema)

    def fake(args: Any, kwargs: Any) -> Any:
        device = _device(args, kwargs)
        found = ask(args, kwargs)
        return _values.results(slots, lambda it: _like(it, it.shape, it.stride(), device))(found)

    return fake


def _fresh(schema: Schema) -> tuple[Slot, ...]:
    return tuple(it for it in schema.results if not it.alias)


def _has_tensors(values: Any) -> bool:
    return any(
        isinstance(it, Tensor) or (isinstance(it, (list, tuple)) and _has_tensors(it))
        for it in values
    )


def replaced(args: Any, kwargs: Any, replace: Replace) -> tuple[list[Any], dict[str, Any]]:
    """Arguments without symbols."""
    return (
        [_replaced(it, replace) for it in args],
        {name: _replaced(it, replace) for name, it in kwargs.items()},
    )


def _replaced(value: Any, replace: Replace) -> Any:
    if isinstance(value, (list, tuple)):
        return [_replaced(it, replace) for it in value]
    # Only whole numbers are sizes.
    return whole(replace(value))


def whole(value: Any) -> Any:
    """The number that a symbol stands for, which becomes a guard; anything else as it is."""
    for symbol, kind in _KINDS:
        if isinstance(value, symbol):
            return kind(value)
    return value


def _device(args: Any, kwargs: Any) -> Any:
    """The device of the results: that of the first tensor."""
    if kwargs.get("device") is not None:
        return kwargs["device"]
    for value in (*args, *kwargs.values()):
        for it in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(it, torch.Tensor):
                return it.device
    return torch.device("cpu")


def _like(found: Any, shape: Any, strides: Any, device: Any) -> Any:
    return torch.empty_strided(
        tuple(shape), tuple(strides), dtype=_values.torch_dtype(found.dtype), device=device
    )


def is_symbolic(value: Any) -> bool:
    """Whether there are symbols in an argument, or in several."""
    if isinstance(value, torch.Tensor):
        return any(isinstance(it, torch.SymInt) for it in (*value.shape, *value.stride()))
    if isinstance(value, (list, tuple)):
        return any(map(is_symbolic, value))
    return isinstance(value, (torch.SymInt, torch.SymFloat))


def _broadcast(ask: Kernel, schema: Schema) -> Kernel:
    """The fake kernel for sizes that are symbols, of an operator that is element by element."""
    slots = _fresh(schema)

    def fake(args: Any, kwargs: Any) -> Any:
        found = ask(args, kwargs, _sizes.hint)
        if not slots:
            return None
        values = (*args, *kwargs.values())
        shape = torch.broadcast_shapes(*[it.shape for it in values if isinstance(it, torch.Tensor)])
        device = _device(args, kwargs)

        def like(it: Any) -> Any:
            return _like(it, shape, _strides(shape, _order(it)), device)

        return _values.results(slots, like)(found)

    return fake


def _probed(ask: Kernel, schema: Schema) -> Kernel:
    """The same of any other operator."""
    slots = _fresh(schema)

    def fake(args: Any, kwargs: Any) -> Any:
        found = ask(args, kwargs, _sizes.hint)
        if not slots:
            return None
        sizes = iter(
            _sizes.results(
                symbolic_numbers(args, kwargs),
                lambda replace: _answer(ask(args, kwargs, replace)),
            )
        )
        device = _device(args, kwargs)

        def like(it: Any) -> Any:
            shape = list(islice(sizes, it.dim()))
            strides = (
                _strides(shape, _order(it)) if _is_dense(it) else list(islice(sizes, it.dim()))
            )
            return _like(it, shape, strides, device)

        return _values.results(slots, like)(found)

    return fake


def symbolic_numbers(args: Any, kwargs: Any) -> list[Any]:
    """The numbers among arguments, which may be symbols; also the sizes and strides of tensors."""
    found: list[Any] = []
    for value in _gradients.flat((*args, *kwargs.values())):
        if isinstance(value, torch.Tensor):
            found += (*value.shape, *value.stride())
        else:
            found.append(value)
    return found


def _answer(found: Any) -> _sizes.Answer:
    """What a Meta kernel returned, without and with the sizes."""
    kept, numbers = [], []
    for it in _gradients.flat(found):
        if not isinstance(it, Tensor):
            kept.append(it)
            continue
        is_dense = _is_dense(it)
        kept.append((it.dtype, it.dim(), tuple(_order(it)) if is_dense else None))
        numbers += [*it.shape] if is_dense else [*it.shape, *it.stride()]
    return kept, tuple(numbers)


def _is_dense(found: Any) -> bool:
    """Whether the elements lie next to one another, in the order of some dimensions."""
    return [*found.stride()] == _strides(found.shape, _order(found))


def _order(found: Any) -> list[int]:
    """The dimensions, from that whose elements lie farthest apart."""
    return sorted(range(found.dim()), key=lambda at: (-found.stride(at), at))


def _strides(shape: Any, order: list[int]) -> list[Any]:
    """Strides of a dense tensor, whose dimensions lie in this order."""
    strides: list[Any] = [1] * len(shape)
    for place, at in enumerate(order):
        strides[at] = math.prod(shape[it] for it in order[place + 1 :])
    return strides

"""Kernels for `torch.library` that call an operator of ours on the memory of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.autograd.graph import increment_version as increment_version

from . import _values
from ._schema import Schema, Slot
from ._values import Convert

Kernel = Callable[..., Any]


def arguments(schema: Schema, tensors: Convert | None = None) -> Kernel:
    """What converts the arguments of a call: it returns a list and a dictionary."""
    positional = [_values.converter(it, tensors) for it in schema.positional]
    keywords = {it.name: _values.converter(it, tensors) for it in schema.keywords}

    def converted(args: Any, kwargs: Any) -> tuple[list[Any], dict[str, Any]]:
        # PyTorch leaves arguments out that are as declared by default.
        ours = [
            it if convert is None else convert(it)
            for convert, it in zip(positional, args, strict=False)
        ]
        named = {}
        for name, it in kwargs.items():
            convert = keywords[name]
            named[name] = it if convert is None else convert(it)
        return ours, named

    return converted


def functional(call: Kernel, schema: Schema) -> Kernel:
    """The kernel of an operator whose results have memory of their own."""
    give, take = _values.results(schema.results), _values.read
    leading = leading_tensors(schema)
    if all(_values.converter(it) is None for it in schema.keywords):
        if leading == 1:
            return lambda x, *rest, **named: give(call(take(x), *rest, **named))
        if leading == 2:
            return lambda x, y, *rest, **named: give(call(take(x), take(y), *rest, **named))
    convert = arguments(schema)

    def kernel(*args: Any, **kwargs: Any) -> Any:
        ours, named = convert(args, kwargs)
        return give(call(*ours, **named))

    return kernel


def leading_tensors(schema: Schema) -> int:
    """How many tensors stand first, up to three, if what follows passes as it is; else 0.

    Keywords may have to be converted.
    """
    plain = [it.base == "Tensor" and not it.suffix for it in schema.positional]
    count = plain.index(False) if False in plain else len(plain)
    rest = schema.positional[count:]
    return count if count <= 3 and all(_values.converter(it) is None for it in rest) else 0


def later(build: Callable[[], Kernel]) -> Kernel:
    """A kernel that is built when it is first called."""
    built: Kernel | None = None

    def kernel(*args: Any, **kwargs: Any) -> Any:
        nonlocal built
        if built is None:
            built = build()
        return built(*args, **kwargs)

    return kernel


def copying(call: Kernel, schema: Schema) -> Kernel:
    """The same of one that may return the memory of an argument, of which it returns a copy.

    It may write to an argument without declaring it, which is counted as a write.
    """
    convert = arguments(schema)

    def kernel(*args: Any, **kwargs: Any) -> Any:
        ours, named = convert(args, kwargs)

        def own(found: Any) -> Any:
            given = _values.give(found)
            shares = any(found is it or (found._base is it and it is not None) for it in ours)
            return given.clone() if shares else given

        give = _values.results(schema.results, own)(call(*ours, **named))
        for slot in schema.params:
            it = argument(schema, slot, ours, named) if slot.base == "Tensor" else None
            if it is not None and not slot.is_list and it._version:
                count_write(argument(schema, slot, args, kwargs))
        return give

    return kernel


def writing(call: Kernel, schema: Schema) -> Kernel:
    """The kernel of an operator that writes to arguments: it returns what else there is."""
    convert = arguments(schema)
    fresh = [at for at, it in enumerate(schema.results) if not it.alias]
    give = _values.results(tuple(schema.results[at] for at in fresh))
    outs = tuple(it for it in schema.written if it.keyword_only and not it.is_list)

    def kernel(*args: Any, **kwargs: Any) -> Any:
        ours, named = convert(args, kwargs)
        shapes = [named[it.name].shape for it in outs]
        found = call(*ours, **named)
        for slot, shape in zip(outs, shapes, strict=True):
            if named[slot.name].shape != shape:
                _resize(schema, slot, kwargs[slot.name], named[slot.name])
        if not fresh:
            return None
        if len(schema.results) == 1:
            return give(found)
        kept = [found[at] for at in fresh]
        return give(kept if len(kept) > 1 else kept[0])

    return kernel


def _resize(schema: Schema, slot: Slot, theirs: Any, ours: Any) -> None:
    """Gives an argument without elements the result, which did not fit into it."""
    if theirs.numel():
        raise _misfit(schema, slot, theirs.shape, ours.shape)
    theirs.resize_(tuple(ours.shape)).copy_(_values.give(ours))


def check_sizes(schema: Schema, args: list[Any], kwargs: dict[str, Any]) -> Callable[[], None]:
    """What, called after an operator, fails if its result did not fit into an argument."""
    places = [(it, argument(schema, it, args, kwargs)) for it in schema.written if not it.is_list]
    shapes = [None if it is None else tuple(it.shape) for _, it in places]

    def check() -> None:
        for (slot, it), shape in zip(places, shapes, strict=True):
            if it is not None and shape != tuple(it.shape):
                raise _misfit(schema, slot, shape, it.shape)

    return check


def argument(schema: Schema, slot: Slot, args: Any, kwargs: dict[str, Any]) -> Any:
    """The argument of a parameter, if there is one."""
    if slot.keyword_only:
        return kwargs.get(slot.name)
    at = schema.positional.index(slot)
    return args[at] if at < len(args) else None


def _misfit(schema: Schema, slot: Slot, before: Any, after: Any) -> RuntimeError:
    return RuntimeError(
        f"`{schema.full_name}` has a result of shape {list(after)}, and `{slot.name}` has the "
        f"shape {list(before)}; pass a tensor of the shape of the result"
    )


def written(schema: Schema) -> Kernel:
    """What finds the arguments that a call writes to, and returns those that are results."""
    by_set = {it.alias: it for it in schema.written}
    slots = [by_set[it.alias] for it in schema.results if it.alias in by_set]

    if len(slots) == 1 and slots[0] is schema.params[0]:
        return lambda args, _: args[:1]

    def found(args: Any, kwargs: Any) -> Any:
        return tuple(argument(schema, it, args, kwargs) for it in slots)

    return found


def count_writes(schema: Schema) -> Kernel:
    """What tells autograd of PyTorch which arguments were written to."""
    slots = schema.written
    if len(slots) == 1 and not slots[0].suffix and slots[0] is schema.params[0]:
        return lambda args, _: count_write(args[0])

    def count(args: Any, kwargs: Any) -> None:
        for slot in slots:
            value = argument(schema, slot, args, kwargs)
            for tensor in value if isinstance(value, (list, tuple)) else (value,):
                if tensor is not None:
                    count_write(tensor)

    return count


def count_write(tensor: Any) -> None:
    """Tells autograd of PyTorch that a tensor was written to."""
    # Tensors of inference have no versions.
    if not tensor.is_inference():
        increment_version(tensor)

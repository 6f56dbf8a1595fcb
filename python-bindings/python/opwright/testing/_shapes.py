"""Which shapes an operator takes, and which shapes it returns for them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from opwright.testing import _samples
from opwright.testing._checks import tensors
from opwright.testing._elements import Elements
from opwright.testing._operator import Operator, Overload
from opwright.testing._samples import Sample

Row = tuple[str, str]

Shape = tuple[int, ...]

# Shapes for as many tensors as a call has, the most telling first.
_CANDIDATES: dict[int, list[list[Shape]]] = {
    1: [[(2, 3)], [(3,)], [()], [(4, 2, 3)], [(3, 3)], [(2, 1)], [(0, 3)]],
    2: [
        [(2, 3), (2, 3)],
        [(2, 3), (3,)],
        [(2, 3), ()],
        [(2, 1, 3), (4, 1)],
        [(2, 3), (3, 4)],
        [(5, 2, 3), (3, 4)],
        [(5, 2, 3), (5, 3, 4)],
        [(3, 3), (3,)],
        [(3,), (3,)],
        [(3,), (2,)],
    ],
    3: [
        [(2, 3), (2, 3), (2, 3)],
        [(2, 3), (3,), ()],
        [(2, 4), (2, 3), (3, 4)],
        [(2,), (2, 3), (3,)],
        [(2, 4), (5, 2, 3), (5, 3, 4)],
        [(5, 2, 4), (5, 2, 3), (5, 3, 4)],
        [(3,), (2,), (2,)],
    ],
}

# What does not change shapes.
_OPTIONS = {"dtype", "layout", "device", "pin_memory", "requires_grad", "memory_format"}

# How many calls are tried, and how many rows are shown: of the first overload, of others, of all.
_ATTEMPTS = 200
_FIRST = 4
_FURTHER = 2
_MOST = 8


def rows(operator: Operator) -> list[Row]:
    """Calls with shapes in place of tensors, and the shapes of their results."""
    found: dict[str, str] = {}
    for overload in operator.overloads:
        count = _FURTHER if found else _FIRST
        found |= _of_overload(operator, overload, count)
    return list(found.items())[:_MOST]


def _of_overload(operator: Operator, overload: Overload, count: int) -> dict[str, str]:
    """With what is required, and with one parameter more if that changes the shapes."""
    by_names: dict[frozenset[str], list[Sample]] = {}
    for seed in itertools.islice(_samples.seeds(operator, overload), _ATTEMPTS):
        by_names.setdefault(frozenset(_passed(seed)), []).append(seed)
    if not by_names:
        return {}
    least = min(by_names, key=len)
    plain = list(itertools.islice(_reshaped(operator, _telling(operator, by_names[least])), count))
    found: dict[str, str] = {}
    for sample in plain:
        found |= _row(operator, sample)
    for names in sorted(by_names, key=sorted):
        added = names - least
        if least <= names and len(added) == 1 and not _OPTIONS & added:
            values = [_given(it)[next(iter(added))] for it in by_names[names]]
            found |= _changed(operator, plain[0], next(iter(added)), values)
    return found


def _changed(operator: Operator, plain: Sample, name: str, values: list[Any]) -> dict[str, str]:
    """The call with the first of these values for another parameter that changes the shapes."""
    before = _result(_samples.run(operator, plain))
    more = (
        Sample(plain.overload, plain.args, {**plain.kwargs, name: it}, plain.kind) for it in values
    )
    rows = (_row(operator, it) for it in _samples.accepted(operator, more))
    return next((it for it in rows if before not in it.values()), {})


def _telling(operator: Operator, seeds: list[Sample]) -> Sample:
    """The first call whose results have elements, with as few numbers for tensors as can be."""
    least = min(it.stand_ins() for it in seeds)
    seeds = [it for it in seeds if it.stand_ins() == least]
    results = ((it, tensors(_samples.run(operator, it))) for it in seeds)
    return next((it for it, found in results if all(0 not in t.shape for t in found)), seeds[0])


def _passed(sample: Sample) -> list[str]:
    names = list(sample.overload.signature.parameters)
    return [*names[: len(sample.args)], *sample.kwargs]


def _given(sample: Sample) -> dict[str, Any]:
    values = [*sample.args, *sample.kwargs.values()]
    return dict(zip(_passed(sample), values, strict=True))


def _reshaped(operator: Operator, seed: Sample) -> Iterator[Sample]:
    """The call with tensors of other shapes, as far as it is taken; if hardly, the call itself."""
    candidates = _CANDIDATES.get(len(seed.elements()), [])
    taken = 0
    for sample in _samples.accepted(operator, (_shaped(seed, it) for it in candidates)):
        taken += 1
        yield sample
    if taken <= 1:
        yield seed


def _shaped(seed: Sample, shapes: list[Shape]) -> Sample:
    turns = iter(shapes)

    def change(elements: Elements) -> Elements:
        shape = next(turns)
        return elements.reshaped(lambda values: np.resize(values, shape))

    return seed.changed("shape", change)


def _row(operator: Operator, sample: Sample) -> dict[str, str]:
    name = operator.name.rpartition(".")[2]
    parts: list[str] = []
    is_named = False
    for at, (key, value) in enumerate(_given(sample).items()):
        is_named |= at >= len(sample.args) or not isinstance(value, (Elements, list, tuple))
        text = _argument(value)
        parts.append(f"{key}={text}" if is_named else text)
    return {f"`{name}({', '.join(parts)})`": _result(_samples.run(operator, sample))}


def _argument(value: Any) -> str:
    if isinstance(value, Elements):
        return str(value.values.shape)
    if isinstance(value, list):
        return f"[{', '.join(map(_argument, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_argument, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def _result(result: Any) -> str:
    if isinstance(result, (list, tuple)):
        return ", ".join(map(_result, result)) or "nothing"
    if hasattr(result, "untyped_storage"):
        return f"`{tuple(result.shape)}`"
    return f"a `{type(result).__name__}`"

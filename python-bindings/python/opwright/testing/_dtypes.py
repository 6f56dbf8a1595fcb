"""Which dtypes an operator takes, and which dtypes it returns for them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import opwright
from opwright.testing import _samples
from opwright.testing._elements import DTYPES, Elements
from opwright.testing._operator import Operator, Overload
from opwright.testing._samples import Sample


def _kind(dtype: str) -> str:
    """The word for the dtypes that usually go together with this one."""
    it = getattr(opwright, dtype)
    if it.is_complex:
        return "complex"
    if it.is_floating_point:
        return "floating"
    return "" if it == opwright.bool else "integers"


# Those dtypes by the word, which `bool` needs not.
_GROUPS = {
    kind: [it for it in DTYPES if _kind(it) == kind]
    for kind in ("", "integers", "floating", "complex")
}

# How many calls there is a choice of, and how many rows are shown.
_SEEDS = 12
_MOST = 10

Row = tuple[str, str]

# A call, and what is returned for each dtype in place of its first one.
Tried = tuple[Sample, dict[str, tuple[str, ...]]]


def rows(operator: Operator) -> list[Row]:
    """Dtypes of arguments and of results, as text, each pair once."""
    found: dict[Row, None] = {}
    for overload in operator.overloads:
        tried = [
            (seed, _by_dtype(operator, seed))
            for seed in itertools.islice(_samples.seeds(operator, overload), _SEEDS)
        ]
        if tried and not any(seed.elements() for seed, _ in tried):
            found |= dict.fromkeys([("no tensor", _of_numbers(operator, overload, tried))])
        elif tried:
            seed, returned = max(tried, key=lambda it: _worth(*it))
            found |= dict.fromkeys(_rows(operator, overload, seed, returned))
    return list(found)[:_MOST]


def _worth(seed: Sample, returned: dict[str, tuple[str, ...]]) -> tuple[bool, int, bool, int, int]:
    """How much a call says: nothing but its tensors should decide, and these should be alike."""
    values = [*seed.args, *seed.kwargs.values()]
    decides = "dtype" in seed.kwargs or any(isinstance(it, complex) for it in values)
    elements = seed.elements()
    # Taken for the two dtypes of indices alone, they say nothing of what is indexed.
    are_alike = len({it.dtype for it in elements}) == 1 and len(returned) > 2
    return not decides, -seed.stand_ins(), are_alike, len(returned), len(elements)


def _by_dtype(operator: Operator, seed: Sample) -> dict[str, tuple[str, ...]]:
    """What is returned for each dtype that is taken in place of the first one."""
    casts = (_samples.cast(seed, it) for it in DTYPES) if seed.elements() else iter(())
    taken = _samples.accepted(operator, casts)
    return {it.kind: _returned(operator, it) for it in taken}


def _of_numbers(operator: Operator, overload: Overload, tried: list[Tried]) -> str:
    """What is returned for the numbers that were tried."""
    plain = [seed for seed, _ in tried if "dtype" not in seed.kwargs] or [tried[0][0]]
    words = dict.fromkeys(_words(_returned(operator, it)) for it in plain)
    return _with_option(overload, " or ".join(words))


def _rows(
    operator: Operator, overload: Overload, seed: Sample, returned: dict[str, tuple[str, ...]]
) -> Iterator[Row]:
    elements = seed.elements()
    beside = sorted({f"`{it.dtype}`" for it in elements if it.dtype != elements[0].dtype})
    remark = f", beside {' and '.join(beside)}" if beside else ""
    alike: dict[tuple[str, ...], list[str]] = {}
    for dtype in returned:
        alike.setdefault(_relative(returned, dtype), []).append(dtype)
    for result, dtypes in alike.items():
        yield _grouped(dtypes) + remark, _with_option(overload, _words(result))
    for sample in _samples.accepted(operator, _mixed(seed)):
        result = _returned(operator, sample)
        yield f"`int64` and `float32`{remark}", _with_option(overload, _words(result))


def _mixed(seed: Sample) -> Iterator[Sample]:
    """The first tensor of integers, the others of floating numbers."""
    first, *others = seed.elements()
    if not any(it.dtype == first.dtype for it in others):
        return
    turns = iter(["int64"])

    def change(it: Elements) -> Elements:
        return it.cast(next(turns, "float32")) if it.dtype == first.dtype else it

    yield seed.changed("mixed", change)


def _returned(operator: Operator, sample: Sample) -> tuple[str, ...]:
    """The dtypes of what a call returns, or the types of what is no tensor."""
    result = _samples.run(operator, sample)
    if isinstance(result, list) or type(result) is tuple:
        return tuple(dict.fromkeys(map(_name, result)))
    return tuple(map(_name, result)) if isinstance(result, tuple) else (_name(result),)


def _name(result: Any) -> str:
    if hasattr(result, "untyped_storage"):
        return str(result.dtype).rpartition(".")[2]
    return type(result).__name__


def _relative(returned: dict[str, tuple[str, ...]], dtype: str) -> tuple[str, ...]:
    """What is returned for a dtype, by which it is that of the arguments."""
    kin = _GROUPS[_kind(dtype)]
    words = []
    for at, name in enumerate(returned[dtype]):
        column = {it: names[at] for it, names in returned.items() if at < len(names)}
        # A dtype that all come to, or all of its kind, is not that of the arguments.
        others = [it for it in column if it in kin and it != dtype]
        is_fixed = len(column) > 1 and len(set(column.values())) == 1
        is_alone = bool(others) and not any(column[it] == it for it in others)
        words.append("the same" if name == dtype and not (is_fixed or is_alone) else name)
    return tuple(words)


def _words(result: tuple[str, ...]) -> str:
    return ", ".join(it if it == "the same" else f"`{it}`" for it in result)


def _with_option(overload: Overload, words: str) -> str:
    return f"{words}, or `dtype`" if "dtype" in overload.signature.parameters else words


def _grouped(dtypes: list[str]) -> str:
    if len(dtypes) == len(DTYPES):
        return "all"
    words = []
    for name, group in _GROUPS.items():
        there = [it for it in group if it in dtypes]
        words += [name] if name and there == group else [f"`{it}`" for it in there]
    return ", ".join(words)

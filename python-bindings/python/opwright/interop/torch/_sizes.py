"""Sizes that are symbols: those of results, found by probing the Meta kernel.

A Meta kernel answers for numbers alone. It is asked for the numbers that the symbols stand for at
the moment, and for others near and far; a number of its answers becomes the polynomial of the
symbols that all answers agree with. What cannot change alone is made equal to another symbol that
it changes with, or the number that it stands for; PyTorch notes both as guards. If an answer is of
no such form, all symbols become numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import torch

from ._polynomials import FAR, Number, fit, moved

# What a symbol stands for if nothing is known: no size that PyTorch treats as a case of its own.
_UNKNOWN_SIZE = 5

# How far each symbol is moved, alone and all at once, and what else it is tried for.
_STEPS = (1, 2, 3, 17, FAR)
_JOINT_STEPS = ((1, 2, 3), (7, 5, 11), (30, 13, 2))
_SMALL = (2, 3, 4)

# What an operator returns for sizes: what they must not change, and the numbers that they may.
# None is a number that does not matter, such as the stride of a dimension of size 1.
Answer = tuple[Any, tuple[int | None, ...]]
# What replaces symbols among numbers.
Replace = Callable[[Any], Any]
_Point = tuple[int, ...]

_REFUSALS = (IndexError, NotImplementedError, OverflowError, RuntimeError, TypeError, ValueError)


def hint(value: Any) -> Any:
    """The number that a symbol stands for at the moment, without a guard."""
    if not isinstance(value, (torch.SymInt, torch.SymFloat)):
        return value
    kind = int if isinstance(value, torch.SymInt) else float
    found = value.node.hint
    return kind(_UNKNOWN_SIZE if found is None else found)


def results(numbers: Iterable[Any], ask: Callable[[Replace], Answer]) -> list[Any]:
    """The numbers that an operator returns, as functions of symbols among its arguments' numbers.

    `ask` calls the Meta kernel with concrete numbers in the place of symbols. Numbers that do not
    matter are None.
    """
    symbols = _symbols(numbers)

    def at(values: Sequence[int]) -> Answer:
        known = {it.node.expr: value for it, value in zip(symbols, values, strict=True)}
        return ask(lambda it: _number(it, known))

    here = tuple(map(hint, symbols))
    first = at(here)
    answer = cache(lambda point: _answer(at, point))
    groups = _groups(here, lambda places: _moves(here, places, answer, first[0]))
    groups, found = _known(here, groups, answer)
    _guard(symbols, groups)
    values = [symbols[group[0]] for group in groups]
    return [each(values) for each in found]


def _guard(symbols: list[Any], groups: list[list[int]]) -> None:
    """Asks for what has to be so, as it is at the moment: asking is what makes it a guard."""
    for group in groups:
        for place in group[1:]:
            bool(symbols[group[0]] == symbols[place])
    moving = {place for group in groups for place in group}
    for place, it in enumerate(symbols):
        if place not in moving:
            int(it)


def _symbols(numbers: Iterable[Any]) -> list[Any]:
    """The symbols that the others, such as their products, follow from."""
    found = {it.node.expr: it for it in numbers if isinstance(it, torch.SymInt)}
    plain = {it for it in found if it.is_Symbol}
    return [it for key, it in found.items() if key in plain or not key.free_symbols <= plain]


def _number(value: Any, known: dict[Any, int]) -> Any:
    if not isinstance(value, torch.SymInt):
        return value
    expression = value.node.expr
    return known[expression] if expression in known else int(expression.subs(known))


def _answer(at: Callable[[_Point], Answer], point: _Point) -> Answer | None:
    try:
        return at(point)
    except _REFUSALS:
        return None


def _moves(
    here: _Point, places: Iterable[int], answer: Callable[[_Point], Answer | None], kept: Any
) -> bool:
    """Whether the operator takes other numbers at these places, the same at each."""
    for step in _STEPS:
        point = here
        for place in places:
            point = moved(point, place, step)
        found = answer(point)
        if found is None or found[0] != kept:
            return False
    return True


def _groups(here: _Point, moves: Callable[[Iterable[int]], bool]) -> list[list[int]]:
    """The places of numbers that can change: alone, or together with equal ones."""
    found = [[place] for place in range(len(here)) if moves([place])]
    free = [group[0] for group in found]
    stuck = [place for place in range(len(here)) if place not in free]
    for place in list(stuck):
        if place not in stuck:
            continue
        others = [it for it in (*stuck, *free) if it != place and here[it] == here[place]]
        other = next((it for it in others if moves([place, it])), None)
        if other in free:
            next(group for group in found if other in group).append(place)
        elif other is not None:
            found.append([place, other])
        stuck = [it for it in stuck if other is None or it not in (place, other)]
    for value in sorted({here[place] for place in stuck}):
        equal = [place for place in stuck if here[place] == value]
        if len(equal) > 2 and moves(equal):
            found.append(equal)
    return found


def _known(
    here: _Point, groups: list[list[int]], answer: Callable[[_Point], Answer | None]
) -> tuple[list[list[int]], list[Number]]:
    """The groups that can change, all but one or none, and the functions of their numbers."""
    fewer = [[it for it in groups if it is not without] for without in groups]
    for some in (groups, *fewer):
        found = _functions(here, some, answer)
        if found is not None:
            return some, found
    found = _functions(here, [], answer)
    assert found is not None
    return [], found


def _functions(
    here: _Point, groups: list[list[int]], answer: Callable[[_Point], Answer | None]
) -> list[Number] | None:
    """For each number of an answer, what it is of the numbers of the groups."""

    def spread(values: Sequence[int]) -> _Point:
        point = list(here)
        for group, value in zip(groups, values, strict=True):
            for place in group:
                point[place] = value
        return tuple(point)

    start = tuple(here[group[0]] for group in groups)
    first = answer(here)
    assert first is not None
    samples = []
    for values in _samples(start):
        found = answer(spread(values))
        if found is not None and found[0] == first[0]:
            samples.append((values, found[1]))
        elif found is not None or min(map(int.__sub__, values, start)) >= 0:
            # Smaller ones may be too small; any other is taken, or this is not known.
            return None

    def number(values: _Point, at: int) -> int:
        known = answer(spread(values))
        found = known[1][at] if known is not None and known[0] == first[0] else None
        if found is None:
            raise LookupError
        return found

    functions: list[Number] = []
    for at, known in enumerate(first[1]):
        expected = [(values, it[at]) for values, it in samples if it[at] is not None]
        try:
            function = fit(start, partial(number, at=at)) if expected else _constant(known)
        except LookupError:
            return None
        if function is None or any(function(values) != it for values, it in expected):
            return None
        functions.append(function)
    return functions


def _constant(value: Any) -> Number:
    return lambda _: value


def _samples(start: _Point) -> Iterator[_Point]:
    """Numbers that functions are checked for."""
    for place, value in enumerate(start):
        for other in {*_SMALL, value - 1, *(value + step for step in _STEPS)}:
            if other > 1:
                yield moved(start, place, other - value)
    for steps in _JOINT_STEPS:
        yield tuple(
            value + steps[place % len(steps)] + place // len(steps)
            for place, value in enumerate(start)
        )

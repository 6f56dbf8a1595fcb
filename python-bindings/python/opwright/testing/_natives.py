"""Values of a module's own types, for calls of operators that take them."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterable, Iterator
from inspect import Parameter
from types import ModuleType
from typing import Any

# What a class may have: a method without parameters that returns some of its instances.
PROTOCOL = "__opwright_samples__"

# How many calls of a class are tried, and how many of the values are kept.
_ATTEMPTS = 20_000
_KEPT = 3


def samples(native: ModuleType, given: Iterable[Any] = ()) -> list[Any]:
    """What was given, then what each class says, or else what its calls return."""
    classes = list(native._natives()) if hasattr(native, "_natives") else []
    found = list(given)
    left = [it for it in classes if not any(type(one) is it for one in found)]
    for class_ in [it for it in left if hasattr(it, PROTOCOL)]:
        left.remove(class_)
        found += getattr(class_, PROTOCOL)()
    # A class may take values of another one.
    for _ in classes:
        for class_ in list(left):
            made = list(itertools.islice(_made(native, class_, found), _KEPT))
            if made:
                left.remove(class_)
                found += made
    return found


def _made(native: ModuleType, class_: type, others: list[Any]) -> Iterator[Any]:
    """Instances, by calling the class with what fits, found by trying."""
    try:
        parameters = inspect.signature(class_).parameters.values()
    except (TypeError, ValueError):
        return
    needed = [
        it
        for it in parameters
        if it.default is Parameter.empty
        and it.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    ]
    values = [0.5, 1, 2.0, 3, "mean", native.tensor([1.0, 2.0]), True, *others, [0.5, 1.0], [1, 2]]
    values += [native.float32, "cpu"]
    for passed in itertools.islice(itertools.product(values, repeat=len(needed)), _ATTEMPTS):
        by_name = {
            it.name: value
            for it, value in zip(needed, passed, strict=True)
            if it.kind is Parameter.KEYWORD_ONLY
        }
        try:
            made = class_(*passed[: len(needed) - len(by_name)], **by_name)
        except Exception:
            # Whatever the author of the class raises for a value.
            continue
        yield made

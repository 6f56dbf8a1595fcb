# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy that take arrays as sets of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .joined import common
from .operators import array, body, row


@body
def _isin() -> Any:
    def isin(element, test_elements):
        out = np.zeros(element.shape, np.bool_)
        for i in range(element.size):
            for x in test_elements.flat:
                if x == element.flat[i]:
                    out.flat[i] = True
                    break
        return out

    return isin


@row
def isin(element: Any, test_elements: Any) -> Any:
    return _isin(), (array(element), array(test_elements))


@body
def _union1d() -> Any:
    return lambda ar1, ar2: np.unique(np.concatenate((ar1.ravel(), ar2.ravel())))


@body
def _selected(keeps_both: bool, dtype: Any) -> Any:
    """The numbers of the first that are among those of the second, or that are not."""

    def selected(ar1, ar2):
        first, second = np.unique(ar1.astype(dtype)), np.unique(ar2.astype(dtype))
        out = np.empty(first.size, dtype)
        count = at = 0
        for x in first:
            while at < second.size and second[at] < x:
                at += 1
            if (at < second.size and second[at] == x) == keeps_both:
                out[count] = x
                count += 1
        return out[:count].copy()

    return selected


@body
def _setxor1d(dtype: Any) -> Any:
    less = _selected(False, dtype)
    return lambda ar1, ar2: np.sort(np.concatenate((less(ar1, ar2), less(ar2, ar1))))


def _of_two(name: str, make: Any) -> None:
    def function(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
        found = [array(it).ty for it in (ar1, ar2)]
        return make(found), (ar1, ar2)

    row(function, name)


_of_two("union1d", lambda found: _union1d())
_of_two("intersect1d", lambda found: _selected(True, common(found)))
_of_two("setdiff1d", lambda found: _selected(False, common(found)))
_of_two("setxor1d", lambda found: _setxor1d(common(found)))

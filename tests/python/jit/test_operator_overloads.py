"""Overloads of operators, called from plain Python."""

import functools

import numpy as np
import opwright
import pytest
from opwright import jit, types
from opwright.extending import native_struct, overload


@native_struct
class Span:
    """Real numbers between two."""

    lo: types.float64
    hi: types.float64


@overload(opwright.add)
def _(a, b):
    if a == Span._opwright_type_ and b == Span._opwright_type_:
        return lambda a, b: Span(a.lo + b.lo, a.hi + b.hi)
    if a == Span._opwright_type_ and isinstance(b, types.Float):

        def shifted(a, b):
            if b != b:
                raise ValueError("no number")
            return Span(a.lo + b, a.hi + b)

        return shifted
    return None


def test_an_operator_asks_where_no_signature_fits():
    found = opwright.add(Span(1.0, 2.0), Span(10.0, 20.0))
    assert isinstance(found, Span) and (found.lo, found.hi) == (11.0, 22.0)
    assert opwright.add(Span(1.0, 2.0), 0.5).hi == 2.5
    assert opwright.add(Span(1.0, 2.0), b=0.5).hi == 2.5


def test_compiled_functions_ask_the_same():
    @jit
    def twice(a):
        return opwright.add(a, a)

    assert twice(Span(1.0, 2.0)).hi == 4.0


def test_what_fits_is_called_as_before():
    x = opwright.tensor([1.0, 2.0])
    assert opwright.add(x, x).tolist() == [2, 4]
    with pytest.raises(TypeError, match="from_numpy"):
        opwright.add(np.array([1.0]), object())


def test_the_error_says_why_overloads_declined():
    with pytest.raises(TypeError, match=r"^add\(\): argument 'input' .* must be Tensor") as caught:
        opwright.add(Span(1.0, 2.0), "a")
    (note,) = caught.value.__notes__
    assert "test_operator_overloads.py" in note and "declined" in note
    with pytest.raises(TypeError, match=r"^add\(\)") as caught:
        opwright.add(Span(1.0, 2.0), object())
    (note,) = caught.value.__notes__
    assert note.startswith("overloads are not asked: ")
    # An operator without overloads has no note.
    with pytest.raises(TypeError, match=r"^mul\(\)") as caught:
        opwright.mul(Span(1.0, 2.0), "a")
    assert not hasattr(caught.value, "__notes__")


def test_what_an_overload_raises_goes_through():
    with pytest.raises(ValueError, match="no number"):
        opwright.add(Span(1.0, 2.0), float("nan"))


def test_callables_count():
    @jit
    def inc(x):
        return x + 1

    assert callable(inc)
    assert functools.partial(inc, 1)() == 2
    assert inc.__call__(1) == 2
    assert inc(*(1,)) == 2

"""Operators of one's own types, between calls of other functions."""

import operator

from opwright import extending, jit, types


@extending.native_struct(frozen=True)
class Amount:
    """A number."""

    value: types.float64


AMOUNT = extending.typeof(Amount(0.0))


@extending.overload(operator.add)
def add(a, b):
    if a == b == AMOUNT:
        return lambda a, b: Amount(a.value + b.value)
    return None


@jit
def doubled(amount):
    return Amount(2.0 * amount.value)


@jit
def after_a_sum_of_numbers(x):
    number = x + 1.0
    return doubled(Amount(number))


@jit
def after_a_sum(amount):
    return doubled(amount + amount)


def test_who_declined_before_is_not_asked_about_a_call():
    assert after_a_sum_of_numbers(2.0) == Amount(6.0)
    assert after_a_sum(Amount(2.0)) == Amount(8.0)

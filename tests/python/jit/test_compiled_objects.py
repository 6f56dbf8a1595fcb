"""What `jit` returns, as an object: a method, pickled, with the attributes of its function."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from called_functions import defaults, plain_type, three
from opwright import jit
from opwright.extending import typeof_impl


class Holder:
    """Has compiled functions in every place of a class."""

    factor = 3

    @jit
    def method(self, x):
        """Return what it is given."""
        return x

    @staticmethod
    @jit
    def static(x):
        """Return one more."""
        return x + 1

    @jit
    @staticmethod
    def outer_static(x):
        """Return two more."""
        return x + 2

    def __init__(self, x: Any = 0.0, y: Any = 0.0) -> None:
        self.x, self.y = x, y


typeof_impl.register(Holder, constant=True)(lambda value, c: plain_type)


def test_methods() -> None:
    holder = Holder()
    assert (holder.method(2), holder.method(x=3), Holder.method(holder, 4)) == (2, 3, 4)
    assert (Holder.static(1), holder.static(1), Holder.outer_static(1), holder.outer_static(1)) == (
        2,
        2,
        3,
        3,
    )
    assert Holder.method is Holder.__dict__["method"]
    bound = holder.method
    assert bound.__self__ is holder
    assert bound.__func__ is Holder.method
    assert bound(5) == 5


def test_pickled_by_name() -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(three, protocol)) is three
        assert pickle.loads(pickle.dumps(Holder.method, protocol)) is Holder.method
    assert copy.deepcopy(three) is three

    @jit
    def local(x):
        return x

    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(local)


def test_attributes() -> None:
    assert (defaults.__name__, defaults.__module__) == ("defaults", "called_functions")
    assert defaults.__wrapped__ is defaults.py_func
    assert repr(defaults).startswith("jit(<function defaults")
    assert three.signatures is not three.signatures

"""Dimensions have numbers and no names: what takes a name says so."""

import inspect

import opwright
import pytest

BY_NAME = [
    (lambda t: opwright.cumsum(t, "a"), "dim"),
    (lambda t: opwright.sum(t, "a"), "dim"),
    (lambda t: opwright.sum(t, ["a", "b"]), "dim"),
    (lambda t: opwright.sum(t, axis="a"), "dim"),
    (lambda t: t.var(dim="a"), "dim"),
    (lambda t: t.max("a"), "dim"),
    (lambda t: t.select("a", 0), "dim"),
    (lambda t: t.sort("a", descending=True), "dim"),
    (lambda t: t.flatten("a", "b", "c"), "start_dim"),
    (lambda t: opwright.cat([t], "a"), "dim"),
    (lambda t: opwright.zeros(2, 3, names=("a", "b")), "names"),
]


@pytest.mark.parametrize(("call", "argument"), BY_NAME)
def test_a_name_is_refused_where_it_stands(call, argument):
    message = rf"'{argument}'( \(position \d\))?: dimensions have no names here"
    with pytest.raises(NotImplementedError, match=message):
        call(opwright.zeros(2, 3))


def test_no_names_may_be_passed():
    assert opwright.ones(2, 3, names=None).tolist() == [[1.0] * 3] * 2
    assert opwright.full((), 4, names=[]).item() == 4
    with pytest.raises(RuntimeError, match="dimensions have no names here"):
        opwright.zeros(2, 3, names=[])


def test_other_calls_hear_nothing_of_names():
    assert list(inspect.signature(opwright.cumsum).parameters) == ["input", "dim", "dtype", "out"]
    with pytest.raises(TypeError) as error:
        opwright.sum(opwright.zeros(2), 1.5)
    assert "name" not in str(error.value)

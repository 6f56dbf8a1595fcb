"""Passes a type of the crate's own."""

import inspect

import my_ops
import pytest
from my_ops import Quantizer, tensor
from opwright.testing import opcheck

BY = Quantizer(0.5, steps=2)


def test_it_is_taken_where_a_schema_names_it():
    x = tensor([-9.0, 0.3, 0.8, 9.0])
    assert my_ops.quantize(x, BY).tolist() == [-1.0, 0.5, 1.0, 1.0]
    assert my_ops.quantize(x, by=BY).tolist() == my_ops.ops.quantize.default(x, BY).tolist()
    assert my_ops.quantize(x, None).tolist() == my_ops.quantize(x).tolist() == x.tolist()
    assert inspect.signature(my_ops.quantize).parameters["by"].default is None


def test_lists_of_it_follow():
    x = tensor([0.3, 0.8])
    assert my_ops.quantize_by_all(x, [BY, Quantizer(1.0)]).tolist() == [1.0, 1.0]
    assert my_ops.ops.quantize_by_all.default(x, (Quantizer(1.0),)).tolist() == [0.0, 1.0]
    assert my_ops.quantize_by_all(x, []).tolist() == x.tolist()


def test_it_is_returned():
    by = my_ops.quantizer_of(tensor([-4.0, 2.0]), 8)
    assert type(by) is Quantizer and (by.scale, by.steps) == (0.5, 8)
    by = my_ops.ops.quantizer_of.default(tensor([1.0]))
    assert type(by) is Quantizer and by.steps == 127


def refused(*args):
    """What a wrong call is told, in one line."""
    with pytest.raises(TypeError) as caught:
        args[0](*args[1:])
    return " ".join(str(caught.value).split())


def test_messages_name_it():
    x, quantize, by_all = tensor([1.0]), my_ops.quantize, my_ops.quantize_by_all
    assert "must be Quantizer or None, not float (0.5)" in refused(quantize, x, 0.5)
    listed = refused(by_all, x, [BY, None])
    assert "must be tuple of Quantizers, not list, whose element at position 1 is None" in listed
    alone = refused(by_all, x, BY)
    assert "must be tuple of Quantizers, not Quantizer; put it in a tuple or list" in alone
    with pytest.raises(ValueError, match="a step is greater than zero"):
        Quantizer(0.0)
    assert "Quantizer|None by=None" in quantize.__doc__


def test_opcheck_calls_what_takes_it():
    report = opcheck(my_ops.quantize_by_all)
    assert report.uncalled == [] and report.calls["from Python"] > 0
    given = opcheck(my_ops.quantize_by_all, samples=[BY])
    assert given.uncalled == [] and given.calls["from Python"] > 0


@pytest.mark.parametrize("operator", [my_ops.width, my_ops.hull, my_ops.relabel, my_ops.in_bits])
def test_opcheck_calls_what_takes_structs_and_ranges(operator):
    report = opcheck(operator)
    assert report.uncalled == [] and report.calls["from Python"] > 0

"""Passes a type of the crate's own."""

import inspect

import my_ops
import pytest
from my_ops import Quantizer, tensor

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


def test_messages_name_it():
    x = tensor([1.0])
    with pytest.raises(TypeError, match=r"'by' .*must be Quantizer or None, not float \(0.5\)"):
        my_ops.quantize(x, 0.5)
    with pytest.raises(TypeError, match="must be tuple of Quantizers, not list, whose element at position 1 is None"):
        my_ops.quantize_by_all(x, [BY, None])
    with pytest.raises(TypeError, match="must be tuple of Quantizers, not Quantizer; put it in a tuple or list"):
        my_ops.quantize_by_all(x, BY)
    with pytest.raises(ValueError, match="a step is greater than zero"):
        Quantizer(0.0)
    assert "Quantizer|None by=None" in my_ops.quantize.__doc__

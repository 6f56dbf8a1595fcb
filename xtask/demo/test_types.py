"""A module that stands alone has types of its own."""

import pickle

import my_ops
import pytest


def test_types_are_those_of_the_module() -> None:
    rows = my_ops.TensorType("float32", (None, 2))
    assert rows is my_ops.TensorType(my_ops.float32, [None, 2])
    assert isinstance(rows, my_ops.Type) and rows.dtype is my_ops.float32
    assert rows.is_super(my_ops.typeof(my_ops.tensor([[1.0, 2.0]])))
    assert my_ops.typeof(1.5) is my_ops.types.double
    assert rows("x").type is rows
    assert pickle.loads(pickle.dumps(rows)) is rows


def test_values_are_taken_as_everywhere() -> None:
    vector = my_ops.TensorType("float32", (None,))
    assert vector.filter([1, 2]).tolist() == [1.0, 2.0]
    with pytest.raises(TypeError, match="takes no float64 array without loss"):
        vector.filter(my_ops.tensor([0.5], dtype=my_ops.float64))


def test_a_type_of_ones_own() -> None:
    class Text(my_ops.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            if not isinstance(value, str):
                raise TypeError("a text is needed")
            return value

    text = Text()
    assert text("x").type is text and text.is_valid_value("a") and not text.is_valid_value(1)

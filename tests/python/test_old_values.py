"""New values of shared variables and of results go to where the old ones are, if that may be."""

import opwright as ow
import pytest
from opwright import graph

VECTOR = ow.TensorType("float64", (None,))


def vector(*numbers):
    return ow.tensor(list(numbers), dtype=ow.float64)


def address(shared):
    """Where its elements are; nobody holds them afterwards."""
    return shared.get_value(borrow=True).data_ptr()


class Lists(ow.Type):
    """Lists that are filled again, and which notes what it is asked."""

    def __init__(self, makes_new=False):
        self.makes_new = makes_new
        self.asked = []

    def filter(self, value, strict=False, allow_downcast=None):
        """Makes a list."""
        self.asked.append(("filter", strict, allow_downcast))
        return value if strict else list(value)

    def filter_inplace(self, value, storage, strict=False, allow_downcast=None):
        """Fills the old one."""
        self.asked.append(("filter_inplace", strict, allow_downcast))
        if isinstance(value, str):
            raise TypeError("a text is no list")
        if self.makes_new:
            return value
        storage[:] = value
        return storage

    def cleanup(self, value):
        """Notes the end."""
        self.asked.append(("cleanup", list(value)))


def test_a_tensor_of_the_same_shape_keeps_its_memory():
    s = ow.shared(vector(1.0, 2.0), type=VECTOR)
    before = address(s)
    given = vector(3.0, 4.0)
    s.set_value(given)
    assert address(s) == before != given.data_ptr()
    assert s.get_value().tolist() == [3.0, 4.0]
    s.set_value([5, 6])
    assert (address(s), s.get_value().tolist()) == (before, [5.0, 6.0])
    given.fill_(0.0)
    s.set_value(vector(1.0, 2.0, 3.0))
    assert s.get_value().tolist() == [1.0, 2.0, 3.0]


def test_memory_that_is_lent_is_left_alone():
    s = ow.shared(vector(1.0, 2.0), type=VECTOR)
    lent = s.get_value(borrow=True)
    s.set_value(vector(3.0, 4.0))
    assert lent.tolist() == [1.0, 2.0]
    given = vector(5.0, 6.0)
    s.set_value(given, borrow=True)
    assert address(s) == given.data_ptr()
    s.set_value(vector(7.0, 8.0))
    assert given.tolist() == [5.0, 6.0]
    array = pytest.importorskip("numpy").array([1.0, 2.0])
    t = ow.shared(array, type=VECTOR, borrow=True)
    t.set_value(vector(3.0, 4.0))
    assert array.tolist() == [1.0, 2.0]
    s.set_value(s.get_value(borrow=True))
    assert s.get_value().tolist() == [7.0, 8.0]


def test_a_value_that_is_refused_changes_nothing():
    s = ow.shared(vector(1.0, 2.0), type=VECTOR)
    before = address(s)
    with pytest.raises(TypeError):
        s.set_value(["no", "number"])
    assert (address(s), s.get_value().tolist()) == (before, [1.0, 2.0])
    ty = Lists()
    t = ow.shared([1], type=ty)
    with pytest.raises(TypeError, match="a text is no list"):
        t.set_value("text")
    assert t.get_value() == [1]


def test_a_function_that_runs_has_the_value_that_it_began_with():
    s = ow.shared(vector(1.0, 2.0), type=VECTOR)

    class Sets(graph.Op):
        def make_node(self, x):
            return graph.Apply(self, [x], [x.type()])

        def perform(self, node, inputs, output_storage):
            s.set_value(vector(9.0, 9.0))
            output_storage[0][0] = inputs[0] * 1.0

    f = ow.function([], Sets()(s) + s)
    assert f().tolist() == [2.0, 4.0]
    assert s.get_value().tolist() == [9.0, 9.0]


@pytest.mark.parametrize(("strict", "loose"), [(False, None), (True, None), (False, True)])
def test_a_type_is_asked_in_place_with_what_the_variable_says(strict, loose):
    ty = Lists()
    s = ow.shared([1, 2], type=ty, strict=strict, allow_downcast=loose)
    old = s.get_value(borrow=True)
    ty.asked.clear()
    s.set_value((3, 4))
    assert s.get_value(borrow=True) is old
    assert old == [3, 4]
    # It lives on: nothing is cleaned up.
    assert ty.asked == [("filter_inplace", strict, None if strict else loose)]


def test_what_a_type_makes_anew_is_copied_unless_it_is_lent():
    ty = Lists(makes_new=True)
    s = ow.shared([1], type=ty)
    given = [2]
    s.set_value(given)
    assert s.get_value(borrow=True) == given
    assert s.get_value(borrow=True) is not given
    assert ("cleanup", [1]) in ty.asked
    s.set_value(given, borrow=True)
    assert s.get_value(borrow=True) is given


class Twice(graph.Op):
    """A list twice."""

    def make_node(self, x):
        """Of the same type."""
        return graph.Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        """A new list."""
        output_storage[0][0] = inputs[0] * 2


def test_results_go_to_where_the_last_ones_are_unless_somebody_has_these():
    ty = Lists()
    x = ty("x")
    f = ow.function([x], Twice()(x), reuse_outputs=True)
    first = f([1])
    assert f([2]) == [2, 2]
    assert first == [1, 1]
    del first
    ty.asked.clear()
    second = f([3])
    assert second == [3, 3]
    assert [it for it in ty.asked if it[0] == "filter_inplace"] == [("filter_inplace", True, None)]
    f.free()
    assert f([4]) == [4, 4]
    assert second == [3, 3]


def test_types_that_fill_nothing_give_new_results():
    class Plain(ow.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            return value

    x = Plain()("x")
    f = ow.function([x], Twice()(x), reuse_outputs=True)
    assert [f([1]), f([2])] == [[1, 1], [2, 2]]

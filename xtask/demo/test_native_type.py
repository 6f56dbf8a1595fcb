"""Makes structs of Rust by their classes, calls operators with them, and has graphs of them."""

import copy
import gc
import inspect
import pickle
import threading
import weakref

import my_ops
import pytest
from my_ops import Interval, Labelled, tensor


def refused(error, call):
    """What a wrong use is told, in one line."""
    with pytest.raises(error) as caught:
        call()
    return " ".join(str(caught.value).split())


def test_a_class_is_called_with_its_fields():
    it = Interval(1, hi=3.0)
    assert (it.lo, it.hi, repr(it)) == (1.0, 3.0, "Interval(lo=1.0, hi=3.0)")
    assert repr(Interval(lo=0.5)) == "Interval(lo=0.5, hi=1.0)"
    assert str(inspect.signature(Interval)) == "(lo, hi=1.0)"
    assert Interval.__module__ == "my_ops" and Interval.__doc__.startswith("The real numbers")
    assert Interval.lo.__doc__ == "The least of them."


def test_wrong_calls_say_what_is_wrong():
    it = "it is Interval(lo, hi=1.0)"
    assert refused(TypeError, Interval) == f"Interval() misses argument 'lo'; {it}"
    assert refused(TypeError, lambda: Interval(1, 2, 3)) == (
        f"Interval() takes 2 arguments, not 3; {it}"
    )
    assert "has no argument 'x'" in refused(TypeError, lambda: Interval(1, x=2))
    assert "got two values for argument 'lo'" in refused(TypeError, lambda: Interval(1, lo=2))
    text = refused(TypeError, lambda: Interval("a"))
    assert text == "Interval.lo: expected a float, got str"
    text = refused(TypeError, lambda: Labelled(Interval(0), 3))
    assert text == "Labelled.label: expected a str, got int (3)"
    refused(TypeError, lambda: type("Mine", (Interval,), {}))


def test_only_some_fields_may_be_set():
    it = Interval(1, 2)
    it.hi = 4
    assert it == Interval(1, 4)
    assert refused(TypeError, lambda: setattr(it, "hi", "x")) == (
        "Interval.hi: expected a float, got str"
    )
    assert refused(AttributeError, lambda: delattr(it, "hi")) == "Interval.hi cannot be deleted"
    assert "not writable" in refused(AttributeError, lambda: setattr(it, "lo", 0.0))
    assert "has no attribute" in refused(AttributeError, lambda: setattr(it, "mid", 0.0))
    assert it == Interval(1, 4)


def test_equal_fields_make_equal_values():
    assert Interval(1, 2) == Interval(1, 2) != Interval(1, 3)
    assert Interval(1, 2) != (1, 2)
    a, b = (Labelled(Interval(0), "a", _marks=tensor([it])) for it in (1.0, 2.0))
    assert a != b and a == Labelled(Interval(0), "a", _marks=tensor([1.0]))
    refused(TypeError, lambda: hash(a))


def test_match_takes_it_apart():
    match Interval(1, 2):
        case Interval(lo, hi=2.0):
            assert lo == 1.0
        case _:
            pytest.fail("it has these fields")


def test_pickles_and_copies_have_the_fields():
    it = Labelled(Interval(0, 5), "a", _marks=tensor([1.0]))
    for again in [pickle.loads(pickle.dumps(it)), copy.copy(it), copy.deepcopy(it)]:
        assert again == it and again is not it
    changed = copy.copy(it.within)
    changed.hi = 7
    assert it.within == Interval(0, 5)


def test_operators_borrow_and_return_it():
    it = Interval(1, 4)
    assert my_ops.width(it) == my_ops.ops.width.default(it) == 3.0
    assert my_ops.clip_to(tensor([0.0, 9.0]), it).tolist() == [1.0, 4.0]
    assert my_ops.clip_to(tensor([0.0, 9.0])).tolist() == [0.0, 9.0]
    assert my_ops.hull([it, Interval(-1, 0)]) == Interval(-1, 4)
    assert my_ops.ops.hull.default([it]) == it
    assert "must be Interval, not float (2.0)" in refused(TypeError, lambda: my_ops.width(2.0))


def test_what_is_skipped_stays_with_the_value():
    it = my_ops.relabel(my_ops.with_label(Interval(0), "a"), "b")
    assert it.label == "b" and my_ops.times_relabelled(it) == 1
    assert not hasattr(it, "looks")
    assert my_ops.times_relabelled(pickle.loads(pickle.dumps(it))) == 0


def test_its_type_is_one_object():
    ty = my_ops.Interval_t
    assert ty is my_ops.Interval_t is my_ops.typeof(Interval(0)) is pickle.loads(pickle.dumps(ty))
    assert (str(ty), ty.cls) == ("Interval", Interval)
    assert list(my_ops.Labelled_t.fields) == ["within", "label", "_marks"]
    assert my_ops.Labelled_t.fields["within"] is ty
    layout = "Interval: struct my_ops_interval, 16 bytes\n     0 double lo\n     8 double hi"
    assert my_ops.types.describe(ty) == layout
    assert my_ops.types.describe(my_ops.Labelled_t) == "Labelled: an object"
    assert not hasattr(my_ops, "Quantizer_t")


class Other:
    """What has the fields of an interval, and is none."""

    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi


def test_a_type_takes_its_own_values_and_reads_others():
    ty, it = my_ops.Interval_t, Interval(1, 4)
    assert ty.filter(it) is it and ty.filter(it, strict=True) is it
    assert ty.filter(Other(1, 2.5)) == Interval(1, 2.5)
    text = refused(TypeError, lambda: ty.filter(Other("a", 2.5)))
    assert text == "Interval.lo: expected a float, got str"
    assert "expected Interval, got Other" in refused(
        TypeError, lambda: ty.filter(Other(1, 2), strict=True)
    )
    assert refused(TypeError, lambda: ty.filter(3)) == "expected Interval, got int"
    assert refused(TypeError, lambda: ty.filter(ty("x"))) == (
        "expected Interval, got a variable, not a value"
    )


def test_values_are_compared_field_by_field():
    ty, it = my_ops.Interval_t, Interval(1, 4)
    assert ty.values_eq(it, Interval(1, 4)) and not ty.values_eq(it, Interval(1, 5))
    nan = Interval(float("nan"), 1)
    assert ty.values_eq(nan, copy.copy(nan)) and nan != copy.copy(nan)
    assert ty.values_eq_approx(it, Interval(1, 4 + 1e-10))
    assert not ty.values_eq_approx(it, Interval(1, 4 + 1e-6))
    marked = Labelled(it, "a", _marks=tensor([1.0]))
    copied = my_ops.Labelled_t.deep_copy(marked)
    assert copied == marked and copied._marks.data_ptr() != marked._marks.data_ptr()


def test_graphs_take_return_and_take_it_apart():
    x = my_ops.Interval_t("x")
    assert x.hi.type is my_ops.typeof(1.5) and my_ops.width(x).type is x.hi.type
    y = my_ops.hull([x, Interval(0, 0)])
    assert y.type is my_ops.Interval_t
    f = my_ops.function([x], [my_ops.width(y), x.lo, y])
    assert f(Interval(1, 4)) == [4.0, 1.0, Interval(0, 4)]
    assert f(Other(1, 2)) == [2.0, 1.0, Interval(0, 2)]
    text = refused(TypeError, lambda: f(Other(1, "b")))
    assert text.endswith("argument 'x' (position 1): Interval.hi: expected a float, got str")
    labelled = my_ops.Labelled_t("labelled")
    inner = my_ops.function([labelled], my_ops.width(labelled.within))
    assert inner(Labelled(Interval(1, 4))) == 3.0


def test_what_is_lent_and_unchanged_comes_out_itself():
    x, it = my_ops.Interval_t("x"), Interval(1, 4)
    lent = my_ops.function([my_ops.In(x, borrow=True)], my_ops.Out(x, borrow=True))
    assert lent(it) is it
    out = my_ops.function([x], x)(it)
    assert out == it and out is not it
    # What was handed in earlier is not what it is now.
    it.hi = 9
    assert out == Interval(1, 4)


def test_values_end_with_their_objects():
    marks = tensor([1.0])
    gone = weakref.ref(marks)
    it = Labelled(Interval(0), _marks=marks)
    del marks, it
    gc.collect()
    assert gone() is None


def test_threads_set_and_read_at_once():
    it, wrong = Interval(0, 0), []

    def set_and_read(number):
        for at in range(2000):
            it.hi = number * 10_000 + at
            if my_ops.width(it) % 10_000 >= 2000:
                wrong.append(it)

    threads = [threading.Thread(target=set_and_read, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and it.hi % 10_000 == 1999

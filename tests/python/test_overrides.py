"""`__opwright_function__`: arguments that take over calls, and subclasses that keep their type."""

import copy

import opwright
import pytest


class Taker:
    """Takes over every call and says what it saw."""

    @classmethod
    def __opwright_function__(cls, function, types, args=(), kwargs=None):
        names = tuple(each.__name__ for each in types)
        return cls.__name__, function.__name__, names, len(args), sorted(kwargs or {})


class Derived(Taker):
    """Is asked before the class that it is derived from."""


class Decliner:
    """Leaves the decision to others."""

    @classmethod
    def __opwright_function__(cls, function, types, args=(), kwargs=None):
        return NotImplemented


class Marked:
    """Has overrides turned off."""

    __opwright_function__ = opwright._C._disabled_function_impl


class Sub(opwright.Tensor):
    """A subclass that keeps the default."""


class SubSub(Sub):
    """A subclass of a subclass."""


class Plain(opwright.Tensor):
    """A subclass without overrides: results are plain tensors."""

    __opwright_function__ = opwright._C._disabled_function_impl


T = opwright.ones(2, 3)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: opwright.add(1, Taker()), ("Taker", "add", ("Taker",), 2, [])),
        (lambda: T.add(Taker()), ("Taker", "add", ("Taker",), 2, [])),
        (lambda: T + Taker(), ("Taker", "add", ("Taker",), 2, [])),
        (lambda: Taker() + T, ("Taker", "add", ("Taker",), 2, [])),
        (lambda: opwright.cat([T, Taker()]), ("Taker", "cat", ("Taker",), 1, [])),
        (lambda: opwright.sum(T, dim=Taker()), ("Taker", "sum", ("Taker",), 1, ["dim"])),
        (lambda: opwright.zeros(2, device=Taker()), ("Taker", "zeros", ("Taker",), 1, ["device"])),
        (lambda: opwright.full((2,), Taker()), ("Taker", "full", ("Taker",), 2, [])),
        (lambda: opwright.special.exp2(Taker()), ("Taker", "special_exp2", ("Taker",), 1, [])),
    ],
)
def test_any_argument_of_any_kind_takes_over(call, expected):
    assert call() == expected


def test_a_subclass_is_asked_first():
    assert opwright.cat([Taker(), Derived()])[:3] == ("Derived", "cat", ("Derived", "Taker"))
    assert opwright.add(Derived(), Taker())[:3] == ("Derived", "add", ("Derived", "Taker"))


def test_the_next_one_is_asked_if_one_declines():
    assert opwright.add(Decliner(), Taker())[0] == "Taker"
    with pytest.raises(TypeError, match=r"add\(\).*NotImplemented.*Decliner"):
        opwright.add(Decliner(), T)


def test_what_an_override_raises_is_passed_on():
    class Raiser:
        def __opwright_function__(self, *args):
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        opwright.abs(Raiser())


def test_wrong_calls_are_refused_before_anyone_is_asked():
    with pytest.raises(TypeError, match="takes 2 positional arguments"):
        opwright.mul(Taker(), 1, 2)
    with pytest.raises(TypeError, match="foo"):
        opwright.sum(T, 0, foo=Taker())


def test_the_marker_turns_overrides_off():
    with pytest.raises(TypeError, match="must be Tensor, not Marked"):
        opwright.abs(Marked())


def test_results_keep_the_subclass():
    sub, subsub = T.as_subclass(Sub), T.as_subclass(SubSub)
    assert type(opwright.abs(sub)) is Sub
    assert type(sub + 1) is Sub
    assert type(1 + sub) is Sub
    assert type(opwright.add(T, sub)) is Sub
    assert type(opwright.add(sub, subsub)) is SubSub
    assert type(sub.t()) is Sub
    values, indices = sub.max(0)
    assert type(values) is Sub
    assert type(indices) is Sub
    assert all(type(each) is Sub for each in sub.unbind())
    assert type(opwright.cat([T, sub])) is Sub
    assert type(T.as_subclass(Plain) + 1) is opwright.Tensor
    assert type(copy.copy(sub)) is Sub


def test_a_subclass_can_call_the_default():
    seen = []

    class Logger(opwright.Tensor):
        @classmethod
        def __opwright_function__(cls, function, types, args=(), kwargs=None):
            seen.append(function.__name__)
            return super().__opwright_function__(function, types, args, kwargs)

    logger = T.as_subclass(Logger)
    result = (logger + 1).exp_()
    assert type(result) is Logger
    assert seen == ["add", "exp_"]


def test_unrelated_subclasses_need_someone_to_decide():
    class Other(opwright.Tensor):
        pass

    with pytest.raises(TypeError, match="NotImplemented"):
        opwright.add(T.as_subclass(Sub), T.as_subclass(Other))


def test_indices_and_values_take_over():
    """An index or a value whose class has an override of its own; what `Tensor` has is none."""

    class Asked(opwright.Tensor):
        @classmethod
        def __opwright_function__(cls, function, types, args=(), kwargs=None):
            return function.__name__, types, len(args)

    class Silent(opwright.Tensor):
        pass

    x, asked = opwright.zeros(3), opwright.tensor([1]).as_subclass(Asked)
    assert x[asked] == ("__getitem__", (Asked,), 2)
    assert x[0:2, asked] == ("__getitem__", (Asked,), 2)
    x[0] = asked
    x[asked] = 1.0
    assert x.tolist() == [0.0, 0.0, 0.0]
    assert x[opwright.tensor([1]).as_subclass(Silent)].tolist() == [0.0]

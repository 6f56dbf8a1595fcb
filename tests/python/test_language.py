"""Operators and functions of the language and of its library, with tensors."""

import math
import statistics
from fractions import Fraction

import numpy as np
import opwright
import pytest

T = opwright.tensor

BINARY = [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
    "divmod",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
]


def dunders() -> list[str]:
    """The methods of operators with two operands that tensors have."""
    names = [prefix + name for name in BINARY for prefix in ("", "r", "i")]
    return [f"__{it}__" for it in names if hasattr(opwright.Tensor, f"__{it}__")]


def test_there_are_all_of_them() -> None:
    assert len(dunders()) >= 40


@pytest.mark.parametrize("name", dunders())
@pytest.mark.parametrize("dtype", [opwright.int64, opwright.bool, opwright.float32])
def test_strange_operands_are_left_to_their_class(name: str, dtype: opwright.dtype) -> None:
    class Stranger:
        """Of a class that knows nothing of tensors."""

    for stranger in (object(), Stranger(), "text", None, {}):
        tensor = T([1, 0]).to(dtype)
        found = getattr(tensor, name)(stranger)
        assert found is NotImplemented, stranger


@pytest.mark.parametrize("name", [it for it in dunders() if it[2] != "i" and it[2] != "r"])
def test_the_other_class_is_asked(name: str) -> None:
    symbol = {"and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "add": "+"}.get(
        name.strip("_")
    )
    if symbol is None:
        return
    other = type("Other", (), {f"__r{name.strip('_')}__": lambda self, left: "mine"})()
    assert eval(f"t {symbol} other", {"t": T([1]), "other": other}) == "mine"


def test_division_with_rest() -> None:
    for a, b in ((T([7, -7]), 2), (T([7.5]), T([2.0])), (9, T([2, 4]))):
        quotient, rest = divmod(a, b)
        assert (quotient.tolist(), rest.tolist()) == ((a // b).tolist(), (a % b).tolist())
    with pytest.raises(TypeError, match="divmod"):
        divmod(T([1]), object())


def test_rounding() -> None:
    assert round(T([1.5, 2.5, -0.4])).tolist() == [2.0, 2.0, -0.0]
    assert round(T([1.26]), 1).tolist() == pytest.approx([1.3])
    assert [it(T(-1.5)) for it in (math.trunc, math.floor, math.ceil)] == [-1, -2, -1]
    with pytest.raises((TypeError, RuntimeError, ValueError)):
        math.trunc(T([1.0, 2.0]))


def test_statistics() -> None:
    assert statistics.mean([T(1.0), T(2.0)]) == 1.5
    assert statistics.mean(T([1, 2])) == 1.5
    assert T(0.75).as_integer_ratio() == (3, 4)
    assert opwright.Tensor(Fraction(1, 4)).tolist() == 0.25


def test_numpy_bools_are_bools() -> None:
    yes, no = np.True_, np.False_
    x = opwright.ones(2, 3)
    assert opwright.sum(x, 0, yes).shape == (1, 3)
    assert x.sum(0, keepdim=no).shape == (3,)
    assert opwright.ones(2, requires_grad=yes).requires_grad
    assert x.to(opwright.float32, copy=yes) is not x
    assert opwright.nn.Linear(2, 2).train(no).training is False
    with opwright.set_grad_enabled(no):
        assert not opwright.is_grad_enabled()
    y = opwright.ones(2)
    y.requires_grad = yes
    assert y.requires_grad


def takers_of_bool() -> list[tuple[str, str]]:
    """All functions with a parameter that is a bool."""
    from bound_operators import operators

    found = []
    for operator in operators():
        for signature in operator.overloads:
            for name, parameter in signature.parameters.items():
                if str(parameter.annotation) in ("bool", "<class 'bool'>"):
                    found.append((operator, name))
    return found


def test_every_bool_may_be_of_numpy() -> None:
    """No refusal is about a bool of numpy, whatever else is missing."""
    takers = takers_of_bool()
    assert len(takers) > 50
    for operator, name in takers:
        args = [opwright.ones(2, 2)] if str(operator).startswith("Tensor.") else []
        with pytest.raises((TypeError, RuntimeError)) as caught:
            operator.function(*args, object(), **{name: np.True_})
        text = str(caught.value).replace("must be bool, not object", "")
        assert "must be bool, not" not in text, text


class Named:
    """What other libraries call as we do."""


@pytest.mark.parametrize("name", ["Tensor", "bool", "float", "int", "dtype", "device", "str"])
def test_what_is_found_is_not_called_as_what_is_expected(name: str) -> None:
    other = type(name, (), {"__module__": "elsewhere"})()
    for call in (
        lambda: opwright.sum(other),
        lambda: opwright.ones(2).sum(0, other),
        lambda: opwright.ones(2, dtype=other),
        lambda: opwright.ones(2, device=other),
        lambda: opwright.ones(other),
        lambda: opwright.nn.Parameter.register_hook,
    ):
        try:
            call()
        except TypeError as error:
            assert f"elsewhere.{name}" in str(error), str(error)


def test_parts_of_complex_tensors_are_assigned() -> None:
    x = T([1 + 2j, 3 + 4j])
    x.real = T([5.0, 6.0])
    x.imag = 0.5
    assert x.tolist() == [5 + 0.5j, 6 + 0.5j]
    x.real = x.imag
    assert x.tolist() == [0.5 + 0.5j, 0.5 + 0.5j]
    y = opwright.ones(2)
    y.real = 3
    assert y.tolist() == [3.0, 3.0]
    with pytest.raises(RuntimeError, match="imag"):
        y.imag = 1.0
    with pytest.raises(TypeError, match="deleted"):
        del x.real
    with pytest.raises(RuntimeError, match="shape"):
        x.real = opwright.ones(3)


def test_gradients_of_assigned_parts() -> None:
    part = opwright.ones(2, requires_grad=True)
    x = T([1 + 2j, 3 + 4j])
    x.real = part * 2
    (x.real * T([3.0, 4.0])).sum().backward()
    assert part.grad is not None
    assert part.grad.tolist() == [6.0, 8.0]


def test_capsules_are_taken_once() -> None:
    x = opwright.arange(3.0)
    capsule = x.__dlpack__()
    y = opwright.from_dlpack(capsule)
    y[0] = 7.0
    assert x[0] == 7.0
    with pytest.raises(TypeError, match="nobody has taken"):
        opwright.from_dlpack(capsule)
    with pytest.raises(TypeError, match="must be a capsule or have a method __dlpack__"):
        opwright.from_dlpack(object())


def test_padding_is_mirrored_as_often_as_it_takes() -> None:
    x = np.arange(3.0, dtype=np.float32)
    for before in range(9):
        for mode, theirs in (("reflect", "reflect"), ("circular", "wrap")):
            padded = opwright.nn.functional.pad(T(x)[None], (before, 5), mode=mode)
            assert padded[0].tolist() == np.pad(x, (before, 5), mode=theirs).tolist()
    one = opwright.nn.functional.pad(opwright.ones(1, 1), (2, 1), mode="reflect")
    assert one.tolist() == [[1.0] * 4]


def test_chains_of_matrices_come_one_by_one() -> None:
    a, b, c = opwright.ones(2, 3), opwright.ones(3, 4), opwright.ones(4, 5)
    for found in (opwright.chain_matmul(a, b, c), opwright.chain_matmul([a, b, c])):
        assert found.tolist() == (a @ b @ c).tolist()


def test_profiles_of_shown_tensors() -> None:
    try:
        opwright.set_printoptions(profile="full")
        assert "..." not in repr(opwright.arange(2000))
        opwright.set_printoptions(profile="short")
        assert "0.33," in repr(T([1 / 3, 1.0]))
        opwright.set_printoptions(profile="default", precision=3)
        assert "0.333" in repr(T([1 / 3]))
        with pytest.raises(ValueError, match="'profile' must be one of 'default'"):
            opwright.set_printoptions(profile="long")
    finally:
        opwright.set_printoptions(profile="default")

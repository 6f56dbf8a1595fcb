"""Parameters that take one of few words: what is taken, what is refused, and what is kept of it."""

from __future__ import annotations

import pickle
import re

import opwright as ow
import pytest
from opwright import _C
from opwright.extending import native_op

WORDS = _C._STR_ENUMS


def schemas() -> list[str]:
    operators = [getattr(ow.ops, name) for name in dir(ow.ops) if not name.startswith("__")]
    found = [it for it in operators if isinstance(it, ow.ops.Operator)]
    return [getattr(operator, name).schema for operator in found for name in operator.overloads]


def test_every_enumeration_is_the_type_of_some_parameter() -> None:
    text = "\n".join(schemas())
    assert {name for name in WORDS if re.search(rf"\b{name}\??(\[\d*\])? \w+", text)} == set(WORDS)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda x: ow.nn.functional.pad(x, (1, 1), mode="mirror"),
            NotImplementedError,
            "Unrecognised padding mode mirror",
        ),
        (
            lambda x: ow.div(x, 2, rounding_mode="up"),
            RuntimeError,
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'up'",
        ),
        (
            lambda x: ow.linalg.qr(x, "full"),
            RuntimeError,
            "qr received unrecognized mode 'full' but expected one of 'reduced' (default), 'r', or "
            "'complete'",
        ),
        (
            lambda x: ow.searchsorted(x, x, side="middle"),
            RuntimeError,
            "side can only be 'left' or 'right' but got middle",
        ),
        (
            lambda x: ow.meshgrid([x[0], x[1]], indexing="yx"),
            RuntimeError,
            'indexing must be one of "xy" or "ij", but received: yx',
        ),
        (
            lambda x: x.scatter(0, ow.zeros(1, 1, dtype=ow.int64), x, reduce="sum"),
            RuntimeError,
            "argument 'reduce' must be either add or multiply, not sum",
        ),
        (
            lambda x: ow.nn.functional.gelu(x, approximate="erf"),
            RuntimeError,
            "argument 'approximate' must be either none or tanh, but got erf",
        ),
        (
            lambda x: ow.linalg.lstsq(x, x, driver="qr"),
            RuntimeError,
            "linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)",
        ),
        (
            lambda x: ow.fft.fft(x, norm="unitary"),
            RuntimeError,
            'Invalid normalization mode: "unitary"',
        ),
    ],
)
def test_other_words_are_refused(call: object, kind: type[Exception], message: str) -> None:
    x = ow.tensor([[1.0, 2.0], [3.0, 5.0]])
    with pytest.raises(kind, match=re.escape(message)):
        call(x)


def test_words_stay_words_in_graphs_and_pickles() -> None:
    x = ow.TensorType("float64", (2,))("x")
    node = ow.div(x, 2.0, rounding_mode="floor").owner
    assert node.arguments["rounding_mode"] == "floor"
    half = pickle.loads(pickle.dumps(ow.function([x], node.outputs[0])))
    assert half(ow.tensor([3.0, -3.0], dtype=ow.float64)).tolist() == [1.0, -2.0]


def test_operators_of_python_take_words() -> None:
    @native_op("str_enums::bordered(Tensor x, PaddingMode mode='reflect') -> Tensor")
    def bordered(x: ow.Tensor, mode: str) -> ow.Tensor:
        return ow.nn.functional.pad(x, (1, 1), mode=mode)

    x = ow.tensor([[1.0, 2.0, 3.0]])
    assert bordered(x).tolist() == [[2.0, 1.0, 2.0, 3.0, 2.0]]
    assert bordered(x, "circular").tolist() == [[3.0, 1.0, 2.0, 3.0, 1.0]]
    with pytest.raises(NotImplementedError, match="Unrecognised padding mode mirror"):
        bordered(x, "mirror")
    from opwright.stubs import stub

    assert 'Literal["constant", "reflect", "replicate", "circular"]' in stub(bordered)


def test_a_default_is_one_of_the_words() -> None:
    declare = native_op("str_enums::other(Tensor x, PaddingMode mode='mirror') -> Tensor")
    with pytest.raises(ValueError, match="`'mirror'` is not a value of type `PaddingMode`"):
        declare(lambda x, mode: x)

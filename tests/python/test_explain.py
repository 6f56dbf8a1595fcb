"""`opwright.explain`: which overload takes a call, and why the others do not."""

from typing import Any

import opwright
import pytest

A = opwright.ones(2, 3)


class Untouched:
    """Takes over every call, and is not asked."""

    @classmethod
    def __opwright_function__(cls, *_: object) -> None:
        raise AssertionError("explaining runs nothing")


def test_the_overload_and_the_reasons_of_the_others() -> None:
    explanation = opwright.explain(opwright.max, A, 1)
    assert explanation.overload is not None
    assert explanation.overload.startswith("max(Tensor input, int dim, bool keepdim=False")
    assert str(explanation) == repr(explanation) == explanation.text
    lines = explanation.text.splitlines()
    assert lines[0] == "max() takes this overload:"
    assert "    dim = int (1)" in lines
    assert any("'other' must be Tensor, not int" in it for it in lines)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            (opwright.mul, A, 3),
            [
                "gradient of self: mul_tensor_backward(grad, other, self.scalar_type())",
                "gradient of other: mul_tensor_backward(grad, self, other.scalar_type())",
            ],
        ),
        ((opwright.Tensor.t, A), ["gradient of self: grad.t()"]),
        ((opwright.eq, A, 3), ["gradient: not differentiable"]),
        ((opwright.floor_divide, A, 2), ["gradient: not implemented"]),
        ((opwright.linalg.inv, A), ["gradient: composed of operators that record"]),
    ],
)
def test_what_becomes_of_gradients(call: tuple[Any, ...], said: list[str]) -> None:
    text = opwright.explain(*call).text
    lines = [it.strip() for it in text.splitlines() if it.startswith("    gradient")]
    assert lines == said


def test_what_is_written_elsewhere_has_no_gradient() -> None:
    text = opwright.explain(opwright.mul, A, A, out=opwright.empty(0)).text
    assert "\n    gradient: not differentiable" in text


def test_nothing_runs() -> None:
    written = opwright.zeros(2)
    opwright.explain(opwright.Tensor.add_, written, 1)
    assert written.tolist() == [0, 0]
    assert "Untouched" in opwright.explain(opwright.add, A, Untouched()).text


def test_a_call_that_none_takes_hears_what_the_exception_says() -> None:
    explanation = opwright.explain(opwright.max, A, 1.5)
    assert explanation.overload is None
    with pytest.raises(TypeError) as error:
        opwright.max(A, 1.5)
    assert explanation.text == str(error.value)


@pytest.mark.parametrize(
    ("function", "args", "overload"),
    [
        (opwright.Tensor.add, (A, A), "add("),
        (A.add, (A,), "add("),
        (opwright.linalg.norm, (A,), "linalg_norm("),
        (opwright.nn.functional.gelu, (A,), "gelu("),
    ],
)
def test_functions_and_methods(function: object, args: tuple[object, ...], overload: str) -> None:
    assert str(opwright.explain(function, *args).overload).startswith(overload)


def test_others_are_refused() -> None:
    with pytest.raises(ValueError, match="not a function or method of an operator"):
        opwright.explain(len, A)
    with pytest.raises(TypeError, match="needs a tensor"):
        opwright.explain(opwright.Tensor.add)

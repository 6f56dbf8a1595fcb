"""Every case of an operator, called through Python."""

import builtins
import re
from typing import Any

import numpy as np
import opwright
import pytest
from cases import Case, all_cases, value

# Relative errors that rounding explains.
TOLERANCES = {"float16": 1e-3, "bfloat16": 1e-2, "float32": 1e-6, "complex64": 1e-6}


def check(case: Case, reverse_memory: bool) -> None:
    """Makes the call and compares."""
    args = [value(arg, reverse_memory) for arg in case.text.get("args", [])]
    kwargs = {name: value(arg, reverse_memory) for name, arg in case.text.get("kwargs", {}).items()}
    kwargs = with_out(case, kwargs)
    if error := case.text.get("error"):
        kind = getattr(builtins, error["kind"], None) or getattr(opwright.linalg, error["kind"])
        with pytest.raises(kind, match=re.escape(error["message"])) as raised:
            case.function()(*args, **kwargs)
        assert raised.type is kind
        return
    inputs = differentiated(case, args, kwargs)
    result = case.function()(*args, **kwargs)
    if "result" in case.text:
        check_value(case, result, value(case.text["result"]))
    check_gradients(case, inputs, result)
    for name, expected in case.text.get("writes", {}).items():
        written = args[0] if name == "self" else kwargs[name]
        check_value(case, written, value(expected))


def with_out(case: Case, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Several tensors that are written to are one tuple in Python."""
    base, _, overload = case.text["op"].partition(".")
    if len(kwargs) < 2 or not hasattr(opwright.ops, base):
        return kwargs
    schema = getattr(getattr(opwright.ops, base), overload or "default").schema
    names = re.findall(r"Tensor\(\w!\) (\w+)", schema.partition("*, ")[2])
    if len(names) < 2 or not all(it in kwargs for it in names):
        return kwargs
    others = {name: it for name, it in kwargs.items() if name not in names}
    return others | {"out": tuple(kwargs[it] for it in names)}


def differentiated(
    case: Case, args: list[Any], kwargs: dict[str, Any]
) -> dict[str, opwright.Tensor]:
    """The arguments of which gradients are asked for, which they require from now on."""
    names = {**case.text.get("gradients", {}), **case.text.get("second_gradients", {})}
    if not names:
        return {}
    base, _, overload = case.text["op"].partition(".")
    schema = getattr(getattr(opwright.ops, base), overload or "default").schema
    inside = schema[schema.index("(") + 1 : schema.rindex(") ->")]
    parameters = [it.partition("=")[0].split()[-1] for it in re.split(r", (?![^\[]*\])", inside)]
    positional = [it for it in parameters if it != "*"]
    by_name = dict(zip(positional, args, strict=False)) | kwargs
    return {name: by_name[name].requires_grad_() for name in names}


def check_gradients(case: Case, inputs: dict[str, opwright.Tensor], result: Any) -> None:
    """Compares gradients of the sum of the results, and those of the sum of all of them."""
    outputs = list(result) if isinstance(result, tuple | list) else [result]
    for key in ("gradients", "second_gradients"):
        if not inputs or (key == "second_gradients" and key not in case.text):
            return
        gradients = gradients_of(outputs, inputs)
        for name, expected in case.text.get(key, {}).items():
            check_value(case, gradients[name], value(expected))
        outputs = list(gradients.values())


def gradients_of(
    outputs: list[opwright.Tensor], inputs: dict[str, opwright.Tensor]
) -> dict[str, opwright.Tensor]:
    """Gradients of the sum of all elements; what none comes to has zeros."""
    roots = [it for it in outputs if it.requires_grad]
    if not roots:
        return {name: opwright.zeros_like(it) for name, it in inputs.items()}
    ones = [opwright.ones_like(it) for it in roots]
    found = opwright.autograd.grad(
        roots, list(inputs.values()), ones, create_graph=True, allow_unused=True
    )
    return {
        name: opwright.zeros_like(it) if gradient is None else gradient
        for (name, it), gradient in zip(inputs.items(), found, strict=True)
    }


def check_value(case: Case, actual: Any, expected: Any) -> None:
    """Compares a result, element by element if it is a list or tuple of tensors."""
    if isinstance(expected, list) and isinstance(actual, tuple | list):
        if any(isinstance(it, tuple | list) for it in actual):
            actual = [it for one in actual for it in (one if isinstance(one, tuple) else [one])]
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            check_value(case, one, other)
    elif isinstance(expected, opwright.Tensor):
        check_tensor(case, actual, expected)
    else:
        assert actual == pytest.approx(expected, nan_ok=True)


def check_tensor(case: Case, actual: opwright.Tensor, expected: opwright.Tensor) -> None:
    """Compares dtype, shape and device exactly, and the elements as closely as the dtype allows."""
    assert isinstance(actual, opwright.Tensor)
    assert actual.dtype == expected.dtype
    assert tuple(actual.shape) == tuple(expected.shape)
    assert actual.device == expected.device
    if actual.device.type == "meta":
        return
    if case.text.get("signs"):
        signs = np.copysign(1.0, np.array(actual.tolist()))
        np.testing.assert_array_equal(signs, np.copysign(1.0, np.array(expected.tolist())))
    dtype = str(actual.dtype).removeprefix("opwright.")
    tolerance = case.text.get("tolerance", TOLERANCES.get(dtype, 1e-14))
    np.testing.assert_allclose(
        np.array(actual.tolist()),
        np.array(expected.tolist()),
        rtol=tolerance,
        atol=case.text.get("absolute", tolerance),
    )


@pytest.mark.filterwarnings("ignore:the variance")
@pytest.mark.parametrize("case", list(all_cases()), ids=lambda case: case.name)
def test_case(case: Case) -> None:
    if case.text.get("unbound"):
        with pytest.raises(LookupError):
            case.function()
        pytest.skip("the operator has no Python binding")
    check(case, reverse_memory=False)
    if not case.text.get("contiguous"):
        check(case, reverse_memory=True)

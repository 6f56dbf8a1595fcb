"""Every case of `tests/cases`, called through Python."""

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
    if error := case.text.get("error"):
        kind = getattr(builtins, error["kind"])
        with pytest.raises(kind, match=re.escape(error["message"])) as raised:
            case.function()(*args, **kwargs)
        assert raised.type is kind
        return
    result = case.function()(*args, **kwargs)
    check_value(case, result, value(case.text["result"]))
    for name, expected in case.text.get("writes", {}).items():
        written = args[0] if name == "self" else kwargs[name]
        check_value(case, written, value(expected))


def check_value(case: Case, actual: Any, expected: Any) -> None:
    """Compares a result, element by element if it is a list or tuple of tensors."""
    if isinstance(expected, list) and isinstance(actual, tuple | list):
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
    dtype = str(actual.dtype).removeprefix("opwright.")
    tolerance = case.text.get("tolerance", TOLERANCES.get(dtype, 1e-14))
    np.testing.assert_allclose(
        np.array(actual.tolist()), np.array(expected.tolist()), rtol=tolerance, atol=tolerance
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

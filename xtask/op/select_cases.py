"""A plugin of pytest: of the cases that test files go over, `--operator` selects one operator's."""

from __future__ import annotations

import re
from typing import Any

import pytest
from operators import Target, find, public_name


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--operator`."""
    parser.addoption("--operator", required=True, help="a name of the operator")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what calls another operator.

    Raises:
        pytest.UsageError: Nothing is left.
    """
    target = find(config.getoption("operator"))
    calls = calls_of(target)
    selected = [it for it in items if _is_of(target, calls, _case(it))]
    config.hook.pytest_deselected(items=[it for it in items if it not in selected])
    if not selected:
        raise pytest.UsageError(f"no case in ops/src calls `{target}`")
    items[:] = selected


def calls_of(target: Target) -> re.Pattern[str]:
    """Where an expression calls the operator; which overload it calls does not show there."""
    functions = [it for it in target.operators if not it.is_method]
    names = "|".join(re.escape(public_name(it)) for it in functions) or "(?!)"
    methods = [it.name.removeprefix("Tensor.") for it in target.operators if it.is_method]
    own = "|".join(map(re.escape, methods)) or "(?!)"
    # Not `linalg.norm` for the method `norm`: in front of its point is a tensor.
    return re.compile(rf"\b(?:torch|ow)\.(?:{names})\(|(?:\b[a-z]|\)|\.T)\.(?:{own})\(")


def _case(item: pytest.Item) -> Any:
    """The case that a test is called with."""
    call = getattr(item, "callspec", None)
    return call.params.get("case") if call is not None else None


def _is_of(target: Target, calls: re.Pattern[str], case: Any) -> bool:
    if isinstance(case, dict):
        return target.overload is None and calls.search(case["expr"]) is not None
    return hasattr(case, "text") and target.has(case.text["op"])

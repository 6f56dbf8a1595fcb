"""Fast paths: statements around the edges of their conditions do the same with them and without."""

from typing import Any

import opwright as ow
import pytest
from fast_paths import STATEMENTS, names, without
from opwright import _C

PATHS: list[str] = getattr(_C, "_fast_paths", [])

pytestmark = pytest.mark.skipif(not PATHS, reason="the module was built without switches")

CASES = [
    pytest.param(path, statement, is_taken, id=f"{path}-{statement}")
    for path, lists in STATEMENTS.items()
    for is_taken, statements in zip([True, False], lists, strict=True)
    for statement in statements
]


def bits(value: Any) -> Any:
    """All that can be seen of a tensor, or of a tuple of them."""
    if isinstance(value, tuple):
        return tuple(bits(it) for it in value)
    if not isinstance(value, ow.Tensor):
        return repr(value)
    told = (type(value), value.dtype, value.shape, value.stride(), value.requires_grad)
    grad = bits(value.grad) if value.is_leaf else None
    return *told, value.detach().numpy().tobytes(), grad


def outcome(path: str, statement: str) -> tuple[Any, bool]:
    """What the statement raises, or what all tensors are after it; and whether it took the path."""
    found = names()
    _C._was_fast_path_taken(path)
    try:
        exec(statement, found)
        raised = None
    except Exception as error:
        raised = f"{type(error).__name__}: {error}"
    is_taken = _C._was_fast_path_taken(path)
    values = {name: it for name, it in found.items() if isinstance(it, ow.Tensor | tuple | float)}
    return raised or {name: bits(it) for name, it in values.items()}, is_taken


def test_every_path_has_statements_on_both_sides_of_its_condition() -> None:
    assert set(STATEMENTS) == set(PATHS)
    assert all(taken and left for taken, left in STATEMENTS.values())


@pytest.mark.parametrize(("path", "statement", "is_taken"), CASES)
def test_both_ways_give_the_same(path: str, statement: str, is_taken: bool) -> None:
    fast = outcome(path, statement)
    with without(path):
        general = outcome(path, statement)
    assert (fast[1], general[1]) == (is_taken, False)
    assert fast[0] == general[0]

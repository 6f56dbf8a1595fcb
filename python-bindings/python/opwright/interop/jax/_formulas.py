"""Gradients of operators by their formulas alone: graphs, of which nothing is computed twice.

What a recorded call would compute before its gradient is left out where the formula does not use
it. Calls that no graph takes are recorded.
"""

from __future__ import annotations

from functools import lru_cache

from ... import _C
from ._arguments import Template
from ._calls import PULLBACK
from ._results import flat, variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._calls import Call

    _Types = tuple[tuple[_C.dtype, tuple[int, ...]], ...]


def pullback(call: Call, tensors: Sequence[Any]) -> list[Any] | None:
    """The gradients of a call whose only step is a pullback; None if no graph takes it."""
    compiled = compiled_pullback(call, tensors)
    return None if compiled is None else list(compiled(*tensors))


def compiled_pullback(call: Call, tensors: Sequence[Any]) -> Callable[..., Any] | None:
    """The graph of the gradients for tensors of these shapes; None if the call takes none."""
    if [it.kind for it in call.steps] != [PULLBACK]:
        return None
    return _compiled(call, tuple((it.dtype, tuple(it.shape)) for it in tensors))


@lru_cache(maxsize=4096)
def _compiled(call: Call, types: _Types) -> Callable[..., Any] | None:
    from ...graph import grad
    from ...graph._functions import function

    (step,) = call.steps
    count = len(types) - len(step.outputs)
    try:
        variables = [variable(shape, dtype.name) for dtype, shape in types]
        outputs = flat(call.row(**Template(call.arguments).filled(variables[:count])))
        known = list(zip((outputs[at] for at in step.outputs), variables[count:], strict=True))
        wanted = [variables[at] for at in step.inputs]
        gradients = grad(None, wanted, known=known, disconnected_inputs="ignore")
        if any(it.type != own.type for it, own in zip(gradients, wanted, strict=True)):
            return None
        compiled: Callable[..., Any] = function(variables, gradients, on_unused_input="ignore")
    except Exception:  # whatever a graph does not take is recorded
        return None
    return compiled

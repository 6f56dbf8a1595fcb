"""Derivatives of operators that draw random numbers: there are some as long as none is drawn.

JAX keeps nothing of a call for its derivative, which calls the operator again, and that would draw
other numbers. Of many operators the arguments decide whether they draw: attention without dropout
does not, nor does a recurrent network that is not trained.
"""

from __future__ import annotations

import ctypes

from ... import _C, autograd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._calls import Call

    _Function = Callable[[Sequence[Any]], list[Any]]

WAY_OUT = "`jax.lax.stop_gradient` around its arguments takes them as constants"


def check_may_be_drawless(call: Call) -> None:
    """See that an operator can be differentiated if it draws nothing.

    Raises:
        NotImplementedError: It draws always.
    """
    if call.is_random() and (call.row.gradient != "composed" or _generator() is None):
        raise _refusal(call.operator)


def drawless(operator: str, function: _Function) -> _Function:
    """A function of tensors that refuses to draw random numbers."""

    def checked(tensors: Sequence[Any]) -> list[Any]:
        before = _state()
        results = function(tensors)
        if _state() != before and not _is_repeatable(function, tensors, results):
            raise _refusal(operator)
        return results

    return checked


def _is_repeatable(function: _Function, tensors: Sequence[Any], results: Sequence[Any]) -> bool:
    """Whether a second call returns the same, so that it was another thread that has drawn."""
    with autograd.no_grad():
        again = function([it.detach() for it in tensors])
    return all(_bytes(one) == _bytes(other) for one, other in zip(results, again, strict=True))


def _bytes(result: Any) -> bytes:
    tensor = result.detach().contiguous()
    return ctypes.string_at(tensor.data_ptr(), tensor.nbytes)


def _generator() -> Any:
    return getattr(_C, "default_generator", None)


def _state() -> list[int]:
    found: list[int] = _generator().get_state().tolist()
    return found


def _refusal(operator: str) -> NotImplementedError:
    return NotImplementedError(
        f"{operator}() draws random numbers, and its gradient would draw others; {WAY_OUT}"
    )

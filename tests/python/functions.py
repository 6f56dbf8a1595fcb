"""Functions that bring their own gradient, for tests."""

from collections.abc import Callable
from typing import Any

import opwright
from opwright.autograd import Function


def leaf(*values: float) -> opwright.Tensor:
    """Make a tensor of double precision that requires gradients."""
    return opwright.tensor(values, dtype=opwright.float64, requires_grad=True)


def function(forward: Callable[..., Any], backward: Callable[..., Any]) -> type[Function]:
    """Make a class of these."""
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Made", (Function,), members)


class Passed(Function):
    """A copy, whose object keeps the argument."""

    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        """Copy."""
        ctx.before = a
        return a.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        """Pass the gradient on."""
        return grad


class Doubled(Function):
    """Twice the argument; nothing is saved."""

    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        """Double."""
        return a * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        """Double the gradient."""
        return grad * 2


class Cube(Function):
    """The third power, which saves the argument."""

    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        """Raise to the third power."""
        ctx.save_for_backward(a)
        return a * a * a

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        """Multiply the gradient by the derivative."""
        (a,) = ctx.saved_tensors
        return grad * 3 * a * a

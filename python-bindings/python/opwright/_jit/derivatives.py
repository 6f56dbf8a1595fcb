"""Derivatives of functions of numbers: by dual numbers, or by formulas that are registered."""

from __future__ import annotations

import inspect
import weakref
from typing import Any

from ..autograd.function import Function
from .errors import TypingError
from .gradients import Kept, position, requires_grad
from .jit import from_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .vectorize import Vectorized


class Derivative:
    """The derivative of a function of numbers with respect to an argument.

    In compiled functions it is differentiated forward by dual numbers where it is called.
    """

    def __init__(self, function: Any, at: int) -> None:
        self._opwright_derivative_ = function, at
        self.__name__ = f"derivative of {function.__name__}"

    def __call__(self, *args: Any) -> Any:
        """Return the derivative at these numbers."""
        names = ", ".join(f"a{at}" for at in range(len(args)))
        text = f"def call({names}):\n    return derivative({names})\n"
        return from_text(text, {"derivative": self})(*args)


class Pullbacks:
    """What takes gradients of the result of a vectorized function to those of its arguments."""

    def __init__(self, vectorized: Vectorized) -> None:
        self._vectorized = weakref.ref(vectorized)
        self._function = vectorized.py_func
        self._formulas: dict[int, Any] = {}
        self._made: dict[int, Vectorized] = {}

    def register(self, arg: Any) -> Callable[[Any], Any]:
        """Register a formula for an argument, by name or number."""
        at = position(self._function, arg)

        def register(formula: Any) -> Any:
            function = getattr(formula, "py_func", formula)
            count = len(inspect.signature(self._function).parameters)
            params = list(inspect.signature(function).parameters)
            takes_grad = params[:1] == ["grad"] and len(params) == count + 1
            if not takes_grad and len(params) != count:
                raise TypeError(
                    f"the derivative of {self._function.__name__} takes its {count} arguments, "
                    f"or grad and then these, not ({', '.join(params)})"
                )
            self._formulas[at] = function, takes_grad
            self._made.pop(at, None)
            return formula

        return register

    def of(self, at: int) -> Vectorized:
        """The pullback for an argument: a function of the gradient and of all arguments."""
        if at not in self._made:
            self._made[at] = self._make(at)
        return self._made[at]

    def _make(self, at: int) -> Vectorized:
        from .vectorize import Vectorized

        count = len(inspect.signature(self._function).parameters)
        names = ", ".join(f"a{number}" for number in range(count))
        if at not in self._formulas:
            known = {"derivative": Derivative(self._function, at)}
            body = f"grad * derivative({names})"
        else:
            formula, takes_grad = self._formulas[at]
            known = {"derivative": formula, "conj": _conj()}
            body = (
                f"derivative(grad, {names})" if takes_grad else f"grad * conj(derivative({names}))"
            )
        text = f"def pullback(grad, {names}):\n    return {body}\n"
        return Vectorized(from_text(text, known).py_func, [])

    def record(self, *args: Any) -> Any:
        """Call the function, and record the call."""
        return Elementwise.apply(self._vectorized(), *args)


def _conj() -> Any:
    import numpy as np

    return np.conj


class Elementwise(Function):
    """A call of a vectorized function."""

    @staticmethod
    def forward(ctx: Any, vectorized: Vectorized, *args: Any) -> Any:
        result = vectorized.elements(args)
        ctx.pullbacks = {}
        if result.is_floating_point() or result.is_complex():
            for at, arg in enumerate(args):
                if requires_grad(arg):
                    ctx.pullbacks[at] = pullback = vectorized.pullbacks.of(at)
                    _check(pullback, (result, *args))
        ctx.kept = Kept(ctx, args)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        args = ctx.kept.values(ctx)

        def gradient(at: int) -> Any:
            arg = args[at]
            found = ctx.pullbacks[at](grad, *args)
            if found.is_complex() and not arg.is_complex():
                found = found.real
            return _summed(found, arg.shape).to(arg.dtype)

        wanted = ctx.needs_input_grad[1:]
        return None, *(gradient(at) if is_wanted else None for at, is_wanted in enumerate(wanted))


def _check(pullback: Vectorized, args: tuple[Any, ...]) -> None:
    """Refuse what has no derivative when it is called, and not when gradients come."""
    try:
        pullback.check(args)
    except TypingError as error:
        if str(error.filename).startswith("<opwright"):
            # The place is in a text that nobody wrote.
            raise type(error)(error.message) from None
        raise


def _summed(tensor: Any, shape: Any) -> Any:
    """The sum over the dimensions along which elements of this shape were repeated."""
    front = tensor.ndim - len(shape)
    added = tuple(range(front))
    if added:
        tensor = tensor.sum(added)
    repeated = tuple(at for at, extent in enumerate(shape) if extent == 1 and tensor.shape[at] != 1)
    return tensor.sum(repeated, keepdim=True) if repeated else tensor


__all__ = ["Derivative", "Pullbacks"]

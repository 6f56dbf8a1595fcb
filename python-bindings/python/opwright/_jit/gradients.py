"""Gradients of compiled functions: how a call with a tensor that requires grad is recorded."""

from __future__ import annotations

import inspect
from typing import Any

from .. import _C, types
from ..autograd.function import Function
from .typeof import typeof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def derivative(dispatcher: Any, arg: Any) -> Callable[[Any], Any]:
    """Register the gradient of a compiled function for an argument, by name or number."""
    at = position(dispatcher.py_func, arg)

    def register(formula: Any) -> Any:
        if not callable(formula):
            raise TypeError(f"a gradient is a function, not {formula!r}")
        formulas(dispatcher)[at] = formula
        return formula

    return register


def formulas(dispatcher: Any) -> dict[int, Any]:
    """The gradients that are registered for a compiled function, by the numbers of arguments."""
    found: dict[int, Any] = dispatcher.__dict__.setdefault("_formulas", {})
    return found


def position(function: Any, arg: Any) -> int:
    """The number of a parameter, which is given by name or number.

    Raises:
        TypeError: There is no such parameter.
    """
    names = list(inspect.signature(function, follow_wrapped=False).parameters)
    if isinstance(arg, str) and arg in names:
        return names.index(arg)
    if isinstance(arg, int) and not isinstance(arg, bool) and 0 <= arg < len(names):
        return arg
    raise TypeError(f"{function.__name__} has no parameter {arg!r}: it has {', '.join(names)}")


def recorded(dispatcher: Any, args: tuple[Any, ...]) -> Any:
    """Call a compiled function one of whose arguments requires grad, and record the call.

    Raises:
        NotImplementedError: No gradient is registered for such an argument.
    """
    recorder = dispatcher.__dict__.get("_recorder")
    if recorder is not None:
        return recorder(*args)
    known = formulas(dispatcher)
    learning = [at for at, arg in enumerate(args) if requires_grad(arg)]
    missing = [at for at in learning if at not in known]
    if missing or not learning:
        _refuse(dispatcher, missing)
    return Compiled.apply(dispatcher, *args)


def _refuse(dispatcher: Any, missing: list[int]) -> None:
    name = dispatcher.py_func.__name__
    parameters = list(inspect.signature(dispatcher.py_func, follow_wrapped=False).parameters)
    if not missing:
        raise NotImplementedError(
            f"{name} is passed a tensor that requires grad within another object, where no "
            "gradient comes to it: pass the tensor itself, or a detach() of it"
        )
    arg = parameters[missing[0]] if missing[0] < len(parameters) else str(missing[0])
    raise NotImplementedError(
        f"{name} has no gradient for {arg!r}, which requires grad: register one with "
        f"@{name}.derivative({arg!r}), write {name} as a function of numbers for "
        f"opwright.vectorize, or pass {arg}.detach()"
    )


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor."""
    return isinstance(value, _C.TensorBase)


def requires_grad(value: Any) -> bool:
    """Whether a value is a tensor that requires grad."""
    return isinstance(value, _C.TensorBase) and bool(value.requires_grad)


def result_type(dispatcher: Any, args: Sequence[Any]) -> Any:
    """The type of what a compiled function has returned for arguments, if that is known."""
    given = tuple(typeof(arg, at) for at, arg in enumerate(args))
    return next((result for known, result in dispatcher.compiled if known == given), None)


def as_tensor(value: Any, ty: Any) -> Any:
    """A real or complex number of a type as a tensor without dimensions; others as they are."""
    from .. import tensor

    if not isinstance(value, (float, complex)):
        return value
    return tensor(value, dtype=ty.dtype_ if isinstance(ty, types.Number) else None)


class Kept:
    """What a recorded call keeps for its gradient: tensors as such, which may be let go."""

    def __init__(self, ctx: Any, values: Sequence[Any]) -> None:
        self._others = [None if is_tensor(it) else it for it in values]
        self._places = [at for at, it in enumerate(values) if is_tensor(it)]
        ctx.save_for_backward(*(values[at] for at in self._places))

    def values(self, ctx: Any) -> list[Any]:
        """All that was kept, in order."""
        found = list(self._others)
        for at, tensor in zip(self._places, ctx.saved_tensors, strict=True):
            found[at] = tensor
        return found


class Compiled(Function):
    """A call of a function whose gradients are registered."""

    @staticmethod
    def forward(ctx: Any, dispatcher: Any, *args: Any) -> Any:
        result = dispatcher(*args)
        ctx.is_tuple = type(result) is tuple
        ty = result_type(dispatcher, args)
        tys = list(ty) if ctx.is_tuple and ty is not None else [ty]
        outputs = tuple(
            _output(dispatcher, value, of)
            for value, of in zip(result if ctx.is_tuple else (result,), tys, strict=True)
        )
        ctx.count, ctx.formulas = len(args), dict(formulas(dispatcher))
        ctx.kept = Kept(ctx, (*args, *outputs))
        return outputs if ctx.is_tuple else outputs[0]

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        values = ctx.kept.values(ctx)
        args, outputs = values[: ctx.count], tuple(values[ctx.count :])
        given = (grads, outputs) if ctx.is_tuple else (grads[0], outputs[0])

        def gradient(at: int) -> Any:
            found = ctx.formulas[at](given[0], *args, given[1])
            return as_tensor(found, _element_type(args[at]))

        wanted = ctx.needs_input_grad[1:]
        return None, *(gradient(at) if is_wanted else None for at, is_wanted in enumerate(wanted))


def _element_type(tensor: Any) -> Any:
    ty = typeof(tensor)
    return ty.dtype if isinstance(ty, types.Array) else None


def _output(dispatcher: Any, value: Any, ty: Any) -> Any:
    """A result as one that gradients come from.

    Raises:
        NotImplementedError: Tensors may be in it that no gradient would come from.
    """
    value = as_tensor(value, ty)
    if is_tensor(value) or value is None or isinstance(value, (bool, int, str)):
        return value
    raise NotImplementedError(
        f"{dispatcher.py_func.__name__} returns an object of class {type(value).__name__}, from "
        "which no gradient comes: return tensors and numbers, or a tuple of them, or call it "
        "under no_grad()"
    )


__all__ = ["Kept", "derivative", "recorded"]

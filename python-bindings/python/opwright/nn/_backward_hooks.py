"""Hooks of modules that are told of gradients."""

from __future__ import annotations

from opwright import _C
from opwright.autograd.function import Function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    _Gradients = tuple[Any, ...]


class _Through(Function):
    """Tensors as they are; gradients go through a function."""

    @staticmethod
    def forward(ctx: Any, through: Callable[[_Gradients], _Gradients], *tensors: Any) -> Any:
        ctx.through = through
        ctx.set_materialize_grads(False)
        return tuple(it.view_as(it) for it in tensors)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return (None, *ctx.through(gradients))


class Watch:
    """One call of a module, whose hooks wait for gradients of its arguments and results."""

    def __init__(
        self,
        module: Any,
        hooks: Mapping[Any, Callable[..., Any]],
        pre_hooks: Mapping[Any, Callable[..., Any]],
    ) -> None:
        self._module = module
        self._hooks = [*hooks.values()]
        self._pre_hooks = [*pre_hooks.values()]
        self._arguments = 0
        # Which arguments and which results have gradients.
        self._of_arguments: list[int] = []
        self._of_results: list[int] = []
        self._results = 0
        self._grad_output: _Gradients = ()

    def of_arguments(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, whose gradients the hooks are told of."""
        self._arguments = len(args)
        if not self._hooks:
            return args
        self._of_arguments, watched = _watched(args, self._told)
        return watched

    def of_result(self, result: Any) -> Any:
        """The result, whose gradients the hooks are told of."""
        is_list = isinstance(result, tuple | list)
        results = tuple(result) if is_list else (result,)
        self._results = len(results)
        self._of_results, watched = _watched(results, self._passed)
        if not is_list:
            return watched[0]
        if hasattr(result, "_fields"):
            return type(result)(*watched)
        return type(result)(watched)

    def _passed(self, gradients: _Gradients) -> _Gradients:
        """What goes into the module, given the gradients of its results."""
        grad_output = _spread(gradients, self._of_results, self._results)
        for hook in self._pre_hooks:
            instead = hook(self._module, grad_output)
            if instead is not None:
                grad_output = _checked(instead, grad_output, "register_full_backward_pre_hook")
        self._grad_output = grad_output
        if not self._of_arguments:
            # No argument has a gradient, so that nobody tells of them later.
            nothing = (None,) * self._arguments
            for hook in self._hooks:
                if hook(self._module, nothing, grad_output) is not None:
                    raise RuntimeError(
                        "a backward hook returned gradients of arguments, of which none requires "
                        "gradients"
                    )
        return tuple(grad_output[at] for at in self._of_results)

    def _told(self, gradients: _Gradients) -> _Gradients:
        """The gradients of the arguments that the hooks make of those that came."""
        grad_input = _spread(gradients, self._of_arguments, self._arguments)
        for hook in self._hooks:
            instead = hook(self._module, grad_input, self._grad_output)
            if instead is not None:
                grad_input = _checked(instead, grad_input, "register_full_backward_hook")
        return tuple(grad_input[at] for at in self._of_arguments)


def _watched(
    values: tuple[Any, ...], through: Callable[[_Gradients], _Gradients]
) -> tuple[list[int], tuple[Any, ...]]:
    """Which values have gradients, and the values with a function for these."""
    if not _C.is_grad_enabled():
        return [], values
    places = [
        at for at, it in enumerate(values) if isinstance(it, _C.TensorBase) and it.requires_grad
    ]
    if not places:
        return places, values
    made: Any = _Through.apply(through, *(values[at] for at in places))
    watched = [*values]
    for at, tensor in zip(places, made, strict=True):
        watched[at] = tensor
    return places, tuple(watched)


def _spread(gradients: _Gradients, places: list[int], count: int) -> _Gradients:
    """An entry for each value, None for those without gradients."""
    found: list[Any] = [None] * count
    for at, gradient in zip(places, gradients, strict=True):
        found[at] = gradient
    return tuple(found)


def _checked(instead: Any, gradients: _Gradients, name: str) -> _Gradients:
    found = instead if isinstance(instead, tuple) else (instead,)
    if len(found) != len(gradients):
        raise RuntimeError(
            f"a hook of {name} returned {len(found)} gradients in the place of {len(gradients)}"
        )
    return found

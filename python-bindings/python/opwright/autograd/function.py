"""Functions that bring their own gradient."""

from __future__ import annotations

import functools
import warnings

from .. import _C
from .grad_mode import no_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, ClassVar


class FunctionCtx:
    """What a function says of its call: methods of its `ctx`."""

    __slots__ = ()

    if TYPE_CHECKING:
        to_save: Any
        saved_for_forward: Any
        dirty_tensors: Any
        non_differentiable: Any
        materialize_grads: Any

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors, or None, for `backward`, which finds them in `saved_tensors`.

        The last call counts. What is no tensor is kept as an attribute of `ctx`.
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for tangents, which nothing asks for: they follow from `backward`."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Say which inputs `forward` has written to; it returns each of them."""
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Say which outputs have no gradients."""
        self.non_differentiable = tensors

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Do nothing: which tensors share memory is known."""
        warnings.warn("mark_shared_storage has no effect", DeprecationWarning, stacklevel=2)

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether zeros stand for gradients that are absent; otherwise it is None."""
        self.materialize_grads = value


class BackwardCFunction(_C._FunctionBase, FunctionCtx):
    """A recorded call of a `Function`: its `ctx`, and its node in the graph."""

    if TYPE_CHECKING:
        _forward_cls: ClassVar[type[Function]]

    def apply(self, *grads: Any) -> Any:  # type: ignore[override]
        """Return what the function gives for gradients of its outputs."""
        function = self._forward_cls
        if function.vjp is _no_backward:
            return function.backward(self, *grads)
        if function.backward is not _no_backward:
            raise RuntimeError(
                f"{function.__name__} has both `backward` and `vjp`, which mean the same; "
                "leave one of them out"
            )
        return function.vjp(self, *grads)


class FunctionMeta(type):
    """Gives each class the class of its nodes, `_backward_cls`."""

    _backward_cls: type[BackwardCFunction]

    def __init__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> None:
        own = {"_forward_cls": cls, "__module__": cls.__module__, "__doc__": cls.__doc__}
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), own)
        super().__init__(name, bases, members)


class Function(_C._FunctionBase, FunctionCtx, metaclass=FunctionMeta):
    """A function of tensors that brings its own gradient.

    >>> class Cube(opwright.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**3
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 3 * x**2 * grad
    >>> x = opwright.tensor([1.0, 2.0], requires_grad=True)
    >>> Cube.apply(x).sum().backward()
    >>> x.grad
    tensor([ 3., 12.], dtype=float32, shape=(2,))

    `apply` takes positional arguments; gradients go to tensors among them, not to those in lists.
    """

    generate_vmap_rule: ClassVar[bool] = False

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Calculate the outputs from `ctx` and the arguments of `apply`.

        A class that overrides `setup_context` has a `forward` without `ctx`.
        """
        raise NotImplementedError("a Function has a static method `forward`")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Keep what `backward` needs, after a `forward` without `ctx`."""
        raise NotImplementedError("`setup_context` is for functions that override it")

    _no_setup = setup_context

    @staticmethod
    def backward(*args: Any, **kwargs: Any) -> Any:
        """Return a gradient, or None, for each argument, given `ctx` and one for each output."""
        raise NotImplementedError(
            "a Function has a static method `backward` or `vjp`, if gradients are to be passed "
            "through it"
        )

    vjp = backward

    @staticmethod
    def jvp(*args: Any, **kwargs: Any) -> Any:
        """Return derivatives of the outputs in the direction of the arguments: not available."""
        raise NotImplementedError("derivatives in the direction of the call are not available")

    @staticmethod
    def vmap(*args: Any, **kwargs: Any) -> Any:
        """Calculate a batch of calls at once: not available."""
        raise NotImplementedError("vmap is not available")

    def __call__(self, *args: Any) -> Any:
        """Call the function with this instance as `ctx`, as was usual before `apply`."""
        warnings.warn(
            f"an instance of {type(self).__name__} is called, which is the old way; write static "
            f"methods and call {type(self).__name__}.apply",
            DeprecationWarning,
            stacklevel=2,
        )
        return self._do_forward(*args)


# What `backward` and `vjp` are if a class has none.
_no_backward = Function.backward


def once_differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` that is not made of operators: nobody can differentiate it again.

    >>> from opwright.autograd.function import once_differentiable
    >>> class Sine(opwright.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x.sin()
    ...
    ...     @staticmethod
    ...     @once_differentiable
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return grad * opwright.from_numpy(__import__("numpy").cos(x.detach().numpy()))
    >>> x = opwright.zeros(1, requires_grad=True)
    >>> Sine.apply(x).backward()
    >>> x.grad
    tensor([1.], dtype=float32, shape=(1,))
    """

    @functools.wraps(function)
    def once(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            found = function(ctx, *grads)
        if not _C.is_grad_enabled():
            return found
        if not any(isinstance(it, _C.TensorBase) and it.requires_grad for it in grads):
            return found
        return _not_again(found if isinstance(found, tuple) else (found,), function)

    return once


def _not_again(found: tuple[Any, ...], function: Callable[..., Any]) -> tuple[Any, ...]:
    """Give tensors a history that cannot be passed through."""

    def fresh(tensor: Any) -> Any:
        return tensor.detach().requires_grad_() if tensor is not None else None

    name = getattr(function, "__qualname__", "backward")
    given: tuple[Any, ...] = _Once.apply(name, *[fresh(it) for it in found])
    return given


class _Once(Function):
    """The gradients of a function that has no further ones."""

    @staticmethod
    def forward(ctx: Any, name: str, *tensors: Any) -> Any:
        ctx.function = name
        return tuple(it if it is None else it.detach() for it in tensors)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError(
            f"{ctx.function} is marked once_differentiable, and is differentiated a second time"
        )


class InplaceFunction(Function):
    """A function whose instances know whether they write to their inputs."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """A function of nested lists and tuples of tensors, called as an instance.

    It overrides `forward_extended` and `backward_extended`, which take and return such.
    """

    def _do_forward(self, *inputs: Any) -> Any:
        self._nested_input = inputs
        flat = super()._do_forward(*_tensors_of(inputs))
        flat = flat if isinstance(flat, tuple) else (flat,)
        nested = self._nested_output
        del self._nested_input, self._nested_output
        return _nested_as(nested, iter(flat))

    def forward(self, *flat: Any) -> Any:  # type: ignore[override]
        """Return the tensors among the outputs of `forward_extended`."""
        found = self.forward_extended(*self._nested_input)
        self._nested_output = found
        # For gradients only their places count, and tensors here would keep the node alive.
        self._output_places = _places_of(found)
        return tuple(_tensors_of(found))

    def backward(self, *grads: Any) -> Any:  # type: ignore[override]
        """Return the tensors among the gradients that `backward_extended` gives."""
        found = self.backward_extended(*_nested_as(self._output_places, iter(grads)))
        return tuple(_tensors_of(found, _is_gradient))

    def forward_extended(self, *inputs: Any) -> Any:
        """Calculate the outputs."""
        raise NotImplementedError("a NestedIOFunction has a method `forward_extended`")

    def backward_extended(self, *grads: Any) -> Any:
        """Return gradients, nested as the inputs are."""
        raise NotImplementedError("a NestedIOFunction has a method `backward_extended`")


class _Place:
    """Stands where a tensor was."""


def _is_tensor(item: Any) -> bool:
    return isinstance(item, _C.TensorBase)


def _is_gradient(item: Any) -> bool:
    return item is None or _is_tensor(item)


def _tensors_of(nested: Any, counts: Callable[[Any], bool] = _is_tensor) -> Iterator[Any]:
    if counts(nested):
        yield nested
    elif isinstance(nested, (list, tuple)):
        for item in nested:
            yield from _tensors_of(item, counts)


def _places_of(nested: Any) -> Any:
    if isinstance(nested, (list, tuple)):
        items = [_places_of(item) for item in nested]
        return items if isinstance(nested, list) else tuple(items)
    return _Place() if _is_tensor(nested) else nested


def _nested_as(nested: Any, flat: Iterator[Any]) -> Any:
    """The nested lists and tuples with other tensors in their places."""
    if isinstance(nested, (list, tuple)):
        items = [_nested_as(item, flat) for item in nested]
        return items if isinstance(nested, list) else tuple(items)
    return next(flat) if _is_tensor(nested) or isinstance(nested, _Place) else nested

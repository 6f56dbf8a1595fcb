"""Which overload a call picks."""

from __future__ import annotations

from ._functions import native_of
from ._overloads import is_native_op, native_module, native_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Explanation:
    """What `explain` found out; it is shown as text.

    Attributes:
        overload: The signature that takes the call, or `None` if none does.
        text: Why that one and none of the others.
    """

    __slots__ = ("overload", "text")

    def __init__(self, overload: str | None, text: str) -> None:
        self.overload = overload
        self.text = text

    def __repr__(self) -> str:
        return self.text


def explain(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Explanation:
    """Says which overload of a function or method takes a call, and why the others do not.

    Nothing is run. It says, too, what becomes of gradients, with the formulas of inputs, which are
    called as in the schema. For a call that no overload takes, it says what the exception would.

        >>> opwright.explain(opwright.max, opwright.ones(2, 3), 1)
        max() takes this overload:
          max(Tensor input, int dim, bool keepdim=False, *, tuple[Tensor] out=None)
            input = Tensor (float32, shape [2, 3])
            dim = int (1)
            gradient of self: value_selecting_reduction_backward_symint(grad, dim,
                indices, self.sym_sizes(), keepdim)
        other overloads:
          max(input, ...): takes 1 positional argument, not 2
          max(input, other, ...): 'other' must be Tensor, not int

    Args:
        function: A function or method of an operator, of a class or of a tensor.
        args: Its positional arguments.
        kwargs: Its keyword arguments.

    Raises:
        ValueError: `function` is no function or method of an operator.
        TypeError: A method of the class is not given a tensor to call it on.
    """
    if native_of(function) is not function:
        return _of_written(function, args, kwargs)
    if is_native_op(function):
        defined: Any = function
        return Explanation(*defined._explain(*args, **kwargs))
    receiver = getattr(function, "__self__", None)
    native = native_module(function)
    if native is not None and isinstance(receiver, native.TensorBase):
        args = (receiver, *args)
    for name in native_names(function):
        if native._signatures(name):
            return Explanation(*native._explain(name, *args, **kwargs))
    raise ValueError(f"{function!r} is not a function or method of an operator")


def _of_written(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Explanation:
    """A function that is written in Python has one signature."""
    import inspect

    name, signature = function.__name__, inspect.signature(function)
    text = f"{name}{signature}"
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        return Explanation(None, f"{name}(): {error}: it takes\n  {text}")
    given = "".join(f"\n    {name} = {value!r}" for name, value in bound.arguments.items())
    return Explanation(text, f"{name}() is written in Python and takes this:\n  {text}{given}")

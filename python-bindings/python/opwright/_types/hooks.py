"""Functions that are asked for the types of values that have none otherwise."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Hook:
    """A function that was asked to say what the type of an object is.

    It can be called as the function can.
    """

    def __init__(self, function: Callable[..., Any], priority: float) -> None:
        self.function = function
        self.priority = priority
        self._takes_context = _takes_two(function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def asked(self, value: Any, context: Any) -> Any:
        """Return what the function says of a value."""
        return self.function(value, context) if self._takes_context else self.function(value)

    def remove(self) -> None:
        """Ask it no more."""
        if self in _hooks:
            _hooks.remove(self)


_hooks: list[Hook] = []


def _takes_two(function: Any) -> bool:
    """Whether a function has a place for a context after the value."""
    from inspect import Parameter, signature

    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    if any(it.kind is Parameter.VAR_POSITIONAL for it in parameters):
        return True
    places = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    needed = [it for it in parameters if it.kind in places and it.default is Parameter.empty]
    return len(needed) > 1


def typeof_hook(function: Callable[..., Any] | None = None, priority: float = 0) -> Any:
    """Have `typeof` ask a function that returns the type of an object, or None.

    It is asked of what has no type otherwise; those of higher priority are asked first. A function
    of two parameters gets the context after the object. Without a function, a decorator is
    returned: `@typeof_hook(priority=5)`. What comes back has `remove()`.
    """
    if function is None:
        return lambda it: typeof_hook(it, priority)
    hook = Hook(function, priority)
    # A new list: the old one may be in use.
    _hooks[:] = sorted([*_hooks, hook], key=lambda it: -it.priority)
    return hook


def ask(value: Any, context: Any = None) -> Any:
    """Return the type that the first function knows of, or None."""
    for hook in list(_hooks):
        found = hook.asked(value, context)
        if found is not None:
            return found
    return None

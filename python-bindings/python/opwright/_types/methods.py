"""What the methods of a type are called with, compared with what a class takes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from inspect import Parameter
    from typing import Any

# Methods that a type need not have: what is not there is not asked.
_OPTIONAL: dict[str, Callable[..., Any]] = {
    "get_shape_info": lambda self, obj: None,
    "get_size": lambda self, info: None,
}


def check(cls: type, base: type) -> None:
    """Raise a TypeError if a method of a class is not what others call, as `base` has it."""
    for name, found in vars(cls).items():
        expected = _OPTIONAL.get(name) or vars(base).get(name)
        is_private = name.startswith("_") and name != "__call__"
        if not callable(expected) or is_private or name == "clone":
            continue
        function = found.__func__ if isinstance(found, staticmethod | classmethod) else found
        if not callable(function) and name not in _OPTIONAL:
            raise TypeError(f"{cls.__name__}.{name} is a method, not {function!r}")
        if hasattr(function, "__code__"):
            wrong = _difference(function, expected, is_static=isinstance(found, staticmethod))
            if wrong:
                raise TypeError(f"{cls.__name__}.{name}(): {wrong}")


def _difference(
    function: Callable[..., Any], expected: Callable[..., Any], *, is_static: bool
) -> str | None:
    """What is wrong with the parameters of a method.

    What has no default may have any name, but be there; what has one is passed by its name.
    """
    from inspect import Parameter, signature

    variadic = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    wanted = _parameters(signature(expected).parameters.values(), variadic)
    given = list(signature(function).parameters.values())[0 if is_static else 1 :]
    kinds = {it.kind for it in given}
    places = [
        it
        for it in given
        if it.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
    values = [it.name for it in wanted if it.default is Parameter.empty]
    if len(places) < len(values) and Parameter.VAR_POSITIONAL not in kinds:
        return f"the parameter '{values[len(places)]}' is missing"
    others = {it.name: it for it in given[min(len(values), len(places)) :]}
    for flag in wanted[len(values) :]:
        own = others.pop(flag.name, None)
        if own is None and Parameter.VAR_KEYWORD not in kinds:
            return f"the parameter '{flag.name}={flag.default}' is missing"
        if own is not None and own.default is not flag.default:
            return f"the default of the parameter '{flag.name}' is to be {flag.default}"
    for own in others.values():
        if own.default is Parameter.empty and own.kind not in variadic:
            return f"nobody passes the parameter '{own.name}': it needs a default"
    return None


def _parameters(all_: Any, variadic: tuple[Any, ...]) -> list[Parameter]:
    """Those that callers pass: all but the receiver and what takes any number of arguments."""
    return [it for it in list(all_)[1:] if it.kind not in variadic]

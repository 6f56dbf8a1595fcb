"""What the functions of operators accept."""

from __future__ import annotations

from . import _C, _functions

# What only this module needs is imported where it is needed: few programs ask.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from inspect import Signature
    from typing import Any


def get_overloads(function: Callable[..., Any]) -> list[Signature]:
    """The signatures of a function or method, in the order in which they are tried.

    Annotations are the names that error messages use. `inspect.signature` says the same of
    functions with one signature; for others it has one that takes whatever any of these takes. One
    that is written in Python has one.

        >>> [str(it) for it in opwright.get_overloads(opwright.mv)]
        ["(input: 'Tensor', vec: 'Tensor', *, out: 'Tensor' = None)"]
    """
    import inspect

    if _functions.native_of(function) is not function or is_native_op(function):
        return [inspect.signature(function)]
    native = native_module(function)
    for name in native_names(function):
        if texts := native._signatures(name):
            return [parse_signature(text, is_method=name.startswith("Tensor.")) for text in texts]
        # A method without parameters needs no table to be called.
        return [inspect.signature(function)]
    raise ValueError(f"{function!r} is not a function or method of an operator")


def is_native_op(function: object) -> bool:
    """Whether this is an operator that was defined in Python, `extending.native_op`."""
    compiled = getattr(_C, "_jit", None)
    return compiled is not None and isinstance(function, compiled.NativeOp)


def native_module(function: Callable[..., Any]) -> Any:
    """The native module of this package, or that of another crate, which a function belongs to."""
    import sys

    owner = _owner(function)
    path = function.__module__ if owner is None else owner.__module__
    while path:
        if native := native_of(sys.modules.get(path)):
            return native
        path = path.rpartition(".")[0]
    return None


def native_of(module: Any) -> Any:
    """The native module of a package of operators; one of another crate is both at once."""
    import sys

    found = (sys.modules.get(f"{getattr(module, '__name__', None)}._C"), module)
    return next((it for it in found if hasattr(it, "_signatures")), None)


def native_names(function: Callable[..., Any]) -> Iterator[str]:
    """The names under which the native module may know a function."""
    native = native_module(function)
    name = getattr(function, "__name__", None)
    if native is None or not isinstance(name, str):
        return
    if _owner(function) is not None:
        yield f"Tensor.{name}"
        return
    if vars(native).get(name) is function:
        yield name
    for submodule, contents in vars(native).items():
        if isinstance(contents, type(_C)) and vars(contents).get(name) is function:
            yield f"{submodule}.{name}"


def _owner(function: Callable[..., Any]) -> type | None:
    """The class of a method of tensors."""
    owner = getattr(function, "__objclass__", None) or type(getattr(function, "__self__", None))
    return owner if any(it.__name__ == "TensorBase" for it in owner.__mro__) else None


def parse_signature(text: str, is_method: bool) -> Signature:
    """Reads `add(Tensor input, *, Number alpha=1)`."""
    import keyword
    from inspect import Parameter, Signature

    parameters = [Parameter("self", Parameter.POSITIONAL_ONLY)] if is_method else []
    keyword_only = False
    for part in split(text.partition("(")[2].removesuffix(")")):
        if part == "*":
            keyword_only = True
            continue
        declaration, equals, default = part.partition("=")
        annotation, _, name = declaration.rpartition(" ")
        # Python cannot spell its own keywords as names of parameters.
        name += "_" * keyword.iskeyword(name)
        parameters.append(
            Parameter(
                name,
                Parameter.KEYWORD_ONLY if keyword_only else Parameter.POSITIONAL_OR_KEYWORD,
                default=_value(default) if equals else Parameter.empty,
                annotation=annotation,
            )
        )
    return Signature(parameters)


def split(parameters: str) -> Iterator[str]:
    """The parts between commas, but for commas within brackets."""
    start = depth = 0
    for at, character in enumerate(parameters):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            yield parameters[start:at].strip()
            start = at + 1
    if last := parameters[start:].strip():
        yield last


def _value(text: str) -> Any:
    """A default: a Python literal, or the name of a constant."""
    import ast

    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return _Name(text)


class _Name(str):
    """A name that is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

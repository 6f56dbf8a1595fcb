"""Where the functions of the native module are found by people.

Most of them are found as they are. For some operators people know a function that does more than
the operator's schema can say: it takes tensors one by one, has names for numbers, or returns
other results depending on a flag. Such a function is written in Python, and says which native
function it is for; nothing hides a native function without saying so.
"""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping
    from typing import Any, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])


def in_place_of(native: Callable[..., Any]) -> Callable[[_Function], _Function]:
    """Marks a function of Python that people find where the native one would be."""

    def mark(function: _Function) -> _Function:
        function.__dict__["_native"] = native
        return function

    return mark


# What a function that stands for another has of it; `functools` is not imported for that.
_KEPT = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")


def with_own_name(**arguments: str) -> Callable[[_Function], _Function]:
    """Has errors of what a function calls say the function's own name.

    `arguments` are the function's names for parameters of what it calls.
    """

    def decorate(function: _Function) -> _Function:
        name = function.__name__

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except Exception as error:
                rename(error, name, **arguments)
                raise

        for attribute in _KEPT:
            setattr(call, attribute, getattr(function, attribute))
        call.__dict__["__wrapped__"] = function
        return call  # type: ignore[return-value]

    return decorate


def rename(error: Exception, name: str, **arguments: str) -> None:
    """Gives what an operator refused the name that its caller has."""
    import re

    text = error.args[0] if len(error.args) == 1 else None
    called = re.match(r"(\w+)\(\)", text) if isinstance(text, str) else None
    if called is None or (called[1] == name and not arguments):
        return
    text = re.sub(rf"(?<![\w.]){re.escape(called[1])}\(", f"{name}(", called.string)
    if arguments:
        # Signatures have the operator's parameters.
        text = text.partition(f"\n  {name}(")[0]
    # The places are those of the operator's parameters.
    text = re.sub(r"(argument '\w+') \(position \d+\)", r"\1", text)
    for inner, outer in arguments.items():
        text = text.replace(f"argument '{inner.removesuffix('_')}'", f"argument '{outer}'")
    error.args = (text,)


def native_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """The native function that a function is for, or the function itself."""
    native: Callable[..., Any] = getattr(function, "_native", function)
    return native


def publish(
    namespace: MutableMapping[str, Any],
    *submodules: str,
    prefix: str = "",
    written: Mapping[str, Any] | None = None,
) -> list[str]:
    """Binds functions in a namespace, and returns their names.

    They are those of the native module, or of submodules, of which the first that has a name wins;
    one is missing if no operator is in it. The native names in it may begin with a `prefix`, the
    submodule's name, for instance `linalg_norm`; people know them without it. Functions in
    `written`, by default in the namespace itself, that are marked with `in_place_of` come first.

    Raises:
        NameError: A function without the mark has the name of a native one.
    """
    names = []
    given = dict(namespace if written is None else written)
    for name, function in given.items():
        if native_of(function) is not function:
            _bind(namespace, name, function)
            names.append(name)
    found = [vars(_C).get(it) for it in submodules] if submodules else [_C]
    natives = [item for native in found if native for item in vars(native).items()]
    for native_name, function in natives:
        if not isinstance(function, type(len)) or native_name.startswith("__"):
            continue
        name = native_name.removeprefix(prefix)
        if name in names:
            continue
        if isinstance(given.get(name), type(publish)):
            raise NameError(
                f"{namespace['__name__']}.{name} has the name of a native function; "
                f"`in_place_of` says which of them people find"
            )
        if name == native_name:
            _bind(namespace, name, function)
        namespace[name] = function
        names.append(name)
    return [name for name in names if not name.startswith("_")]


def on_demand(module: str, **homes: str) -> Callable[[str], Any]:
    """A module's `__getattr__`, which imports names when they are asked for.

    Args:
        module: The module's name.
        **homes: For each name the module of the package that has it.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__package__}.{homes[name]}"), name)

    return __getattr__


def _bind(namespace: MutableMapping[str, Any], name: str, function: Any) -> None:
    # By module and name `pickle` finds a function again.
    function.__module__ = namespace["__name__"]
    namespace[name] = function

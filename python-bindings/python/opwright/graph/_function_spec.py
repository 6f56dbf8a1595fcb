"""Function specs: inputs, outputs, updates and options, as declared and as completed."""

from __future__ import annotations

from .. import _C
from ._shared_variables import SharedVariable, filtered, shared, variable_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypedDict

    from .._C._graph import Variable
    from ._modes import Mode
    from ._rewrites import _Replacements

    class _FunctionSpec(TypedDict):
        """The arguments of `function`, read."""

        inputs: list[In]
        # How the outputs are handed out: the only one, a list, by names, or none.
        outputs: tuple[list[Out], bool | list[str] | None]
        updates: list[tuple[Variable, Variable]]
        givens: list[tuple[Variable, object]]
        mode: Mode
        name: str
        on_unused_input: str
        allow_input_downcast: bool | None
        no_default_updates: bool | Iterable[SharedVariable]
        accept_inplace: bool
        reuse_outputs: bool


_graph = _C._graph
if not TYPE_CHECKING:
    Variable = _graph.Variable


class In:
    """An input of a function, with its options.

    Parameters
    ----------
    variable
        The variable that the input gives a value.
    name
        The name of the argument; by default that of the variable.
    value
        The default of the argument. Of an input with `update` it is the first value, or a shared
        variable.
    update
        The value of the input in the next call.
    mutable
        Whether the function may write to the memory of the argument.
    borrow
        Whether results may share memory with the argument; by default `mutable`.
    strict
        Whether only values that the type has are accepted, and none that it would convert.
    allow_downcast
        Whether the argument may lose precision. With `None`, `allow_input_downcast` of the function
        decides.

    Raises
    ------
    TypeError
        `variable` is no variable, or `value` of an input with `update` is not of its type.
    ValueError
        `mutable` and `borrow` contradict each other, or `update` is without `value`.
    """

    __slots__ = (
        "allow_downcast",
        "borrow",
        "mutable",
        "name",
        "strict",
        "update",
        "value",
        "variable",
    )

    def __init__(
        self,
        variable: Variable,
        name: str | None = None,
        # A value of the variable's type, or a shared variable.
        value: Any = None,
        update: Variable | None = None,
        mutable: bool = False,
        borrow: bool | None = None,
        strict: bool = False,
        allow_downcast: bool | None = None,
    ):
        if not isinstance(variable, Variable):
            raise TypeError(f"In() takes a variable, not {_class_of(variable)}")
        if mutable and borrow is False:
            raise ValueError("In(): what is mutable is borrowed")
        self.variable = variable
        self.name = variable.name if name is None else name
        self.value = value
        self.update = update
        self.mutable = mutable
        self.borrow = mutable if borrow is None else borrow
        self.strict = strict
        self.allow_downcast = allow_downcast
        if update is not None and value is None:
            raise ValueError(f"In({variable}): what is updated needs a value to begin with")
        if update is not None and not isinstance(value, SharedVariable):
            self.value = shared(value, name=self.name, type=variable.type)

    def __repr__(self) -> str:
        return f"In({self.variable})"


class Out:
    """An output of a function, with its options.

    Parameters
    ----------
    variable
        The variable that is returned, or a value, which becomes a constant.
    borrow
        Whether the result may share memory with arguments, shared variables and other results.
    """

    __slots__ = ("borrow", "variable")

    def __init__(self, variable: object, borrow: bool = False):
        self.variable = variable_of(variable)
        self.borrow = borrow

    def __repr__(self) -> str:
        return f"Out({self.variable})"


def _class_of(value: object) -> str:
    return type(value).__name__


def input_of(given: object) -> In:
    """Return a variable as an input."""
    if not isinstance(given, Variable):
        raise TypeError(f"function(): inputs are variables or In, not {_class_of(given)}")
    return In(given)


def outputs_of(outputs: object) -> tuple[list[Out], bool | list[str] | None]:
    """Return the outputs, and how they are handed out: `True` is the only one itself."""

    def out(value: object) -> Out:
        return value if isinstance(value, Out) else Out(value)

    if outputs is None:
        return [], None
    if isinstance(outputs, dict):
        for key in outputs:
            if not isinstance(key, str):
                raise TypeError(f"function(): names of outputs are texts, not {_class_of(key)}")
        return [out(it) for it in outputs.values()], list(outputs)
    if isinstance(outputs, (list, tuple)):
        return [out(it) for it in outputs], False
    return [out(outputs)], True


def pairs_of(what: str, pairs: _Replacements | None) -> list[tuple[Variable, Any]]:
    """Return variables and what becomes of each."""
    if pairs is None:
        return []
    found = [tuple(it) for it in (pairs.items() if hasattr(pairs, "items") else pairs)]
    for pair in found:
        if len(pair) != 2 or not isinstance(pair[0], Variable):
            raise TypeError(f"function(): {what} are pairs of a variable and what becomes of it")
    return found


def updates_of(updates: _Replacements | None) -> list[tuple[Variable, Variable]]:
    """Return shared variables and their new values."""
    found: list[tuple[Variable, Variable]] = []
    for key, value in pairs_of("updates", updates):
        if not isinstance(key, SharedVariable):
            raise TypeError(f"function(): only shared variables are updated, and {key} is none")
        if any(key is known for known, _ in found):
            raise ValueError(f"function(): {key} is updated twice")
        found.append((key, filtered(key, value, f"function(): the update of {key}")))
    return found


In.__module__ = Out.__module__ = __name__.rpartition(".graph.")[0]

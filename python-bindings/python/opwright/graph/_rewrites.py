"""Rewrites of graphs: substitution of variables, and rules that replace what matches a pattern."""

from __future__ import annotations

from .. import _C
from ._variables import Variable, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Protocol, TypeAlias, overload

    from .._C._graph import Rewrite
    from ._variables import _Result, _Variables

    class _Items(Protocol):
        """A dictionary whose keys are variables of any class."""

        def items(self) -> Iterable[tuple[_Result, object]]: ...

    # Variables, and what takes the place of each: a variable, or a value of its type.
    _Replacements: TypeAlias = _Items | Iterable[tuple[_Result, object]]


_graph = _C._graph


if TYPE_CHECKING:

    @overload
    def replace(outputs: _Result, replacements: _Replacements) -> Variable: ...
    @overload
    def replace(outputs: Iterable[_Result], replacements: _Replacements) -> list[Variable]: ...


# Packages of one's own have this file as a stub, where an overloaded function needs no body.
def replace(  # type: ignore[misc,unused-ignore]
    outputs: _Variables, replacements: _Replacements
) -> Variable | list[Variable]:
    """Return the outputs with other variables in the place of some that they depend on.

    What replaces a variable is of its type or is found to be when it is computed, and the types of
    what depends on it are inferred anew.

    Parameters
    ----------
    outputs
        A variable, or several.
    replacements
        A dictionary, or pairs: a variable, and the variable or the value that takes its place.

    Returns
    -------
    Variable or list of Variable
        As `outputs`: one, or several in a list.

    Raises
    ------
    TypeError
        A replacement is of another dtype or rank.

    Examples
    --------
        >>> x = opwright.TensorType("float64", (None,))("x")
        >>> y = opwright.TensorType("float64", (4,))("y")
        >>> opwright.graph.replace([opwright.exp(x)], {x: y})[0].type
        TensorType(float64, (4,))
    """
    pairs = [
        (old, new if isinstance(new, Variable) else old.type.filter_variable(new))
        for old, new in pairs_of(replacements)
    ]
    if isinstance(outputs, Variable):
        return _graph.replace([outputs], pairs)[0]
    return _graph.replace(listed(outputs), pairs)


def pairs_of(replacements: _Replacements) -> Iterable[tuple[Variable, object]]:
    """Return the pairs of a dictionary, or pairs as they are."""
    pairs: Any = replacements
    return pairs.items() if hasattr(pairs, "items") else pairs  # type: ignore[no-any-return]


def rewrite(
    pattern: str, *, approx: bool = False, when: Callable[..., object] | None = None
) -> Callable[[Callable[..., Any]], Rewrite]:
    """Let a function say what takes the place of parts of graphs that match a pattern.

    The function gets the variables that stand for the names of the pattern, and returns one, or
    `None` if nothing is to be replaced. Gradients are those of the graph as it was written.

    Parameters
    ----------
    pattern
        Calls of operators, whose arguments are names or calls: `"sub.Tensor(a, a)"`.
    approx
        Whether results may be rounded otherwise.
    when
        A predicate that is called before the function, with the same arguments.

    Returns
    -------
    callable
        A decorator, which makes a rule of the function. The rule has `remove()`.

    Raises
    ------
    ValueError
        By the decorator: the pattern cannot be parsed, or no operator takes its arguments.
    TypeError
        By the decorator: the function or `when` cannot be called.

    Examples
    --------
        @graph.rewrite("sub.Tensor(a, a)")
        def cancel(a):
            return opwright.zeros_like(a)
    """
    return lambda replace: _graph.Rewrite(pattern, replace, approx, when)

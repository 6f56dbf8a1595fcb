"""Traversals of graphs: ancestors, inputs, nodes in topological order, copies, comparison."""

from __future__ import annotations

from .. import _C
from ._variables import Variable, constant, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._variables import Apply, _Variables

_graph = _C._graph


def ancestors(variables: _Variables) -> list[Variable]:
    """Return all that variables depend on and they themselves, each once, depth first.

    Parameters
    ----------
    variables
        A variable, or several.

    Returns
    -------
    list of Variable
        The variables and what they depend on.
    """
    return _graph.ancestors(listed(variables))


def inputs(variables: _Variables) -> list[Variable]:
    """Return what has to be given to compute variables, in the order of first use.

    Parameters
    ----------
    variables
        A variable, or several.

    Returns
    -------
    list of Variable
        The variables that no node computes and that have no value.
    """
    return _graph.inputs(listed(variables))


def nodes(inputs: _Variables, outputs: _Variables) -> list[Apply]:
    """Return the nodes between variables in topological order.

    Parameters
    ----------
    inputs
        Where the traversal stops: a variable, or several.
    outputs
        Where it begins: a variable, or several.

    Returns
    -------
    list of Apply
        The nodes that the outputs depend on, each behind those that it uses.
    """
    return _graph.nodes(listed(inputs), listed(outputs))


def clone(inputs: _Variables, outputs: _Variables) -> tuple[list[Variable], list[Variable]]:
    """Return copies of the inputs, and of the outputs with all nodes in between.

    Parameters
    ----------
    inputs
        A variable, or several.
    outputs
        What depends on them: a variable, or several.

    Returns
    -------
    tuple of list of Variable
        The copied inputs, and the copied outputs.
    """
    return _graph.clone(listed(inputs), listed(outputs))


def equal_computations(xs: Variable | Iterable[object], ys: Variable | Iterable[object]) -> bool:
    """Whether both compute the same of the same variables, by the same calls.

    Parameters
    ----------
    xs, ys
        A variable, or variables and values; values become constants.

    Returns
    -------
    bool
        Whether the graphs are structurally equal.
    """
    return _graph.equal_computations(_constants(xs), _constants(ys))


def _constants(values: Variable | Iterable[object]) -> list[Variable]:
    return [constant(it) for it in ([values] if isinstance(values, Variable) else values)]

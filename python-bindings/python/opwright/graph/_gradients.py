"""Reverse-mode differentiation of graphs: gradients as variables."""

from __future__ import annotations

import warnings

from .. import _C
from ._rewrites import pairs_of
from ._variables import Variable, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, overload

    from ._rewrites import _Replacements
    from ._variables import _Result, _Variables

    _V = TypeVar("_V", bound=_Result)


_graph = _C._graph


if TYPE_CHECKING:

    @overload
    def grad(
        cost: _Result | None,
        wrt: _Result,
        *,
        known: _Replacements | None = None,
        consider_constant: _Variables = (),
        disconnected_inputs: str = "raise",
    ) -> Variable: ...
    @overload
    def grad(
        cost: _Result | None,
        wrt: list[_V] | tuple[_V, ...],
        *,
        known: _Replacements | None = None,
        consider_constant: _Variables = (),
        disconnected_inputs: str = "raise",
    ) -> list[Variable]: ...


# Packages of one's own have this file as a stub, where an overloaded function needs no body.
def grad(  # type: ignore[misc,unused-ignore]
    cost: _Result | None,
    wrt: _Result | list[_V] | tuple[_V, ...],
    *,
    known: _Replacements | None = None,
    consider_constant: _Variables = (),
    disconnected_inputs: str = "raise",
) -> Variable | list[Variable]:
    """Return the gradients of a cost for variables.

    Parameters
    ----------
    cost
        A variable without dimensions; with `known` it may be `None`.
    wrt
        A variable, or a list or tuple of them.
    known
        A dictionary, or pairs: a variable, and the gradient that takes the place of the one that
        would come to it.
    consider_constant
        Variables that no gradient goes through: one, or several.
    disconnected_inputs
        What happens where the cost does not depend on a variable of `wrt`: `"raise"` raises,
        `"warn"` warns and gives zeros, `"ignore"` gives zeros.

    Returns
    -------
    Variable or list of Variable
        As `wrt`: one, or a list. Each is of the type of its variable, but for numbers of fewer than
        64 bits, whose gradients are not rounded to them.

    Raises
    ------
    TypeError
        The cost has dimensions, or something given is no variable.
    ValueError
        The cost does not depend on a variable of `wrt`; a variable of `wrt` has no gradients;
        `disconnected_inputs` is no such word.
    NotImplementedError
        A node on the way has no gradient.
    """
    if disconnected_inputs not in ("raise", "warn", "ignore"):
        raise ValueError(
            "disconnected_inputs is 'raise', 'warn' or 'ignore', not " + repr(disconnected_inputs)
        )
    of: Any = cost
    requested: list[Any] = list(wrt) if isinstance(wrt, (list, tuple)) else [wrt]
    pairs = list(pairs_of(known or ()))
    gradients, disconnected = _graph.grad(of, requested, pairs, listed(consider_constant))
    for at in disconnected:
        if disconnected_inputs == "ignore":
            continue
        text = f"the cost does not depend on {requested[at]}, number {at} of wrt"
        if disconnected_inputs == "raise":
            raise ValueError(text + "; disconnected_inputs='ignore' gives zeros")
        warnings.warn(text + ": its gradient is zero", UserWarning, stacklevel=2)
    return gradients if isinstance(wrt, (list, tuple)) else gradients[0]

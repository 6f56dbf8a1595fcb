"""Graphs as text and as pictures: trees, Graphviz, SVG."""

from __future__ import annotations

import sys

from .. import _C
from ._variables import Apply, Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Literal, Protocol, TypeAlias, overload

    from .._C._graph import Function

    _Shown: TypeAlias = Variable | Apply | Function | Iterable["_Shown"]

    class _Writable(Protocol):
        """An object that takes text, as files do."""

        def write(self, text: str, /) -> object: ...


_graph = _C._graph


def _shown(obj: _Shown) -> tuple[list[Variable], list[Apply] | None]:
    """Return the variables that an object stands for, and the order of a function's nodes."""
    if isinstance(obj, Variable):
        return [obj], None
    if isinstance(obj, Apply):
        return list(obj.outputs), None
    graph = getattr(obj, "graph", None)
    if graph is not None:
        return list(graph.outputs), list(graph.toposort())
    several: Any = obj
    shown = [_shown(it) for it in several]
    return [variable for variables, _ in shown for variable in variables], None


if TYPE_CHECKING:

    @overload
    def dprint(
        obj: _Shown,
        types: bool = False,
        *,
        file: Literal["str"],
        depth: int = -1,
        ids: bool = True,
        print_type: bool | None = None,
        shape: bool = False,
    ) -> str: ...
    @overload
    def dprint(
        obj: _Shown,
        types: bool,
        file: Literal["str"],
        depth: int = -1,
        ids: bool = True,
        print_type: bool | None = None,
        shape: bool = False,
    ) -> str: ...
    @overload
    def dprint(
        obj: _Shown,
        types: bool = False,
        file: _Writable | None = None,
        depth: int = -1,
        ids: bool = True,
        print_type: bool | None = None,
        shape: bool = False,
    ) -> None: ...


# Packages of one's own have this file as a stub, where an overloaded function needs no body.
def dprint(  # type: ignore[misc,unused-ignore]
    obj: _Shown,
    types: bool = False,
    file: Literal["str"] | _Writable | None = None,
    depth: int = -1,
    ids: bool = True,
    print_type: bool | None = None,
    shape: bool = False,
) -> str | None:
    """Print a variable, a node, a function or several of them as trees.

    What is computed stands above what it is computed from. A function also shows the order in which
    its nodes run.

    Parameters
    ----------
    obj
        A variable, a node, a function, or several of them.
    types
        Whether types are shown.
    file
        Where the text goes, by default to the standard output; with `"str"` it is returned.
    depth
        The number of levels that are shown; all with a negative number.
    ids
        Whether each variable has letters by which it is found again.
    print_type
        Another name of `types`, which it replaces unless it is `None`.
    shape
        Whether what is known of shapes is shown.

    Returns
    -------
    str or None
        The text, if `file` is `"str"`.
    """
    variables, order = _shown(obj)
    types = types if print_type is None else print_type
    text = _graph.tree(variables, order, bool(types), bool(shape), bool(ids), depth)
    if file == "str":
        return text
    (sys.stdout if file is None else file).write(text)
    return None


def _drawn(obj: _Shown) -> list[Variable]:
    """Return the variables of a picture: of a function also what it updates shared variables to."""
    return _shown(obj)[0] + [new for _, new in getattr(obj, "updates", ())]


def to_dot(obj: _Shown) -> str:
    """Return a picture of a graph in the language of Graphviz.

    Parameters
    ----------
    obj
        A variable, a node, a function, or several of them. Of a function, updates are shown too.

    Returns
    -------
    str
        The text of a directed graph.
    """
    return _graph.to_dot(_drawn(obj))


def to_svg(obj: _Shown) -> str:
    """Return a picture of a graph.

    Parameters
    ----------
    obj
        A variable, a node, a function, or several of them. Of a function, updates are shown too.

    Returns
    -------
    str
        The text of an SVG image.
    """
    return _graph.to_svg(_drawn(obj))


# What has more nodes is no picture that anyone reads, and takes megabytes in a notebook.
_MOST_NODES = 300


def svg_of_notebooks(obj: _Shown) -> str | None:
    """Return what a notebook draws: the picture, or `None` of a graph that is too large for one."""
    return to_svg(obj) if _is_small(obj) else None


def html_of_notebooks(obj: _Shown) -> str:
    """Return the name of a function or a variable, and the picture of its graph.

    It is on white in a frame that scrolls: lines are black, and pages may be dark. Of a graph that
    is too large to be drawn, the number of nodes is shown.
    """
    from .. import _html

    return _html.guarded(obj, _framed)


def _framed(obj: Any) -> str:
    from .. import _html

    inputs = ", ".join(str(it) for it in _graph.inputs(_drawn(obj))[:20])
    count = len(_nodes(obj))
    nodes = "1 node" if count == 1 else f"{count} nodes"
    properties = [f"of {inputs}" if inputs else "of constants", nodes]
    if isinstance(obj, Variable):
        properties.insert(0, str(obj.type))
    head = _html.caption(getattr(obj, "name", None) or "graph", properties)
    if not _is_small(obj):
        return f"<div>{head} \N{MIDDLE DOT} too many to draw; dprint prints them</div>"
    frame = "background:#fff;color:#000;overflow:auto;max-height:40em"
    return f'<div>{head}<div style="{frame}">{to_svg(obj)}</div></div>'


def _nodes(obj: _Shown) -> list[Apply]:
    """Return the nodes of a picture."""
    return _graph.nodes([], _drawn(obj))


def _is_small(obj: _Shown) -> bool:
    return len(_nodes(obj)) <= _MOST_NODES

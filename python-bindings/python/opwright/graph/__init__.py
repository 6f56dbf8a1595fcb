"""Graphs of operator calls: variables, nodes, and what is done with them.

A variable stands for a value that is not there yet. Operators and methods that are called with one
make nodes, and return variables of the types that the results will have.

    >>> x = opwright.TensorType("float64", (None, 3))("x")
    >>> y = opwright.exp(x).sum(0)
    >>> y.type
    TensorType(float64, (3,))
    >>> opwright.dprint(y, ids=False)
    sum.dim_IntList{dim=0}
     └─ exp
        └─ x
"""

from __future__ import annotations

from .. import _C
from ..types import ShapeClash as ShapeClash
from ..types import ShapeMismatch as ShapeMismatch
from . import _errors, _gradients, _ops, _printing, _rewrites, _shapes, _traversal, _variables
from ._errors import BadCleanup as BadCleanup
from ._errors import BadResult as BadResult
from ._errors import BadRewrite as BadRewrite
from ._errors import BadType as BadType
from ._errors import BadView as BadView
from ._errors import BadWrite as BadWrite
from ._errors import DebugError as DebugError
from ._errors import MissingInput as MissingInput
from ._errors import UnusedInput as UnusedInput
from ._gradients import grad as grad
from ._ops import Op as Op
from ._ops import _FunctionOp as _FunctionOp
from ._ops import as_op as as_op
from ._printing import dprint as dprint
from ._printing import to_dot as to_dot
from ._printing import to_svg as to_svg
from ._rewrites import replace as replace
from ._rewrites import rewrite as rewrite
from ._shapes import _HostShape as _HostShape
from ._shapes import shape as shape
from ._shapes import shape_i as shape_i
from ._shapes import specify_shape as specify_shape
from ._traversal import ancestors as ancestors
from ._traversal import clone as clone
from ._traversal import equal_computations as equal_computations
from ._traversal import inputs as inputs
from ._traversal import nodes as nodes
from ._variables import Apply as Apply
from ._variables import Constant as Constant
from ._variables import Variable as Variable
from ._variables import constant as constant
from ._variables import deep_copy as deep_copy
from ._variables import set_item as set_item
from ._variables import view as view

TYPE_CHECKING = False

_graph = _C._graph
CompileError = _graph.CompileError

# Messages, pickles and documentation name what is defined below by the module that people import.
for _home in (
    _errors,
    _gradients,
    _ops,
    _printing,
    _rewrites,
    _shapes,
    _traversal,
    _variables,
):
    for _member in vars(_home).values():
        if getattr(_member, "__module__", None) == _home.__name__:
            _member.__module__ = __name__
del _home, _member

# What makes the contents of pickles again, and where it is.
_RESTORING = {
    **dict.fromkeys(
        (
            "_restored_constant",
            "_restored_node",
            "_restored_nothing",
            "_restored_result",
            "_restored_shared",
        ),
        "_pickling",
    ),
    "_restored_function": "_function_pickling",
    "_restored_mode": "_modes",
}


def _late(name: str) -> object:
    home = _RESTORING.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)


if not TYPE_CHECKING:
    # Type checkers read the names themselves, and miss those that are not there.
    __getattr__ = _late

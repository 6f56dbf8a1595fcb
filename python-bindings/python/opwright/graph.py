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

import sys
import warnings

from . import _C, types
from .types import ShapeClash as ShapeClash
from .types import ShapeMismatch as ShapeMismatch

_graph = _C._graph
CompileError = _graph.CompileError
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Self, final

    class Variable:
        """A value that is not there yet. It has the methods that values of its type have."""

        type: Any
        name: str | None
        owner: Apply | None
        index: int | None
        dtype: Any
        ndim: int
        data: Any

        __array_ufunc__: None

        def __new__(cls, type: types.Type, name: str | None = None) -> Self:
            """Make a variable of a type."""

        def transfer(self, target: Any) -> Variable:
            """Return the variable on another device."""

        def eval(self, inputs: Any = None, **options: Any) -> Any:
            """Return its value, where those of the variables that it depends on are `inputs`."""

        def __getattribute__(self, name: str, /) -> Any: ...
        def __getitem__(self, key: Any, /) -> Variable: ...
        def __iter__(self) -> Iterator[Variable]: ...
        def __len__(self) -> int: ...
        def __add__(self, other: Any, /) -> Variable: ...
        def __sub__(self, other: Any, /) -> Variable: ...
        def __mul__(self, other: Any, /) -> Variable: ...
        def __matmul__(self, other: Any, /) -> Variable: ...
        def __truediv__(self, other: Any, /) -> Variable: ...
        def __floordiv__(self, other: Any, /) -> Variable: ...
        def __mod__(self, other: Any, /) -> Variable: ...
        def __pow__(self, other: Any, mod: Any = None, /) -> Variable: ...
        def __lshift__(self, other: Any, /) -> Variable: ...
        def __rshift__(self, other: Any, /) -> Variable: ...
        def __and__(self, other: Any, /) -> Variable: ...
        def __or__(self, other: Any, /) -> Variable: ...
        def __xor__(self, other: Any, /) -> Variable: ...
        def __radd__(self, other: Any, /) -> Variable: ...
        def __rsub__(self, other: Any, /) -> Variable: ...
        def __rmul__(self, other: Any, /) -> Variable: ...
        def __rmatmul__(self, other: Any, /) -> Variable: ...
        def __rtruediv__(self, other: Any, /) -> Variable: ...
        def __rfloordiv__(self, other: Any, /) -> Variable: ...
        def __rmod__(self, other: Any, /) -> Variable: ...
        def __rpow__(self, other: Any, mod: Any = None, /) -> Variable: ...
        def __rlshift__(self, other: Any, /) -> Variable: ...
        def __rrshift__(self, other: Any, /) -> Variable: ...
        def __rand__(self, other: Any, /) -> Variable: ...
        def __ror__(self, other: Any, /) -> Variable: ...
        def __rxor__(self, other: Any, /) -> Variable: ...
        def __lt__(self, other: Any, /) -> Variable: ...
        def __le__(self, other: Any, /) -> Variable: ...
        def __gt__(self, other: Any, /) -> Variable: ...
        def __ge__(self, other: Any, /) -> Variable: ...
        def __neg__(self) -> Variable: ...
        def __pos__(self) -> Variable: ...
        def __abs__(self) -> Variable: ...
        def __invert__(self) -> Variable: ...

    @final
    class Apply:
        """A node: what is computed of some variables."""

        op: Any
        inputs: list[Variable]
        outputs: list[Variable]
        arguments: dict[str, Any]
        place: tuple[str, int, str] | None

        def __new__(cls, op: Any, inputs: Iterable[Variable], outputs: Iterable[Variable]) -> Self:
            """Make a node; the outputs become its results."""

else:
    Apply = _graph.Apply
    Variable = _graph.Variable


class UnusedInput(ValueError):  # noqa: N818
    """An input that nothing depends on."""


class MissingInput(ValueError):  # noqa: N818
    """A variable that has to be given, and is not."""


class DebugError(RuntimeError):
    """What the debug mode finds."""


class BadType(DebugError):  # noqa: N818
    """A value that its type does not have."""


class BadView(DebugError):  # noqa: N818
    """Memory that is shared without saying so."""


class BadWrite(DebugError):  # noqa: N818
    """An input that was written to without saying so."""


class BadResult(DebugError):  # noqa: N818
    """Results that differ between calls, or between forms of an operator."""


class BadRewrite(DebugError):  # noqa: N818
    """Results that a rewrite changed."""


class BadCleanup(DebugError):  # noqa: N818
    """C code that leaves variables without their cleanup, or does not give back references."""


class _ConstantClass(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Variable) and _graph.kind(instance) == "constant"


class Constant(metaclass=_ConstantClass):
    """The variables that never change.

    `Constant(type, value)` makes one, which is a `Variable`.
    """

    def __new__(cls, type: types.Type, value: Any, name: str | None = None) -> Any:
        """Make a variable of a type and a value."""
        return _graph.constant(type, value, name)


def constant(value: Any, name: str | None = None, type: types.Type | None = None) -> Variable:
    """Return a variable that never changes: of the most specific type, if none is said."""
    if isinstance(value, Variable):
        return value
    made: Variable = (types.typeof(value) if type is None else type).make_constant(value, name)
    return made


def ancestors(variables: Any) -> list[Variable]:
    """Return all that variables depend on and they themselves, each once, depth first."""
    found: list[Variable] = _graph.ancestors(_listed(variables))
    return found


def inputs(variables: Any) -> list[Variable]:
    """Return what has to be given to compute variables, in the order of first use."""
    found: list[Variable] = _graph.inputs(_listed(variables))
    return found


def nodes(inputs: Any, outputs: Any) -> list[Apply]:
    """Return the nodes between variables, each behind those that it uses."""
    found: list[Apply] = _graph.nodes(_listed(inputs), _listed(outputs))
    return found


def clone(inputs: Any, outputs: Any) -> Any:
    """Return copies of the inputs, and of the outputs with all nodes in between."""
    return _graph.clone(_listed(inputs), _listed(outputs))


def replace(outputs: Any, replacements: Any) -> Any:
    """Return the outputs with other variables in the place of some that they depend on.

    `replacements` is a dictionary, or pairs. What replaces a variable is of its type or is found to
    be when it is computed, and the types of what depends on it are inferred anew.

        >>> x = opwright.TensorType("float64", (None,))("x")
        >>> y = opwright.TensorType("float64", (4,))("y")
        >>> opwright.graph.replace([opwright.exp(x)], {x: y})[0].type
        TensorType(float64, (4,))

    Raises:
        TypeError: A replacement is of another dtype or rank.
    """
    pairs = replacements.items() if hasattr(replacements, "items") else replacements
    pairs = [
        (old, new if isinstance(new, Variable) else old.type.filter_variable(new))
        for old, new in pairs
    ]
    if isinstance(outputs, Variable):
        return _graph.replace([outputs], pairs)[0]
    return _graph.replace(list(outputs), pairs)


def equal_computations(xs: Any, ys: Any) -> bool:
    """Whether both compute the same of the same variables, by the same calls."""
    are_equal: bool = _graph.equal_computations(
        [constant(it) for it in _listed(xs)], [constant(it) for it in _listed(ys)]
    )
    return are_equal


def _listed(variables: Any) -> list[Variable]:
    return [variables] if isinstance(variables, Variable) else list(variables)


def specify_shape(x: Any, shape: Any) -> Variable:
    """Return a variable that is found to have a shape when it is computed; None is any extent.

    It is `x` itself if the shape says nothing new.

    Raises:
        TypeError: The shape contradicts what is known.
    """
    x = constant(x)
    shape = (shape,) if isinstance(shape, int) or shape is None else tuple(shape)
    found: Variable = _graph.specified(x, types.TensorType(x.dtype, shape))
    return found


class _HostShape:
    """What `shape` does for values that are no tensors: their own `shape`, or that of the type."""

    def __init__(self, type: Any, i: int | None = None):
        self.type, self.i = type, i

    def perform(self, node: Apply, inputs: list[Any], output_storage: list[list[Any]]) -> None:
        ask = getattr(self.type, "shape_of", None)
        found = getattr(inputs[0], "shape", None) if ask is None else ask(inputs[0])
        if found is None:
            raise TypeError(
                f"a value of {self.type} has no shape; give the type a method shape_of(value)"
            )
        found = tuple(found)
        if self.i is not None and not -len(found) <= self.i < len(found):
            raise IndexError(f"there is no dimension {self.i} in the shape {found}")
        output_storage[0][0] = list(found) if self.i is None else found[self.i]

    def make_node(self, x: Variable) -> Apply:
        result = types.list_of(types.int64) if self.i is None else types.int64
        return Apply(self, [x], [result()])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _HostShape) and (self.type, self.i) == (other.type, other.i)

    def __hash__(self) -> int:
        return hash((_HostShape, self.i))

    def __str__(self) -> str:
        return "shape" if self.i is None else "shape_i"


def shape(x: Any) -> Variable:
    """Return the extents of a variable, as a variable that is a list of integers."""
    x = constant(x)
    if isinstance(x.type, types.TensorType):
        found: Variable = _graph.shape(x)
        return found
    return _host_shape(x, None)


def shape_i(x: Any, i: int) -> Variable:
    """Return one extent of a variable, as a variable that is an integer.

    Raises:
        IndexError: It has no such dimension.
    """
    x = constant(x)
    if isinstance(x.type, types.TensorType):
        found: Variable = _graph.shape_i(x, i)
        return found
    from operator import index

    i = index(i)
    # What has no rank is looked at when it is there.
    rank = getattr(x.type, "ndim", None)
    if isinstance(rank, int):
        if not -rank <= i < rank:
            raise IndexError(f"there is no dimension {i} in {x.type}, which has {rank}")
        i %= rank
    return _host_shape(x, i)


def _host_shape(x: Variable, i: int | None) -> Variable:
    if isinstance(x.type, types.PlainType | types.ListType) and not hasattr(x.type, "shape_of"):
        raise TypeError(f"values of {x.type} have no shape")
    found: Variable = _HostShape(x.type, i).make_node(x).outputs[0]
    return found


def view(x: Any) -> Variable:
    """Return a variable with the same values as another one."""
    found: Variable = _graph.view(constant(x))
    return found


def deep_copy(x: Any) -> Variable:
    """Return a variable whose values share nothing with those of another one."""
    found: Variable = _graph.deep_copy(constant(x))
    return found


def set_item(x: Any, key: Any, value: Any) -> Variable:
    """Return `x` with `value` in the place of what `x[key]` picks out."""
    found: Variable = _graph.set_item(constant(x), key, value)
    return found


def _shown(obj: Any) -> tuple[list[Variable], list[Apply] | None]:
    """The variables that an object stands for, and the order of a function's nodes."""
    if isinstance(obj, Variable):
        return [obj], None
    if isinstance(obj, Apply):
        return list(obj.outputs), None
    graph = getattr(obj, "graph", None)
    if graph is not None:
        return list(graph.outputs), list(graph.toposort())
    shown = [_shown(it) for it in obj]
    return [variable for variables, _ in shown for variable in variables], None


def dprint(
    obj: Any,
    types: bool = False,
    file: Any = None,
    depth: int = -1,
    ids: bool = True,
    print_type: bool | None = None,
    shape: bool = False,
) -> Any:
    """Print a variable, a node, a function or several of them as trees.

    What is computed stands above what it is computed from. A function also shows the order in which
    its nodes run.

    Args:
        obj: What is shown.
        types: Whether types are shown; `print_type` is another name of it.
        file: Where the text goes; with `"str"` it is returned.
        depth: So many levels are shown, or all.
        ids: Whether each variable has letters by which it is found again.
        print_type: The same as `types`.
        shape: Whether what is known of shapes is shown.
    """
    variables, order = _shown(obj)
    types = types if print_type is None else print_type
    text = _graph.tree(variables, order, bool(types), bool(shape), bool(ids), depth)
    if file == "str":
        return text
    (sys.stdout if file is None else file).write(text)
    return None


def _drawn(obj: Any) -> list[Variable]:
    """What a picture shows: of a function also what it updates shared variables to."""
    return _shown(obj)[0] + [new for _, new in getattr(obj, "updates", ())]


def to_dot(obj: Any) -> str:
    """Return a picture of what `dprint` shows and of updates, in the language of Graphviz."""
    text: str = _graph.to_dot(_drawn(obj))
    return text


def to_svg(obj: Any) -> str:
    """Return a picture of what `dprint` shows and of updates."""
    text: str = _graph.to_svg(_drawn(obj))
    return text


class Op:
    """What a node does, written in Python.

    A subclass has `make_node`, which makes an `Apply`, and `perform`, which computes its results.
    Ops whose classes and `__props__` are equal do the same. With `arrays = True`, `perform` gets
    arrays of numpy in the place of tensors.
    """

    __props__: tuple[str, ...] | None = None

    def make_node(self, *inputs: Any) -> Any:
        """The node of a call with these inputs."""
        raise NotImplementedError(f"{type(self).__name__} has no make_node")

    def perform(self, node: Apply, inputs: list[Any], output_storage: list[list[Any]]) -> None:
        """Computes the results: the `k`th is put into `output_storage[k][0]`."""
        raise NotImplementedError(f"{type(self).__name__} has no perform")

    def grad(self, inputs: list[Variable], output_gradients: list[Any]) -> Any:
        """A gradient for each input, from those for the results; `None` where there is none.

        Results to which no gradient came have zeros, and `None` if they can have none.
        """
        raise NotImplementedError(f"{type(self).__name__} has no grad, which a gradient needs")

    def L_op(  # noqa: N802
        self, inputs: list[Variable], outputs: list[Variable], output_gradients: list[Any]
    ) -> Any:
        """The same, for an Op whose gradients use its results."""
        return self.grad(inputs, output_gradients)

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        """Make the node of these inputs: its result, or a list if it has several."""
        try:
            node = self.make_node(*inputs, **options)
        except (AttributeError, TypeError) as error:
            values = _values_among(inputs)
            if not values:
                raise
            text = f"{self}: {values}; graph.constant(value) makes a variable of a value"
            raise TypeError(f"{text} ({error})") from error
        if not isinstance(node, Apply):
            raise TypeError(f"{self}.make_node returned {type(node).__name__}, not an Apply")
        outputs = node.outputs
        return outputs[0] if len(outputs) == 1 else outputs

    def _properties(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__props__ or ())

    def __eq__(self, other: object) -> bool:
        if self.__props__ is None or type(self) is not type(other):
            return self is other
        return self._properties() == other._properties()

    def __hash__(self) -> int:
        if self.__props__ is None:
            return object.__hash__(self)
        return hash((type(self), self._properties()))

    def __str__(self) -> str:
        return type(self).__name__


def rewrite(
    pattern: str, *, approx: bool = False, when: Callable[..., Any] | None = None
) -> Callable[[Callable[..., Any]], Any]:
    """Lets a function say what takes the place of parts of graphs that look like `pattern`.

    The function gets the variables that stand for the names of the pattern, and returns one, or
    `None` if nothing is to be replaced; `when` is asked before with the same arguments. With
    `approx`, results may be rounded otherwise. What this makes has `remove()`. Gradients are those
    of the graph as it was written.

        @graph.rewrite("sub.Tensor(a, a)")
        def cancel(a):
            return opwright.zeros_like(a)
    """
    return lambda replace: _graph.Rewrite(pattern, replace, approx, when)


def grad(
    cost: Any,
    wrt: Any,
    *,
    known: Any = None,
    consider_constant: Any = (),
    disconnected_inputs: str = "raise",
) -> Any:
    """The gradients of `cost`, a variable without dimensions, for the variables `wrt`.

    A list of variables gives a list of gradients, each of the type of its variable, but for numbers
    of fewer than 64 bits, whose gradients are not rounded to them. `known` has gradients of
    variables that take the place of those that would come to them; with it, `cost` may be `None`.
    No gradient goes through the variables of `consider_constant`. Where the cost does not depend on
    a variable, `disconnected_inputs` says what happens: `"raise"`, or zeros after a warning with
    `"warn"`, or zeros with `"ignore"`.
    """
    if disconnected_inputs not in ("raise", "warn", "ignore"):
        raise ValueError(
            "disconnected_inputs is 'raise', 'warn' or 'ignore', not " + repr(disconnected_inputs)
        )
    several = isinstance(wrt, (list, tuple))
    wanted = list(wrt) if several else [wrt]
    known = list(known.items() if hasattr(known, "items") else known or ())
    if isinstance(consider_constant, _graph.Variable):
        consider_constant = [consider_constant]
    gradients, disconnected = _graph.grad(cost, wanted, known, list(consider_constant))
    for at in disconnected:
        if disconnected_inputs == "ignore":
            continue
        text = f"the cost does not depend on {wanted[at]}, number {at} of wrt"
        if disconnected_inputs == "raise":
            raise ValueError(text + "; disconnected_inputs='ignore' gives zeros")
        warnings.warn(text + ": its gradient is zero", UserWarning, stacklevel=2)
    return gradients if several else gradients[0]


def _values_among(inputs: Iterable[Any]) -> str:
    """Which inputs of an Op are no variables."""
    found = [
        f"input {at} is {type(it).__name__}"
        for at, it in enumerate(inputs)
        if not isinstance(it, Variable)
    ]
    return ", ".join(found)


class _FunctionOp(Op):
    """A function of Python as an Op."""

    __props__ = ("function", "itypes", "otypes")

    def __init__(self, function: Callable[..., Any], itypes: Iterable[Any], otypes: Iterable[Any]):
        self.function, self.itypes, self.otypes = function, tuple(itypes), tuple(otypes)

        self.__module__ = getattr(function, "__module__", type(self).__module__)

    def __reduce__(self) -> Any:
        # Where the function was written its name leads to this Op.
        name = getattr(self.function, "__qualname__", "")
        found: Any = sys.modules.get(self.__module__)
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is self:
            return name
        return type(self), (self.function, self.itypes, self.otypes)

    def make_node(self, *inputs: Any) -> Apply:
        if len(inputs) != len(self.itypes):
            raise TypeError(f"{self} takes {len(self.itypes)} inputs, not {len(inputs)}")
        pairs = zip(self.itypes, inputs, strict=True)
        given = [type.filter_variable(value) for type, value in pairs]
        return Apply(self, given, [type() for type in self.otypes])

    def perform(self, node: Apply, inputs: list[Any], output_storage: list[list[Any]]) -> None:
        results = self.function(*inputs)
        results = (results,) if len(self.otypes) == 1 else tuple(results)
        if len(results) != len(self.otypes):
            raise ValueError(f"{self} returned {len(results)} results, not {len(self.otypes)}")
        for storage, result in zip(output_storage, results, strict=True):
            storage[0] = result

    def __str__(self) -> str:
        return self.function.__name__


def as_op(
    itypes: Iterable[Any], otypes: Iterable[Any], infer_shape: Any = None
) -> Callable[[Callable[..., Any]], Op]:
    """Let a function of values be an Op of variables of these types; several results are a tuple.

    `infer_shape` is taken for the sake of programs that pass it: types say it here.

        @graph.as_op(itypes=[types.double], otypes=[types.double])
        def half(value):
            return value / 2
    """
    return lambda function: _FunctionOp(function, itypes, otypes)

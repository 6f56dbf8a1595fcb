"""Compiled functions in graphs: a call with a variable among its arguments makes a node."""

from __future__ import annotations

import inspect
from typing import Any

from .. import _C, Tensor, types
from ..graph import Apply, Constant, Op, Variable, constant, grad
from .bind import bind
from .errors import TypingError

_LOOPS = ("float32", "float64", "int64")


class CompiledOp(Op):
    """A compiled function as what a node does.

    Inputs of a node are the arguments that are variables, arrays and numbers; others are part of
    the Op.

    Attributes:
        function: What `jit` made.
        fixed: The arguments that are no inputs: their places and values.
    """

    __props__ = ("function", "fixed")

    def __init__(self, function: Any, fixed: tuple[tuple[int, Any], ...] = ()) -> None:
        self.function, self.fixed = function, fixed
        # Whether it draws random numbers, so that two calls are not one.
        self._draws = False

    def __eq__(self, other: object) -> bool:
        return self is other or (not self._draws and super().__eq__(other))

    def __hash__(self) -> int:
        return super().__hash__()

    @property
    def _dispatcher(self) -> Any:
        return self.function

    def make_node(self, *inputs: Variable) -> Apply:
        types = self._types(self._result(inputs), inputs)
        return Apply(self, list(inputs), [it() for it in types])

    def _result(self, inputs: tuple[Variable, ...]) -> Any:
        """The type that the function returns for inputs."""
        key = tuple(self._arguments([_compiled(it.type) for it in inputs], True))
        self._dispatcher.compile_for(key)
        self._draws = "call.draw_" in self._dispatcher.ir_text(key)
        return next(result for args, result in self._dispatcher.compiled if args == key)

    def _types(self, result: Any, inputs: tuple[Variable, ...]) -> list[Any]:
        """The types of the results: for each of a tuple one."""
        parts = result.types if isinstance(result, types.BaseTuple) else (result,)
        return [self._type(it) for it in parts]

    def _type(self, ty: Any) -> Any:
        if isinstance(ty, types.Array):
            return types.TensorType(_dtype(ty), (None,) * ty.ndim)
        for kind, whole in _WHOLE:
            if isinstance(ty, kind):
                return whole
        if ty is not types.none and hasattr(ty, "make_variable") and not _is_compound(ty):
            return ty
        raise TypeError(
            f"{self} returns {ty} for these types, which no variable of a graph has: return "
            "numbers, arrays, or a tuple of them"
        )

    def _arguments(self, given: list[Any], are_types: bool = False) -> list[Any]:
        """All arguments, or their types, in the order of the parameters."""
        from .typeof import typeof

        found = list(given)
        for at, value in self.fixed:
            found.insert(at, typeof(value) if are_types else value)
        return found

    def perform(self, node: Apply, inputs: list[Any], output_storage: list[list[Any]]) -> None:
        result = self.function(*self._arguments(inputs))
        several = isinstance(result, tuple)
        for storage, one in zip(output_storage, result if several else (result,), strict=True):
            storage[0] = _apart(one, inputs)

    def L_op(  # noqa: N802
        self, inputs: list[Variable], outputs: list[Variable], output_gradients: list[Any]
    ) -> Any:
        return [
            self._gradient(at, inputs, outputs, output_gradients) if _learns(it) else None
            for at, it in enumerate(inputs)
        ]

    def _gradient(
        self, at: int, inputs: list[Variable], outputs: list[Variable], gradients: list[Any]
    ) -> Any:
        """The gradient for an input, by the formula that is registered for the argument."""
        place = self._arguments([it == at for it in range(len(inputs))]).index(True)
        formulas: dict[int, Any] = getattr(self.function, "_formulas", {})
        if place not in formulas:
            self._refuse(place)
        several = len(outputs) > 1
        given = (tuple(gradients), tuple(outputs)) if several else (gradients[0], outputs[0])
        return formulas[place](given[0], *self._arguments(inputs), given[1])

    def _refuse(self, place: int) -> Any:
        names = list(inspect.signature(self.function.py_func, follow_wrapped=False).parameters)
        name = names[place]
        raise _C._graph.missing_gradient(
            f"{self}, a compiled function,",
            f" for {name!r}: register it with @{self}.derivative({name!r}), write this part with "
            "operators, or keep its inputs constant with consider_constant=",
        )

    def __reduce__(self) -> Any:
        return type(self), (self.function, self.fixed)

    def __str__(self) -> str:
        return str(self.function.__name__)


class ElementwiseOp(CompiledOp):
    """A function over all elements, which `vectorize` made, as what a node does."""

    @property
    def _dispatcher(self) -> Any:
        return self.function._call

    def _types(self, result: Any, inputs: tuple[Variable, ...]) -> list[Any]:
        if not isinstance(result, types.Array):
            return super()._types(result, inputs)
        shapes = [it.type.shape for it in inputs if isinstance(it.type, types.TensorType)]
        return [types.TensorType(_dtype(result), _broadcast(str(self), shapes))]

    def _gradient(
        self, at: int, inputs: list[Variable], outputs: list[Variable], gradients: list[Any]
    ) -> Any:
        """The gradient for an input: the pullback of the function, summed to the input's shape."""
        if getattr(self.function, "pullbacks", None) is None:
            self._refuse(at)
        found = PullbackOp(self.function, at)(gradients[0], *inputs)
        return _fitted(found, inputs[at])

    def element_loop(self, node: Apply) -> Any:
        """The loop that the node is, if it is one: chains of graphs take it in."""
        dtype = str(node.outputs[0].type.dtype).removeprefix("opwright.")
        if self.fixed or dtype not in _LOOPS or not 1 <= len(node.inputs) <= 2:
            return None
        for ty in (it.type for it in node.inputs):
            if isinstance(ty, types.TensorType):
                if ty.dtype != node.outputs[0].type.dtype:
                    return None
            elif not _gives_way(ty, dtype):
                return None
        return self.function._loop(dtype)


class PullbackOp(ElementwiseOp):
    """What takes gradients of the results of a vectorized function to those of an argument.

    Attributes:
        of: The function.
        at: The number of the argument.
    """

    __props__ = ("of", "at")

    def __init__(self, of: Any, at: int) -> None:
        super().__init__(of.pullbacks.of(at))
        self.of, self.at = of, at

    def __reduce__(self) -> Any:
        return type(self), (self.of, self.at)

    def __str__(self) -> str:
        return f"{self.of.__name__}.pullback{{{self.at}}}"


# What numbers are once they have crossed.
_WHOLE: list[tuple[Any, Any]] = [
    (types.Boolean, types.boolean),
    (types.Float, types.float64),
    (types.Complex, types.complex128),
]


def _is_compound(ty: Any) -> bool:
    return isinstance(ty, (types.BaseTuple, types.Optional, types.Array))


def _dtype(array: Any) -> Any:
    """The dtype of the tensors that arrays of a type become."""
    return array.dtype.dtype_


def _compiled(ty: Any) -> Any:
    """The type that a variable has in the function, which may not write to it."""
    if not isinstance(ty, types.TensorType):
        return ty
    return ty.compiled.copy(readonly=True)


def _apart(result: Any, inputs: list[Any]) -> Any:
    """A result that shares no memory with an input: nodes give new values."""
    if any(_shares(result, it) for it in inputs):
        return result.clone()
    return result


def _shares(a: Any, b: Any) -> bool:
    are_tensors = isinstance(a, Tensor) and isinstance(b, Tensor)
    return are_tensors and bool(_C._graph.may_share_memory(a, b))


def _learns(variable: Variable) -> bool:
    """Whether gradients may come to a variable."""
    ty = variable.type
    if isinstance(variable, Constant):
        return False
    if isinstance(ty, types.TensorType):
        return bool(ty.dtype.is_floating_point or ty.dtype.is_complex)
    return isinstance(ty, (types.Float, types.Complex))


def _fitted(gradient: Variable, variable: Variable) -> Variable:
    """A gradient, summed over the dimensions along which the variable was repeated."""
    if not isinstance(variable.type, types.TensorType):
        return gradient if not isinstance(gradient.type, types.TensorType) else gradient.sum()
    together = variable + gradient
    found: Variable = grad(None, variable, known={together: gradient}, consider_constant=[gradient])
    return found


def _gives_way(ty: Any, dtype: str) -> bool:
    """Whether a number of this type becomes one of the dtype beside arrays of it."""
    whole = isinstance(ty, (types.Integer, types.Boolean))
    return whole or (dtype != "int64" and isinstance(ty, types.Float))


def _broadcast(name: str, shapes: list[Any]) -> tuple[Any, ...]:
    """The extents that shapes broadcast to; None is one that is not known."""
    ndim = max(map(len, shapes))
    found: list[Any] = []
    for dim in range(-ndim, 0):
        extents = {shape[dim] for shape in shapes if len(shape) >= -dim} - {1}
        known = extents - {None}
        if len(known) > 1:
            raise ValueError(f"{name}: shapes {', '.join(map(str, shapes))} do not broadcast")
        found.append(next(iter(known)) if known else None if extents else 1)
    return tuple(found)


def call(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Make a node of a call that has a variable among its arguments; what it returns.

    Raises:
        TypeError: The arguments do not fit, or the result is nothing that a graph has.
    """
    vectorized = getattr(function, "_vectorized", None)
    if vectorized is not None:
        function = vectorized
        if keywords or len(args) != function.nin:
            raise TypeError("variables are not written to; use the result instead of out=")
    else:
        args = tuple(bind(function.py_func, args, keywords))
    inputs: list[Variable] = []
    fixed: list[tuple[int, Any]] = []
    for at, arg in enumerate(args):
        if isinstance(arg, Variable) or _is_input(arg):
            inputs.append(constant(arg))
        else:
            fixed.append((at, arg))
    if vectorized is None:
        return _structured(CompiledOp(function, tuple(fixed)), inputs)
    if fixed:
        raise TypingError(f"{function.__name__}(): argument {fixed[0][0]} has no elements")
    return _structured(ElementwiseOp(function), _declared(function, inputs))


def _declared(function: Any, inputs: list[Variable]) -> list[Variable]:
    """Inputs as the first signature takes them without loss, if some are declared."""
    if not function._signatures:
        return inputs
    elements = [it.type for it in inputs]
    elements = [it.compiled.dtype if isinstance(it, types.TensorType) else it for it in elements]
    wanted = function._chosen(elements).args
    return [
        it.to(ty.dtype_) if isinstance(it.type, types.TensorType) and element != ty else it
        for it, element, ty in zip(inputs, elements, wanted, strict=True)
    ]


def _is_input(value: Any) -> bool:
    from .typeof import typeof

    if isinstance(value, (bool, int, float, complex, Tensor)):
        return True
    return hasattr(value, "__array__") and isinstance(typeof(value), types.Array)


def _structured(op: CompiledOp, inputs: list[Variable]) -> Any:
    """What a call returns: a variable, or a tuple of them as the function makes it."""
    node = op.make_node(*inputs)
    outputs = tuple(node.outputs)
    result = op._result(tuple(inputs))
    if not isinstance(result, types.BaseTuple):
        return outputs[0]
    cls = getattr(result, "instance_class", None)
    return outputs if cls is None else cls._make(outputs)


__all__ = ["CompiledOp", "ElementwiseOp", "call"]

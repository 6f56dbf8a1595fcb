"""Operators that are defined in Python at run time."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

from .. import _C

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def native_op(
    schema: str, *, tags: Iterable[str] = (), replace: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """Let a function be an operator, `opwright.ops.my.name`, of this schema.

        >>> @native_op("my::scaled(Tensor x, float k=1.0) -> Tensor")
        ... def scaled(x, k):
        ...     return x * k
        >>> scaled(opwright.tensor([1.0, 2.0]), k=2)
        tensor([2., 4.], dtype=float32, shape=(2,))

    Arguments are bound and converted as those of any operator, so that the function gets what the
    schema says, defaults included. The operator has `meta(f)` and `derivative(...)`.

    Args:
        schema: The schema, with a namespace that is the name of no operator.
        tags: What is said of it in single words, such as `"pointwise"`.
        replace: Whether it takes the place of an operator of the same name.

    Raises:
        ValueError: The schema has a mistake, which is shown at its place; the name is taken.
        TypeError: The function does not take what the schema says.
    """

    def define(function: Callable[..., Any]) -> Any:
        if not callable(function):
            raise TypeError(f"native_op() takes a function, not {function!r}")
        return _C._jit.define(schema, function, list(tags), _place(function), replace)

    return define


def _place(function: Any) -> str:
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    if code is not None:
        return f"{code.co_filename}:{code.co_firstlineno}"
    frame = sys._getframe(2)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def check(function: Any, name: str, schema: str, params: list[tuple[str, bool]]) -> None:
    """Refuse a function that does not take the parameters of a schema.

    Args:
        function: The function.
        name: What messages call it.
        schema: The schema.
        params: Of each parameter its name, and whether it is passed by its name.

    Raises:
        TypeError: It does not take them.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        # What has no signature says at its call what it does not take.
        return
    by_place = [it for it, is_keyword in params if not is_keyword]
    by_name = [it for it, is_keyword in params if is_keyword]
    try:
        signature.bind(*by_place, **dict.fromkeys(by_name))
    except TypeError as error:
        raise TypeError(
            f"{name} is called with the parameters of its schema, {schema}, and has {signature}: "
            f"{error}"
        ) from None
    own = [it.name for it in signature.parameters.values() if it.kind is not it.VAR_POSITIONAL]
    for one, other in zip(by_place, own, strict=False):
        if one != other:
            raise TypeError(
                f"{name} has a parameter {other!r} where the schema has {one!r}: {schema}"
            )


class _Gradients:
    """A derivative as the recorded call asks for it."""

    def __init__(self, operator: Any) -> None:
        self.name = operator.name
        self.params = [name for name, _ in operator._params()]
        self.tensors = [name for name, is_tensor in operator._params() if is_tensor]
        self.results = operator._results()

    def known(self, args: Any, results: Any, grads: Any) -> dict[str, Any]:
        """All that a derivative may ask for, by name."""
        known = dict(zip(self.params, args, strict=True))
        known["grad"], known["grads"] = grads[0] if grads else None, list(grads)
        if len(results) == 1:
            known["result"] = results[0]
        for at, result in enumerate(results):
            known[f"result{at}"] = result
            if self.results[at]:
                known[self.results[at]] = result
        return known


def of_formulas(operator: Any, formulas: list[tuple[list[str], str]]) -> Any:
    """Return the derivative that formulas are, which are expressions of Python."""
    import opwright

    names = {"opwright": opwright, "conj": _conj}
    compiled = [
        (inputs, compile(text, f"<derivative of {operator.name}>", "eval"))
        for inputs, text in formulas
    ]

    def derivative(known: dict[str, Any], wanted: set[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for inputs, code in compiled:
            if wanted.isdisjoint(inputs):
                continue
            gradient = eval(code, names, known)
            if len(inputs) == 1:
                found[inputs[0]] = gradient
            else:
                found.update(zip(inputs, gradient, strict=True))
        return found

    derivative._opwright_formulas_ = True  # type: ignore[attr-defined]
    return derivative


def _conj(value: Any) -> Any:
    return value.conj() if isinstance(value, _C.TensorBase) else value.conjugate()


def _of_function(gradients: _Gradients, function: Any) -> Any:
    """The derivative that a function is: it says by its parameters what it asks for."""
    asked = [
        it.name
        for it in inspect.signature(function).parameters.values()
        if it.kind in (it.POSITIONAL_OR_KEYWORD, it.KEYWORD_ONLY, it.POSITIONAL_ONLY)
    ]
    results = [None] * len(gradients.results)
    possible = gradients.known([None] * len(gradients.params), results, [None])
    for name in asked:
        if name not in possible:
            listed = ", ".join(possible)
            raise TypeError(
                f"the derivative of {gradients.name} asks for {name!r}; there are: {listed}"
            )

    def derivative(known: dict[str, Any], wanted: set[str]) -> dict[str, Any]:
        returned = function(*(known[name] for name in asked))
        if isinstance(returned, dict):
            return returned
        given = list(returned) if isinstance(returned, (list, tuple)) else [returned]
        if len(given) != len(gradients.tensors):
            listed = ", ".join(gradients.tensors)
            raise TypeError(
                f"the derivative of {gradients.name} returned {len(given)} gradients; it returns "
                f"one for each of: {listed}; or a dictionary"
            )
        return dict(zip(gradients.tensors, given, strict=True))

    return derivative


def recorded(operator: Any, derivative: Any) -> Any:
    """Return what is called with tensors that require gradients: the operator, recorded."""
    from ..autograd import Function

    gradients = _Gradients(operator)
    if not hasattr(derivative, "_opwright_formulas_"):
        derivative = _of_function(gradients, derivative)

    class Recorded(Function):
        @staticmethod
        def forward(ctx: Any, *args: Any) -> Any:
            returned = operator._body(args)
            results = returned if isinstance(returned, tuple) else (returned,)
            written = [it for it in args if any(it is one for one in results)]
            if written:
                ctx.mark_dirty(*written)
            kept = [*args, *results]
            ctx.save_for_backward(*(it if _is_tensor(it) else None for it in kept))
            ctx.others = [None if _is_tensor(it) else it for it in kept]
            return returned

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            pairs = zip(ctx.saved_tensors, ctx.others, strict=True)
            kept = [other if saved is None else saved for saved, other in pairs]
            count = len(gradients.params)
            args, results = kept[:count], kept[count:]
            needed = zip(gradients.params, ctx.needs_input_grad, strict=True)
            wanted = {name for name, is_needed in needed if is_needed}
            known = gradients.known(args, results, grads)
            found = derivative(known, wanted)
            missing = wanted.difference(found)
            if missing:
                raise NotImplementedError(
                    f"{gradients.name} has no derivative for {min(missing)!r}; it is written "
                    f"`{min(missing)}: ...`"
                )
            return tuple(found.get(name) for name in gradients.params)

    Recorded.__name__ = Recorded.__qualname__ = operator.__name__
    return Recorded.apply


def _is_tensor(value: Any) -> bool:
    return isinstance(value, _C.TensorBase)

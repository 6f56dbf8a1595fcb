"""Derivatives by reverse mode: gradients, vector-Jacobian products, Jacobians of their rows."""

from __future__ import annotations

from functools import wraps

from opwright import _C

from ._pytree import flatten, mapped
from ._tape import Level, filled, gradients, is_differentiable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal, ParamSpec, TypeVar, overload

    from opwright import Tensor

    from ._pytree import Structure

    _Argnums = int | tuple[int, ...]
    _P = ParamSpec("_P")
    _R = TypeVar("_R")


def grad(
    func: Callable[_P, Any], argnums: _Argnums = 0, has_aux: bool = False
) -> Callable[_P, Any]:
    """A function that computes the gradient of `func`, which returns a tensor of one element.

    The gradient is with respect to the argument at place `argnums`, a tensor or a pytree of
    tensors, and has its form; for a tuple of places, a tuple of gradients. With `has_aux`, `func`
    returns a pair of which only the first is differentiated, and the function returns the gradient
    and the second. Calls nest, for higher derivatives, and go into `vmap`.

        >>> opwright.func.grad(lambda x: (x**3).sum())(opwright.tensor([1.0, 2.0]))
        tensor([ 3., 12.], dtype=float32, shape=(2,))
    """
    with_value = _grad_and_value("grad", func, argnums, has_aux)

    @wraps(func)
    def gradient(*args: _P.args, **kwargs: _P.kwargs) -> Any:
        found, (_, aux) = with_value(args, kwargs)
        return (found, aux) if has_aux else found

    return gradient


def grad_and_value(
    func: Callable[_P, Any], argnums: _Argnums = 0, has_aux: bool = False
) -> Callable[_P, tuple[Any, Any]]:
    """A function that computes the gradient of `func` as `grad` does, and its value.

    It returns the pair of both. With `has_aux`, the second of the pair is itself the pair of the
    value and what came with it.

        >>> opwright.func.grad_and_value(lambda x: (x**3).sum())(opwright.tensor([1.0, 2.0]))
        (tensor([ 3., 12.], dtype=float32, shape=(2,)), tensor(9., dtype=float32, shape=()))
    """
    with_value = _grad_and_value("grad_and_value", func, argnums, has_aux)

    @wraps(func)
    def gradient(*args: _P.args, **kwargs: _P.kwargs) -> tuple[Any, Any]:
        found, (value, aux) = with_value(args, kwargs)
        return found, ((value, aux) if has_aux else value)

    return gradient


def _grad_and_value(
    name: str, func: Callable[..., Any], argnums: _Argnums, has_aux: bool
) -> Callable[[tuple[Any, ...], dict[str, Any]], tuple[Any, tuple[Any, Any]]]:
    def call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, Any]]:
        chosen = Chosen(name, args, argnums)
        with Level(flatten((args, kwargs))[0]) as level:
            inputs = [level.apart(it) for it in chosen.leaves]
            value, aux = with_aux(name, func(*chosen.arguments(inputs), **kwargs), has_aux)
            _check_value(name, value)
            level.look_at([value])
            one = _C.ones((), dtype=value.dtype, device=value.device).expand(value.shape)
            found = gradients([value], inputs, [one], level.creates_graph)
            found = [level.outcome(it) for it in filled(found, inputs)]
            outcome = level.outcome(value), mapped(level.outcome, aux)
        return chosen.shaped(found), outcome

    return call


def _check_value(name: str, value: Any) -> None:
    if not isinstance(value, _C.TensorBase):
        raise RuntimeError(
            f"{name}(f)(*args): Expected f(*args) to return a tensor, got {type(value)}; "
            f"`vjp` takes functions that return several"
        )
    if value.dim() != 0:
        raise RuntimeError(
            f"{name}(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with "
            f"{value.dim()} dims; sum its elements up, or use `vjp` or `jacrev`"
        )


class Chosen:
    """The arguments of a call that are differentiated: their leaves and their structure."""

    def __init__(self, name: str, args: tuple[Any, ...], argnums: _Argnums) -> None:
        self._is_tuple = isinstance(argnums, tuple)
        places = argnums if isinstance(argnums, tuple) else (argnums,)
        for place in places:
            if not isinstance(place, int) or isinstance(place, bool):
                raise RuntimeError(
                    f"{name}(): argument 'argnums' must be int or tuple of ints, not "
                    f"{type(place).__name__}"
                )
        if not places:
            raise RuntimeError(f"{name}(): argument 'argnums' must be non-empty")
        for place in places:
            if not -len(args) <= place < len(args):
                raise RuntimeError(
                    f"{name}(): Got argnum={place}, but only {len(args)} positional inputs"
                )
        self._places = [place % len(args) for place in places]
        if len(set(self._places)) != len(self._places):
            raise RuntimeError(f"{name}(): argument 'argnums' must be unique, not {argnums}")
        self._args = args
        self._structures: list[Structure] = []
        self._counts: list[int] = []
        self.leaves: list[Tensor] = []
        for place in self._places:
            leaves, structure = flatten(args[place])
            check_tensors(name, f"argument {place}", leaves)
            self._structures.append(structure)
            self._counts.append(len(leaves))
            self.leaves += leaves

    def arguments(self, inputs: Sequence[Any]) -> list[Any]:
        """All arguments of the call, with these in the places of the leaves."""
        arguments = list(self._args)
        for place, part in zip(self._places, self._parts(inputs), strict=True):
            arguments[place] = part
        return arguments

    def shaped(self, found: Sequence[Any]) -> Any:
        """What was found for each leaf, in the form of the arguments."""
        parts = tuple(self._parts(found))
        return parts if self._is_tuple else parts[0]

    def _parts(self, leaves: Sequence[Any]) -> list[Any]:
        parts, at = [], 0
        for structure, count in zip(self._structures, self._counts, strict=True):
            parts.append(structure.unflatten(leaves[at : at + count]))
            at += count
        return parts


def with_aux(name: str, returned: Any, has_aux: bool) -> tuple[Any, Any]:
    """What a function returned to be differentiated, and what came with it."""
    if not has_aux:
        return returned, None
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise RuntimeError(
            f"{name}(f)(*args): output of function f should be a tuple: (output, aux) if has_aux "
            f"is True"
        )
    return returned


def check_tensors(name: str, what: str, leaves: Sequence[Any]) -> None:
    """That leaves are tensors that have gradients."""
    for leaf in leaves:
        if not isinstance(leaf, _C.TensorBase):
            raise RuntimeError(
                f"{name}(): Expected {what} to contain only Tensors, got {type(leaf).__name__}"
            )
        if not is_differentiable(leaf):
            raise RuntimeError(
                f"{name}(): {what} has a tensor of dtype {leaf.dtype}, and only floating-point and "
                f"complex tensors have gradients"
            )


# --- vector-Jacobian products ---------------------------------------------------


if TYPE_CHECKING:

    @overload
    def vjp(
        func: Callable[..., _R], *primals: Any, has_aux: Literal[False] = False
    ) -> tuple[_R, Callable[..., tuple[Any, ...]]]: ...
    @overload
    def vjp(
        func: Callable[..., tuple[_R, Any]], *primals: Any, has_aux: Literal[True]
    ) -> tuple[_R, Callable[..., tuple[Any, ...]], Any]: ...
    @overload
    def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool) -> tuple[Any, ...]: ...


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """What `func` returns of `primals`, and a function that takes cotangents back to them.

    Arguments and results are tensors or pytrees of them. The function takes cotangents in the form
    of the results, and returns a tuple of the gradients of `primals`.
    With `has_aux`, `func` returns a pair, whose second part is returned last as it is.

        >>> x = opwright.tensor([1.0, 2.0])
        >>> y, pull = opwright.func.vjp(lambda x: x * x, x)
        >>> pull(opwright.ones(2))
        (tensor([2., 4.], dtype=float32, shape=(2,)),)
    """
    leaves, structure = flatten(primals)
    check_tensors("vjp", "primals", leaves)
    with Level(leaves) as level:
        inputs = [level.apart(it) for it in leaves]
        returned, aux = with_aux("vjp", func(*structure.unflatten(inputs)), has_aux)
        outputs, form = flatten(returned)
        check_outputs("vjp(f, *primals)", outputs)
        level.look_at(outputs)
        results = form.unflatten([level.outcome(it) for it in outputs])
        aux = mapped(level.outcome, aux)

    def pull(
        *cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None
    ) -> tuple[Any, ...]:
        given = cotangents[0] if len(cotangents) == 1 else cotangents
        seeds, own = flatten(given)
        if own != form:
            raise RuntimeError(
                "vjp(): Expected pytree structure of cotangents to be the same as pytree "
                f"structure of outputs to the function. cotangents: {own}, primal output: {form}"
            )
        _check_seeds(seeds, outputs)
        with Level([*seeds, *leaves]) as inner:
            creates_graph = (level.creates_graph or inner.creates_graph) and inner.was_recording
            if create_graph is not None:
                creates_graph = create_graph
            found = gradients(outputs, inputs, seeds, creates_graph, keep=retain_graph)
            complete = filled(found, inputs)
        if not creates_graph:
            complete = [it.detach() for it in complete]
        products: tuple[Any, ...] = structure.unflatten(complete)
        return products

    return (results, pull, aux) if has_aux else (results, pull)


def check_outputs(call: str, outputs: Sequence[Any]) -> None:
    """That a function returned tensors; `call` is shown."""
    if not outputs:
        raise RuntimeError(f"{call}: Expected f to return at least one tensor")
    for output in outputs:
        if not isinstance(output, _C.TensorBase):
            raise RuntimeError(f"{call}: Expected f to return only tensors, got {type(output)}")


def _check_seeds(seeds: Sequence[Any], outputs: Sequence[Tensor]) -> None:
    for seed, output in zip(seeds, outputs, strict=True):
        if not isinstance(seed, _C.TensorBase):
            raise RuntimeError(f"vjp(): cotangents must be tensors, not {type(seed).__name__}")
        if seed.shape != output.shape:
            raise RuntimeError(
                f"vjp(): a cotangent has shape {list(seed.shape)}, and its output "
                f"{list(output.shape)}"
            )


# --- Jacobians --------------------------------------------------------------------


def jacrev(
    func: Callable[_P, Any],
    argnums: _Argnums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
) -> Callable[_P, Any]:
    """A function that computes the Jacobian of `func` with respect to the argument at `argnums`.

    For each output, in their form, and each leaf of the argument, in its form, a tensor of the
    shape of the one, followed by that of the other. Rows are computed backward, so it is for
    functions with fewer outputs than inputs; `jacfwd` is for others. `chunk_size` is how many rows
    may be computed at once, which changes no result.

        >>> opwright.func.jacrev(lambda x: x * x)(opwright.tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]], dtype=float32, shape=(2, 2))
    """
    check_chunk_size("jacrev", chunk_size)

    @wraps(func)
    def jacobian(*args: _P.args, **kwargs: _P.kwargs) -> Any:
        chosen = Chosen("jacrev", args, argnums)
        with Level(flatten((args, kwargs))[0]) as level:
            inputs = [level.apart(it) for it in chosen.leaves]
            returned = func(*chosen.arguments(inputs), **kwargs)
            returned, aux = with_aux("jacrev", returned, has_aux)
            outputs, form = flatten(returned)
            check_outputs("jacrev(f, *primals)", outputs)
            level.look_at(outputs)
            blocks = [_rows(it, inputs, level) for it in outputs]
            found = form.unflatten([chosen.shaped(it) for it in blocks])
            aux = mapped(level.outcome, aux)
        return (found, aux) if has_aux else found

    return jacobian


def check_chunk_size(name: str, chunk_size: int | None) -> None:
    """That it is a number of rows or samples, if it is given."""
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"{name}(): `chunk_size` should be greater than 0, not {chunk_size}")


def _rows(output: Tensor, inputs: Sequence[Tensor], level: Level) -> list[Tensor]:
    """For each input the derivatives of all elements of an output."""
    rows = []
    for one in basis(output):
        found = gradients([output], inputs, [one], level.creates_graph, keep=True)
        rows.append([level.outcome(it) for it in filled(found, inputs)])
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(inputs)
    return [
        stacked(column, 0, tuple(output.shape) + tuple(given.shape), given)
        for column, given in zip(columns, inputs, strict=True)
    ]


def basis(like: Tensor) -> list[Tensor]:
    """For each element of a tensor, a tensor that is 1 there and else 0."""
    count = like.numel()
    rows = _C.eye(count, dtype=like.dtype, device=like.device)
    return [it.reshape(like.shape) for it in rows.unbind()]


def stacked(parts: Sequence[Tensor], dim: int, shape: tuple[int, ...], like: Tensor) -> Tensor:
    """Parts of a Jacobian beside each other, in this shape; if there are none, no elements."""
    if not parts:
        return _C.zeros(shape, dtype=like.dtype, device=like.device)
    return _C.stack(list(parts), dim).reshape(shape)


def hessian(func: Callable[_P, Any], argnums: _Argnums = 0) -> Callable[_P, Any]:
    """A function that computes the second derivatives of `func` with respect to an argument.

    It is the Jacobian, by forward mode, of the Jacobian by reverse mode.

        >>> opwright.func.hessian(lambda x: (x**3).sum())(opwright.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]], dtype=float32, shape=(2, 2))
    """
    from ._forward import jacfwd

    return jacfwd(jacrev(func, argnums), argnums)

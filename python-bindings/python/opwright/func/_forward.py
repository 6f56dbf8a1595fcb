"""Derivatives by forward mode: products of Jacobians with vectors, and Jacobians of their columns.

A gradient is linear in those of the outputs, and the gradient of that linear function is the
Jacobian again: a pass backward is recorded from cotangents that are zero, and a pass backward
through it takes tangents forward. It goes through whatever can be differentiated twice, composites
and functions with gradients of their own among them. After J. Townsend, "A new trick for
calculating Jacobian vector products", 2017.
"""

from __future__ import annotations

from functools import wraps

from opwright import _C

from ._pytree import flatten, mapped
from ._reverse import Chosen, basis, check_outputs, check_tensors, stacked, with_aux
from ._tape import Level, filled, gradients, seed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal, ParamSpec, TypeVar, overload

    from opwright import Tensor

    _Argnums = int | tuple[int, ...]
    _P = ParamSpec("_P")
    _R = TypeVar("_R")


class Pushforward:
    """The derivative of recorded outputs by their inputs, as a function of tangents."""

    def __init__(self, outputs: Sequence[Any], inputs: Sequence[Tensor]) -> None:
        self._outputs = outputs
        self._seeds = [seed(it) if _is_tensor(it) else None for it in outputs]
        known = [(it, own) for it, own in zip(outputs, self._seeds, strict=True) if own is not None]
        outputs, seeds = [it for it, _ in known], [own for _, own in known]
        self._gradients = gradients(outputs, inputs, seeds, create_graph=True)

    def depends(self) -> bool:
        """Whether an output depends on an input."""
        return any(it is not None for it in self._gradients)

    def __call__(
        self, tangents: Sequence[Tensor], create_graph: bool, keep: bool = False
    ) -> list[Tensor | None]:
        """The tangent of each output; None for one that depends on no input."""
        wanted = [it for it in self._seeds if it is not None]
        pushed = iter(gradients(self._gradients, wanted, tangents, create_graph, keep))
        return [None if own is None else next(pushed) for own in self._seeds]


def _is_tensor(value: Any) -> bool:
    return isinstance(value, _C.TensorBase)


if TYPE_CHECKING:

    @overload
    def jvp(
        func: Callable[..., _R],
        primals: Any,
        tangents: Any,
        *,
        strict: bool = False,
        has_aux: Literal[False] = False,
    ) -> tuple[_R, _R]: ...
    @overload
    def jvp(
        func: Callable[..., tuple[_R, Any]],
        primals: Any,
        tangents: Any,
        *,
        strict: bool = False,
        has_aux: Literal[True],
    ) -> tuple[_R, _R, Any]: ...
    @overload
    def jvp(
        func: Callable[..., Any],
        primals: Any,
        tangents: Any,
        *,
        strict: bool = False,
        has_aux: bool,
    ) -> tuple[Any, ...]: ...


def jvp(
    func: Callable[..., Any],
    primals: Any,
    tangents: Any,
    *,
    strict: bool = False,
    has_aux: bool = False,
) -> tuple[Any, ...]:
    """What `func` returns of `primals`, and its Jacobian times `tangents`.

    `primals` is the tuple of its arguments, tensors or pytrees of them, and `tangents` has the same
    form and shapes. With `strict`, an output that depends on no argument is an error; its tangent
    is zero otherwise. With `has_aux`, `func` returns a pair, whose second part is returned last.

        >>> x = opwright.tensor([1.0, 2.0])
        >>> opwright.func.jvp(lambda x: x * x, (x,), (opwright.tensor([1.0, 0.0]),))[1]
        tensor([2., 0.], dtype=float32, shape=(2,))
    """
    leaves, structure = _primals("jvp", primals)
    given = _tangents("jvp", tangents, leaves, structure)
    with Level([*leaves, *given]) as level:
        inputs = [level.apart(it) for it in leaves]
        returned, aux = with_aux("jvp", func(*structure.unflatten(inputs)), has_aux)
        outputs, form = flatten(returned)
        check_outputs("jvp(f, primals, tangents)", outputs)
        level.look_at(outputs)
        pushed = Pushforward(outputs, inputs)(given, level.creates_graph)
        _check_strict(strict, pushed)
        found = [level.outcome(it) for it in filled(pushed, outputs)]
        values = form.unflatten([level.outcome(it) for it in outputs])
        aux = mapped(level.outcome, aux)
    slopes = form.unflatten(found)
    return (values, slopes, aux) if has_aux else (values, slopes)


def _primals(name: str, primals: Any) -> tuple[list[Any], Any]:
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{name}(f, primals, tangents): Expected primals to be a tuple. E.g. it should be "
            "valid to call f(*primals)."
        )
    leaves, structure = flatten(primals)
    if not leaves:
        raise RuntimeError(f"{name}(f, primals, tangents): Expected at least one Tensor in primals")
    check_tensors(name, "primals", leaves)
    return leaves, structure


def _tangents(name: str, tangents: Any, leaves: Sequence[Tensor], structure: Any) -> list[Tensor]:
    given, own = flatten(tangents)
    if own != structure:
        raise RuntimeError(
            f"{name}(f, primals, tangents): Expected primals and tangents to have the same python "
            f"structure, and they are {structure} and {own}"
        )
    for tangent, primal in zip(given, leaves, strict=True):
        if not _is_tensor(tangent):
            raise RuntimeError(
                f"{name}(): Expected tangents to contain only Tensors, got {type(tangent).__name__}"
            )
        if tangent.shape != primal.shape:
            raise RuntimeError(
                f"{name}(): a tangent has shape {list(tangent.shape)}, and its primal "
                f"{list(primal.shape)}"
            )
    return given


def _check_strict(strict: bool, pushed: Sequence[Any]) -> None:
    if strict and any(it is None for it in pushed):
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
            "This is not allowed with strict=True."
        )


def linearize(func: Callable[..., _R], *primals: Any) -> tuple[_R, Callable[..., _R]]:
    """What `func` returns of `primals`, and its derivative there as a function of tangents.

    `jvp` without calling `func` for each tangent: it runs once, and what was recorded of it is kept
    as long as the function.

        >>> y, push = opwright.func.linearize(lambda x: x * x, opwright.tensor([1.0, 2.0]))
        >>> push(opwright.tensor([1.0, 1.0]))
        tensor([2., 4.], dtype=float32, shape=(2,))
    """
    leaves, structure = _primals("linearize", primals)
    with Level(leaves) as level:
        inputs = [level.apart(it) for it in leaves]
        outputs, form = flatten(func(*structure.unflatten(inputs)))
        check_outputs("linearize(f, primals, tangents)", outputs)
        level.look_at(outputs)
        derivative = Pushforward(outputs, inputs)
        values = form.unflatten([level.outcome(it) for it in outputs])

    def push(*tangents: Any) -> Any:
        given = _tangents("linearize", tangents, leaves, structure)
        with Level([*given, *leaves]) as inner:
            creates_graph = inner.was_recording and (level.creates_graph or inner.creates_graph)
            found = filled(derivative(given, creates_graph, keep=True), outputs)
        return form.unflatten(found if creates_graph else [it.detach() for it in found])

    return values, push


def jacfwd(
    func: Callable[_P, Any],
    argnums: _Argnums = 0,
    has_aux: bool = False,
    *,
    randomness: str = "error",
) -> Callable[_P, Any]:
    """A function that computes the Jacobian of `func` with respect to the argument at `argnums`.

    The results of `jacrev`; columns are computed forward, so it is for functions with fewer inputs
    than outputs. `func` runs once, so that `randomness` makes no difference.

        >>> opwright.func.jacfwd(lambda x: x * x)(opwright.tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]], dtype=float32, shape=(2, 2))
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"jacfwd(): argument 'randomness' must be 'error', 'different' or 'same', not "
            f"{randomness!r}"
        )

    @wraps(func)
    def jacobian(*args: _P.args, **kwargs: _P.kwargs) -> Any:
        chosen = Chosen("jacfwd", args, argnums)
        with Level(flatten((args, kwargs))[0]) as level:
            inputs = [level.apart(it) for it in chosen.leaves]
            returned = func(*chosen.arguments(inputs), **kwargs)
            returned, aux = with_aux("jacfwd", returned, has_aux)
            outputs, form = flatten(returned)
            check_outputs("jacfwd(f, primals, tangents)", outputs)
            level.look_at(outputs)
            blocks = columns(Pushforward(outputs, inputs), outputs, inputs, level.creates_graph)
            found = form.unflatten([chosen.shaped(it) for it in blocks])
            aux = mapped(level.outcome, aux)
        return (found, aux) if has_aux else found

    return jacobian


def columns(
    derivative: Pushforward,
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    create_graph: bool,
) -> list[list[Tensor]]:
    """For each output, and each input, the derivatives by all elements of that."""
    blocks: list[list[Tensor]] = [[] for _ in outputs]
    for at, given in enumerate(inputs):
        found = []
        for one in basis(given):
            tangents = [one if k == at else it for k, it in enumerate(_plain(inputs))]
            pushed = filled(derivative(tangents, create_graph, keep=True), outputs)
            found.append(pushed if create_graph else [it.detach() for it in pushed])
        by_output = list(zip(*found, strict=True)) if found else [()] * len(outputs)
        for block, output, column in zip(blocks, outputs, by_output, strict=True):
            shape = tuple(output.shape) + tuple(given.shape)
            block.append(stacked(column, -1, shape, output))
    return blocks


def _plain(inputs: Sequence[Tensor]) -> list[Tensor]:
    return [_C.zeros(it.shape, dtype=it.dtype, device=it.device) for it in inputs]

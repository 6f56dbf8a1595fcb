"""Derivatives of functions: matrices of them, and their products with vectors.

Functions take tensors and return a tensor or a tuple of tensors. Where one tensor is given there
is one in the result, and where a tuple is given there is a tuple.

    >>> x = opwright.tensor([1.0, 2.0])
    >>> opwright.autograd.functional.jacobian(lambda x: x * x, x)
    tensor([[2., 0.],
            [0., 4.]], dtype=float32, shape=(2, 2))

Common to all: with `create_graph`, results can be differentiated again, also with respect to the
inputs that were passed. With `strict`, it is an error that a result does not depend on an input;
the derivative is zero otherwise.
"""

from __future__ import annotations

from opwright import _C
from opwright._functions import rename as _rename
from opwright.autograd import grad as _grad
from opwright.autograd.grad_mode import enable_grad as _enable_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from opwright import Tensor

    _Function = Callable[..., Any]
    _Tensors = tuple[Tensor, ...]

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


# --- products with vectors ----------------------------------------------------


def vjp(
    func: _Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What `func` returns, and `v` times its Jacobian: the gradients of the inputs.

    `v` has the shapes of the outputs. A single output of one element needs none.

        >>> x = opwright.tensor([1.0, 2.0])
        >>> opwright.autograd.functional.vjp(lambda x: (x * x).sum(), x)[1]
        tensor([2., 4.], dtype=float32, shape=(2,))
    """
    with _enable_grad():
        call = _Call("vjp", func, inputs, create_graph, strict)
        vectors = call.vectors(v, call.outputs, call.has_tuple_of_outputs, "outputs")
        found = _gradients(call.outputs, call.inputs, vectors, create_graph)
        return call.outcome(call.filled(found, call.inputs), call.has_tuple_of_inputs)


def jvp(
    func: _Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What `func` returns, and its Jacobian times `v`: the derivatives in the direction `v`.

    `v` has the shapes of the inputs. A single input of one element needs none.

        >>> x = opwright.tensor([1.0, 2.0])
        >>> opwright.autograd.functional.jvp(lambda x: x * x, x, opwright.tensor([1.0, 0.0]))[1]
        tensor([2., 0.], dtype=float32, shape=(2,))
    """
    with _enable_grad():
        call = _Call("jvp", func, inputs, create_graph, strict)
        vectors = call.vectors(v, call.inputs, call.has_tuple_of_inputs, "inputs")
        # Gradients are linear in those of the outputs: the gradient of that is the Jacobian again.
        seeds = _zeros(call.outputs)
        first = _gradients(call.outputs, call.inputs, seeds, create_graph=True)
        found = _gradients(first, seeds, vectors, create_graph)
        return call.outcome(call.filled(found, call.outputs), call.has_tuple_of_outputs)


def hvp(
    func: _Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What `func` returns, one element, and its Hessian times `v`.

    `v` has the shapes of the inputs. `vhp` gives the same where second derivatives are continuous,
    with less work.

        >>> x = opwright.tensor([1.0, 2.0])
        >>> opwright.autograd.functional.hvp(lambda x: (x**3).sum(), x, opwright.ones(2))[1]
        tensor([ 6., 12.], dtype=float32, shape=(2,))
    """
    with _enable_grad():
        call = _Call("hvp", func, inputs, create_graph, strict)
        vectors = call.vectors(v, call.inputs, call.has_tuple_of_inputs, "inputs")
        first = call.slopes()
        seeds = _zeros(call.inputs)
        second = _gradients(first, call.inputs, seeds, create_graph=True)
        found = _gradients(second, seeds, vectors, create_graph)
        return call.outcome(call.filled(found, call.inputs), call.has_tuple_of_inputs)


def vhp(
    func: _Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What `func` returns, one element, and `v` times its Hessian.

    `v` has the shapes of the inputs.

        >>> x = opwright.tensor([1.0, 2.0])
        >>> opwright.autograd.functional.vhp(lambda x: (x**3).sum(), x, opwright.ones(2))[1]
        tensor([ 6., 12.], dtype=float32, shape=(2,))
    """
    with _enable_grad():
        call = _Call("vhp", func, inputs, create_graph, strict)
        vectors = call.vectors(v, call.inputs, call.has_tuple_of_inputs, "inputs")
        found = _gradients(call.slopes(), call.inputs, vectors, create_graph)
        return call.outcome(call.filled(found, call.inputs), call.has_tuple_of_inputs)


# --- matrices -----------------------------------------------------------------


def jacobian(
    func: _Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The derivatives of each element of the outputs with respect to each element of the inputs.

    For an output and an input, a tensor of the shape of the one, followed by that of the other;
    for tuples, a tuple of these for each output, one for each input. Rows are computed one after
    the other; `vectorize` is accepted, and makes no difference. With the strategy `"forward-mode"`,
    columns are.

        >>> x, y = opwright.tensor([1.0, 2.0]), opwright.tensor([3.0, 4.0])
        >>> by_x, by_y = opwright.autograd.functional.jacobian(lambda x, y: (x * y).sum(), (x, y))
        >>> by_x
        tensor([3., 4.], dtype=float32, shape=(2,))
    """
    _check_strategy("jacobian", strategy)
    if strict and vectorize:
        raise RuntimeError(
            "jacobian(): strict=True does not go with vectorize=True; leave one of them out"
        )
    return _jacobian("jacobian", func, inputs, create_graph, strict, strategy)


def _jacobian(
    name: str, func: _Function, inputs: Any, create_graph: bool, strict: bool, strategy: str
) -> Any:
    """The derivatives of a function by rows or columns, for the function of this name."""
    with _enable_grad():
        call = _Call(name, func, inputs, create_graph, strict)
        if strategy == "forward-mode":
            found = _columns(call)
        else:
            found = tuple(_rows(call, output) for output in call.outputs)
    blocks = tuple(_shaped(it, call.has_tuple_of_inputs) for it in found)
    return _shaped(blocks, call.has_tuple_of_outputs)


def hessian(
    func: _Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function that returns one element.

    For two inputs, a tensor of the shape of the one, followed by that of the other; for a tuple,
    a tuple of tuples of these. `vectorize` is accepted, and makes no difference.

        >>> x = opwright.tensor([1.0, 2.0])
        >>> opwright.autograd.functional.hessian(lambda x: (x**3).sum(), x)
        tensor([[ 6.,  0.],
                [ 0., 12.]], dtype=float32, shape=(2, 2))
    """
    _check_strategy("hessian", outer_jacobian_strategy)
    _, is_tuple = _tensors(inputs, "inputs", "hessian")

    def slopes(*inner: Tensor) -> _Tensors:
        call = _Call("hessian", func, inner, create_graph=True, strict=strict)
        return call.filled(call.slopes(), call.inputs)

    given = inputs if is_tuple else (inputs,)
    rows = _jacobian("hessian", slopes, given, create_graph, strict, outer_jacobian_strategy)
    return _shaped(tuple(_shaped(it, is_tuple) for it in rows), is_tuple)


def _check_strategy(name: str, strategy: str) -> None:
    if strategy not in ("forward-mode", "reverse-mode"):
        raise ValueError(
            f'{name}(): {strategy!r} is not a strategy; "reverse-mode" and "forward-mode" are'
        )


def _columns(call: _Call) -> tuple[_Tensors, ...]:
    """For each output and each input the derivatives, by forward mode."""
    from opwright.func._forward import Pushforward, columns

    for output in call.outputs:
        _check_real(output)
    blocks = columns(
        Pushforward(call.outputs, call.inputs), call.outputs, call.inputs, call.create_graph
    )
    return tuple(tuple(it) for it in blocks)


def _rows(call: _Call, output: Tensor) -> _Tensors:
    """For each input the derivatives of all elements of an output."""
    _check_real(output)
    rows = []
    if output.requires_grad:
        for seed in _C.eye(output.numel(), dtype=output.dtype, device=output.device).unbind():
            seeds = (seed.reshape(output.shape),)
            found = _gradients((output,), call.inputs, seeds, call.create_graph, keep=True)
            rows.append(call.filled(found, call.inputs))
    return tuple(
        _stacked([row[at] for row in rows], output, one) for at, one in enumerate(call.inputs)
    )


def _check_real(output: Tensor) -> None:
    if output.is_complex():
        raise RuntimeError(
            "jacobian(): an output is complex, and has two derivatives; return its real and its "
            "imaginary part"
        )


def _stacked(rows: list[Tensor], output: Tensor, given: Tensor) -> Tensor:
    sizes = output.shape + given.shape
    return _C.stack(rows).reshape(sizes) if rows else given.new_zeros(sizes)


# --- a call of the function that is differentiated ------------------------------


def _flag(name: str, argument: str, given: Any) -> bool:
    if isinstance(given, _C.TensorBase):
        raise TypeError(f"{name}(): argument '{argument}' must be bool, not Tensor")
    return bool(given)


class _Call:
    """What a function was called with, as leaves or views of what was passed, and what it gave."""

    def __init__(
        self, name: str, func: _Function, inputs: Any, create_graph: bool, strict: bool
    ) -> None:
        self.name = name
        self.create_graph = _flag(name, "create_graph", create_graph)
        self.strict = _flag(name, "strict", strict)
        given, self.has_tuple_of_inputs = _tensors(inputs, "inputs", name)
        self.inputs = tuple(self._apart(it) for it in given)
        returned = func(*self.inputs)
        what = "what the function returns"
        self.outputs, self.has_tuple_of_outputs = _tensors(returned, what, name)
        for at, output in enumerate(self.outputs):
            if strict and not output.requires_grad:
                raise RuntimeError(
                    f"{name}(): output {at} is independent of the inputs, which strict=True "
                    f"does not allow"
                )

    def _apart(self, given: Tensor) -> Tensor:
        """A tensor with gradients of its own; recorded if results are to be."""
        if self.create_graph and given.requires_grad:
            return given.view_as(given)
        try:
            return given.detach().requires_grad_()
        except RuntimeError as error:
            _rename(error, self.name)
            raise

    def vectors(self, v: Any, like: _Tensors, is_tuple: bool, what: str) -> _Tensors | None:
        """The vectors that were passed for tensors, checked; none for a single element."""
        if v is None:
            if len(like) != 1 or like[0].numel() != 1:
                raise RuntimeError(
                    f"{self.name}(): argument 'v' is needed, of the size of the {what}: only a "
                    f"single element needs none"
                )
            return None
        given, _ = _tensors(v, "v", self.name)
        if len(given) != len(like):
            raise RuntimeError(
                f"{self.name}(): argument 'v' has invalid size: {len(given)} tensors for "
                f"{len(like)} {what}"
            )
        for at, (one, other) in enumerate(zip(given, like, strict=True)):
            if one.shape != other.shape:
                place = f"entry {at} of argument 'v'" if is_tuple else "argument 'v'"
                raise RuntimeError(
                    f"{self.name}(): {place} has invalid size {list(one.shape)}; the {what} "
                    f"have {list(other.shape)}"
                )
        return tuple(it if self.create_graph else it.detach() for it in given)

    def slopes(self) -> Sequence[Tensor | None]:
        """The recorded gradients of the only element of the output."""
        if self.has_tuple_of_outputs or self.outputs[0].numel() != 1:
            shape = f"a tensor of shape {list(self.outputs[0].shape)}"
            found = "a tuple" if self.has_tuple_of_outputs else shape
            raise RuntimeError(
                f"{self.name}(): the function must return a single element, but returns {found}"
            )
        first = _gradients(self.outputs, self.inputs, None, create_graph=True)
        return self.filled(first, self.inputs) if self.strict else first

    def filled(self, found: Sequence[Tensor | None], like: _Tensors) -> _Tensors:
        """Derivatives, zero where there is none."""
        complete = []
        for at, (derivative, other) in enumerate(zip(found, like, strict=True)):
            if self.strict and derivative is None:
                raise RuntimeError(
                    f"{self.name}(): the result is independent of tensor {at} of {len(like)}, "
                    f"which strict=True does not allow"
                )
            if self.strict and self.create_graph and not _is_recorded(derivative):
                raise RuntimeError(
                    f"{self.name}(): derivative {at} is independent of the inputs, which "
                    f"strict=True with create_graph=True does not allow"
                )
            complete.append(_C.zeros_like(other) if derivative is None else derivative)
        return tuple(complete)

    def outcome(self, derivatives: _Tensors, is_tuple: bool) -> tuple[Any, Any]:
        """The outputs and the derivatives in the form in which people get them."""
        outputs = self.outputs
        if not self.create_graph:
            outputs = tuple(it.detach() for it in outputs)
            derivatives = tuple(it.detach() for it in derivatives)
        return _shaped(outputs, self.has_tuple_of_outputs), _shaped(derivatives, is_tuple)


def _is_recorded(tensor: Tensor | None) -> bool:
    return tensor is not None and tensor.requires_grad


def _tensors(given: Any, what: str, name: str) -> tuple[_Tensors, bool]:
    """The tensors of a tuple, or the only one, and whether it was a tuple."""
    is_tuple = isinstance(given, tuple)
    found = given if is_tuple else (given,)
    for one in found:
        if not isinstance(one, _C.TensorBase):
            place = f"an entry of {what}" if is_tuple else what
            raise TypeError(
                f"{name}(): {place} must be a Tensor, or a tuple of these, not {type(one).__name__}"
            )
    return found, is_tuple


def _shaped(found: tuple[Any, ...], is_tuple: bool) -> Any:
    return found if is_tuple else found[0]


def _zeros(like: Sequence[Tensor]) -> _Tensors:
    return tuple(_C.zeros_like(it).requires_grad_() for it in like)


def _gradients(
    outputs: Sequence[Tensor | None],
    inputs: _Tensors,
    seeds: Sequence[Tensor] | None,
    create_graph: bool,
    keep: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of those outputs that have any; None for an input without."""
    at = [k for k, it in enumerate(outputs) if _is_recorded(it)]
    if not at:
        return (None,) * len(inputs)
    wanted: Any = [outputs[k] for k in at]
    return _grad(
        wanted,
        inputs,
        None if seeds is None else [seeds[k] for k in at],
        retain_graph=True if keep else None,
        create_graph=create_graph,
        allow_unused=True,
    )

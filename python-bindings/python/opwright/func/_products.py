"""Batching rules of products of matrices, and of operators that others make the same of."""

from __future__ import annotations

from opwright import _C

from ._batched import aligned, levels_of, union, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._batched_call import BatchedCall


def product(call: BatchedCall) -> Any:
    """A product of matrices or vectors."""
    if len(call.tensors) != len(call.leaves):
        return NotImplemented
    return PRODUCTS[call.name.removesuffix("_")](*call.tensors)


def _matmul(left: Any, right: Any) -> Any:
    """The product of matrices and vectors, whose batches are broadcast."""
    levels = union([left, right])
    is_vector = (left.dim() == 1, right.dim() == 1)
    if 0 in (left.dim(), right.dim()):
        raise RuntimeError("both arguments of matmul need to be at least 1D")
    if is_vector == (False, True) and left.dim() == 2 and not levels_of(left):
        # One product instead of one for each sample.
        return _matmul(right, left.transpose(-2, -1))
    a = left.unsqueeze(-2) if is_vector[0] else left
    b = right.unsqueeze(-1) if is_vector[1] else right
    rank = max(a.dim(), b.dim())
    found = _C.matmul(aligned(a, levels, rank), aligned(b, levels, rank))
    found = found.squeeze(-2) if is_vector[0] else found
    found = found.squeeze(-1) if is_vector[1] else found
    return wrapped(found, levels)


def _linear(x: Any, weight: Any, bias: Any = None) -> Any:
    product = _matmul(x, weight if weight.dim() == 1 else weight.transpose(-2, -1))
    return product if bias is None else product + bias


PRODUCTS: dict[str, Callable[..., Any]] = {
    "linalg_matmul": _matmul,
    "matmul": _matmul,
    "mm": _matmul,
    "mv": _matmul,
    "bmm": _matmul,
    "dot": _matmul,
    "linear": _linear,
    "outer": lambda x, y: x.unsqueeze(-1) * y.unsqueeze(-2),
    "ger": lambda x, y: x.unsqueeze(-1) * y.unsqueeze(-2),
}


def einsum(call: BatchedCall) -> Any:
    """Sums of products with the batches as an ellipsis in front."""
    equation, *operands = call.args
    if len(operands) == 1 and isinstance(operands[0], list | tuple):
        operands = list(operands[0])
    if not isinstance(equation, str) or "." in equation or "->" not in equation:
        return NotImplemented
    before, _, after = equation.replace(" ", "").partition("->")
    batches = [aligned(it, call.levels) if levels_of(it) else it for it in operands]
    terms = [
        ("..." if levels_of(it) else "") + term
        for it, term in zip(operands, before.split(","), strict=True)
    ]
    return call.outcome(_C.einsum(f"{','.join(terms)}->...{after}", batches))


def by_parts(call: BatchedCall) -> Any:
    """What other operators make the same of."""
    if call.kwargs:
        return NotImplemented
    return PARTS[call.name](*call.args)


def _addmm(x: Any, left: Any, right: Any) -> Any:
    return x + _matmul(left, right)


PARTS: dict[str, Callable[..., Any]] = {
    "addmm": _addmm,
    "addmv": _addmm,
    "baddbmm": _addmm,
    "expand_as": lambda x, other: x.expand(other.shape),
    "ravel": lambda x: x.reshape(-1),
    "reshape_as": lambda x, other: x.reshape(other.shape),
    "t": lambda x: x.transpose(-2, -1) if x.dim() == 2 else _unary(x),
    "trace": lambda x: x.diagonal().sum(),
    "view_as": lambda x, other: x.view(other.shape),
}


def _unary(x: Any) -> Any:
    if x.dim() > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {x.dim()}D")
    return x.reshape(x.shape)

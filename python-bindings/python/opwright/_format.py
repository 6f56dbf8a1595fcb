"""Tensors as text whose elements are written by a format specification: `f"{x:.2f}"`."""

from __future__ import annotations

from . import _C
from ._repr import edge_of, linewidth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from . import Tensor


def formatted(tensor: Tensor, spec: str) -> str:
    """The number of a tensor without dimensions, or what `repr` shows with other elements.

    Raises:
        ValueError: The specification is none of numbers of this dtype.
    """
    if not tensor.ndim and not tensor.is_meta:
        return _number(tensor.item(), spec, tensor.dtype)
    # Of this nothing may be shown, and a wrong specification is one all the same.
    _number(_example(tensor.dtype), spec, tensor.dtype)
    if tensor.is_meta or not tensor.numel():
        return str(tensor)
    edge = edge_of(tensor.shape)
    texts = [_number(it, spec, tensor.dtype) for it in _unrecorded(tensor, edge)]
    width = max(map(len, texts), default=0)
    name = type(tensor).__name__
    start = f"{'tensor' if name == 'Tensor' else name}("
    writer = _Writer(tensor.shape, edge, iter([it.rjust(width) for it in texts]))
    body = writer.nested(0, len(start))
    end = _properties(tensor)
    above, _, last = body.rpartition("\n")
    length = len(last) if above else len(start) + len(last)
    is_on_one_line = length + 2 + len(end) < linewidth()
    between = " " if is_on_one_line else "\n" + " " * len(start)
    return f"{start}{body},{between}{end})"


def _number(number: Any, spec: str, dtype: _C.dtype) -> str:
    try:
        return format(number, spec)
    except (ValueError, OverflowError) as error:
        kind = type(number).__name__
        raise ValueError(
            f"`{spec}` does not format elements of `{_name(dtype)}`, which are formatted as "
            f"`{kind}` is: {error}"
        ) from None


def _name(dtype: _C.dtype) -> str:
    return str(dtype).rpartition(".")[2]


def _example(dtype: _C.dtype) -> complex:
    """An element that there could be."""
    if dtype.is_complex:
        return 0j
    if dtype.is_floating_point:
        return 0.0
    return False if _name(dtype) == "bool" else 0


def _properties(tensor: Tensor) -> str:
    """What `repr` shows behind the elements."""
    text = f"dtype={_name(tensor.dtype)}, shape={tuple(tensor.shape)}"
    node = tensor.grad_fn
    if node is not None:
        return f"{text}, grad_fn=<{node.name()}>"
    return f"{text}, requires_grad=True" if tensor.requires_grad else text


def _unrecorded(tensor: Tensor, edge: int | None) -> list[Any]:
    """The elements that are shown; only a subclass that shows itself has a say in this."""
    from . import Tensor
    from .autograd.grad_mode import no_grad

    with no_grad():
        if type(tensor).__repr__ is not Tensor.__repr__:
            return _values(tensor, edge)
        values: list[Any] = _C._call_without_overrides(Tensor, _values, (tensor, edge), None)
        return values


def _values(tensor: Tensor, edge: int | None) -> list[Any]:
    """The elements that are shown, in their order."""
    size = tensor.shape[0]
    indices = _indices(size, edge)
    if tensor.ndim > 1:
        return [it for at in indices if at is not None for it in _values(tensor[at], edge)]
    if None not in indices:
        elements: list[Any] = tensor.tolist()
        return elements
    return [tensor[at].item() for at in indices if at is not None]


def _indices(size: int, edge: int | None) -> list[int | None]:
    """The indices of a dimension that are shown, with `None` for a gap."""
    if edge is None or size <= 2 * edge:
        return [*range(size)]
    return [*range(edge), None, *range(size - edge, size)]


class _Writer:
    """Writes elements between brackets, as the native half does."""

    def __init__(self, shape: tuple[int, ...], edge: int | None, elements: Iterator[str]) -> None:
        self.shape = shape
        self.edge = edge
        self.elements = elements

    def nested(self, dim: int, indent: int) -> str:
        """Nested brackets; the innermost lists are wrapped."""
        indent += 1
        parts = _indices(self.shape[dim], self.edge)
        depth = len(self.shape) - dim
        if depth == 1:
            return f"[{self.wrapped(parts, indent)}]"
        # Blocks of more dimensions stand farther apart.
        between = "," + "\n" * (depth - 1) + " " * indent
        blocks = ["..." if it is None else self.nested(dim + 1, indent) for it in parts]
        return f"[{between.join(blocks)}]"

    def wrapped(self, parts: list[int | None], indent: int) -> str:
        """Elements, separated by commas, on as many lines as they need."""
        items = ["..." if it is None else next(self.elements) for it in parts]
        lines: list[str] = []
        line = ""
        for at, item in enumerate(items):
            piece = item + "," * (at + 1 < len(items))
            if line and indent + len(line) + 1 + len(piece) > linewidth():
                lines.append(line)
                line = ""
            line += f" {piece}" if line else piece
        return f"\n{' ' * indent}".join([*lines, line])

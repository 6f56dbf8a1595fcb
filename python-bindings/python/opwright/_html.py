"""Tensors as HTML, for notebooks: a small table of their elements, however large they are.

Whatever stands in it is escaped, and it has no script, no class and no link. Colours are those of
the page, on light and dark ones alike.
"""

from __future__ import annotations

from html import escape

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from . import Tensor

# How many indices are shown at each end of a dimension, if not all are, and how many matrices at
# each end of a tensor of more dimensions.
_EDGE = 5
_EDGE_OF_MATRICES = 2
_MOST_LETTERS = 48
_MOST_OF_TEXT = 2000

_FAINT = "opacity:.6;font-weight:normal"
_TABLE = (
    "border-collapse:separate;border-spacing:.6em 0;border:1px solid rgba(128,128,128,.5);"
    "margin:.3em 0;"
    "font-family:monospace;text-align:right"
)
_GAP = "\N{HORIZONTAL ELLIPSIS}"


def table(tensor: Tensor) -> str:
    """What a notebook shows of a tensor: its class, dtype and shape, and some of its elements.

    It raises nothing: of what cannot be looked at, the text is shown.
    """
    if type(tensor).__repr__ is not _plain().__repr__:
        return text_of(tensor)
    return guarded(tensor, _unrecorded)


def guarded(shown: Any, draw: Callable[[Any], str]) -> str:
    """What `draw` makes, and the text of the object where that fails."""
    try:
        return draw(shown)
    except Exception:
        return text_of(shown)


def text_of(shown: object) -> str:
    """The text of an object, as far as it is not too long."""
    try:
        text = repr(shown)
    except Exception:
        text = f"<{type(shown).__name__}>"
    return f"<pre>{escape(shortened(text, _MOST_OF_TEXT))}</pre>"


def shortened(text: str, most: int) -> str:
    """The beginning of a text that has more letters."""
    return text if len(text) <= most else text[: most - 1] + _GAP


def caption(name: str, properties: Iterable[str]) -> str:
    """A line with a name, and behind it what is fainter."""
    rest = "".join(f" \N{MIDDLE DOT} {escape(shortened(it, 200))}" for it in properties)
    return (
        f"<code>{escape(shortened(name, _MOST_LETTERS))}</code>"
        f'<span style="opacity:.7">{rest}</span>'
    )


def properties(tensor: Tensor) -> list[str]:
    """The dtype and the shape, and what is out of the ordinary: the device, gradients."""
    found = [str(tensor.dtype).rpartition(".")[2], f"shape {tuple(tensor.shape)}"]
    if tensor.is_meta:
        found.append("device meta, which has no elements")
    node = tensor.grad_fn
    if node is not None:
        found.append(f"grad_fn {node.name()}")
    elif tensor.requires_grad:
        found.append("requires_grad")
    return found


def _plain() -> type[Tensor]:
    from . import Tensor

    return Tensor


def _unrecorded(tensor: Tensor) -> str:
    """The picture, which no layer and no subclass gets to see."""
    from .autograd.grad_mode import no_grad

    with no_grad():
        drawn: str = _C._call_without_overrides(_plain(), _drawn, (tensor,), None)
    return drawn


def _drawn(tensor: Tensor) -> str:
    name = type(tensor).__name__
    head = caption("tensor" if name == "Tensor" else name, properties(tensor))
    if tensor.is_meta or not tensor.numel():
        return f"<div>{head}</div>"
    matrices = _matrices(tensor.shape)
    places = [at + place for at in matrices for place in _places(tensor.shape[-2:])]
    texts = iter(_texts(tensor, places))
    drawn = [_table(at, tensor.shape[-2:], texts) for at in matrices]
    if len(drawn) == 2 * _EDGE_OF_MATRICES and _count(tensor.shape[:-2]) > len(drawn):
        drawn.insert(_EDGE_OF_MATRICES, f"<div>{_GAP}</div>")
    return f'<div style="overflow-x:auto">{head}{"".join(drawn)}</div>'


def _count(sizes: Iterable[int]) -> int:
    count = 1
    for size in sizes:
        count *= size
    return count


def _matrices(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The indices of the matrices that are shown, in row-major order."""
    sizes = shape[:-2]
    count = _count(sizes)
    numbers = [*range(min(count, _EDGE_OF_MATRICES))]
    numbers += range(max(len(numbers), count - _EDGE_OF_MATRICES), count)
    return [_unravelled(it, sizes) for it in numbers]


def _unravelled(number: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    index: list[int] = []
    for size in reversed(sizes):
        number, rest = divmod(number, size)
        index.insert(0, rest)
    return tuple(index)


def _indices(size: int) -> list[int | None]:
    """The indices of a dimension that are shown, with `None` for a gap."""
    if size <= 2 * _EDGE:
        return [*range(size)]
    return [*range(_EDGE), None, *range(size - _EDGE, size)]


def _places(sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The indices of the elements of a matrix, or of fewer dimensions, that are shown."""
    places: list[tuple[int, ...]] = [()]
    for size in sizes:
        places = [(*at, it) for at in places for it in _indices(size) if it is not None]
    return places


def _texts(tensor: Tensor, places: list[tuple[int, ...]]) -> list[str]:
    """The elements as `repr` shows them, with as many digits as they need together."""
    values = tensor.new_tensor([tensor[it].item() for it in places])
    shown = _C._shown(values).partition("[")[2].rpartition("]")[0]
    texts = [it.strip() for it in shown.split(",")]
    if len(texts) != len(places) or "..." in texts:
        # By its options, `repr` shows fewer.
        texts = [_C._shown(it).partition("(")[2].partition(", dtype=")[0] for it in values]
    return [escape(shortened(it.strip(), _MOST_LETTERS)) for it in texts]


def _table(at: tuple[int, ...], sizes: tuple[int, ...], texts: Iterable[str]) -> str:
    """A matrix; a vector is one row, and a tensor without dimensions one cell."""
    source = iter(texts)
    if not sizes:
        return f'<table style="{_TABLE}"><tr><td>{next(source)}</td></tr></table>'
    columns = _indices(sizes[-1])
    rows = _indices(sizes[0]) if len(sizes) == 2 else [0]
    lines = [_row("" if len(sizes) == 2 else None, map(_number, columns), is_head=True)]
    for row in rows:
        cells = (_GAP if row is None or it is None else next(source) for it in columns)
        lines.append(_row(_number(row) if len(sizes) == 2 else None, cells))
    title = f'<div style="opacity:.7">[{", ".join(map(str, at))}]</div>' if at else ""
    return f'{title}<table style="{_TABLE}">{"".join(lines)}</table>'


def _number(index: int | None) -> str:
    return _GAP if index is None else str(index)


def _row(head: str | None, cells: Iterable[str], is_head: bool = False) -> str:
    opened = f'<th style="{_FAINT}">'
    first = "" if head is None else f"{opened}{head}</th>"
    begin, end = (opened, "</th>") if is_head else ("<td>", "</td>")
    return f"<tr>{first}{''.join(f'{begin}{it}{end}' for it in cells)}</tr>"

"""Tensors as text: aligned columns, short however large the tensor is."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from ._tensor import Tensor


class _Options:
    """The defaults; an instance holds what was set."""

    precision: int = 4
    threshold: int = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_options = _Options()


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Decides how tensors are shown; what is `None` stays as it is, but for `sci_mode`.

    Args:
        precision: The most digits behind the point.
        threshold: A tensor of more elements is shown in part.
        edgeitems: How many elements are then shown at each end of a dimension.
        linewidth: Where lines are broken.
        sci_mode: Whether numbers are shown with an exponent; if `None`, it depends on them.
    """
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    for name, value in given.items():
        if value is not None and value < 0:
            raise ValueError(f"{name} must not be negative, got {value}")
    changed = {name: value for name, value in given.items() if value is not None}
    vars(_options).update(changed, sci_mode=sci_mode)


def text(tensor: Tensor) -> str:
    """What `repr` shows."""
    name = type(tensor).__name__
    start = "tensor(" if name == "Tensor" else f"{name}("
    body = "..." if tensor.is_meta else _body(tensor.data, indent=len(start))
    end = f"dtype={_short(tensor.dtype)}, shape={tuple(tensor.shape)}"
    if tensor.is_meta:
        end += f", device={tensor.device}"
    if tensor.grad_fn is not None:
        end += f", grad_fn=<{tensor.grad_fn.name()}>"
    elif tensor.requires_grad:
        end += ", requires_grad=True"
    last_line = len(body) - (body.rfind("\n") + 1)
    if "\n" not in body:
        last_line += len(start)
    fits = last_line + 2 + len(end) + 1 <= _options.linewidth
    between = ", " if fits else ",\n" + " " * len(start)
    return f"{start}{body}{between}{end})"


def _short(dtype: object) -> str:
    return str(dtype).rpartition(".")[2]


def _body(tensor: Tensor, indent: int) -> str:
    if tensor.numel() == 0:
        return "[]"
    rows = _shown(tensor, _edge(tensor.shape))
    show = _formatter(list(_leaves(rows)))
    return show(rows) if tensor.ndim == 0 else _nested(rows, show, tensor.ndim, indent)


def _edge(shape: Sequence[int]) -> int | None:
    """How many elements are shown at each end of a dimension, if not all are."""
    if math.prod(shape) <= _options.threshold:
        return None
    # Many dimensions are many corners.
    most = max(_options.threshold, _Options.threshold)
    for edge in range(_options.edgeitems, 0, -1):
        if math.prod(min(size, 2 * edge) for size in shape) <= most:
            return edge
    return 0


def _shown(tensor: Tensor, edge: int | None) -> Any:
    """The elements to show, in lists, with `...` for those that are left out."""
    if tensor.ndim == 0:
        return tensor.item()
    if edge is None or len(tensor) <= 2 * edge:
        return [_shown(row, edge) for row in tensor] if tensor.ndim > 1 else tensor.tolist()
    first = [_shown(tensor[at], edge) for at in range(edge)]
    last = [_shown(tensor[at], edge) for at in range(-edge, 0)]
    return [*first, ..., *last]


def _leaves(rows: Any) -> Iterator[Any]:
    if isinstance(rows, list):
        for row in rows:
            yield from _leaves(row)
    elif rows is not ...:
        yield rows


def _nested(rows: list[Any], show: Callable[[Any], str], depth: int, indent: int) -> str:
    """Nested brackets; the innermost lists are wrapped."""
    indent += 1
    if depth == 1:
        return "[" + _wrapped([show(it) for it in rows], indent) + "]"
    # Blocks of more dimensions stand farther apart.
    between = "," + "\n" * (depth - 1) + " " * indent
    parts = ["..." if it is ... else _nested(it, show, depth - 1, indent) for it in rows]
    return "[" + between.join(parts) + "]"


def _wrapped(parts: list[str], indent: int) -> str:
    """The parts, separated by commas, on as many lines as they need."""
    lines: list[str] = []
    line = ""
    for at, part in enumerate(parts):
        item = part + ("," if at + 1 < len(parts) else "")
        if line and indent + len(line) + 1 + len(item) > _options.linewidth:
            lines.append(line)
            line = item
        else:
            line = f"{line} {item}" if line else item
    return ("\n" + " " * indent).join([*lines, line])


def _formatter(values: list[Any]) -> Callable[[Any], str]:
    """What shows each of the values, all in the same width."""
    plain: Callable[[Any], str]
    if any(isinstance(it, complex) for it in values):
        plain = _complex_formatter(values)
    elif any(isinstance(it, float) for it in values):
        plain = _float_formatter(values)
    else:
        plain = str
    width = max((len(plain(it)) for it in values), default=0)
    return lambda value: "..." if value is ... else plain(value).rjust(width)


def _complex_formatter(values: list[complex]) -> Callable[[complex], str]:
    """Both parts of the values in a style of their own."""
    real = _float_formatter([it.real for it in values])
    imaginary = _float_formatter([it.imag for it in values])

    def show(value: complex) -> str:
        sign = "-" if math.copysign(1.0, value.imag) < 0 else "+"
        return f"{real(value.real)}{sign}{imaginary(abs(value.imag))}j"

    return show


def _float_formatter(values: list[float]) -> Callable[[float], str]:
    """As many digits as the value needs that needs most, up to the precision."""
    finite = [it for it in values if math.isfinite(it)]
    style = "e" if _wants_exponent(finite) else "f"
    digits = max((_digits(it, style) for it in finite), default=0)

    def show(value: float) -> str:
        if not math.isfinite(value):
            return str(value)
        shown = f"{value:.{digits}{style}}"
        if digits == 0 and style == "f":
            return shown + "."
        return shown if digits else shown.replace("e", ".e")

    return show


def _wants_exponent(finite: list[float]) -> bool:
    if _options.sci_mode is not None:
        return _options.sci_mode
    sizes = [abs(it) for it in finite if it != 0.0]
    if not sizes:
        return False
    largest, smallest = max(sizes), min(sizes)
    return largest >= 1e8 or smallest < 1e-4 or largest / smallest > 1e3


def _digits(value: float, style: str) -> int:
    """The digits behind the point that are not zeros at the end."""
    mantissa = f"{value:.{_options.precision}{style}}".partition("e")[0]
    return len(mantissa.partition(".")[2].rstrip("0"))

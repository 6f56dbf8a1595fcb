"""Padding layers: images with a border of a number, a mirror, their edges or themselves."""

from __future__ import annotations

from opwright.nn import functional
from opwright.nn._arguments import integer
from opwright.nn._functional_layer import with_own_init
from opwright.nn.module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from opwright import Tensor

__all__ = [
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class _Pad(Module):
    """A border of this width around the last dimensions of the input.

    `padding` is one width for all sides, or two for each dimension, before and after, those of the
    last dimension first. Negative ones cut off.
    """

    __constants__ = ["padding"]  # noqa: RUF012

    padding: tuple[int, ...]
    _dims: int
    _mode: Literal["constant", "reflect", "replicate", "circular"]

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__()
        name, sides = type(self).__name__, 2 * self._dims
        if not isinstance(padding, tuple | list):
            self.padding = (integer(name, "padding", padding),) * sides
            return
        self.padding = tuple(integer(name, "padding", it) for it in padding)
        if len(self.padding) != sides:
            raise ValueError(
                f"{name}(): argument 'padding' must be an integer or {sides} of them, but is "
                f"{padding}"
            )

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.pad` returns."""
        return functional.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        """The widths."""
        return str(self.padding)


class _ReflectionPad(_Pad):
    _mode = "reflect"


@with_own_init
class ReflectionPad1d(_ReflectionPad):
    """A border that mirrors the last dimension; the edge itself is not repeated.

    >>> opwright.nn.ReflectionPad1d((2, 1))(opwright.tensor([[1.0, 2.0, 3.0]]))
    tensor([[3., 2., 1., 2., 3., 2.]], dtype=float32, shape=(1, 6))
    """

    _dims = 1


@with_own_init
class ReflectionPad2d(_ReflectionPad):
    """A border that mirrors the last two dimensions; the edge itself is not repeated."""

    _dims = 2


@with_own_init
class ReflectionPad3d(_ReflectionPad):
    """A border that mirrors the last three dimensions; the edge itself is not repeated."""

    _dims = 3


class _ReplicationPad(_Pad):
    _mode = "replicate"


@with_own_init
class ReplicationPad1d(_ReplicationPad):
    """A border that repeats the edge of the last dimension.

    >>> opwright.nn.ReplicationPad1d((2, 1))(opwright.tensor([[1.0, 2.0, 3.0]]))
    tensor([[1., 1., 1., 2., 3., 3.]], dtype=float32, shape=(1, 6))
    """

    _dims = 1


@with_own_init
class ReplicationPad2d(_ReplicationPad):
    """A border that repeats the edges of the last two dimensions."""

    _dims = 2


@with_own_init
class ReplicationPad3d(_ReplicationPad):
    """A border that repeats the edges of the last three dimensions."""

    _dims = 3


class _CircularPad(_Pad):
    _mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.pad` returns."""
        dims = self._dims
        if input.ndim not in (dims + 1, dims + 2):
            raise ValueError(
                f"{type(self).__name__}: expected {dims + 1}D or {dims + 2}D input, but it has "
                f"shape {list(input.shape)}"
            )
        return super().forward(input)


@with_own_init
class CircularPad1d(_CircularPad):
    """A border that goes on with the other end of the last dimension.

    >>> opwright.nn.CircularPad1d((2, 1))(opwright.tensor([[1.0, 2.0, 3.0]]))
    tensor([[2., 3., 1., 2., 3., 1.]], dtype=float32, shape=(1, 6))
    """

    _dims = 1


@with_own_init
class CircularPad2d(_CircularPad):
    """A border that goes on with the other ends of the last two dimensions."""

    _dims = 2


@with_own_init
class CircularPad3d(_CircularPad):
    """A border that goes on with the other ends of the last three dimensions."""

    _dims = 3


class _ConstantPad(_Pad):
    _mode = "constant"
    __constants__ = ["padding", "value"]  # noqa: RUF012

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.pad` returns."""
        return functional.pad(input, self.padding, self._mode, self.value)

    def extra_repr(self) -> str:
        """The widths and the number."""
        return f"padding={self.padding}, value={self.value}"


@with_own_init
class ConstantPad1d(_ConstantPad):
    """A border of a number around the last dimension."""

    _dims = 1


@with_own_init
class ConstantPad2d(_ConstantPad):
    """A border of a number around the last two dimensions."""

    _dims = 2


@with_own_init
class ConstantPad3d(_ConstantPad):
    """A border of a number around the last three dimensions."""

    _dims = 3


class _ZeroPad(_ConstantPad):
    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        """The widths."""
        return str(self.padding)


@with_own_init
class ZeroPad1d(_ZeroPad, ConstantPad1d):
    """A border of zeros around the last dimension."""


@with_own_init
class ZeroPad2d(_ZeroPad, ConstantPad2d):
    """A border of zeros around the last two dimensions.

    >>> opwright.nn.ZeroPad2d((1, 0, 0, 0))(opwright.ones(1, 1, 2)).tolist()
    [[[0.0, 1.0, 1.0]]]
    """


@with_own_init
class ZeroPad3d(_ZeroPad, ConstantPad3d):
    """A border of zeros around the last three dimensions."""

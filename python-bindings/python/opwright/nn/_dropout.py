"""Dropout of whole channels, and dropout that keeps means and variances."""

from __future__ import annotations

from math import sqrt

from opwright import _C
from opwright._functions import with_own_name
from opwright.nn._arguments import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright import Generator, Tensor

__all__ = ["alpha_dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"]

# Where `selu` is far below zero.
_SATURATION = -1.7580993408473766


def check_probability(function: str, p: float, name: str = "p") -> None:
    """Refuses what is no probability."""
    if not 0 <= number(function, name, p) <= 1:
        raise ValueError(f"{function}(): argument {name!r} must be between 0 and 1, but is {p}")


def _kept(input: Tensor, p: float, by_channel: bool, generator: Generator | None) -> Tensor:
    """1 for what is kept, and 0 for what is dropped, each channel as a whole if `by_channel`."""
    shape = tuple(input.shape)
    if by_channel:
        shape = shape[:2] + (1,) * (len(shape) - 2)
    return input.new_empty(shape).bernoulli_(1 - p, generator=generator)


def _written(input: Tensor, result: Tensor, inplace: bool) -> Tensor:
    return input.copy_(result) if inplace else result


def _drop_channels(
    function: str,
    input: Tensor,
    p: float,
    training: bool,
    inplace: bool,
    generator: Generator | None,
    dims: int,
) -> Tensor:
    """Dropout of channels of images of `dims` dimensions, in a batch or alone."""
    check_probability(function, p)
    if input.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"{function}(): expected {dims + 1}D or {dims + 2}D input, but it has shape "
            f"{list(input.shape)}"
        )
    if not training or p == 0:
        return input
    batch = input.unsqueeze(0) if input.ndim == dims + 1 else input
    scale = 1 / (1 - p) if p < 1 else 0.0
    result = batch * (_kept(batch, p, True, generator) * scale)
    return _written(input, result.reshape(input.shape), inplace)


@with_own_name()
def dropout1d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Zeros in whole channels, each with probability `p`, and the others scaled up.

    The input is `(N, C, L)` or `(C, L)`. It is returned as it is unless `training` is true.

        >>> opwright.nn.functional.dropout1d(opwright.ones(2, 3), 1.0).sum()
        tensor(0., dtype=float32, shape=())
    """
    return _drop_channels("dropout1d", input, p, training, inplace, generator, 1)


@with_own_name()
def dropout2d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """`dropout1d` for images `(N, C, H, W)` or `(C, H, W)`.

    >>> opwright.nn.functional.dropout2d(opwright.ones(2, 3, 3), 0.25, False).sum()
    tensor(18., dtype=float32, shape=())
    """
    return _drop_channels("dropout2d", input, p, training, inplace, generator, 2)


@with_own_name()
def dropout3d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """`dropout1d` for volumes `(N, C, D, H, W)` or `(C, D, H, W)`.

    >>> opwright.nn.functional.dropout3d(opwright.ones(2, 1, 3, 3), 0.25, False).sum()
    tensor(18., dtype=float32, shape=())
    """
    return _drop_channels("dropout3d", input, p, training, inplace, generator, 3)


def _saturate(
    input: Tensor,
    p: float,
    training: bool,
    inplace: bool,
    generator: Generator | None,
    by_channel: bool,
) -> Tensor:
    """What is dropped is saturated; all is then scaled and moved back to mean 0 and variance 1."""
    if not training or p == 0:
        return input
    if p == 1:
        return _written(input, _C.zeros_like(input) * input, inplace)
    scale = 1 / sqrt((_SATURATION**2 * p + 1) * (1 - p))
    kept = _kept(input, p, by_channel, generator)
    moved = (1 - kept - p) * (_SATURATION * scale)
    return _written(input, input * (kept * scale) + moved, inplace)


@with_own_name()
def alpha_dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = False,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Dropout that keeps mean 0 and variance 1, for layers with the activation `selu`.

    Elements are set to the least value of `selu` with probability `p`, if `training` is true (G.
    Klambauer et al., "Self-normalizing neural networks", 2017).

        >>> opwright.nn.functional.alpha_dropout(opwright.ones(2, 3), 0.25).sum()
        tensor(6., dtype=float32, shape=())
    """
    check_probability("alpha_dropout", p)
    return _saturate(input, p, training, inplace, generator, by_channel=False)


@with_own_name()
def feature_alpha_dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = False,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """`alpha_dropout` of whole channels, the second dimension.

    >>> opwright.nn.functional.feature_alpha_dropout(opwright.ones(2, 3), 0.25).sum()
    tensor(6., dtype=float32, shape=())
    """
    check_probability("feature_alpha_dropout", p)
    if training and input.ndim < 2:
        raise RuntimeError(
            f"feature_alpha_dropout(): expected 2 dimensions or more, but the input has shape "
            f"{list(input.shape)}"
        )
    return _saturate(input, p, training, inplace, generator, by_channel=True)

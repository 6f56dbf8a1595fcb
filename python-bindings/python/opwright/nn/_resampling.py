"""Images at other sizes, with the parameters that people know."""

from __future__ import annotations

from opwright import _C
from opwright._C import _nn
from opwright._functions import with_own_name
from opwright._kinds import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from opwright import Tensor

__all__ = [
    "affine_grid",
    "grid_sample",
    "interpolate",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
]

# The operators of each mode, by how many dimensions an image has beside its batch and channels.
_NEAREST: dict[str, dict[int, Callable[..., Tensor]]] = {
    "nearest": {
        1: _nn.upsample_nearest1d,
        2: _nn.upsample_nearest2d,
        3: _nn.upsample_nearest3d,
    },
    "nearest-exact": {
        1: _nn._upsample_nearest_exact1d,
        2: _nn._upsample_nearest_exact2d,
        3: _nn._upsample_nearest_exact3d,
    },
}
_MEANS: dict[str, tuple[int, Callable[..., Tensor]]] = {
    "linear": (1, _nn.upsample_linear1d),
    "bilinear": (2, _nn.upsample_bilinear2d),
    "bicubic": (2, _nn.upsample_bicubic2d),
    "trilinear": (3, _nn.upsample_trilinear3d),
}
_SMOOTH = {
    "bilinear": _nn._upsample_bilinear2d_aa,
    "bicubic": _nn._upsample_bicubic2d_aa,
}
_AREAS: dict[int, Callable[..., Tensor]] = {
    1: _C.adaptive_avg_pool1d,
    2: _nn.adaptive_avg_pool2d,
    3: _nn.adaptive_avg_pool3d,
}


@with_own_name()
def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """A batch of images at another size, or at `scale_factor` times their own.

    `mode` is `"nearest"`, `"nearest-exact"`, `"linear"` for one dimension, `"bilinear"` and
    `"bicubic"` for two, `"trilinear"` for three, or `"area"`, the means of regions. With
    `align_corners`, the first and the last elements stay where they are; with `antialias`, each
    element is a mean of as many as become one. The size that follows from `scale_factor` says how
    far apart elements are if `recompute_scale_factor` is true.

        >>> opwright.nn.functional.interpolate(
        ...     opwright.tensor([[[1.0, 3.0]]]), scale_factor=2, mode="linear"
        ... )
        tensor([[[1.0, 1.5, 2.5, 3.0]]], dtype=float32, shape=(1, 1, 4))
    """
    dims = input.ndim - 2
    if (size is None) == (scale_factor is None):
        given = "neither" if size is None else "both"
        raise ValueError(
            f"interpolate(): one of the arguments 'size' and 'scale_factor' must be given, not "
            f"{given}"
        )
    sizes = None if size is None else _of_each("size", size, dims)
    factors = None if scale_factor is None else _of_each("scale_factor", scale_factor, dims)
    if align_corners is not None and mode not in _MEANS:
        raise ValueError(
            "interpolate(): argument 'align_corners' goes with the modes 'linear', 'bilinear', "
            f"'bicubic' and 'trilinear' alone, not with {mode!r}"
        )
    if recompute_scale_factor and sizes is not None:
        raise ValueError(
            "interpolate(): argument 'recompute_scale_factor' goes with 'scale_factor', not with "
            "'size'"
        )
    if antialias and not (mode in _SMOOTH and input.ndim == 4):
        raise ValueError(
            "interpolate(): argument 'antialias' goes with the modes 'bilinear' and 'bicubic' of "
            "4D input alone"
        )
    if factors is not None and (recompute_scale_factor or mode == "area"):
        own = input.shape[2:]
        sizes = [int(it * factor) for it, factor in zip(own, factors, strict=True)]
        factors = None
    return _resampled(input, dims, mode, bool(align_corners), antialias, sizes, factors)


def _resampled(
    input: Tensor,
    dims: int,
    mode: str,
    align_corners: bool,
    antialias: bool,
    sizes: list[Any] | None,
    factors: list[Any] | None,
) -> Tensor:
    if dims in (1, 2, 3):
        if mode == "area":
            return _AREAS[dims](input, sizes or [])
        if mode in _NEAREST:
            return _NEAREST[mode][dims](input, sizes, scale_factors=factors)
    if mode in _MEANS:
        wanted, function = _MEANS[mode]
        if dims == wanted:
            function = _SMOOTH[mode] if antialias else function
            return function(input, sizes, align_corners, factors)
        raise NotImplementedError(
            f"interpolate(): mode {mode!r} is of {wanted + 2}D input, but got {input.ndim}D"
        )
    known = ["area", *_NEAREST, *_MEANS]
    if mode not in known:
        *others, last = map(repr, known)
        raise NotImplementedError(
            f"interpolate(): argument 'mode' must be {', '.join(others)} or {last}, but is {mode!r}"
        )
    raise NotImplementedError(
        f"interpolate(): the input must be 3D, 4D or 5D, but has shape {list(input.shape)}"
    )


def _of_each(name: str, value: Any, dims: int) -> list[Any]:
    """A number for each dimension, of which there may be one for all."""
    if isinstance(value, tuple | list):
        if len(value) != dims:
            raise ValueError(
                f"interpolate(): argument {name!r} must have {dims} numbers for input of "
                f"{dims + 2} dimensions, but is {value}"
            )
        return list(value)
    if isinstance(value, str):
        raise TypeError(f"interpolate(): argument {name!r} must be a number, not {kind(value)}")
    return [value] * dims


@with_own_name()
def upsample(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """The older name of `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)


@with_own_name()
def upsample_nearest(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
) -> Tensor:
    """`interpolate` with the mode `"nearest"`, by an older name."""
    return interpolate(input, size, scale_factor)


@with_own_name()
def upsample_bilinear(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
) -> Tensor:
    """`interpolate` with the mode `"bilinear"` and aligned corners, by an older name."""
    return interpolate(input, size, scale_factor, "bilinear", True)


_INTERPOLATIONS = ("bilinear", "nearest", "bicubic")
_OUTSIDE = ("zeros", "border", "reflection")


@with_own_name()
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """A batch of images, or of volumes, at the places that `grid` has in its last dimension.

    A place is `(x, y)` or `(x, y, z)`, from -1 at one edge to 1 at the other, or from the middle of
    the first element to that of the last with `align_corners`. `mode` is `"bilinear"`, `"nearest"`
    or `"bicubic"`, and `padding_mode` says what lies outside: `"zeros"`, the nearest element
    (`"border"`), or a mirror (`"reflection"`).

        >>> opwright.nn.functional.grid_sample(
        ...     opwright.tensor([[[[1.0, 3.0]]]]), opwright.zeros(1, 1, 1, 2), align_corners=False
        ... )
        tensor([[[[2.]]]], dtype=float32, shape=(1, 1, 1, 1))
    """
    for name, value, known in (
        ("mode", mode, _INTERPOLATIONS),
        ("padding_mode", padding_mode, _OUTSIDE),
    ):
        if value not in known:
            *others, last = map(repr, known)
            raise ValueError(
                f"grid_sample(): argument {name!r} must be {', '.join(others)} or {last}, but is "
                f"{value!r}"
            )
    interpolation, outside = _INTERPOLATIONS.index(mode), _OUTSIDE.index(padding_mode)
    return _C.grid_sampler(input, grid, interpolation, outside, bool(align_corners))


@with_own_name()
def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """The places for `grid_sample` at which images of this size lie after affine maps.

    >>> opwright.nn.functional.affine_grid(
    ...     opwright.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2), align_corners=True
    ... ).tolist()
    [[[[-1.0, 0.0], [1.0, 0.0]]]]
    """
    if not theta.dtype.is_floating_point:
        raise ValueError(f"affine_grid(): argument 'theta' must be floating, but is {theta.dtype}")
    return _C.affine_grid_generator(theta, [*size], bool(align_corners))

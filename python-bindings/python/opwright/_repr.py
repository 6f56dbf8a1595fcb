"""How tensors are shown."""

from __future__ import annotations

import sys
from math import prod

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Precision, threshold, edgeitems and linewidth.
_PROFILES = {
    "default": (4, 1000, 3, 80),
    "short": (2, 1000, 2, 80),
    "full": (4, sys.maxsize, 3, 80),
}
_DEFAULT_THRESHOLD = _PROFILES["default"][1]
# What was asked for last of what the native half lays text out by.
_layout = dict(zip(("threshold", "edgeitems", "linewidth"), _PROFILES["default"][1:], strict=True))


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Decides how tensors are shown; what is `None` stays as it is, but for `sci_mode`.

    With a profile, it is as that says.

    Args:
        precision: The most digits behind the point.
        threshold: A tensor of more elements is shown in part.
        edgeitems: How many elements are then shown at each end of a dimension.
        linewidth: Where lines are broken.
        profile: `"default"`, `"short"` with fewer digits and elements, or `"full"` with all
            elements.
        sci_mode: Whether numbers are shown with an exponent; if `None`, it depends on them.
    """
    if profile is not None:
        known = _PROFILES.get(profile) if isinstance(profile, str) else None
        if known is None:
            names = ", ".join(map(repr, _PROFILES))
            raise ValueError(
                f"set_printoptions(): argument 'profile' must be one of {names}, not {profile!r}"
            )
        precision = known[0] if precision is None else precision
        threshold = known[1] if threshold is None else threshold
        edgeitems = known[2] if edgeitems is None else edgeitems
        linewidth = known[3] if linewidth is None else linewidth
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    for name, value in given.items():
        if value is not None and value < 0:
            raise ValueError(f"{name} must not be negative, got {value}")
    _C._set_print_options(
        _size(precision), _size(threshold), _size(edgeitems), _size(linewidth), sci_mode
    )
    sizes = {name: _size(value) for name, value in given.items() if name in _layout}
    _layout.update({name: value for name, value in sizes.items() if value is not None})


def _size(value: int | None) -> int | None:
    """The number, or one that is as good: no tensor has more elements, and none has infinity."""
    return None if value is None else int(min(value, sys.maxsize))


def linewidth() -> int:
    """Where lines are broken."""
    return _layout["linewidth"]


def edge_of(shape: Sequence[int]) -> int | None:
    """How many elements are shown at each end of a dimension, if not all are."""
    threshold = _layout["threshold"]
    if prod(shape) <= threshold:
        return None
    # Many dimensions are many corners.
    most = max(threshold, _DEFAULT_THRESHOLD)
    low, high = 0, _layout["edgeitems"]
    while low < high:
        middle = (low + high + 1) // 2
        if prod(min(it, 2 * middle) for it in shape) <= most:
            low = middle
        else:
            high = middle - 1
    return low

"""How tensors are shown."""

from __future__ import annotations

import sys

from . import _C

# Precision, threshold, edgeitems and linewidth.
_PROFILES = {
    "default": (4, 1000, 3, 80),
    "short": (2, 1000, 2, 80),
    "full": (4, sys.maxsize, 3, 80),
}


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


def _size(value: int | None) -> int | None:
    """The number, or one that is as good: no tensor has more elements, and none has infinity."""
    return None if value is None else int(min(value, sys.maxsize))

"""How tensors are shown."""

from __future__ import annotations

import sys

from . import _C


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
    _C._set_print_options(
        _size(precision), _size(threshold), _size(edgeitems), _size(linewidth), sci_mode
    )


def _size(value: int | None) -> int | None:
    """The number, or one that is as good: no tensor has more elements, and none has infinity."""
    return None if value is None else int(min(value, sys.maxsize))

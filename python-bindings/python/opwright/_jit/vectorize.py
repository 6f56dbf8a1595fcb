"""`vectorize`: scalar functions over all elements of arrays."""

from __future__ import annotations

from typing import Any


def vectorize(function: Any = None, **options: Any) -> Any:
    """Make an elementwise function of a function of numbers."""
    raise NotImplementedError("vectorize is not there yet")

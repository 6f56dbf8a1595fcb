"""Operators of this module in JAX."""

from collections.abc import Callable as _Callable
from typing import Any as _Any

__all__ = ["register", "wrap"]

def register() -> str:
    """Register the function that compiled programs call with XLA, and return its name there."""

def wrap(operator: _Any) -> _Callable[..., _Any]:
    """A function of arrays of JAX that runs an operator of this module."""

"""Operators of this module in PyTorch: `register` puts them under `torch.ops`."""

from collections.abc import Iterable as _Iterable
from dataclasses import dataclass as _dataclass
from typing import Any as _Any

__all__ = ["Registered", "register"]

@_dataclass(frozen=True)
class Registered:
    """What is in a namespace of PyTorch."""

    namespace: str
    operators: tuple[str, ...]
    backward: dict[str, str]
    skipped: dict[str, str]

def register(namespace: str | None = None, *, operators: _Iterable[_Any] | None = None) -> Registered:
    """Put operators of this module under `torch.ops`."""

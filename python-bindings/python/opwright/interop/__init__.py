"""Operators in other frameworks.

`interop.torch` puts them under `torch.ops`, and `interop.jax` makes them primitives.
Each framework has a module of its own here, which is made when it is first asked for and imports
the framework then.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import jax as jax
    from . import torch as torch

_FRAMEWORKS = ("jax", "torch")


def _late(name: str) -> object:
    if name not in _FRAMEWORKS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"{__name__}.{name}")


if not TYPE_CHECKING:
    # Type checkers read the names themselves, and miss those that are not there.
    __getattr__ = _late


def __dir__() -> list[str]:
    return sorted({*globals(), *_FRAMEWORKS})

"""Models: layers and losses as modules, their functions, and the tensors that they learn.

>>> model = opwright.nn.Sequential(opwright.nn.Linear(2, 3), opwright.nn.ReLU())
>>> model(opwright.ones(4, 2)).shape
opwright.Size([4, 3])
"""

from __future__ import annotations

from opwright.nn import functional as functional
from opwright.nn.parameter import Parameter as Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opwright.nn import init as init
    from opwright.nn import utils as utils
    from opwright.nn.activations import *  # noqa: F403
    from opwright.nn.adaptive_softmax import *  # noqa: F403
    from opwright.nn.attention import *  # noqa: F403
    from opwright.nn.cells import *  # noqa: F403
    from opwright.nn.containers import *  # noqa: F403
    from opwright.nn.convolution import *  # noqa: F403
    from opwright.nn.distance import *  # noqa: F403
    from opwright.nn.dropout import *  # noqa: F403
    from opwright.nn.embedding import *  # noqa: F403
    from opwright.nn.linear import *  # noqa: F403
    from opwright.nn.losses import *  # noqa: F403
    from opwright.nn.module import Module as Module
    from opwright.nn.normalization import *  # noqa: F403
    from opwright.nn.padding import *  # noqa: F403
    from opwright.nn.pooling import *  # noqa: F403
    from opwright.nn.recurrent import *  # noqa: F403
    from opwright.nn.resampling import *  # noqa: F403
    from opwright.nn.shaping import *  # noqa: F403
    from opwright.nn.transformer import *  # noqa: F403

_SUBMODULES = ("functional", "init", "utils")
# Where classes are, those that most models have first.
_HOMES = (
    "module",
    "linear",
    "containers",
    "activations",
    "losses",
    "dropout",
    "normalization",
    "convolution",
    "pooling",
    "embedding",
    "attention",
    "transformer",
    "cells",
    "recurrent",
    "shaping",
    "resampling",
    "padding",
    "distance",
    "adaptive_softmax",
)


def _names() -> list[str]:
    from importlib import import_module

    homes = [import_module(f"{__name__}.{it}") for it in _HOMES]
    return sorted({"Parameter", *_SUBMODULES, *(name for home in homes for name in home.__all__)})


def _late(name: str) -> Any:
    """What is imported when it is asked for: importing the package takes no longer for it."""
    from importlib import import_module

    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name == "__all__":
        return _names()
    if not name.startswith("_"):
        for home in _HOMES:
            module = import_module(f"{__name__}.{home}")
            if name in module.__all__:
                found = globals()[name] = getattr(module, name)
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:
    # Type checkers read the names themselves, and miss those that are not there.
    __getattr__ = _late


def __dir__() -> list[str]:
    return sorted({*globals(), *_names()})

"""Models: layers and losses as modules, their functions, and the tensors that they learn.

>>> model = opwright.nn.Sequential(opwright.nn.Linear(2, 3), opwright.nn.ReLU())
>>> model(opwright.ones(4, 2)).shape
opwright.Size([4, 3])
"""

from __future__ import annotations

from opwright.nn import functional
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opwright.nn import init as init
    from opwright.nn import utils as utils
    from opwright.nn.containers import ModuleDict as ModuleDict
    from opwright.nn.containers import ModuleList as ModuleList
    from opwright.nn.containers import ParameterList as ParameterList
    from opwright.nn.containers import Sequential as Sequential
    from opwright.nn.layers import GELU as GELU
    from opwright.nn.layers import BCELoss as BCELoss
    from opwright.nn.layers import BCEWithLogitsLoss as BCEWithLogitsLoss
    from opwright.nn.layers import CrossEntropyLoss as CrossEntropyLoss
    from opwright.nn.layers import Dropout as Dropout
    from opwright.nn.layers import Embedding as Embedding
    from opwright.nn.layers import Flatten as Flatten
    from opwright.nn.layers import HuberLoss as HuberLoss
    from opwright.nn.layers import Identity as Identity
    from opwright.nn.layers import L1Loss as L1Loss
    from opwright.nn.layers import LayerNorm as LayerNorm
    from opwright.nn.layers import Linear as Linear
    from opwright.nn.layers import LogSoftmax as LogSoftmax
    from opwright.nn.layers import MSELoss as MSELoss
    from opwright.nn.layers import NLLLoss as NLLLoss
    from opwright.nn.layers import ReLU as ReLU
    from opwright.nn.layers import Sigmoid as Sigmoid
    from opwright.nn.layers import SmoothL1Loss as SmoothL1Loss
    from opwright.nn.layers import Softmax as Softmax
    from opwright.nn.layers import Tanh as Tanh
    from opwright.nn.module import Module as Module

__all__ = [
    "GELU",
    "BCELoss",
    "BCEWithLogitsLoss",
    "CrossEntropyLoss",
    "Dropout",
    "Embedding",
    "Flatten",
    "HuberLoss",
    "Identity",
    "L1Loss",
    "LayerNorm",
    "Linear",
    "LogSoftmax",
    "MSELoss",
    "Module",
    "ModuleDict",
    "ModuleList",
    "NLLLoss",
    "Parameter",
    "ParameterList",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "SmoothL1Loss",
    "Softmax",
    "Tanh",
    "functional",
    "init",
    "utils",
]

_SUBMODULES = {"init", "utils"}
_HOMES = {
    "Module": "module",
    "ModuleDict": "containers",
    "ModuleList": "containers",
    "ParameterList": "containers",
    "Sequential": "containers",
}


def __getattr__(name: str) -> Any:
    """What is imported when it is asked for: importing the package takes no longer for it."""
    from importlib import import_module

    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOMES.get(name, 'layers')}")
    found = globals()[name] = getattr(home, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""Tensors that a model learns."""

from __future__ import annotations

from opwright import _C
from opwright._tensor import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Parameter(Tensor):
    """A tensor that a model learns: a class of its own, so that a model finds its parameters.

    It shares the memory of `data`. Results of functions of parameters are plain tensors.

    Gradients are not available, so `requires_grad` must be false.
    """

    __slots__ = ()

    __opwright_function__ = _C._disabled_function_impl

    def __new__(cls, data: Any = None, requires_grad: bool = False) -> Parameter:
        """A parameter over the memory of `data`."""
        if requires_grad:
            raise NotImplementedError(
                "Parameter(): argument 'requires_grad' must be False: gradients are not available"
            )
        return _C.as_tensor([] if data is None else data).as_subclass(cls)

    def __init__(self, data: Any = None, requires_grad: bool = False) -> None:
        super().__init__()

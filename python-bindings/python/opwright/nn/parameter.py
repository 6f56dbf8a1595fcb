"""Tensors that a model learns."""

from __future__ import annotations

from typing import Any

from opwright import _C
from opwright._tensor import Tensor


class Parameter(Tensor):
    """A tensor that a model learns: a class of its own, so that a model finds its parameters.

    It shares the memory of `data`. Results of functions of parameters are plain tensors.

    Gradients are not available, so `requires_grad` must be false.
    """

    __slots__ = ()

    __opwright_function__ = _C._disabled_function_impl

    def __new__(cls, data: Any = None, requires_grad: bool = False) -> Parameter:
        if requires_grad:
            raise NotImplementedError(
                "Parameter(): argument 'requires_grad' must be False: gradients are not available"
            )
        return _C.as_tensor([] if data is None else data).as_subclass(cls)

    def __init__(self, data: Any = None, requires_grad: bool = False) -> None:
        super().__init__()

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"

"""Tensors that a model learns."""

from __future__ import annotations

from opwright import _C
from opwright._tensor import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Parameter(Tensor):
    """A tensor that a model learns: a class of its own, so that a model finds its parameters.

    It shares the memory of `data`. Results of functions of parameters are plain tensors. It is a
    leaf whose gradients are recorded, unless `requires_grad` is false.
    """

    __slots__ = ()

    __opwright_function__ = _C._disabled_function_impl

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        """A parameter over the memory of `data`."""
        made = _made([] if data is None else data).detach().as_subclass(cls)
        made.requires_grad = requires_grad
        return made

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        super().__init__()


def _made(data: Any) -> Tensor:
    try:
        return _C.as_tensor(data)
    except (TypeError, ValueError, RuntimeError) as error:
        text = str(error).removeprefix("as_tensor(): ")
        raise type(error)(f"Parameter(): {text}") from None

from abc import ABC as _ABC
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from collections.abc import Sequence as _Sequence
from contextlib import AbstractContextManager as _AbstractContextManager
from types import TracebackType as _TracebackType
from typing import Any as _Any
from typing import Literal as _Literal
from typing import NamedTuple as _NamedTuple

from opwright import _C
from opwright import Tensor as _Tensor

TYPE_CHECKING: bool

class Node(_ABC):
    """A recorded call, of an operator or of a function that brings its own gradient."""

class GradientEdge(_NamedTuple):
    """Where the gradient of a tensor goes: a node, and the number of its output."""

    node: _C._Node | _C._FunctionBase
    output_nr: int

def get_gradient_edge(tensor: _Tensor) -> GradientEdge:
    """Where the gradient of `tensor` goes; `grad` takes it among its inputs."""

def increment_version(tensor: _Tensor | _Iterable[_Tensor]) -> None:
    """Count a write to the memory of tensors that no operator made."""

class saved_tensors_hooks:
    """Keep what calls inside save for their gradients in another form: a context manager."""

    pack_hook: _Callable[[_Tensor], _Any]
    unpack_hook: _Callable[[_Any], _Tensor]

    def __init__(
        self, pack_hook: _Callable[[_Tensor], _Any], unpack_hook: _Callable[[_Any], _Tensor]
    ) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: _TracebackType | None,
    ) -> None: ...

class save_on_cpu(saved_tensors_hooks):
    """Keep copies in main memory of what calls inside save for their gradients."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None: ...

def allow_mutation_on_saved_tensors() -> _AbstractContextManager[None]:
    """Inside, calls keep copies of what they save, so that it may be written to before a pass."""

def disable_saved_tensors_hooks(error_message: str) -> _AbstractContextManager[None]:
    """Inside, who uses hooks of saved tensors gets a `RuntimeError` with this message."""

def register_multi_grad_hook(
    tensors: _Sequence[_Tensor],
    fn: _Callable[[_Sequence[_Tensor | None]], None] | _Callable[[_Tensor], None],
    *,
    mode: _Literal["all", "any"] = "all",
) -> _C.RemovableHandle:
    """Call `fn` in each pass with the gradients of `tensors`."""

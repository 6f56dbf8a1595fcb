"""The graph of recorded calls: its nodes and edges."""

from __future__ import annotations

from abc import ABC
from contextlib import contextmanager
from typing import NamedTuple

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence
    from types import TracebackType
    from typing import Any, Literal

    from .._tensor import Tensor


class Node(ABC):  # noqa: B024
    """A recorded call, of an operator or of a function that brings its own gradient."""

    def __init__(self) -> None:
        raise TypeError("a Node is made by the call that it records")


Node.register(_C._Node)
Node.register(_C._FunctionBase)


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor goes: a node, and the number of its output."""

    node: _C._Node | _C._FunctionBase
    output_nr: int


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where the gradient of `tensor` goes; `grad` takes it among its inputs."""
    return GradientEdge(*_C._gradient_edge(tensor))


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write to the memory of tensors that no operator made."""
    _C._increment_version(tensor)


class saved_tensors_hooks:  # noqa: N801
    """Keep what calls inside save for their gradients in another form: a context manager.

    `pack_hook` is given each tensor that is saved, and may return anything. When the gradient is
    calculated, `unpack_hook` is given that, and returns the tensor. Of several pairs within one
    another, the innermost is used.
    """

    def __init__(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        _C._push_saved_tensors_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _C._pop_saved_tensors_hooks()


class save_on_cpu(saved_tensors_hooks):  # noqa: N801
    """Keep copies in main memory of what calls inside save for their gradients.

    `pin_memory` and `device_type` say nothing here, where there is no other memory.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(_C.tensor, lambda copy: copy)


@contextmanager
def allow_mutation_on_saved_tensors() -> Generator[None, None, None]:
    """Inside, calls keep copies of what they save, so that it may be written to before a pass."""
    with save_on_cpu():
        yield


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Generator[None, None, None]:
    """Inside, who uses hooks of saved tensors gets a `RuntimeError` with this message."""
    before = _C._refuse_saved_tensors_hooks(error_message)
    try:
        yield
    finally:
        _C._refuse_saved_tensors_hooks(before)


def register_multi_grad_hook(
    tensors: Sequence[Tensor],
    fn: Callable[[Sequence[Tensor | None]], None] | Callable[[Tensor], None],
    *,
    mode: Literal["all", "any"] = "all",
) -> _C.RemovableHandle:
    """Call `fn` in each pass with the gradients of `tensors`.

    With `mode="all"`, when all those of them are there that the pass comes to: as a list, with None
    for the others. With `mode="any"`, with the first one alone.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"mode is 'all' or 'any', not {mode!r}")
    return _C._register_multi_grad_hook(list(tensors), fn, mode == "any")

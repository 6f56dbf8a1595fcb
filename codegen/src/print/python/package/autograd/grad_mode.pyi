from collections.abc import Callable as _Callable
from types import TracebackType as _TracebackType
from typing import Any as _Any
from typing import TypeVar as _TypeVar

from opwright import Tensor as _Tensor

TYPE_CHECKING: bool

_F = _TypeVar("_F", bound=_Callable[..., _Any])

class _Mode:
    def __call__(self, function: _F) -> _F:
        """Decorate a function, or a generator, each step of which runs inside the mode."""

class _Plain(_Mode):
    def __new__(cls, function: _Any = None) -> _Any: ...
    def __init__(self, function: _Any = None) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: _TracebackType | None,
    ) -> None: ...

class no_grad(_Plain):
    """Record nothing."""

class enable_grad(_Plain):
    """Record, also inside of `no_grad`."""

class set_grad_enabled(_Mode):
    """Record or not: from now on, or as a context manager as long as that lasts."""

    mode: bool

    def __init__(self, mode: bool) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: _TracebackType | None,
    ) -> None: ...

class inference_mode(_Mode):
    """Record nothing, and make tensors that nothing can record later."""

    mode: bool

    def __new__(cls, mode: _Any = True) -> _Any: ...
    def __init__(self, mode: bool = True) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: _TracebackType | None,
    ) -> None: ...

class _unsafe_preserve_version_counter:
    tensors: tuple[_Tensor, ...]

    def __init__(self, tensors: _Tensor | tuple[_Tensor, ...]) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: _TracebackType | None,
    ) -> None: ...

"""The default dtype for some statements."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


class default_dtype:  # noqa: N801
    """A context manager in which another dtype is the default.

    The default dtype is that of the process: other threads see the change, too.

        >>> with opwright.default_dtype(opwright.float64):
        ...     x = opwright.tensor([1.5])
        >>> x.dtype, opwright.tensor([1.5]).dtype
        (opwright.float64, opwright.float32)
    """

    def __init__(self, dtype: _C.dtype | type) -> None:
        """Raise a TypeError when entered, if `dtype` is no real floating-point type."""
        self.dtype = dtype
        # An instance can be entered within itself.
        self._before: list[_C.dtype] = []

    def __enter__(self) -> None:
        before = _C.get_default_dtype()
        _C.set_default_dtype(self.dtype)
        self._before.append(before)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _C.set_default_dtype(self._before.pop())

    def __repr__(self) -> str:
        return f"default_dtype({self.dtype})"


default_dtype.__module__ = __name__.rpartition(".")[0]

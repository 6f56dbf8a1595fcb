"""Whether calls are recorded, and counted: context managers, most of which decorate functions."""

from __future__ import annotations

from .. import _C
from .._kinds import is_bool, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import TracebackType
    from typing import Any, ParamSpec, Self, TypeVar, overload

    from .._tensor import Tensor

    _F = TypeVar("_F", bound=Callable[..., Any])
    _P = ParamSpec("_P")
    _R = TypeVar("_R")


def _checked(function: str, name: str, value: Any) -> bool:
    """What says whether a mode is on: anything else would mean something by accident."""
    if not is_bool(value):
        raise TypeError(f"{function}(): argument {name!r} must be bool, not {kind(value)}")
    return bool(value)


class _Mode:
    """A mode of this thread: `with mode:` or `@mode`."""

    __slots__ = ()

    def _again(self) -> Any:
        """A mode like this one, for one call of a function."""
        return type(self)()

    def __call__(self, function: _F) -> _F:
        """Decorate a function, or a generator, each step of which runs inside the mode."""
        import functools
        import inspect

        given: Any = function
        if not callable(given):
            name, kind = type(self).__name__, type(given).__name__
            raise TypeError(f"{name}() takes a function to decorate, not {kind}")
        if inspect.isgeneratorfunction(function):
            return _in_steps(self, function)  # type: ignore[return-value]

        @functools.wraps(function)
        def inside(*args: Any, **kwargs: Any) -> Any:
            with self._again():
                return function(*args, **kwargs)

        return inside  # type: ignore[return-value]


def _in_steps(mode: _Mode, function: Callable[..., Any]) -> Callable[..., Any]:
    import functools

    @functools.wraps(function)
    def steps(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        generator = function(*args, **kwargs)
        with mode._again():
            try:
                given = next(generator)
            except StopIteration as end:
                return end.value
        while True:
            try:
                answer = yield given
            except GeneratorExit:
                with mode._again():
                    generator.close()
                raise
            except BaseException as error:
                step = functools.partial(generator.throw, error)
            else:
                step = functools.partial(generator.send, answer)
            with mode._again():
                try:
                    given = step()
                except StopIteration as end:
                    return end.value

    return steps


class no_grad(_C._NoGrad, _Mode):  # noqa: N801
    """Record nothing. It decorates without parentheses as well.

    >>> x = opwright.ones(2, requires_grad=True)
    >>> with opwright.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @overload
        def __new__(cls) -> Self: ...
        @overload
        def __new__(cls, function: Callable[_P, _R], /) -> Callable[_P, _R]: ...  # type: ignore[misc]
        def __new__(cls, *function: Any) -> Any: ...  # noqa: D102


class enable_grad(_C._EnableGrad, _Mode):  # noqa: N801
    """Record, also inside of `no_grad`."""

    __slots__ = ()

    if TYPE_CHECKING:

        @overload
        def __new__(cls) -> Self: ...
        @overload
        def __new__(cls, function: Callable[_P, _R], /) -> Callable[_P, _R]: ...  # type: ignore[misc]
        def __new__(cls, *function: Any) -> Any: ...  # noqa: D102


class set_grad_enabled(_Mode):  # noqa: N801
    """Record or not: from now on, or as a context manager as long as that lasts."""

    def __init__(self, mode: bool) -> None:
        self.mode = _checked("set_grad_enabled", "mode", mode)
        # An instance can be entered within itself.
        self._before: list[bool] = []
        self._start = _C._set_grad_enabled(self.mode)

    def _again(self) -> Any:
        return set_grad_enabled(self.mode)

    def __enter__(self) -> None:
        before = _C._set_grad_enabled(self.mode)
        # What was before the mode was made, the first time.
        self._before.append(before if self._before else self._start)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _C._set_grad_enabled(self._before.pop())

    def __call__(self, function: _F) -> _F:
        """Decorate a function; where that stands, nothing changes."""
        _C._set_grad_enabled(self._start)
        return super().__call__(function)

    def __repr__(self) -> str:
        return f"set_grad_enabled(mode={self.mode})"


class inference_mode(_Mode):  # noqa: N801
    """Record nothing, and make tensors that nothing can record later.

    Results of the mode are inference tensors: nobody counts the writes to them. Outside of it they
    can be read and cloned, but neither be changed in place nor saved for a gradient.
    `inference_mode(False)` leaves the mode.

    >>> with opwright.inference_mode():
    ...     y = opwright.ones(2) * 2
    >>> y.is_inference()
    True
    """

    mode: bool
    _modes: list[_C._Mode]

    if TYPE_CHECKING:

        @overload
        def __new__(cls, mode: bool = True) -> Self: ...
        @overload
        def __new__(cls, mode: Callable[_P, _R], /) -> Callable[_P, _R]: ...  # type: ignore[misc]
        def __new__(cls, *args: Any, **kwargs: Any) -> Any: ...  # noqa: D102

    else:

        def __new__(cls, mode: Any = True) -> Any:
            """Make the mode, or decorate a function without parentheses."""
            if not callable(mode):
                return super().__new__(cls)
            made = super().__new__(cls)
            made.__init__()
            return made(mode)

        def __init__(self, mode: bool = True) -> None:
            self.mode = _checked("inference_mode", "mode", mode)
            self._modes = []

    def _again(self) -> Any:
        return inference_mode(self.mode)

    def __enter__(self) -> None:
        self._modes.append(_C._enter_inference_mode(self.mode))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._modes.pop().enter()

    def __repr__(self) -> str:
        return f"inference_mode(mode={self.mode})"


class _unsafe_preserve_version_counter:  # noqa: N801
    """Count no writes to these tensors inside: at its end each has the version that it had.

    Gradients that need a tensor which was written to meanwhile are wrong, and nobody says so.
    """

    def __init__(self, tensors: Tensor | tuple[Tensor, ...]) -> None:
        self.tensors = (tensors,) if isinstance(tensors, _C.TensorBase) else tuple(tensors)
        self._versions: list[int] = []

    def __enter__(self) -> None:
        self._versions = [it._version for it in self.tensors]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for tensor, version in zip(self.tensors, self._versions, strict=True):
            _C._set_version(tensor, version)

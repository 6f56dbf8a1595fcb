"""Whether calls are recorded: context managers that decorate functions, too."""

from __future__ import annotations

from opwright import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import TracebackType
    from typing import Any, TypeVar

    _F = TypeVar("_F", bound=Callable[..., Any])


class _Mode:
    """A mode of this thread: `with mode:` or `@mode`."""

    def __init__(self) -> None:
        # An instance can be entered within itself.
        self._before: list[bool] = []

    def _mode(self) -> bool:
        raise NotImplementedError

    def _again(self) -> _Mode:
        """A mode like this one, for one call of a function."""
        return type(self)()

    def __enter__(self) -> None:
        self._before.append(_C._set_grad_enabled(self._mode()))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _C._set_grad_enabled(self._before.pop())

    def __call__(self, function: _F) -> _F:
        """Decorate a function, or a generator, each step of which runs inside the mode."""
        import functools
        import inspect

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


class _Plain(_Mode):
    """A mode without arguments, which decorates without parentheses as well."""

    def __new__(cls, function: Any = None) -> Any:
        mode = super().__new__(cls)
        if function is None:
            return mode
        mode.__init__()  # type: ignore[misc]
        return mode(function)

    def __init__(self, function: Any = None) -> None:
        super().__init__()


class no_grad(_Plain):  # noqa: N801
    """Record nothing.

    >>> x = opwright.ones(2, requires_grad=True)
    >>> with opwright.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def _mode(self) -> bool:
        return False


class enable_grad(_Plain):  # noqa: N801
    """Record, also inside of `no_grad`."""

    def _mode(self) -> bool:
        return True


class set_grad_enabled(_Mode):  # noqa: N801
    """Record or not: from now on, or as a context manager as long as that lasts."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.mode = bool(mode)
        self._start = _C._set_grad_enabled(self.mode)

    def _mode(self) -> bool:
        return self.mode

    def _again(self) -> _Mode:
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

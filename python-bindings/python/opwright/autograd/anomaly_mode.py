"""Finding the call whose gradient goes wrong."""

from __future__ import annotations

import sys

from .. import _C
from .grad_mode import _checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType, TracebackType


def _place() -> list[tuple[CodeType, int]]:
    """Note where this thread is, the outermost frame first."""
    found = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        found.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    found.reverse()
    return found


def _report(node: str, place: list[tuple[CodeType, int]] | None, made_by: str | None) -> None:
    """Warn that the gradient of `node` failed, with the place of its call."""
    import traceback
    import warnings

    if place is None:
        text = (
            f"the gradient of {node} failed; nobody noted where its call was made: enable anomaly "
            "detection for the calls, too"
        )
    else:
        lines = [(code.co_filename, line, code.co_name, None) for code, line in place]
        shown = "".join(traceback.StackSummary.from_list(lines).format())
        text = f"the gradient of {node} failed; its call was made here:\n{shown}"
    if made_by is not None:
        text += (
            f"\nThis call was made by the gradient of {made_by}, of which the next warning tells."
        )
    warnings.warn(text, UserWarning, stacklevel=2)


_C._set_anomaly_witness(_place, _report)


class _Detection:
    def __init__(self, mode: bool, check_nan: bool) -> None:
        name = type(self).__name__
        self.mode = _checked(name, "mode", mode)
        self.check_nan = _checked(name, "check_nan", check_nan)
        self._before: list[tuple[bool, bool]] = []

    def _set(self) -> tuple[bool, bool]:
        before = (_C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled())
        _C._set_anomaly_enabled(self.mode, self.check_nan)
        return before

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _C._set_anomaly_enabled(*self._before.pop())


class detect_anomaly(_Detection):  # noqa: N801
    """Look for calls whose gradients go wrong, in all threads: a context manager.

    Calls inside remember where they were made. When a gradient raises, a `UserWarning` shows that
    place; with `check_nan`, a gradient with not-a-number raises `RuntimeError`. It takes time.
    """

    def __init__(self, check_nan: bool = True) -> None:
        import warnings

        super().__init__(True, check_nan)
        warnings.warn(
            "anomaly detection is on: calls and passes take longer, so use it only to find errors",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self._before.append(self._set())


class set_detect_anomaly(_Detection):  # noqa: N801
    """Look for anomalies or not: from now on, or as a context manager as long as that lasts."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        super().__init__(mode, check_nan)
        self._start = self._set()

    def __enter__(self) -> None:
        before = self._set()
        # What was before the object was made, the first time.
        self._before.append(before if self._before else self._start)

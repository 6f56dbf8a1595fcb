from types import TracebackType as _TracebackType

TYPE_CHECKING: bool

class _Detection:
    mode: bool
    check_nan: bool

    def __init__(self, mode: bool, check_nan: bool) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: _TracebackType | None,
    ) -> None: ...

class detect_anomaly(_Detection):
    """Look for calls whose gradients go wrong, in all threads: a context manager."""

    def __init__(self, check_nan: bool = True) -> None: ...
    def __enter__(self) -> None: ...

class set_detect_anomaly(_Detection):
    """Look for anomalies or not: from now on, or as a context manager as long as that lasts."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None: ...
    def __enter__(self) -> None: ...

class dtype:
    """The type of a tensor's elements."""

    @property
    def is_floating_point(self) -> _bool: ...
    @property
    def is_complex(self) -> _bool: ...
    @property
    def is_signed(self) -> _bool: ...
    @property
    def itemsize(self) -> _int: ...

class layout:
    """How a tensor finds its elements."""

class memory_format:
    """The order of a tensor's dimensions in memory."""

class device:
    """Where a tensor's elements are."""

    def __init__(self, device: device | _str | _int, index: _int | None = None) -> None: ...
    @property
    def type(self) -> _str: ...
    @property
    def index(self) -> _int | None: ...

class Generator:
    """A source of random numbers."""

class Storage:
    """The memory behind a tensor."""

class Stream:
    """A queue of work on a device."""

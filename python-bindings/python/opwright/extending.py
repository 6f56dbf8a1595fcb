"""Types and functions of one's own in compiled functions."""

from __future__ import annotations

from ._jit.errors import AmbiguousOverloadError as AmbiguousOverloadError
from ._jit.errors import TypingError as TypingError
from ._jit.errors import UnsupportedError as UnsupportedError


def typeof(value):
    raise NotImplementedError

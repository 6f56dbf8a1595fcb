"""Damaged files: the error that names the place, and reading within limits."""

from __future__ import annotations

from opwright import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from opwright import Tensor
    from opwright._progress import Progress

# As many bytes are read at once as others wait for without noticing.
_MOST_AT_ONCE = 1 << 26


class DamageError(Exception):
    """A file is not what its format says; the text has the place."""


def read_exactly(file: BinaryIO, count: int, what: str) -> bytes:
    """So many bytes, or damage."""
    found = file.read(count)
    if len(found) != count:
        raise DamageError(f"it ends in {what}: {count} bytes should follow, but {len(found)} do")
    return found


def read_tensor(
    file: BinaryIO, shape: tuple[int, ...], dtype: _C.dtype, what: str, progress: Progress
) -> Tensor:
    """A tensor whose elements are the next bytes of a file, read straight into its memory."""
    try:
        tensor: Tensor = _C.empty(shape, dtype=dtype)
    except (OverflowError, RuntimeError, ValueError) as error:
        raise DamageError(f"{what} cannot be: {error}") from None
    octets = tensor.reshape(-1).view(_C.uint8)
    left = memoryview(octets)  # type: ignore[arg-type]
    while left:
        count = file.readinto(left[:_MOST_AT_ONCE])  # type: ignore[attr-defined]
        if not count:
            raise DamageError(f"it ends in {what}, of which {len(left)} bytes are missing")
        left = left[count:]
        progress.advance(count)
    if dtype == _C.bool and bool((octets > 1).any()):
        raise DamageError(f"{what} has truth values that are neither 0 nor 1")
    return tensor

"""Tensors on CUDA devices, for which this build has no kernels: programs that ask are told so.

>>> opwright.cuda.is_available()
False
"""

from __future__ import annotations

from opwright import _C


def is_available() -> bool:
    """Whether tensors can be on a CUDA device."""
    return device_count() > 0


def device_count() -> int:
    """How many CUDA devices tensors can be on."""
    return _C._device_count("cuda")

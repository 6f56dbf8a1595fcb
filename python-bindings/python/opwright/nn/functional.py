"""Functions of neural networks: activations, losses, normalisation.

What is of use elsewhere too, such as `relu` or `softmax`, is in `opwright` itself, and can be
called from here.
"""

from __future__ import annotations

from opwright import _C, _functions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = _functions.publish(globals(), "_nn")


def __getattr__(name: str) -> Any:
    function = None if name.startswith("_") else vars(_C).get(name)
    if callable(function):
        return function
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Functions of neural networks: activations, losses, normalisation.

What is of use elsewhere too, such as `relu` or `softmax`, is in `opwright` itself, and can be
called from here.
"""

from typing import Any

from opwright import _C, _functions

__all__ = _functions.publish(globals(), "_nn")


def __getattr__(name: str) -> Any:
    function = None if name.startswith("_") else vars(_C).get(name)
    if callable(function):
        return function
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

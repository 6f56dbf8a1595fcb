"""What compiled functions have built in, as far as it is written in their own language.

These are overloads like anyone's; those of others are preferred.
"""

from __future__ import annotations

import sys
from typing import Any

from . import elementary as elementary
from . import indexing, mathematics
from . import methods as methods

# The compiler finds here what is no instruction, by its name.
round_integer = mathematics.round_integer
getitem, setitem = indexing.getitem, indexing.setitem


def __getattr__(name: str) -> Any:
    if not name.startswith("complex_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import complexes

    return getattr(complexes, name)


def load() -> None:
    """Register what functions of modules are that somebody has imported meanwhile."""
    for name, register in _LATE.items():
        if name not in _loaded and name in sys.modules:
            _loaded.add(name)
            register()


# Modules whose functions are registered.
_loaded: set[str] = set()


def _with_numpy() -> None:
    from . import elements as elements
    from . import limits as limits
    from . import taking as taking


def _with_numpy_random() -> None:
    from .draws import with_numpy

    with_numpy()


def _with_random() -> None:
    from . import draws as draws


def _with_cmath() -> None:
    from . import complexes as complexes


_LATE = {
    "numpy": _with_numpy,
    "numpy.random": _with_numpy_random,
    "random": _with_random,
    "cmath": _with_cmath,
}

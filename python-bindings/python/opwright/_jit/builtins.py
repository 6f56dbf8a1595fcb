"""What compiled functions have built in, as far as it is written in their own language.

These are overloads like anyone's; those of others are preferred.
"""

from __future__ import annotations

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


def with_numpy() -> None:
    """Register what numpy's functions are, once numpy is imported."""
    from . import elements as elements

"""The versions of dask and distributed that are needed."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_MODULE = __name__.rpartition(".")[0]
# The oldest with which the tests pass.
NEEDED = (2025, 1)


def check() -> None:
    """Import dask's arrays.

    Raises `ImportError` where dask or numpy is absent, or dask is too old.
    """
    _imported("dask.array", "dask")


def distributed() -> ModuleType:
    """The module `distributed`; raises `ImportError` where it is absent or too old."""
    return _imported("distributed", "distributed")


def _imported(module: str, package: str) -> ModuleType:
    needed = f"{package}>={NEEDED[0]}.{NEEDED[1]}"
    extra = "dask[array]" + needed.removeprefix("dask") if package == "dask" else needed
    try:
        found = import_module(module)
    except ImportError as error:
        raise ImportError(
            f"`{_MODULE}` needs `{package}`, which cannot be imported ({error}): "
            f"pip install '{extra}'",
            name=package,
        ) from error
    present = version(package)
    if tuple(int(part) for part in present.split(".")[:2]) < NEEDED:
        raise ImportError(
            f"`{_MODULE}` needs `{needed}`, but {present} is installed: pip install -U '{extra}'",
            name=package,
        )
    return found

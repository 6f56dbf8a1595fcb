"""Where the functions of the native module are found by people."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any


def publish(
    namespace: MutableMapping[str, Any], submodule: str | None = None, prefix: str = ""
) -> list[str]:
    """Binds native functions in a namespace, and returns their names.

    They are those of the native module, or of a submodule, which is missing if no operator is in
    it. The native names there begin with the submodule's name, for instance `linalg_norm`;
    people know them without it.
    """
    native = _C if submodule is None else vars(_C).get(submodule)
    names = []
    for native_name, function in vars(native).items() if native else ():
        if not isinstance(function, type(len)) or native_name.startswith("__"):
            continue
        name = native_name.removeprefix(prefix)
        if name == native_name:
            # By module and name `pickle` finds a function again.
            function.__module__ = namespace["__name__"]
        namespace[name] = function
        names.append(name)
    return [name for name in names if not name.startswith("_")]

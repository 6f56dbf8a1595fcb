"""Where the functions of the native module are found by people."""

from collections.abc import MutableMapping
from types import BuiltinFunctionType, ModuleType
from typing import Any


def publish(
    native: ModuleType, namespace: MutableMapping[str, Any], prefix: str = ""
) -> list[str]:
    """Binds the functions of a native module in a namespace, and returns their names.

    The native names of a submodule's functions begin with the submodule's name, for instance
    `linalg_norm`; there they are known without it.
    """
    home = namespace["__name__"]
    names = []
    for native_name, function in vars(native).items():
        if not isinstance(function, BuiltinFunctionType):
            continue
        name = native_name.removeprefix(prefix)
        function.__module__ = home
        namespace[name] = function
        names.append(name)
    return [name for name in names if not name.startswith("_")]

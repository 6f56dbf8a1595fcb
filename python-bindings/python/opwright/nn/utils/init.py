"""Layers whose parameters are not drawn."""

from __future__ import annotations

from opwright._kinds import kind
from opwright.nn.module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _Made = TypeVar("_Made", bound=Module)


def skip_init(module_cls: type[_Made], *args: Any, **kwargs: Any) -> _Made:
    """A module whose parameters have whatever is in their memory, for a state to be loaded.

    The arguments are those of the class, which takes a `device`.

        >>> skip_init = opwright.nn.utils.skip_init
        >>> skip_init(opwright.nn.Linear, 3, 2, dtype=opwright.float64).weight.shape
        opwright.Size([2, 3])

    Raises:
        TypeError: it is no class.
        RuntimeError: it is no class of modules, or takes no `device`.
    """
    from inspect import signature

    if not isinstance(module_cls, type):
        raise TypeError(
            f"skip_init(): argument 'module_cls' must be a class, not {kind(module_cls)}"
        )
    if not issubclass(module_cls, Module):
        raise RuntimeError(
            f"skip_init(): argument 'module_cls' must be a class of modules, not "
            f"{module_cls.__name__}"
        )
    if "device" not in signature(module_cls).parameters:
        raise RuntimeError(
            f"skip_init(): {module_cls.__name__} takes no 'device', so it draws its parameters "
            f"where they are"
        )
    device = kwargs.pop("device", "cpu")
    kwargs["device"] = "meta"
    return module_cls(*args, **kwargs).to_empty(device=device)

"""What stands for tensors in pickles and deep copies."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def reduced(tensor: Any) -> tuple[Any, ...]:
    """What makes a tensor again, and its attributes.

    Two tensors over one memory have one object for it, which `pickle` and `deepcopy` then have
    once, too.
    """
    storage, dtype, shape, *place = _C._parts(tensor)
    state = tensor.__getstate__()
    if storage is None:
        made: tuple[Any, ...] = _C._rebuild, (type(tensor), None, dtype, shape), state
    else:
        made = _C._rebuild_view, (type(tensor), storage, dtype, shape, *place), state
    if tensor.requires_grad and tensor.is_leaf:
        return _rebuild_leaf, made
    return made


def _rebuild_leaf(make: Any, args: tuple[Any, ...], state: Any) -> Any:
    """What `make` makes, as a leaf that requires gradients."""
    tensor = make(*args)
    if state is not None:
        _restore(tensor, state)
    tensor.requires_grad = True
    return tensor


def copied(tensor: Any, memo: dict[int, Any]) -> Any:
    """A deep copy, of a leaf together with its gradient."""
    import copy

    if not tensor.is_leaf:
        raise RuntimeError(
            "only leaves can be deep-copied: the calls that made this tensor would be lost; "
            "detach() or clone() it"
        )
    make, args, *rest = reduced(tensor)
    if make is _rebuild_leaf:
        make, args, *rest = args
    made = make(*copy.deepcopy(args, memo))
    memo[id(tensor)] = made
    if rest and rest[0] is not None:
        _restore(made, copy.deepcopy(rest[0], memo))
    if tensor.requires_grad:
        made.requires_grad = True
    gradient = tensor.grad
    if gradient is not None:
        made.grad = copy.deepcopy(gradient, memo)
    return made


def _restore(tensor: Any, state: Any) -> None:
    """Gives a tensor the attributes that another one had, as `copy` does it."""
    if hasattr(tensor, "__setstate__"):
        tensor.__setstate__(state)
        return
    set_attributes(tensor, state)


def set_attributes(tensor: Any, state: Any) -> None:
    """Sets what `object.__getstate__` returned of another tensor."""
    attributes, slots = state if isinstance(state, tuple) else (state, None)
    for name, value in {**(attributes or {}), **(slots or {})}.items():
        setattr(tensor, name, value)

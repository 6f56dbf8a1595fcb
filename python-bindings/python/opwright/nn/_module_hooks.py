"""Hooks around calls of modules, of one module or of all."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

__all__ = [
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
]


class Handle:
    """What takes a hook away."""

    def __init__(self, hooks: dict[Handle, Any]) -> None:
        self._hooks = hooks

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        self._hooks.pop(self, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


def added(hooks: dict[Handle, Any], hook: Any, first: bool = False) -> Handle:
    """Adds a hook behind the others, or in front of them."""
    handle = Handle(hooks)
    others = dict(hooks) if first else {}
    if first:
        hooks.clear()
    hooks[handle] = hook
    hooks.update(others)
    return handle


class _Hook(NamedTuple):
    """A function, whether it is passed keywords, and whether it runs after failures, too."""

    function: Callable[..., Any]
    with_kwargs: bool = False
    always: bool = False

    def after(self, module: Any, args: Any, kwargs: Any, result: Any) -> Any:
        """The result, or what the hook returns instead."""
        given = (args, kwargs) if self.with_kwargs else (args,)
        instead = self.function(module, *given, result)
        return result if instead is None else instead


class _OfAll(NamedTuple):
    """A hook of all modules, and which of their hooks it goes before."""

    kind: str
    hook: Any


# Hooks of all modules of the process, in the order in which they came.
everywhere: dict[Handle, _OfAll] = {}


class Hooked:
    """A module's hooks, which run when it is called, and when gradients pass through a call."""

    _forward_hooks: dict[Handle, _Hook]
    _forward_pre_hooks: dict[Handle, _Hook]
    _backward_hooks: dict[Handle, Callable[..., Any]]
    _backward_pre_hooks: dict[Handle, Callable[..., Any]]
    forward: Callable[..., Any]

    def _hooks(self, kind: str) -> dict[Handle, Any]:
        """Those of one kind: first those of all modules, then those of this one."""
        of_all = {handle: it.hook for handle, it in everywhere.items() if it.kind == kind}
        # Modules of an earlier pickle lack some.
        return {**of_all, **vars(self).get(kind, {})}

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        hooks = self._hooks("_forward_hooks")
        waiting = {handle: it for handle, it in hooks.items() if it.always}
        result = None
        try:
            args, kwargs = self._before(args, kwargs)
            backward, before = self._hooks("_backward_hooks"), self._hooks("_backward_pre_hooks")
            watch = None
            if backward or before:
                from opwright.nn._backward_hooks import Watch

                watch = Watch(self, backward, before)
                args = watch.of_arguments(args)
            result = self.forward(*args, **kwargs)
            for handle, hook in hooks.items():
                waiting.pop(handle, None)
                result = hook.after(self, args, kwargs, result)
            return result if watch is None else watch.of_result(result)
        except Exception:
            for hook in waiting.values():
                _run_after_failure(hook, self, args, kwargs, result)
            raise

    def _before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """The arguments, or those that hooks return in their place."""
        for hook in self._hooks("_forward_pre_hooks").values():
            if not hook.with_kwargs:
                instead = hook.function(self, args)
                args = args if instead is None else _tuple(instead)
                continue
            instead = hook.function(self, args, kwargs)
            if instead is None:
                continue
            if not isinstance(instead, tuple) or len(instead) != 2:
                raise RuntimeError(
                    f"a hook of register_forward_pre_hook must return None or a pair of arguments "
                    f"and keywords, but returned {instead!r}"
                )
            args, kwargs = instead
        return args, kwargs

    def register_full_backward_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> Handle:
        """Call `hook(module, grad_input, grad_output)` when the gradients of a call are known.

        Both are tuples with an entry for each positional argument and for each result: None where
        there is no gradient. The hook may return another `grad_input`. Returns a handle, whose
        `remove` takes the hook away. Arguments and results of such a module are views, so that
        they cannot be written to in place.
        """
        return added(vars(self).setdefault("_backward_hooks", {}), hook, prepend)

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> Handle:
        """Call `hook(module, grad_output)` before gradients are passed through a call.

        It may return another `grad_output`. Returns a handle, whose `remove` takes the hook away.
        """
        return added(vars(self).setdefault("_backward_pre_hooks", {}), hook, prepend)

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> Handle:
        """Call `hook(module, args)` before each `forward`, with keywords `(module, args, kwargs)`.

        It may return other arguments, with keywords a pair of both. Returns a handle, whose
        `remove` takes the hook away. Hooks run in the order in which they came, but for those with
        `prepend`, which go first.
        """
        return added(self._forward_pre_hooks, _Hook(hook, with_kwargs), prepend)

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> Handle:
        """Call `hook(module, args, result)` after each `forward`.

        With keywords that is `hook(module, args, kwargs, result)`. It may return another result.
        With `always_call` it is also called, once, if the call fails, with the result so far or
        None. Returns a handle, whose `remove` takes the hook away.
        """
        return added(self._forward_hooks, _Hook(hook, with_kwargs, always_call), prepend)


def _tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _run_after_failure(hook: _Hook, module: Any, args: Any, kwargs: Any, result: Any) -> None:
    try:
        hook.after(module, args, kwargs, result)
    except Exception as error:
        from warnings import warn

        warn(
            f"a hook with always_call failed after the call of a module had failed: {error}",
            UserWarning,
            stacklevel=4,
        )


# --- hooks of all modules -----------------------------------------------------------------


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> Handle:
    """Call `hook(module, args)` before each `forward` of each module; see `Module`.

    Returns a handle, whose `remove` takes the hook away.
    """
    return added(everywhere, _OfAll("_forward_pre_hooks", _Hook(hook)))


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> Handle:
    """Call `hook(module, args, result)` after each `forward` of each module; see `Module`.

    Returns a handle, whose `remove` takes the hook away.
    """
    return added(everywhere, _OfAll("_forward_hooks", _Hook(hook, with_kwargs, always_call)))


def register_module_full_backward_hook(hook: Callable[..., Any]) -> Handle:
    """Call `hook(module, grad_input, grad_output)` for each call of each module; see `Module`.

    Returns a handle, whose `remove` takes the hook away.
    """
    return added(everywhere, _OfAll("_backward_hooks", hook))


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> Handle:
    """Call `hook(module, grad_output)` for each call of each module; see `Module`.

    Returns a handle, whose `remove` takes the hook away.
    """
    return added(everywhere, _OfAll("_backward_pre_hooks", hook))

"""The state of modules: parameters, buffers and what else belongs to it, by their paths."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import NamedTuple

from opwright import _C
from opwright._kinds import kind
from opwright.autograd.grad_mode import no_grad
from opwright.nn._module_hooks import Handle, added
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from opwright import Tensor

_EXTRA_STATE = "_extra_state"
# How parts of a module say that they assign instead of copying.
_ASSIGN = "assign_to_params_buffers"


class IncompatibleKeys(NamedTuple):
    """What a state lacks, and what it has that a module does not know."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        missing, unexpected = self
        return f"IncompatibleKeys(missing_keys={missing}, unexpected_keys={unexpected})"


class _Findings(list[str]):
    """What is wrong with a state, and what is done with it if nothing is."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Callable[[], None]] = []


class Stateful:
    """A module's state, which is saved and loaded.

    Parts of a module, its members among them, have their own versions and hooks:
    `_save_to_state_dict` and `_load_from_state_dict` are for one module without those in it.
    """

    _version: int = 1

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _not_in_state: set[str]

    # --- saving -------------------------------------------------------------------------

    def state_dict(
        self,
        *,
        destination: dict[str, Any] | None = None,
        prefix: str = "",
        keep_vars: bool = False,
    ) -> dict[str, Any]:
        """All parameters and persistent buffers by their paths; they share memory with these.

        They are without history, unless `keep_vars` is true, and go to `destination` if that is
        given. `prefix` goes before every path as it is. What is returned knows the versions of
        modules.
        """
        if destination is None:
            destination = OrderedDict()
            vars(destination)["_metadata"] = OrderedDict()
        about = {"version": self._version}
        versions = getattr(destination, "_metadata", None)
        if versions is not None:
            versions[prefix.removesuffix(".")] = about
        for hook in self._state_hooks("_state_dict_pre_hooks"):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}{name}."
                module.state_dict(destination=destination, prefix=path, keep_vars=keep_vars)
        for hook, replaces in self._state_hooks("_state_dict_hooks"):
            instead = hook(self, destination, prefix, about)
            if instead is None:
                continue
            if not replaces:
                raise RuntimeError(
                    "a hook of register_state_dict_post_hook changes the state, and returns None"
                )
            destination = instead
        assert destination is not None
        return destination

    def _save_to_state_dict(
        self, destination: dict[str, Any], prefix: str, keep_vars: bool
    ) -> None:
        """Add what belongs to this module alone."""
        for name, member in self._persistent():
            destination[prefix + name] = member if keep_vars else member.detach()
        if self._overrides("get_extra_state"):
            destination[prefix + _EXTRA_STATE] = self.get_extra_state()

    def _persistent(self) -> Iterator[tuple[str, Tensor]]:
        """Parameters and persistent buffers that are there."""
        for name, parameter in self._parameters.items():
            if parameter is not None:
                yield name, parameter
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._not_in_state:
                yield name, buffer

    def get_extra_state(self) -> Any:
        """What a state has of this module beside its tensors, for `set_extra_state` to take.

        Subclasses that have such a state override both. It can be pickled.
        """
        raise RuntimeError(
            f"{type(self).__name__} has no extra state; a class that has some overrides "
            f"get_extra_state and set_extra_state"
        )

    def set_extra_state(self, state: Any) -> None:
        """Take what `get_extra_state` returned."""
        raise RuntimeError(
            f"{type(self).__name__} takes no extra state; a class that has some overrides "
            f"get_extra_state and set_extra_state"
        )

    def _overrides(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(Stateful, method)

    # --- loading ------------------------------------------------------------------------

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copy a state into the parameters and buffers, and return what did not match.

        With `assign` they are replaced by the tensors of the state. Unless `strict` is false, it is
        an error that the state lacks something or has something else; other shapes always are.
        Nothing is copied if there is an error, but by hooks that run afterwards and may change what
        is missing.
        """
        from collections.abc import Mapping

        if not isinstance(state_dict, Mapping):
            raise TypeError(f"a state must be a mapping of tensors, not {kind(state_dict)}")
        versions = getattr(state_dict, "_metadata", None) or {}
        found, keys = _Findings(), IncompatibleKeys([], [])
        after: list[Callable[[], None]] = []
        self._load_parts(dict(state_dict), "", versions, assign, keys, found, after)
        if not after or found:
            self._check_loading(keys, found, strict)
        for step in found.steps:
            step()
        for step in after:
            step()
        self._check_loading(keys, found, strict)
        return keys

    def _check_loading(self, keys: IncompatibleKeys, found: list[str], strict: bool) -> None:
        mistakes = [*found]
        if strict:
            mistakes[:0] = _listed("missing from the state", keys.missing_keys)
            mistakes[:0] = _listed("unexpected in the state", keys.unexpected_keys)
        if mistakes:
            text = "".join(f"\n  {it}" for it in mistakes)
            raise RuntimeError(f"{type(self).__name__} cannot load the state:{text}")

    def _load_parts(
        self,
        state: dict[str, Any],
        prefix: str,
        versions: Mapping[str, Any],
        assign: bool,
        keys: IncompatibleKeys,
        found: _Findings,
        after: list[Callable[[], None]],
    ) -> None:
        """Look at the part of a state that is of this module and those in it, as they are."""
        about = {**versions.get(prefix.removesuffix("."), {})}
        if assign:
            about[_ASSIGN] = True
        missing, unexpected = keys
        self._load_from_state_dict(state, prefix, about, True, missing, unexpected, found)
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}{name}."
                part = {key: value for key, value in state.items() if key.startswith(path)}
                module._load_parts(part, path, versions, assign, keys, found, after)
        for hook in self._state_hooks("_load_state_dict_post_hooks"):
            after.append(partial(_run_post_hook, hook, self, keys))

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Look for what belongs to this module alone, and note what is to be copied.

        Subclasses that knew other names or shapes once change `state_dict` first, which is not the
        one that was passed, by the version in `local_metadata`.
        """
        hooks = self._state_hooks("_load_state_dict_pre_hooks")
        for hook in hooks:
            hook(
                self,
                state_dict,
                prefix,
                local_metadata,
                strict,
                missing_keys,
                unexpected_keys,
                error_msgs,
            )
        steps: list[Callable[[], None]] = getattr(error_msgs, "steps", [])
        members = dict(self._persistent())
        for name, member in members.items():
            path = prefix + name
            if path not in state_dict:
                missing_keys.append(path)
                continue
            value = state_dict[path]
            mistake = _mismatch(path, member, value)
            if mistake is not None:
                error_msgs.append(mistake)
                continue
            steps.append(partial(self._load, name, member, value, _ASSIGN in local_metadata))
        if self._overrides("set_extra_state"):
            path = prefix + _EXTRA_STATE
            members[_EXTRA_STATE] = _C.empty(0)
            if path in state_dict:
                steps.append(partial(self.set_extra_state, state_dict[path]))
            else:
                missing_keys.append(path)
        known = members.keys() | {name for name, it in self._modules.items() if it is not None}
        for key in state_dict:
            name, _, rest = key.removeprefix(prefix).partition(".")
            if key.startswith(prefix) and (name not in known or (rest and name in members)):
                unexpected_keys.append(key)
        if not hasattr(error_msgs, "steps"):
            for step in steps:
                step()

    def _load(self, name: str, member: Tensor, value: Tensor, assign: bool) -> None:
        if not assign:
            with no_grad():
                member.copy_(value)
            return
        if isinstance(member, Parameter) and not isinstance(value, Parameter):
            value = Parameter(value, member.requires_grad)
        setattr(self, name, value)

    # --- hooks --------------------------------------------------------------------------

    def _state_hooks(self, name: str) -> list[Any]:
        return [*vars(self).get(name, {}).values()]

    def _add_state_hook(self, name: str, hook: Any) -> Handle:
        return added(vars(self).setdefault(name, {}), hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict` looks at this module.

        Returns a handle, whose `remove` takes the hook away.
        """
        return self._add_state_hook("_state_dict_pre_hooks", hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, state_dict, prefix, local_metadata)` behind what `state_dict` did.

        The hook may change the state of this module and those in it. Returns a handle, whose
        `remove` takes the hook away.
        """
        return self._add_state_hook("_state_dict_hooks", (hook, False))

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> Handle:
        """`register_state_dict_post_hook` for hooks that may return another state."""
        return self._add_state_hook("_state_dict_hooks", (hook, True))

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call a hook before `load_state_dict` looks at the part of a state that is of this module.

        It is `hook(module, state_dict, prefix, local_metadata, strict, missing_keys,
        unexpected_keys, error_msgs)`, and may change `state_dict`, which is not the one that was
        passed. Returns a handle, whose `remove` takes the hook away.
        """
        return self._add_state_hook("_load_state_dict_pre_hooks", hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, incompatible_keys)` after a state was loaded.

        The hook may change the lists of both kinds of keys, before it is an error that they are
        not empty. Returns a handle, whose `remove` takes the hook away.
        """
        return self._add_state_hook("_load_state_dict_post_hooks", hook)


def _run_post_hook(hook: Callable[..., Any], module: Any, keys: IncompatibleKeys) -> None:
    if hook(module, keys) is not None:
        raise RuntimeError(
            "a hook of register_load_state_dict_post_hook changes the lists of keys, and returns "
            "None"
        )


def _listed(what: str, paths: list[str]) -> list[str]:
    return [f"{what}: {', '.join(map(repr, paths))}"] if paths else []


def _mismatch(path: str, member: Tensor, value: Any) -> str | None:
    """Why a value does not fit into a member, if it does not."""
    if not isinstance(value, _C.TensorBase):
        return f"{path!r} must be a Tensor, not {kind(value)}"
    if value.shape != member.shape:
        return (
            f"size mismatch for {path!r}: the state has the shape {list(value.shape)}, and the "
            f"module {list(member.shape)}"
        )
    return None

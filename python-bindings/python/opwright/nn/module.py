"""Modules: what a model is made of."""

from __future__ import annotations

from opwright import _C
from opwright._kinds import is_bool
from opwright._kinds import kind as _kind
from opwright.nn._module_hooks import Hooked, everywhere
from opwright.nn._module_hooks import register_module_forward_hook as register_module_forward_hook
from opwright.nn._module_hooks import (
    register_module_forward_pre_hook as register_module_forward_pre_hook,
)
from opwright.nn._module_hooks import (
    register_module_full_backward_hook as register_module_full_backward_hook,
)
from opwright.nn._module_hooks import (
    register_module_full_backward_pre_hook as register_module_full_backward_pre_hook,
)
from opwright.nn._module_state import Stateful
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Self, TypeVar

    from opwright import Tensor

    _Member = TypeVar("_Member")

__all__ = ["Module"]


class Module(Hooked, Stateful):
    """A part of a model, or a whole one: parameters, buffers, modules, and a function of them.

    Subclasses call `super().__init__()` first. What they then assign to attributes is found again
    by its class: parameters are learnt, and modules have parameters of their own. `forward` is
    what calling the module does.

        >>> class Scale(opwright.nn.Module):
        ...     def __init__(self) -> None:
        ...         super().__init__()
        ...         self.factor = opwright.nn.Parameter(opwright.tensor([3.0]))
        ...
        ...     def forward(self, x: opwright.Tensor) -> opwright.Tensor:
        ...         return x * self.factor
        >>> [name for name, _ in Scale().named_parameters()]
        ['factor']
    """

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _not_in_state: set[str]

    def __init__(self) -> None:
        vars(self).update(
            training=True,
            _parameters={},
            _buffers={},
            _modules={},
            _not_in_state=set(),
            _forward_hooks={},
            _forward_pre_hooks={},
            _backward_hooks={},
            _backward_pre_hooks={},
        )

    # --- calls ------------------------------------------------------------------

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes; subclasses say what that is."""
        raise NotImplementedError(
            f"{type(self).__name__} has no method 'forward', which says what calling it does"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What `forward` returns; hooks run before and after it."""
        if self._forward_hooks or self._forward_pre_hooks or everywhere:
            return self._call_with_hooks(args, kwargs)
        attributes = self.__dict__
        # Modules of an earlier pickle have no such hooks.
        if attributes.get("_backward_hooks") or attributes.get("_backward_pre_hooks"):
            return self._call_with_hooks(args, kwargs)
        return self.forward(*args, **kwargs)

    # --- members ------------------------------------------------------------------

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter, as assigning it does; None is one that is left out."""
        _initialised(self, "_parameters")
        self._check_name(name, self._parameters)
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"parameter {name!r} must be a Parameter or None, not {_kind(param)}"
                )
            if not param.is_leaf:
                raise ValueError(
                    f"parameter {name!r} was computed, so it cannot be learnt; make a Parameter "
                    f"of its value"
                )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is not learnt; it is part of the state if `persistent`."""
        _initialised(self, "_buffers")
        self._check_name(name, self._buffers)
        if tensor is not None and not isinstance(tensor, _C.TensorBase):
            raise TypeError(f"buffer {name!r} must be a Tensor or None, not {_kind(tensor)}")
        self._buffers[name] = tensor
        (self._not_in_state.discard if persistent else self._not_in_state.add)(name)

    def register_module(self, name: str, module: Module | None) -> None:
        """Add a module, as assigning it does; `add_module` is another name of this."""
        _initialised(self, "_modules")
        self._check_name(name, self._modules)
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"module {name!r} must be a Module or None, not {_kind(module)}")
        self._modules[name] = module

    add_module = register_module

    def _check_name(self, name: str, members: Mapping[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the name of a member must be a str, not {_kind(name)}")
        if not name or "." in name:
            raise KeyError(f"the name of a member must not be empty nor have a dot, as {name!r}")
        if hasattr(self, name) and name not in members:
            raise KeyError(f"{type(self).__name__} has an attribute {name!r} already")

    def __setattr__(self, name: str, value: Any) -> None:
        kind = _kind_of_members(value)
        if kind is not None:
            _initialised(self, kind)
            if hasattr(type(self), name):
                raise KeyError(f"{type(self).__name__} has an attribute {name!r} already")
            self._forget(name, but=kind)
            vars(self)[kind][name] = value
            return
        members = self._members_with(name)
        if members is None:
            object.__setattr__(self, name, value)
            return
        if value is not None and not (
            members is self._buffers and isinstance(value, _C.TensorBase)
        ):
            wanted = {id(self._parameters): "Parameter", id(self._modules): "Module"}
            raise TypeError(
                f"{type(self).__name__}.{name} must be a {wanted.get(id(members), 'Tensor')} or "
                f"None, not {_kind(value)}; delete the attribute first to make it something else"
            )
        members[name] = value

    def __getattr__(self, name: str) -> Any:
        # Members are not attributes to Python, which asks here for what it does not find: at each
        # call of a layer for its parameters.
        attributes = self.__dict__
        for kind in _KINDS:
            if kind in attributes and name in attributes[kind]:
                return attributes[kind][name]
        raise AttributeError(
            f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
        )

    def __delattr__(self, name: str) -> None:
        if self._members_with(name) is None:
            object.__delattr__(self, name)
        else:
            self._forget(name)

    def __dir__(self) -> list[str]:
        own = (name for kind in _KINDS for name in vars(self).get(kind, ()))
        return sorted({*object.__dir__(self), *own})

    def _members_with(self, name: str) -> dict[str, Any] | None:
        """The parameters, the buffers or the modules, if one of them has this name."""
        attributes = vars(self)
        for kind in _KINDS:
            members: dict[str, Any] = attributes.get(kind, _NONE)
            if name in members:
                return members
        return None

    def _forget(self, name: str, but: str | None = None) -> None:
        """Remove what has a name, unless it is a member of one kind."""
        vars(self).pop(name, None)
        for kind in _KINDS:
            if kind != but:
                vars(self)[kind].pop(name, None)
        self._not_in_state.discard(name)

    # --- walks over members ---------------------------------------------------------

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module, then all modules in it, with their paths such as `"layers.0"`.

        A module that is there more than once comes once, unless `remove_duplicate` is false.
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, _joined(prefix, name), remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """This module, then all modules in it."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules that are members of this one, with their names."""
        return _without_repetition(self._modules.items())

    def children(self) -> Iterator[Module]:
        """The modules that are members of this one."""
        return (module for _, module in self.named_children())

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters of this module and, if `recurse`, of those in it, with their paths.

        One that is there more than once comes once, unless `remove_duplicate` is false.
        """
        found = self._all_members("_parameters", prefix, recurse, remove_duplicate)
        return _without_repetition(found, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters of this module and, if `recurse`, of those in it."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers of this module and, if `recurse`, of those in it, with their paths."""
        found = self._all_members("_buffers", prefix, recurse, remove_duplicate)
        return _without_repetition(found, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers of this module and, if `recurse`, of those in it."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def _all_members(
        self, kind: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        walk = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for path, module in walk if recurse else [(prefix, self)]:
            for name, member in vars(module)[kind].items():
                yield _joined(path, name), member

    def get_submodule(self, target: str) -> Module:
        """The module at a path such as `"layers.0"`; the empty path is this module."""
        found: Any = self
        for name in target.split(".") if target else ():
            found = getattr(found, name)
            if not isinstance(found, Module):
                raise AttributeError(f"{name!r} in {target!r} is no module")
        module: Module = found
        return module

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a path such as `"layers.0.weight"`."""
        found: Parameter = self._get(target, "_parameters", "parameter")
        return found

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a path such as `"norm.mean"`."""
        found: Tensor = self._get(target, "_buffers", "buffer")
        return found

    def _get(self, target: str, kind: str, noun: str) -> Any:
        path, _, name = target.rpartition(".")
        members = vars(self.get_submodule(path))[kind]
        if name not in members:
            raise AttributeError(f"there is no {noun} {target!r}")
        return members[name]

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call a function with all modules in this one, then with this one; return this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    # --- changes of everything ----------------------------------------------------------

    def train(self, mode: bool = True) -> Self:
        """Say for this module and all in it whether they are being trained; return this one."""
        if not is_bool(mode):
            raise ValueError(f"train(): argument 'mode' must be a bool, not {_kind(mode)}")
        for module in self.modules():
            module.training = bool(mode)
        return self

    def eval(self) -> Self:
        """Say for this module and all in it that they are not being trained; return this one."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Say for all parameters whether gradients are recorded; return this module."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        from opwright.nn.utils.clip_grad import clear_gradient

        for parameter in self.parameters():
            clear_gradient(parameter, set_to_none)

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Convert all parameters and buffers, and return this module.

        It takes a device, a dtype, both, or a tensor that has them, as `Tensor.to` does. The dtype
        is one of fractions; integers stay what they are.
        """
        like = _C.empty(0).to(*args, **kwargs)
        named = [*args, *kwargs.values()]
        if any(isinstance(it, _C.dtype | _C.TensorBase) for it in named):
            return self._convert(like.dtype, like.device)
        return self._convert(None, like.device)

    def _convert(self, dtype: _C.dtype | None = None, device: Any = None) -> Self:
        """Convert what has fractions to a dtype, and everything to a device."""
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                f"parameters have fractions, so a module cannot be converted to {dtype}; choose "
                f"a floating or complex dtype"
            )

        def converted(tensor: Tensor) -> Tensor:
            has_fractions = tensor.is_floating_point() or tensor.is_complex()
            wanted = dtype if dtype is not None and has_fractions else tensor.dtype
            return tensor.to(tensor.device if device is None else device, wanted)

        return self._replace_all(converted)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Give all parameters and buffers new memory on a device, with whatever is in that.

        It leaves those of the modules in this one alone unless `recurse`, and returns this module.
        """
        return self._replace_all(lambda it: _C.empty_like(it, device=device), recurse)

    def _replace_all(self, converted: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        for module in self.modules() if recurse else [self]:
            for parameter in module._parameters.values():
                if parameter is not None:
                    _replace(parameter, converted)
            for name, buffer in module._buffers.items():
                if buffer is not None:
                    module._buffers[name] = converted(buffer)
        return self

    def half(self) -> Self:
        """Convert all parameters and buffers with fractions to float16."""
        return self._convert(_C.float16)

    def bfloat16(self) -> Self:
        """Convert all parameters and buffers with fractions to bfloat16."""
        return self._convert(_C.bfloat16)

    def float(self) -> Self:
        """Convert all parameters and buffers with fractions to float32."""
        return self._convert(_C.float32)

    def double(self) -> Self:
        """Convert all parameters and buffers with fractions to float64."""
        return self._convert(_C.float64)

    def cpu(self) -> Self:
        """Move all parameters and buffers to the device `cpu`."""
        return self._convert(device="cpu")

    # --- text ----------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """What `repr` shows between the brackets, before the modules."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        if not self._modules and len(lines) < 2:
            return f"{type(self).__name__}({extra})"
        lines += [f"({name}): {module!r}" for name, module in self._modules.items()]
        indented = "".join("\n  " + line.replace("\n", "\n  ") for line in lines)
        return f"{type(self).__name__}({indented}\n)"

    def _repr_html_(self) -> str:
        """What a notebook shows: a tree that folds, with the numbers of parameters."""
        from opwright.nn._module_html import tree

        return tree(self)


_KINDS = ("_parameters", "_buffers", "_modules")
_NONE: dict[str, Any] = {}


def _kind_of_members(value: object) -> str | None:
    if isinstance(value, Parameter):
        return "_parameters"
    return "_modules" if isinstance(value, Module) else None


def _initialised(module: Module, kind: str) -> None:
    if kind not in vars(module):
        raise AttributeError(
            f"{type(module).__name__} has no members yet: call super().__init__() before assigning "
            f"parameters, buffers or modules"
        )


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _without_repetition(
    members: Iterable[tuple[str, _Member | None]], remove: bool = True
) -> Iterator[tuple[str, _Member]]:
    """Members that are there, each at the first of its places."""
    seen: set[int] = set()
    for name, member in members:
        if member is None or (remove and id(member) in seen):
            continue
        seen.add(id(member))
        yield name, member


def _replace(parameter: Parameter, converted: Callable[[Tensor], Tensor]) -> None:
    """Convert a parameter in its place: optimizers still know it."""
    value, gradient = parameter.detach(), parameter.grad
    made = converted(value)
    if made is value:
        return
    # Leaves that are recorded keep their dtype.
    learns = parameter.requires_grad
    parameter.grad = None
    parameter.requires_grad = False
    parameter.data = made
    parameter.requires_grad = learns
    if gradient is not None:
        parameter.grad = converted(gradient.detach())

"""Parameters and buffers that are computed from others, whenever they are asked for.

A module with such members is of a class of its own, derived from its class, in which each is a
property. What it is computed from are members of `module.parametrizations`, which states have under
names such as `parametrizations.weight.original`.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from copy import deepcopy
from threading import local

from opwright import _C
from opwright._kinds import kind
from opwright.autograd.grad_mode import no_grad
from opwright.nn.containers import ModuleDict, ModuleList
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeVar

    from opwright import Tensor

    _Parametrized = TypeVar("_Parametrized", bound=Module)

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "type_before_parametrizations",
]


class _Cache(local):
    """What was computed in `cached` blocks of a thread, and how many it is in."""

    def __init__(self) -> None:
        self.depth = 0
        self.values: dict[tuple[Module, str], Tensor] = {}


_cache = _Cache()


@contextmanager
def cached() -> Iterator[None]:
    """In this block, what is parametrized is computed once, when it is first asked for.

    A parametrized member that is assigned to in the block keeps its value there. It is for modules
    that use a member more than once, as a recurrent one does. Other threads are not affected.
    """
    _cache.depth += 1
    try:
        yield
    finally:
        _cache.depth -= 1
        if not _cache.depth:
            _cache.values = {}


class ParametrizationList(ModuleList):
    """The functions that a member of a module is computed by, and what it is computed from.

    That is `original`, or `original0`, `original1`, ... where `right_inverse` returns a sequence.
    Such are made by `register_parametrization`.
    """

    def __init__(
        self, modules: Sequence[Module], original: Tensor | Parameter, unsafe: bool = False
    ) -> None:
        super().__init__(modules)
        if not len(self):
            raise ValueError("ParametrizationList needs modules, and the list of them is empty")
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with no_grad():
            found = self._inverted(original)
        self.is_tensor = isinstance(found, _C.TensorBase)
        self.ntensors = 1 if self.is_tensor else len(found)
        if self.is_tensor:
            _check_dtype(found, dtype, "its right_inverse")
            _set(original, found)
            _register(self, "original", original)
        else:
            for at, each in enumerate(found):
                if isinstance(original, Parameter):
                    each = Parameter(each, original.requires_grad)
                _register(self, f"original{at}", each)
        if not unsafe:
            _check_like(self(), shape, dtype, "it")

    def _inverted(self, value: Tensor, is_needed: bool = False) -> Any:
        """What a value is computed from: a tensor, or a sequence of tensors.

        A module without `right_inverse` leaves it what it is, unless one `is_needed`.
        """
        found: Any = value
        for module in reversed([*self]):
            if not hasattr(module, "right_inverse"):
                if is_needed:
                    raise RuntimeError(
                        f"{kind(module)} has no right_inverse, so what it computes cannot be "
                        f"assigned to"
                    )
                continue
            try:
                found = module.right_inverse(found)
            except NotImplementedError:
                if is_needed:
                    raise
        if isinstance(found, _C.TensorBase):
            return found
        if not isinstance(found, list | tuple) or not all(
            isinstance(it, _C.TensorBase) for it in found
        ):
            raise ValueError(
                f"right_inverse must return a tensor or a sequence of tensors, not {kind(found)}"
            )
        return found

    def right_inverse(self, value: Tensor) -> None:
        """Set what the member is computed from so that it becomes `value`.

        Raises:
            RuntimeError: one of the modules has no `right_inverse`.
            ValueError: what that returns does not fit what there is.
        """
        with no_grad():
            found = self._inverted(value, is_needed=True)
        if self.is_tensor != isinstance(found, _C.TensorBase):
            raise ValueError("right_inverse must return as many tensors as when it was registered")
        given = [found] if self.is_tensor else found
        originals = self._originals()
        if len(given) != len(originals):
            raise ValueError(
                f"right_inverse must return {len(originals)} tensors, not {len(given)}"
            )
        for original, each in zip(originals, given, strict=True):
            _check_dtype(each, original.dtype, "its right_inverse")
        for original, each in zip(originals, given, strict=True):
            _set(original, each)

    def _originals(self) -> list[Tensor]:
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{at}") for at in range(self.ntensors)]

    def forward(self) -> Tensor:
        """The value of the member."""
        first, *others = self
        found: Tensor = first(*self._originals())
        for module in others:
            found = module(found)
        return found


def register_parametrization(
    module: _Parametrized, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> _Parametrized:
    """Have a parameter or buffer of a module computed by another module; returns the first.

    `parametrization.forward` takes the original and returns the value. Its method `right_inverse`,
    if it has one, returns the original for a value: it is called with the value that there is, and
    with those that are assigned. One that returns a sequence has as many originals, which `forward`
    takes as arguments. A member may have several parametrizations, each of which takes what the one
    before returned.

    Unless `unsafe`, a value has the shape and the dtype of the original.

        >>> class Symmetric(opwright.nn.Module):
        ...     def forward(self, x: opwright.Tensor) -> opwright.Tensor:
        ...         return x.triu() + x.triu(1).mT
        >>> parametrize = opwright.nn.utils.parametrize
        >>> layer = parametrize.register_parametrization(
        ...     opwright.nn.Linear(3, 3), "weight", Symmetric()
        ... )
        >>> bool((layer.weight == layer.weight.mT).all())
        True
        >>> [name for name, _ in layer.named_parameters()]
        ['bias', 'parametrizations.weight.original']

    Raises:
        ValueError: the module has no member of this name, or values or originals do not fit.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        _append(module, tensor_name, parametrization, unsafe)
    elif tensor_name in module._parameters or tensor_name in module._buffers:
        original = getattr(module, tensor_name)
        parametrizations = _all(module) if is_parametrized(module) else ModuleDict()
        # Some names are refused here, while the module is still what it was.
        parametrizations[tensor_name] = ParametrizationList([parametrization], original, unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _derive(module)
            module.parametrizations = parametrizations
        _add_property(type(module), tensor_name)
    else:
        raise ValueError(
            f"{kind(module)} has no parameter, buffer or parametrized member {tensor_name!r}"
        )
    return module


def _append(module: Module, name: str, parametrization: Module, unsafe: bool) -> None:
    """Add a parametrization to those that a member has."""
    parts: Any = _all(module)[name]
    if not unsafe:
        before = getattr(module, name)
        value = parametrization(before)
        _check_like(value, before.shape, before.dtype, "it")
        inverse: Any = getattr(parametrization, "right_inverse", None)
        if inverse is not None:
            with suppress(NotImplementedError):
                _check_like(inverse(value), before.shape, before.dtype, "its right_inverse")
    parts.append(parametrization)
    parts.unsafe |= unsafe


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module has a parametrized member of a name, or any without a name."""
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(
    module: _Parametrized, tensor_name: str, leave_parametrized: bool = True
) -> _Parametrized:
    """Make a parametrized member a parameter or buffer again; returns the module.

    It has the value that it was computed to be, or with `leave_parametrized=False` that of the
    original. A parameter with one original is the same object as before it was parametrized, so
    that optimizers still know it.

    Raises:
        ValueError: the member is not parametrized, or it has several originals and
            `leave_parametrized` is false.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"{kind(module)} has no parametrized member {tensor_name!r}")
    parts: Any = _all(module)[tensor_name]
    if not parts.is_tensor and not leave_parametrized:
        raise ValueError(
            f"member {tensor_name!r} is computed from {parts.ntensors} tensors, none of which it "
            f"could be left as"
        )
    if parts.is_tensor:
        original = parts.original
        if leave_parametrized:
            _set(original, parts())
    else:
        original = parts()
        # Whether it is learnt shows in what was recorded.
        if original.requires_grad:
            original = Parameter(original)
    delattr(type(module), tensor_name)
    del _all(module)[tensor_name]
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    _register(module, tensor_name, original)
    return module


def type_before_parametrizations(module: Module) -> type:
    """The class that a module had before members of it were parametrized."""
    made = type(module)
    return made.__bases__[0] if is_parametrized(module) else made


def _all(module: Module) -> ModuleDict:
    found: ModuleDict = module.parametrizations
    return found


def _derive(module: Module) -> None:
    """Make a class for one module, in which its parametrized members are properties."""
    base = type(module)

    def copied(self: Module, memo: dict[int, Any]) -> Module:
        # A copy has a class of its own: members may be made plain again in one of both.
        made = base.__new__(base)
        memo[id(self)] = made
        vars(made).update(deepcopy(vars(self), memo))
        _derive(made)
        for name in _all(made):
            _add_property(type(made), name)
        return made

    def refuse(self: Module) -> Any:
        raise RuntimeError(
            "a parametrized module cannot be pickled, as its class is made for it; save its "
            "state_dict()"
        )

    methods: dict[str, Any] = {"__getstate__": refuse, "__module__": base.__module__}
    if not hasattr(base, "__deepcopy__"):
        methods["__deepcopy__"] = copied
    module.__class__ = type(f"Parametrized{base.__name__}", (base,), methods)


def _add_property(made: type[Module], name: str) -> None:
    def get(module: Module) -> Tensor:
        compute = _all(module)[name]
        if not _cache.depth:
            value: Tensor = compute()
            return value
        key = (module, name)
        if key not in _cache.values:
            _cache.values[key] = compute()
        return _cache.values[key]

    def assign(module: Module, value: Tensor) -> None:
        parts: Any = _all(module)[name]
        parts.right_inverse(value)

    setattr(made, name, property(get, assign))


def _register(module: Module, name: str, member: Tensor) -> None:
    if isinstance(member, Parameter):
        module.register_parameter(name, member)
    else:
        module.register_buffer(name, member)


def _set(original: Tensor, value: Tensor) -> None:
    """Give a tensor the elements of another, of which there may be more or fewer."""
    if value is not original:
        original.data = value.detach().clone()


def _check_dtype(value: Any, dtype: Any, who: str) -> None:
    if value.dtype != dtype:
        raise ValueError(
            f"a parametrization must not change the dtype, which is {dtype}, but {who} returns "
            f"{value.dtype}"
        )


def _check_like(value: object, shape: Any, dtype: Any, who: str) -> None:
    """A value has to be a tensor like what it is computed from."""
    if not isinstance(value, _C.TensorBase):
        raise ValueError(
            f"a parametrization must return a tensor, but {who} returns an object of type "
            f"{kind(value)}"
        )
    _check_dtype(value, dtype, who)
    if value.shape != shape:
        raise ValueError(
            f"a parametrization must not change the shape, which is {list(shape)}, but {who} "
            f"returns {list(value.shape)}; `unsafe` allows that"
        )

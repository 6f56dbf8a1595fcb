"""Modules that hold others, by number or by name."""

from __future__ import annotations

from opwright import _C
from opwright._kinds import kind
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, KeysView, Mapping, ValuesView
    from typing import Any, Self, overload

    from opwright import Tensor

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


class _Numbered(Module):
    """Members in an order, whose names are their numbers unless they were given others."""

    def _members(self) -> dict[str, Any]:
        return self._modules

    def _checked(self, member: Any) -> Any:
        """A member, which has to be of a kind."""
        if not isinstance(member, Module):
            raise TypeError(
                f"{type(self).__name__} holds modules, not objects of type {kind(member)}"
            )
        return member

    def _key(self, at: int) -> str:
        """The name of the member with a number, which may count from the end."""
        count = len(self)
        if not -count <= at < count:
            raise IndexError(f"{type(self).__name__} has {count} members, so it has no number {at}")
        return list(self._members())[at]

    def _hold(self, members: Iterable[Any]) -> None:
        """Replace all members; these are named by their numbers."""
        made = {str(at): self._checked(it) for at, it in enumerate(members)}
        self._members().clear()
        self._members().update(made)

    def __len__(self) -> int:
        return len(self._members())

    def __iter__(self) -> Iterator[Any]:
        return iter([*self._members().values()])

    def __contains__(self, member: object) -> bool:
        return any(it is member for it in self)

    def _some(self, members: list[tuple[str, Any]]) -> Any:
        """A list of some of its members."""
        raise NotImplementedError

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, at: int) -> Any: ...
        @overload
        def __getitem__(self, at: slice) -> Self: ...

    def __getitem__(self, at: int | slice) -> Any:
        """The member with a number, or some of them in a row."""
        members = self._members()
        if isinstance(at, slice):
            return self._some([*members.items()][at])
        return members[self._key(at)]

    def __setitem__(self, at: int, member: Any) -> None:
        self._members()[self._key(at)] = self._checked(member)

    def __delitem__(self, at: int | slice) -> None:
        keys = [*self._members()]
        for key in keys[at] if isinstance(at, slice) else [self._key(at)]:
            del self._members()[key]
        if all(it.isdecimal() for it in keys):
            self._hold([*self])

    def append(self, member: Any) -> Self:
        """Add a member behind the others; returns this container."""
        members, at = self._members(), len(self)
        while str(at) in members:
            at += 1
        members[str(at)] = self._checked(member)
        return self

    def extend(self, members: Iterable[Any]) -> Self:
        """Add members behind the others; returns this container."""
        for member in [*members]:
            self.append(member)
        return self

    def insert(self, at: int, member: Any) -> Self:
        """Add a member before the one with a number; returns this container."""
        members = [*self]
        count = len(members)
        if not -count <= at <= count:
            raise IndexError(
                f"{type(self).__name__} has {count} members, so nothing can be inserted at {at}"
            )
        members.insert(at, self._checked(member))
        self._hold(members)
        return self

    def pop(self, at: int = -1) -> Any:
        """Remove a member, by default the last, and return it."""
        member = self._members()[self._key(at)]
        del self[at]
        return member

    def __iadd__(self, members: Iterable[Any]) -> Self:
        return self.extend(members)


class Sequential(_Numbered):
    """Modules that are called one after the other, each with the result of the one before.

    They come one by one, or in a dictionary that names them.

        >>> nn = opwright.nn
        >>> model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
        >>> len(model), model(opwright.ones(4, 2)).shape
        (3, opwright.Size([4, 1]))
    """

    def __init__(self, *modules: Module | Mapping[str, Module]) -> None:
        super().__init__()
        only = modules[0] if len(modules) == 1 else None
        if only is None or isinstance(only, Module):
            self._hold(modules)
            return
        for name, module in dict(only).items():
            self.register_module(name, self._checked(module))

    def _some(self, members: list[tuple[str, Any]]) -> Sequential:
        return Sequential(dict(members))

    def __add__(self, other: Sequential) -> Sequential:
        if not isinstance(other, Sequential):
            return NotImplemented
        return Sequential(*self, *other)

    def __mul__(self, times: int) -> Sequential:
        """The modules one after the other, several times: the same ones, and no copies."""
        return Sequential(*[*self] * _times(times))

    def __rmul__(self, times: int) -> Sequential:
        return self * times

    def __imul__(self, times: int) -> Self:
        return self.extend([*self] * (_times(times) - 1))

    def forward(self, input: Any) -> Any:
        """What the last module returns."""
        for module in self._modules.values():
            if module is not None:
                input = module(input)
        return input


def _times(times: Any) -> int:
    if isinstance(times, bool) or not isinstance(times, int):
        raise TypeError(f"Sequential is repeated an integer of times, not {kind(times)}")
    if times <= 0:
        raise ValueError(f"Sequential is repeated at least once, not {times} times")
    return times


class ModuleList(_Numbered):
    """A list of modules, which are members of it."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self._hold(() if modules is None else modules)

    def _some(self, members: list[tuple[str, Any]]) -> ModuleList:
        return ModuleList(it for _, it in members)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])


class ParameterList(_Numbered):
    """A list of parameters, which are members of it; of other tensors it makes some."""

    def __init__(self, values: Iterable[Tensor] | None = None) -> None:
        super().__init__()
        self._hold(() if values is None else values)

    def _members(self) -> dict[str, Any]:
        return self._parameters

    def _checked(self, member: Any) -> Parameter:
        if isinstance(member, Parameter):
            return member
        if isinstance(member, _C.TensorBase):
            return Parameter(member)
        raise TypeError(f"ParameterList holds tensors, not objects of type {kind(member)}")

    def _some(self, members: list[tuple[str, Any]]) -> ParameterList:
        return ParameterList(it for _, it in members)

    def __add__(self, other: Iterable[Tensor]) -> ParameterList:
        return ParameterList([*self, *other])

    def extra_repr(self) -> str:
        """The types and shapes of the parameters."""
        return "\n".join(
            f"({at}): Parameter({it.dtype}, {list(it.shape)})" for at, it in enumerate(self)
        )


class _Named(Module):
    """Members by their names, as in a dictionary."""

    def _members(self) -> dict[str, Any]:
        raise NotImplementedError

    def __getitem__(self, name: str) -> Any:
        """The member with a name."""
        return self._members()[name]

    def __setitem__(self, name: str, member: Any) -> None:
        raise NotImplementedError

    def __delitem__(self, name: str) -> None:
        del self._members()[name]

    def __len__(self) -> int:
        return len(self._members())

    def __iter__(self) -> Iterator[str]:
        return iter(self._members())

    def __contains__(self, name: object) -> bool:
        return name in self._members()

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._members().keys()

    def values(self) -> ValuesView[Any]:
        """The members."""
        return self._members().values()

    def items(self) -> Iterable[tuple[str, Any]]:
        """The names and members."""
        return self._members().items()

    def update(self, members: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Add members by their names, or replace those that have them."""
        for name, member in dict(members).items():
            self[name] = member

    def pop(self, name: str) -> Any:
        """Remove a member and return it."""
        member = self[name]
        del self[name]
        return member

    def clear(self) -> None:
        """Remove all members."""
        self._members().clear()


class ModuleDict(_Named):
    """A dictionary of modules, which are members of it."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        self.update({} if modules is None else modules)

    def _members(self) -> dict[str, Any]:
        return self._modules

    def __setitem__(self, name: str, member: Module) -> None:
        if not isinstance(member, Module):
            raise TypeError(f"ModuleDict holds modules, not objects of type {kind(member)}")
        self.register_module(name, member)


class ParameterDict(_Named):
    """A dictionary of parameters, which are members of it; of other tensors it makes some.

    >>> parameters = opwright.nn.ParameterDict({"slope": opwright.ones(2)})
    >>> [name for name, _ in parameters.named_parameters()]
    ['slope']
    """

    def __init__(self, parameters: Mapping[str, Tensor] | None = None) -> None:
        super().__init__()
        self.update({} if parameters is None else parameters)

    def _members(self) -> dict[str, Any]:
        return self._parameters

    def __setitem__(self, name: str, member: Tensor) -> None:
        if not isinstance(member, _C.TensorBase):
            raise TypeError(f"ParameterDict holds tensors, not objects of type {kind(member)}")
        made = member if isinstance(member, Parameter) else Parameter(member)
        self.register_parameter(name, made)

    def get(self, name: str, default: Any = None) -> Any:
        """The parameter with a name, or something else if there is none."""
        return self._parameters.get(name, default)

    def setdefault(self, name: str, default: Tensor) -> Any:
        """The parameter with a name, which is added if there is none."""
        if name not in self:
            self[name] = default
        return self[name]

    def copy(self) -> ParameterDict:
        """Another dictionary of the same parameters."""
        return ParameterDict(dict(self.items()))

    def __or__(self, other: Mapping[str, Tensor] | ParameterDict) -> ParameterDict:
        made = self.copy()
        made.update(dict(other.items()))
        return made

    def extra_repr(self) -> str:
        """The names, types and shapes of the parameters."""
        return "\n".join(
            f"({name}): Parameter({it.dtype}, {list(it.shape)})" for name, it in self.items()
        )

"""Modules as HTML, for notebooks: a tree that folds, with the number of parameters at each node."""

from __future__ import annotations

from html import escape

from opwright import _html

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeVar

    from opwright import Tensor
    from opwright.nn.module import Module

    _Member = TypeVar("_Member")

# How many modules are shown in all, how many members of one, and how deep.
_MOST_MODULES = 200
_MOST_MEMBERS = 24
_MOST_LEVELS = 16
_MOST_LETTERS = 100

_INDENTED = "margin-left:1.5em"


def tree(module: Module) -> str:
    """What a notebook shows of a module; what fails is shown as text."""
    return _html.guarded(module, lambda it: _Tree().drawn(it))


class _Tree:
    """A tree as it is drawn: how many modules are in it, and those that stand above."""

    def __init__(self) -> None:
        self.count = 0
        self.above: list[Module] = []

    def drawn(self, module: Module, name: str = "") -> str:
        self.count += 1
        head = _head(module, name)
        if any(it is module for it in self.above):
            return f'<div style="{_INDENTED}">{head} \N{MIDDLE DOT} contains itself</div>'
        self.above.append(module)
        members = "".join(self.members(module))
        self.above.pop()
        style = "" if name == "" else f' style="{_INDENTED}"'
        if not members:
            return f"<div{style}>{head}</div>"
        opened = "" if name else " open"
        return f"<details{opened}{style}><summary>{head}</summary>{members}</details>"

    def members(self, module: Module) -> Iterator[str]:
        if len(self.above) > _MOST_LEVELS:
            yield _line(_html.shortened("...", 3))
            return
        yield from _tensors(module._parameters, "")
        yield from _tensors(module._buffers, "buffer")
        named = list(module._modules.items())
        for at, (name, member) in enumerate(named):
            if at == _MOST_MEMBERS or self.count >= _MOST_MODULES:
                yield _line(f"and {len(named) - at:,} more")
                return
            yield _line(f"{_spelt(name)}: None") if member is None else self.drawn(member, name)


def _head(module: Module, name: str) -> str:
    """The name, the class with its settings, and how much is learnt."""
    extra = _html.shortened(" ".join(module.extra_repr().split()), _MOST_LETTERS)
    kind = _html.shortened(type(module).__name__, _MOST_LETTERS)
    prefix = f"{_spelt(name)}: " if name else ""
    return (
        f"<code>{prefix}<b>{escape(kind)}</b>{escape(f'({extra})' if extra else '')}</code>"
        f'<span style="opacity:.7"> \N{MIDDLE DOT} {_counted(module.parameters())}</span>'
    )


def _counted(parameters: Iterable[Tensor]) -> str:
    """How many numbers are learnt, in how many bytes, and how many are frozen."""
    every = list(parameters)
    count = sum(it.numel() for it in every)
    if not count:
        return "no parameters"
    frozen = sum(it.numel() for it in every if not it.requires_grad)
    size = _size(sum(it.numel() * it.itemsize for it in every))
    noun = "parameter" if count == 1 else "parameters"
    text = f"{count:,} {noun}, {size}"
    return f"{text}, {frozen:,} of them frozen" if frozen else text


def _size(octets: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if octets < 1024:
            return f"{octets:,.0f} {unit}" if unit == "bytes" else f"{octets:.1f} {unit}"
        octets /= 1024
    return f"{octets:,.1f} TiB"


def _tensors(members: dict[str, _Member], noun: str) -> Iterator[str]:
    """A line for each tensor: its name, dtype and shape."""
    for at, (name, tensor) in enumerate(members.items()):
        if at == _MOST_MEMBERS:
            yield _line(f"and {len(members) - at:,} more")
            return
        yield _line(f"{_spelt(name)}: {escape(_described(tensor, noun))}")


def _described(tensor: object, noun: str) -> str:
    if tensor is None:
        return "None"
    found: Sequence[str] = _html.properties(tensor)  # type: ignore[arg-type]
    if not noun:
        # That a parameter is learnt goes without saying.
        frozen = [] if "requires_grad" in found else ["frozen"]
        found = [it for it in found if it != "requires_grad"] + frozen
    return ", ".join([*([noun] if noun else []), *found])


def _spelt(name: str) -> str:
    return escape(_html.shortened(name, _MOST_LETTERS))


def _line(text: str) -> str:
    return f'<div style="{_INDENTED}"><code>{text}</code></div>'

"""An interpreter of the few instructions of pickles that dictionaries of tensors are made of.

It knows dictionaries, lists, tuples, texts, numbers, storages that are named, and calls of
functions from a table, which are ours. Everything else is refused with its name and place; no name
of a pickle is ever looked up in a module. The instructions are those of protocol 2, which PyTorch
writes: see `pickletools`.
"""

from __future__ import annotations

from struct import unpack_from
from typing import NamedTuple

from opwright._files.damage import DamageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from opwright import Tensor

    _Calls = Mapping[tuple[str, str], Callable[..., Any]]


class Global(NamedTuple):
    """A name in a module, as a pickle says it."""

    module: str
    name: str


class Storage(NamedTuple):
    """The elements of a storage, in one dimension."""

    elements: Tensor
    size: int


# What stands on the stack where a collection begins.
_MARK: Any = object()


def loads(pickle: bytes, storage: Callable[[Any], Storage], calls: _Calls) -> Any:
    """What a pickle is, with storages by their identifiers and calls by their names."""
    machine = _Machine(pickle, storage, calls)
    try:
        return machine.run()
    except DamageError as error:
        raise DamageError(f"byte {machine.start} of the pickle: {error}") from None


class _Machine:
    """A stack, a memo, and the instruction that comes next."""

    def __init__(self, pickle: bytes, storage: Callable[[Any], Storage], calls: _Calls) -> None:
        self._pickle = pickle
        self._storage = storage
        self._calls = calls
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}
        self._at = 0
        self.start = 0

    def run(self) -> Any:
        while True:
            self.start = self._at
            code = self._bytes(1)[0]
            if code == _STOP:
                made = self._pop()
                if self._stack:
                    raise DamageError("it stops with something left")
                return made
            instruction = _INSTRUCTIONS.get(code)
            if instruction is None:
                raise DamageError(f"the instruction {_name(code)} is not read here")
            instruction(self)

    # --- bytes ------------------------------------------------------------------------

    def _bytes(self, count: int) -> bytes:
        found = self._pickle[self._at : self._at + count]
        if len(found) != count:
            raise DamageError(f"it ends where {count} bytes should follow")
        self._at += count
        return found

    def _number(self, form: str, count: int) -> Any:
        return unpack_from(form, self._bytes(count))[0]

    def _line(self) -> str:
        end = self._pickle.find(b"\n", self._at)
        if end < 0:
            raise DamageError("it ends in a name")
        found = self._pickle[self._at : end]
        self._at = end + 1
        return self._text(found)

    def _text(self, octets: bytes) -> str:
        try:
            return octets.decode()
        except UnicodeDecodeError:
            raise DamageError("a text is no UTF-8") from None

    # --- stack ------------------------------------------------------------------------

    def _push(self, value: Any) -> None:
        self._stack.append(value)

    def _pop(self) -> Any:
        if not self._stack or self._stack[-1] is _MARK:
            raise DamageError("it takes something that is not there")
        return self._stack.pop()

    def _top(self, kind: type) -> Any:
        if not self._stack or not isinstance(self._stack[-1], kind):
            raise DamageError(f"it changes something that is no {kind.__name__}")
        return self._stack[-1]

    def _since_mark(self) -> list[Any]:
        for at in reversed(range(len(self._stack))):
            if self._stack[at] is _MARK:
                found = self._stack[at + 1 :]
                del self._stack[at:]
                return found
        raise DamageError("it takes what began nowhere")

    # --- instructions -----------------------------------------------------------------

    def protocol(self) -> None:
        version = self._bytes(1)[0]
        if version > 2:
            raise DamageError(f"protocol {version} is not read here, but 2")

    def tuple_of(self, count: int) -> None:
        items = [self._pop() for _ in range(count)]
        self._push(tuple(reversed(items)))

    def long_integer(self) -> None:
        self._push(int.from_bytes(self._bytes(self._bytes(1)[0]), "little", signed=True))

    def text(self) -> None:
        self._push(self._text(self._bytes(self._number("<I", 4))))

    def remember(self, form: str, count: int) -> None:
        value = self._pop()
        self._memo[self._number(form, count)] = value
        self._push(value)

    def recall(self, form: str, count: int) -> None:
        at = self._number(form, count)
        if at not in self._memo:
            raise DamageError(f"it recalls number {at}, which it does not know")
        self._push(self._memo[at])

    def append(self, items: list[Any]) -> None:
        self._top(list).extend(items)

    def set_items(self, items: list[Any]) -> None:
        if len(items) % 2:
            raise DamageError("a key has no value")
        target = self._top(dict)
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, str | int | float | None):
                raise DamageError(f"a key is {type(key).__name__}, and no text or number")
            if key in target:
                raise DamageError(f"it has the key {key!r} twice")
            target[key] = value

    def set_item(self) -> None:
        value, key = self._pop(), self._pop()
        self.set_items([key, value])

    def name(self) -> None:
        found = Global(self._line(), self._line())
        is_storage = found.module == "torch" and found.name.endswith("Storage")
        if found not in self._calls and not is_storage:
            raise DamageError(f"'{found.module}.{found.name}' is not read here")
        self._push(found)

    def call(self) -> None:
        args, function = self._pop(), self._pop()
        if not isinstance(function, Global) or not isinstance(args, tuple):
            raise DamageError("it calls something that is no function")
        made = self._calls.get(function)
        if made is None:
            raise DamageError(f"it calls '{function.module}.{function.name}'")
        self._push(made(*args))

    def build(self) -> None:
        """The state of a dictionary, of which there is the versions of modules alone."""
        state = self._pop()
        target = self._top(dict)
        if not isinstance(state, dict) or set(state) - {"_metadata"} or type(target) is dict:
            raise DamageError("an object has a state that is not read here")
        for name, value in state.items():
            setattr(target, name, value)

    def storage(self) -> None:
        self._push(self._storage(self._pop()))


def _name(code: int) -> str:
    from pickletools import opcodes

    return next((it.name for it in opcodes if it.code == chr(code)), f"{code:#04x}")


_STOP = ord(".")

_INSTRUCTIONS: dict[int, Callable[[_Machine], None]] = {
    ord(code): instruction
    for code, instruction in {
        "\x80": _Machine.protocol,
        "(": lambda it: it._push(_MARK),
        ")": lambda it: it._push(()),
        "}": lambda it: it._push({}),
        "]": lambda it: it._push([]),
        "N": lambda it: it._push(None),
        "\x88": lambda it: it._push(True),
        "\x89": lambda it: it._push(False),
        "K": lambda it: it._push(it._number("<B", 1)),
        "M": lambda it: it._push(it._number("<H", 2)),
        "J": lambda it: it._push(it._number("<i", 4)),
        "G": lambda it: it._push(it._number(">d", 8)),
        "\x8a": _Machine.long_integer,
        "X": _Machine.text,
        "q": lambda it: it.remember("<B", 1),
        "r": lambda it: it.remember("<I", 4),
        "h": lambda it: it.recall("<B", 1),
        "j": lambda it: it.recall("<I", 4),
        "t": lambda it: it._push(tuple(it._since_mark())),
        "\x85": lambda it: it.tuple_of(1),
        "\x86": lambda it: it.tuple_of(2),
        "\x87": lambda it: it.tuple_of(3),
        "a": lambda it: it.append([it._pop()]),
        "e": lambda it: it.append(it._since_mark()),
        "s": _Machine.set_item,
        "u": lambda it: it.set_items(it._since_mark()),
        "c": _Machine.name,
        "R": _Machine.call,
        "b": _Machine.build,
        "Q": _Machine.storage,
    }.items()
}

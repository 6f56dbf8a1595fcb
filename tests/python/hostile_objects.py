"""Objects that lie, raise and change what is being read."""

import array
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
from dtypes import DTYPES


class HostileError(Exception):
    """What these objects raise."""


class Raising:
    """Every conversion raises."""

    def _raise(self, *_: Any) -> Any:
        raise HostileError

    __index__ = __int__ = __float__ = __complex__ = __bool__ = __len__ = __iter__ = _raise
    __getitem__ = __array__ = __dlpack__ = __dlpack_device__ = __eq__ = __hash__ = _raise
    __repr__ = __str__ = _raise


class Garbage:
    """Every conversion returns something of another type."""

    def _nonsense(self, *_: Any, **__: Any) -> Any:
        return "nonsense"

    __index__ = __int__ = __float__ = __complex__ = __bool__ = __len__ = __iter__ = _nonsense
    __array__ = __dlpack__ = __dlpack_device__ = __repr__ = _nonsense
    __array_interface__ = __opwright_function__ = "nonsense"


class Attributes:
    """Any attribute is asked for in vain, in a way of its own."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self.__dict__["answer"] = answer

    def __getattr__(self, name: str) -> Any:
        return self.__dict__["answer"]()


class Impostor:
    """Claims to be of another class."""

    def __init__(self, claimed: type) -> None:
        self.claimed = claimed

    @property
    def __class__(self) -> Any:
        return self.claimed


class LyingStr(str):
    """Equal to everything, or raising."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str) and len(other) > 4:
            raise HostileError
        return True

    def __hash__(self) -> int:
        return 0


class LyingList(list[Any]):
    """Says one thing of its length, another of its elements."""

    def __len__(self) -> int:
        return 1 << 40

    def __iter__(self) -> Any:
        raise HostileError

    def __getitem__(self, _: Any) -> Any:
        raise HostileError


class LyingTuple(tuple[Any, ...]):
    """The same of a tuple."""

    __slots__ = ()

    def __len__(self) -> int:
        return -1

    def __iter__(self) -> Any:
        return iter([self])


class LyingInt(int):
    """An integer whose conversions say otherwise."""

    def __index__(self) -> int:
        return 1 << 70

    def __eq__(self, _: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Subclass(opwright.Tensor):
    """A tensor that takes over calls by the default way."""


class TakingOver:
    """Takes over calls, and changes what was given."""

    def __opwright_function__(self, _: Any, __: Any, args: Any, kwargs: Any = None) -> Any:
        for argument in args:
            if isinstance(argument, list):
                argument.clear()
        if len(args) % 2:
            raise HostileError
        return NotImplemented


class MetaLiar(type):
    """A class that cannot be asked about its instances."""

    def __instancecheck__(cls, _: Any) -> bool:
        raise HostileError

    def __getattribute__(cls, name: str) -> Any:
        if name.startswith("__opwright"):
            raise HostileError
        return super().__getattribute__(name)


class OfMetaLiar(metaclass=MetaLiar):
    """An instance of such a class."""


def changing_list(change: Callable[[list[Any]], Any], value: int) -> list[Any]:
    """A list that changes while its elements are read as integers."""
    victim: list[Any] = []

    class Changing:
        def __index__(self) -> int:
            change(victim)
            return value

        __int__ = __index__

        def __float__(self) -> float:
            change(victim)
            return float(value)

    victim.extend([Changing(), 1, Changing(), opwright.ones(2), 2])
    del victim[3 if change is list.clear else 5 :]
    return victim


def resizing(victim: opwright.Tensor) -> Any:
    """An integer that, when it is read, takes the memory of a tensor away."""

    class Resizing:
        def __index__(self) -> int:
            opwright.add(opwright.ones(3000), 1, out=victim.detach())
            victim.resize_(0)
            victim.resize_(5000)
            return 1

    return Resizing()


def deep(depth: int) -> list[Any]:
    """A list in a list in a list ..."""
    nested: list[Any] = [1.0]
    for _ in range(depth):
        nested = [nested]
    return nested


def endless() -> list[Any]:
    """A list that contains itself."""
    own: list[Any] = [1]
    own.append(own)
    return own


def dead_buffers() -> list[Any]:
    """Buffers that are gone, or went elsewhere."""
    released = memoryview(bytearray(16))
    released.release()
    exported = array.array("f", [1, 2, 3])
    return [released, exported, memoryview(b"")[::-1], memoryview(exported), bytearray()]


def arrays() -> list[np.ndarray[Any, Any]]:
    """Arrays of all dtypes and layouts."""
    base = np.arange(12, dtype=np.float32).reshape(3, 4)
    fixed = base.copy()
    fixed.flags.writeable = False
    moved = np.frombuffer(bytes(17), dtype=np.uint8)[1:].view(np.float32)
    kinds = [np.zeros((2, 2), dtype=code) for code in "?bBhHiIlLqQefdgFDGSUVOmM"]
    others = (
        [base[::-1, ::-2], base.T, fixed, base[:, :0], moved, base.newbyteorder()]
        if hasattr(base, "newbyteorder")
        else [base[::-1, ::-2], base.T, fixed, base[:, :0], moved, base.astype(">f4")]
    )
    structured = np.zeros(3, dtype=[("a", "i4"), ("b", "f8")])
    return [*kinds, *others, structured, np.array(1.5), np.broadcast_to(np.float32(1), (3, 3))]


def tensors() -> list[opwright.Tensor]:
    """Tensors of all dtypes and layouts."""
    kinds = [opwright.ones(2, 2, dtype=getattr(opwright, it)) for it in DTYPES]
    base = opwright.arange(12).reshape(3, 4).float()
    return [
        *kinds,
        base,
        base.t(),
        base[:, ::2],
        base[1:, :0],
        opwright.tensor(2.5),
        opwright.tensor(3),
        opwright.tensor(float("nan")),
        opwright.ones(1).expand(3, 3),
        opwright.ones(2, 2, device="meta"),
        opwright.ones(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
        opwright.from_numpy(np.ones(3, dtype=np.float32)),
        opwright.ones(2, 2).as_subclass(Subclass),
        opwright.tensor([1, -1, 7]),
    ]


NUMBERS = [
    *(0, 1, -1, 2, 3, 7, 64, 70_000, 2**31, -(2**31), 2**63 - 1, -(2**63), 2**63, 2**64, -(2**200)),
    *(0.0, -0.0, 0.5, 1e308, -1e-320, float("inf"), float("-inf"), float("nan")),
    *(1j, complex("nan+infj"), True, False, None),
    *(np.float32(1.5), np.int8(-3), np.uint64(2**64 - 1), np.bool_(True), np.complex64(1j)),
    *(np.datetime64("NaT", "s"), np.str_("sum"), np.float16("nan"), np.longdouble(1)),
]

WORDS = ["", "sum", "mean", "L", "cpu", "meta", "cuda:7", "ij,jk->ik", "\0", "\ud800", "é" * 99]


def objects() -> list[Callable[[], Any]]:
    """What makes an object of each kind, new for every call."""
    made: list[Callable[[], Any]] = [Raising, Garbage, TakingOver, OfMetaLiar, object, LyingInt]
    made += [lambda it=it: it for it in NUMBERS + WORDS]
    made += [lambda it=it: it.copy() for it in arrays()]
    made += [lambda it=it: it.clone() if it.ndim else it for it in tensors()]
    made += [lambda i=i: dead_buffers()[i] for i in range(len(dead_buffers()))]
    made += [lambda it=it: Impostor(it) for it in (opwright.Tensor, int, list, str, float)]
    made += [
        lambda: Attributes(lambda: opwright.ones(2)),
        lambda: Attributes(lambda: [][0]),
        lambda: LyingStr("alpha"),
        lambda: LyingStr("dim"),
        lambda: LyingList([1, 2]),
        lambda: LyingTuple((1, 2)),
        lambda: changing_list(list.clear, 1),
        lambda: changing_list(lambda it: it.append(1) if len(it) < 50 else None, 0),
        lambda: changing_list(lambda it: it.pop() if it else None, 1),
        lambda: changing_list(lambda it: it.__setitem__(slice(None), ["x"] * 9), 1),
        lambda: deep(20),
        lambda: deep(100_000),
        endless,
        lambda: iter([1, 2]),
        lambda: (it for it in (1, 2)),
        lambda: range(3),
        lambda: {1: 2},
        lambda: {1, 2},
        lambda: slice(None, 2, -1),
        lambda: ...,
        lambda: opwright.float32,
        lambda: opwright.int64,
        lambda: opwright.device("cpu"),
        lambda: opwright.strided,
        lambda: opwright.contiguous_format,
        lambda: opwright.channels_last,
        opwright.Generator,
        lambda: opwright.ones(2).untyped_storage(),
        lambda: opwright.Tensor,
        lambda: float,
        lambda: [1, 2],
        lambda: (0,),
        lambda: [2**40, 2**40],
        lambda: [70_000, 70_000],
        lambda: [-1, 0],
        lambda: [0.5, None],
        lambda: [None, opwright.tensor([0])],
        lambda: [opwright.ones(2, 2), opwright.ones(2, 2)],
        lambda: (opwright.ones(2), 1),
        lambda: [opwright.ones(2)] * 70,
        lambda: [True, False],
    ]
    return made

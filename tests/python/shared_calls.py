"""Calls operators that write, on arguments that share memory in ways that no tensor knows of.

`python shared_calls.py EVERY` calls every so-many-th operator. What is written has to be what
copies of the arguments give, or the call has to be refused.
"""

import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import opwright
from bound_operators import Operator
from opwright import _C
from opwright.testing import _samples
from opwright.testing._elements import DTYPES, Elements
from opwright.testing._samples import Call
from racing_calls import largest, varied
from trials import Trial, accepted, changed, chosen, make, panic, shown, tensors

Array = np.ndarray[Any, Any]

# Where what is written starts in a buffer.
START = 64


@dataclass(frozen=True)
class Region:
    """Where the elements of a tensor lie in a buffer."""

    shape: tuple[int, ...]
    dtype: str
    offset: int
    strides: tuple[int, ...]

    def of(self, buffer: Array) -> Array:
        """The elements."""
        return np.ndarray(self.shape, self.dtype, buffer.data, self.offset, self.strides)

    def end(self) -> int:
        """How many bytes a buffer must have, and some more."""
        reach = zip(self.shape, self.strides, strict=True)
        return self.offset + sum(abs(stride) * size for size, stride in reach) + START


def dense(shape: tuple[int, ...], dtype: str, offset: int = START) -> Region:
    """Elements one after the other."""
    return Region(shape, dtype, offset, np.zeros(shape, dtype).strides)


def same(shape: tuple[int, ...], dtype: str) -> Region:
    return dense(shape, dtype)


def after(shape: tuple[int, ...], dtype: str) -> Region:
    return dense(shape, dtype, START + np.dtype(dtype).itemsize)


def before(shape: tuple[int, ...], dtype: str) -> Region:
    return dense(shape, dtype, START - np.dtype(dtype).itemsize)


def transposed(shape: tuple[int, ...], dtype: str) -> Region:
    turned = dense(shape[::-1], dtype)
    return Region(shape, dtype, turned.offset, turned.strides[::-1])


def stepped(shape: tuple[int, ...], dtype: str) -> Region:
    it = dense(shape, dtype)
    return Region(shape, dtype, it.offset, tuple(2 * stride for stride in it.strides))


def backwards(shape: tuple[int, ...], dtype: str) -> Region:
    it = dense(shape, dtype)
    if not shape or 0 in shape:
        return it
    back = (shape[-1] - 1) * it.strides[-1]
    return Region(shape, dtype, it.offset + back, (*it.strides[:-1], -it.strides[-1]))


WAYS = [same, after, before, transposed, stepped, backwards]

# Tensors of what is written and of what is read.
Lender = Callable[[Array, Region, Region], tuple[Any, Any]]


def by_numpy(buffer: Array, written: Region, read: Region) -> tuple[Any, Any]:
    """Two arrays over one memory."""
    return opwright.from_numpy(written.of(buffer)), opwright.from_numpy(read.of(buffer))


def by_dlpack(buffer: Array, written: Region, read: Region) -> tuple[Any, Any]:
    """An array, and what was lent by DLPack."""
    return opwright.from_numpy(written.of(buffer)), opwright.from_dlpack(read.of(buffer))


def of_a_tensor(buffer: Array, written: Region, read: Region) -> tuple[Any, Any]:
    """A tensor of its own memory, and an array that it lent."""
    size = np.dtype(written.dtype).itemsize
    own = opwright.zeros(len(buffer) // size, dtype=getattr(opwright, written.dtype))
    strides = [it // size for it in written.strides]
    view = own.as_strided(written.shape, strides, written.offset // size)
    memory = own.numpy().view("u1")
    memory[:] = buffer[: len(memory)]
    return view, opwright.from_numpy(read.of(memory))


def of_an_array(buffer: Array, written: Region, read: Region) -> tuple[Any, Any]:
    """A tensor over an array, and the array itself, which operators take as well."""
    return opwright.from_numpy(written.of(buffer)), read.of(buffer)


LENDERS: list[Lender] = [by_numpy, by_dlpack, of_a_tensor, of_an_array]


@dataclass(frozen=True)
class Pair:
    """What a call writes and reads: the numbers of tensors; from 1000 on those of `out`."""

    written: int
    read: int


OUT = 1000


@dataclass(frozen=True)
class Sharing:
    """Calls with tensors of several sizes, two of which share memory."""

    operator: Operator
    calls: list[Call]
    pair: Pair
    way: Callable[[tuple[int, ...], str], Region]

    def __call__(self) -> str | None:
        """What is wrong, if anything is."""
        for call in self.calls:
            for lender in LENDERS:
                if wrong := self.once(call, lender):
                    sizes = [list(it.values.shape) for it in tensors(call)]
                    return f"{lender.__name__} with sizes {sizes}: {wrong}"
        return None

    def once(self, call: Call, lender: Lender) -> str | None:
        """Compares a call on lent memory with one on copies."""
        try:
            outs = results(self.operator, call) if self.pair.written >= OUT else []
        except _samples.REFUSALS:
            return None
        found = [values(it) for it in tensors(call)]
        target = outs[self.pair.written - OUT] if outs else found[self.pair.written]
        source = found[self.pair.read]
        written = dense(target.shape, str(target.dtype))
        read = self.way(source.shape, str(source.dtype))
        buffer = np.zeros(-(-max(written.end(), read.end()) // 64) * 64, "u1")
        written.of(buffer)[...] = target
        read.of(buffer)[...] = source
        apart = Apart(buffer, written, read)
        try:
            copied = self.perform(call, outs, *apart.tensors())
        except Exception as error:
            return panic(error)
        try:
            pair = lender(buffer, written, read)
        except (TypeError, ValueError, RuntimeError, BufferError):
            # Not all can lend such memory.
            return None
        try:
            shared = self.perform(call, outs, *pair)
        except Exception as error:
            return panic(error)
        if not alike(pair[0].numpy(), apart.result()):
            return f"writes {few(pair[0].numpy())}, with copies {few(apart.result())}"
        if len(shared) != len(copied) or not all(map(alike, shared, copied)):
            return f"returns {[*map(few, shared)]}, with copies {[*map(few, copied)]}"
        return None

    def perform(self, call: Call, outs: list[Array], written: Any, read: Any) -> list[Array]:
        """Calls with these two tensors and new ones beside them; what it returns."""

        def lend(elements: Elements, number: int) -> Any:
            if number == self.pair.written:
                return written
            return read if number == self.pair.read else elements

        args, kwargs = changed(call, lend)
        if outs:
            new = [opwright.from_numpy(it.copy()) for it in outs]
            new[self.pair.written - OUT] = written
            kwargs["out"] = new[0] if len(new) == 1 else tuple(new)
        return arrays(seeded(self.operator, args, kwargs))


class Apart:
    """The same two tensors, at the same places in two buffers."""

    def __init__(self, buffer: Array, written: Region, read: Region) -> None:
        self.written, self.read = written, read
        self.first, self.second = buffer.copy(), buffer.copy()

    def tensors(self) -> tuple[Any, Any]:
        """What is written, and what is read."""
        first, second = self.written.of(self.first), self.read.of(self.second)
        return opwright.from_numpy(first), opwright.from_numpy(second)

    def result(self) -> Array:
        """What was written."""
        return self.written.of(self.first)


def seeded(operator: Operator, args: Any, kwargs: Any) -> Any:
    """What the call returns; random numbers start anew."""
    _C.default_generator.manual_seed(1)
    named = {name: _samples.made(_C, it) for name, it in kwargs.items()}
    return operator.function(*(_samples.made(_C, it) for it in args), **named)


def arrays(result: Any) -> list[Array]:
    """The elements of what a call returned, as copies."""
    if isinstance(result, opwright._C.TensorBase):
        return [np.array(result.numpy())]
    if isinstance(result, list | tuple):
        return [array for it in result for array in arrays(it)]
    return []


def results(operator: Operator, call: Call) -> list[Array]:
    """What the call returns when it makes its results itself."""
    return arrays(seeded(operator, *call))


def values(elements: Elements) -> Array:
    """The elements of a tensor to be."""
    return elements.values.astype(DTYPES[elements.dtype])


def alike(a: Array, b: Array) -> bool:
    """Whether both hold the same, up to rounding."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype == bool:
        # Other bytes than 0 and 1 are true, too.
        return bool(np.array_equal(a.view("u1") != 0, b.view("u1") != 0))
    if a.dtype.kind in "fc":
        with np.errstate(all="ignore"):
            return bool(np.allclose(a, b, rtol=1e-3, atol=1e-5, equal_nan=True))
    return bool(np.array_equal(a, b))


def few(array: Array) -> str:
    """The first elements."""
    return f"{np.asarray(array).reshape(-1)[:6].tolist()}"


def written_by(operator: Operator, call: Call) -> list[int]:
    """The numbers of the tensors that a call changes."""
    lent: list[tuple[Array, Array]] = []

    def lend(elements: Elements, _: int) -> Any:
        array = values(elements)
        lent.append((array, array.copy()))
        return opwright.from_numpy(array)

    args, kwargs = changed(call, lend)
    try:
        seeded(operator, args, kwargs)
    except _samples.REFUSALS:
        return []
    found = [at for at, (now, then) in enumerate(lent) if now.tobytes() != then.tobytes()]
    name = operator.name
    in_place = (name.endswith("_") and not name.endswith("__")) or name.startswith("Tensor.__i")
    return sorted({0, *found}) if in_place and lent else found


def pairs(operator: Operator, overload: Any, call: Call) -> Iterator[Pair]:
    """Each tensor that is written with each other one."""
    count = len(tensors(call))
    written = written_by(operator, call)
    if "out" in overload.parameters:
        written += range(OUT, OUT + len(results(operator, call)))
    for to in written:
        # Of two that are written, the later one counts; which that is, nobody says.
        yield from (Pair(to, it) for it in range(count) if it not in written)


def trials(operator: Operator) -> Iterator[Trial]:
    """The trials of an operator."""
    seen: set[str] = set()
    for overload in operator.overloads:
        for call in varied(accepted(operator, overload, 10), 2):
            sizes = [call, largest(operator, call, 1 << 12)]
            for pair in pairs(operator, overload, call):
                for way in WAYS:
                    name = f"{shown(operator, call)} {told(pair)} {way.__name__}"
                    if name not in seen:
                        seen.add(name)
                        yield Trial(name, Sharing(operator, sizes, pair, way))


def told(pair: Pair) -> str:
    """Which tensors share memory."""
    written = f"tensor {pair.written}" if pair.written < OUT else f"out {pair.written - OUT}"
    return f"writes {written}, reads tensor {pair.read}:"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    opwright.set_num_threads(2)
    np.seterr(all="ignore")
    make(trials, chosen(int(sys.argv[1])))

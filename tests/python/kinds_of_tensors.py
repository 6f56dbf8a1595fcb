"""Uses tensors of every kind in every way that Python knows; nothing may crash, hang or panic.

`python kinds_of_tensors.py EVERY` takes every so-many-th method, and all protocols.
"""

import array
import contextlib
import copy
import hashlib
import io
import itertools
import math
import operator
import pickle
import reprlib
import struct
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import opwright
from trials import Trial, make

# More elements than any memory holds, of which one is there.
HUGE = 2**62


def released() -> Any:
    """A tensor whose storage was made smaller than it is."""
    made = opwright.arange(1000.0)
    view = made[10:900]
    made.untyped_storage().resize_(0)
    return view


def inferred() -> Any:
    """A tensor that was made in inference mode."""
    with opwright.inference_mode():
        return opwright.ones(2, 3)


def read_only() -> Any:
    """A tensor over memory that nobody may write to."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return opwright.frombuffer(bytes(24), dtype=opwright.float32)


KINDS: dict[str, Callable[[], Any]] = {
    "meta": lambda: opwright.ones(2, 3, device="meta"),
    "a meta number": lambda: opwright.ones((), device="meta"),
    "meta without elements": lambda: opwright.ones(0, 3, device="meta"),
    "huge on meta": lambda: opwright.ones(HUGE // 16, device="meta"),
    "of bool on meta": lambda: opwright.ones(2, dtype=opwright.bool, device="meta"),
    "that requires gradients, on meta": lambda: opwright.ones(2, device="meta").requires_grad_(),
    "without elements": lambda: opwright.empty(0),
    "without rows": lambda: opwright.empty(0, 3, dtype=opwright.int32),
    "without columns": lambda: opwright.empty(3, 0, dtype=opwright.bool),
    "of one number": lambda: opwright.tensor(2.5),
    "huge and expanded": lambda: opwright.ones(1).expand(HUGE),
    "expanded": lambda: opwright.ones(1, 3).expand(2, 3),
    "of complex numbers": lambda: opwright.tensor([1 + 2j, -0.0j]),
    "conjugated": lambda: opwright.tensor([1 + 2j, 3 - 4j]).conj(),
    "backwards": lambda: opwright.arange(6.0).flip(0),
    "transposed": lambda: opwright.ones(3, 2).t(),
    "with gaps": lambda: opwright.arange(12)[1::3],
    "released": released,
    "that requires gradients": lambda: opwright.ones(2, 3, requires_grad=True),
    "with a history": lambda: opwright.ones(2, 3, requires_grad=True) * 2,
    "of inference": inferred,
    "read only": read_only,
    "of half precision": lambda: opwright.ones(2, dtype=opwright.bfloat16),
    "of bytes": lambda: opwright.tensor([0, 255], dtype=opwright.uint8),
    "of 128 dimensions": lambda: opwright.ones([1] * 128),
}

PROTOCOLS: dict[str, Callable[[Any], Any]] = {
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview": lambda it: memoryview(it).tobytes(),
    "hash": hash,
    "iter": lambda it: list(itertools.islice(it, 3)),
    "reversed": lambda it: list(itertools.islice(reversed(it), 3)),
    "len": len,
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "index": operator.index,
    "round": round,
    "trunc": math.trunc,
    "floor": math.floor,
    "repr": repr,
    "str": str,
    "short repr": reprlib.repr,
    "format": format,
    "format of a number": lambda it: format(it, ".3f"),
    "dir": dir,
    "vars": vars,
    "size in memory": sys.getsizeof,
    "contains": lambda it: 1 in it,
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "pickles": lambda it: [pickle.loads(pickle.dumps(it, at)) for at in range(6)],
    "pickle out of band": lambda it: pickle.dumps(it, 5, buffer_callback=[].append),
    "reduce": lambda it: it.__reduce_ex__(2),
    "array": np.asarray,
    "array of another dtype": lambda it: np.array(it, dtype="int8"),
    "array of buffer": lambda it: np.frombuffer(it, dtype="uint8"),
    "ufunc": np.sin,
    "array module": lambda it: array.array("b", it),
    "dlpack": opwright.from_dlpack,
    "dlpack of numpy": np.from_dlpack,
    "digest": lambda it: hashlib.sha256(it).digest(),
    "written to a file": lambda it: io.BytesIO().write(it),
    "packed into": lambda it: struct.pack_into("b", it, 0, 1),
    "joined bytes": lambda it: b"".join([it]),
    "storage": lambda it: bytes(it.untyped_storage()),
    "tensor": opwright.tensor,
    "as tensor": opwright.as_tensor,
    "nested": lambda it: opwright.tensor([it, it]),
    "equal": lambda it: it == it,
    "less": lambda it: it < 1,
    "negative": operator.neg,
    "inverted": operator.invert,
    "sum with itself": lambda it: it + it,
    "in place": lambda it: operator.iadd(it, 1),
    "product": lambda it: it @ it,
    "element": lambda it: it[0],
    "last of all": lambda it: it[..., -1],
    "mask": lambda it: it[it > 0],
    "assigned": lambda it: operator.setitem(it, 0, 1),
    "deleted": lambda it: operator.delitem(it, 0),
    "index of a list": lambda it: [1, 2, 3][it],
    "backward": lambda it: it.sum().backward(),
}

# What is no end of: all elements, one after the other, or as a list.
ENDLESS = ("huge and expanded", "huge on meta")


@dataclass(frozen=True)
class Use:
    """A use of a tensor of a kind."""

    kind: str
    use: Callable[[Any], Any]

    def __call__(self) -> str | None:
        """What is wrong: exceptions are right, but for those that tell of a mistake of ours."""
        try:
            self.use(KINDS[self.kind]())
        except Exception as error:
            if isinstance(error, SystemError) or "internal error" in str(error):
                return f"{type(error).__name__}: {error}"
        except BaseException as error:
            return f"{type(error).__name__}: {error}"
        return None


def called(name: str) -> Callable[[Any], Any]:
    """A use of an attribute: it is read, called without arguments, and with some."""

    def use(tensor: Any) -> None:
        found = getattr(tensor, name)
        for args in ((), (0,), (0, 0), (tensor,)) if callable(found) else ():
            with contextlib.suppress(TypeError, ValueError, RuntimeError, IndexError):
                found(*args)

    return use


def trials(kind: str, every: int) -> Iterator[Trial]:
    """The uses of tensors of a kind."""
    for name, use in PROTOCOLS.items():
        if kind not in ENDLESS or name not in {"array module", "contains", "backward", "pickles"}:
            yield Trial(f"{name} of a tensor {kind}", Use(kind, use))
    if kind in ENDLESS:
        return
    names = [it for it in dir(opwright.Tensor) if it not in {"__class__", "__init_subclass__"}]
    for name in names[:: max(every, 1)]:
        yield Trial(f"{name}() of a tensor {kind}", Use(kind, called(name)))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    step = int(sys.argv[1])
    make(lambda kind: trials(kind, step), KINDS)  # type: ignore[arg-type]

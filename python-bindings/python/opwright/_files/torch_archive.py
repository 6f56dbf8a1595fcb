"""Archives of PyTorch: a zip with a pickle that names storages, and a file for each of these.

Only the tensors are read, by `unpickling`. Storages are files `data/KEY` beside `data.pkl`, not
compressed and in the order of bytes that `byteorder` says.
"""

from __future__ import annotations

from math import prod
from struct import error as StructError
from zipfile import ZIP_STORED, BadZipFile, ZipFile
from zlib import error as ZlibError

from opwright import _C
from opwright._files.damage import DamageError, read_tensor
from opwright._files.unpickling import Global, Storage, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from opwright import Tensor
    from opwright._progress import Progress

# How every zip begins that has files.
START = b"PK\x03\x04"

# What reading a damaged zip raises.
_OF_ZIPS = (
    BadZipFile,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,
    StructError,
    ValueError,
    ZlibError,
)
# A longer pickle is refused: it has names, sizes and numbers, and no elements.
_LONGEST_PICKLE = 100_000_000

_STORAGES = {
    "BFloat16Storage": _C.bfloat16,
    "BoolStorage": _C.bool,
    "ByteStorage": _C.uint8,
    "CharStorage": _C.int8,
    "ComplexDoubleStorage": _C.complex128,
    "ComplexFloatStorage": _C.complex64,
    "DoubleStorage": _C.float64,
    "FloatStorage": _C.float32,
    "HalfStorage": _C.float16,
    "IntStorage": _C.int32,
    "LongStorage": _C.int64,
    "ShortStorage": _C.int16,
}


def read(file: BinaryIO, progress: Progress) -> dict[str, Any]:
    """What the pickle of an archive is, with its tensors."""
    try:
        with ZipFile(file) as archive:
            return _Archive(archive, progress).load()
    except _OF_ZIPS as error:
        raise DamageError(f"it is no archive that can be read: {error}") from None


class _Archive:
    """A zip and the storages that were read of it, each once."""

    def __init__(self, archive: ZipFile, progress: Progress) -> None:
        self._archive = archive
        self._progress = progress
        self._files: dict[str, Any] = {}
        for info in archive.infolist():
            if info.filename in self._files:
                raise DamageError(f"it has the file {info.filename!r} twice")
            self._files[info.filename] = info
        pickles = [it for it in self._files if it.count("/") == 1 and it.endswith("/data.pkl")]
        if len(pickles) != 1:
            raise DamageError("it is a zip, but none of PyTorch: there is no file 'data.pkl'")
        self._pickle = pickles[0]
        self._root = pickles[0].removesuffix("data.pkl")
        self._storages: dict[str, tuple[Tensor, _C.dtype]] = {}

    def load(self) -> dict[str, Any]:
        order = self._root + "byteorder"
        if order in self._files and self._read(order, 16) != b"little":
            raise DamageError(f"{order!r} says that elements are not little-endian")
        made = loads(self._read(self._pickle, _LONGEST_PICKLE), self._storage, _CALLS)
        if not isinstance(made, dict):
            raise DamageError(f"{self._pickle!r} is no dictionary, but {type(made).__name__}")
        return made

    def _read(self, name: str, most: int) -> bytes:
        info = self._files[name]
        if info.file_size > most:
            raise DamageError(f"{name!r} has {info.file_size} bytes, more than {most}")
        return self._archive.read(info)

    def _storage(self, identifier: Any) -> Storage:
        """The storage that a pickle names."""
        match identifier:
            case ("storage", Global(module="torch", name=kind), str(key), str(), int(count)):
                dtype = _STORAGES.get(kind)
            case _:
                raise DamageError("a storage is named otherwise than PyTorch names it")
        if dtype is None:
            raise DamageError(f"'torch.{kind}' is a storage that is not known here")
        octets, known = self._storages.get(key) or self._read_storage(key, dtype)
        self._storages[key] = octets, known
        if known != dtype:
            raise DamageError(f"the storage {key!r} has two dtypes, {known} and {dtype}")
        if count < 0 or octets.numel() != count * dtype.itemsize:
            raise DamageError(
                f"the storage {key!r} has {octets.numel()} bytes, but should have {count} elements "
                f"of {dtype}"
            )
        return Storage(octets.view(dtype), count)

    def _read_storage(self, key: str, dtype: _C.dtype) -> tuple[Tensor, _C.dtype]:
        name = f"{self._root}data/{key}"
        info = self._files.get(name)
        if info is None:
            raise DamageError(f"there is no file {name!r} for a storage")
        if info.compress_type != ZIP_STORED or info.compress_size != info.file_size:
            raise DamageError(f"the storage {name!r} is compressed")
        left = self._archive.fp.seek(0, 2) if self._archive.fp else 0
        if info.file_size > left:
            raise DamageError(f"{name!r} claims {info.file_size} bytes in a file of {left}")
        with self._archive.open(info) as file:
            stored: Any = file
            octets: Any = read_tensor(
                stored, (info.file_size,), _C.uint8, repr(name), self._progress
            )
        if dtype == _C.bool and bool((octets > 1).any()):
            raise DamageError(f"{name!r} has truth values that are neither 0 nor 1")
        return octets, dtype


# --- what pickles may call ------------------------------------------------------------------


def _dictionary(*args: Any) -> Any:
    from collections import OrderedDict

    if args:
        raise DamageError("an OrderedDict is made of something")
    return OrderedDict()


def _tensor(*args: Any) -> Any:
    """A tensor over a storage, within it."""
    match args:
        case (Storage() as storage, int(offset), tuple(sizes), tuple(steps), bool(learns), *_):
            pass
        case _:
            raise DamageError("a tensor is made of something else than its storage and place")
    numbers = (offset, *sizes, *steps)
    if len(sizes) != len(steps) or any(type(it) is not int or it < 0 for it in numbers):
        raise DamageError("a tensor has sizes, strides or an offset that cannot be")
    last = offset + sum((size - 1) * step for size, step in zip(sizes, steps, strict=True))
    if prod(sizes) and last >= storage.size:
        raise DamageError(
            f"a tensor reaches up to element {last} of a storage that has {storage.size}"
        )
    if not prod(sizes):
        offset, steps = 0, (0,) * len(sizes)
    try:
        tensor = storage.elements.as_strided(sizes, steps, offset)
    except (OverflowError, RuntimeError, ValueError) as error:
        raise DamageError(f"a tensor cannot be: {error}") from None
    if learns:
        tensor.requires_grad_()
    return tensor


def _parameter(*args: Any) -> Any:
    from opwright.nn.parameter import Parameter

    match args:
        case (_C.TensorBase() as data, bool(learns), *_):
            return Parameter(data.detach(), learns)
        case _:
            raise DamageError("a parameter is made of something else than a tensor")


_CALLS = {
    ("collections", "OrderedDict"): _dictionary,
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch._utils", "_rebuild_parameter"): _parameter,
}

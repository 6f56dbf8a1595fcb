"""`.safetensors`: the length of a header, the header in JSON, then elements.

The header names tensors with their dtypes, shapes and places, `[begin, end)` in bytes behind the
header. Places leave no gap and do not overlap. The format is that of the package `safetensors`,
https://github.com/huggingface/safetensors; files are as `opwright_runtime::file` writes them.
"""

from __future__ import annotations

import json
from math import prod
from typing import NamedTuple

from opwright import _C
from opwright._files.damage import DamageError, read_exactly, read_tensor
from opwright._kinds import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, BinaryIO

    from opwright import Tensor
    from opwright._progress import Progress

# A longer header is refused, as other readers do.
_LONGEST_HEADER = 100_000_000
_MOST_DIMS = 128
_METADATA = "__metadata__"

_NAMES = {
    "BOOL": "bool",
    "U8": "uint8",
    "U16": "uint16",
    "U32": "uint32",
    "U64": "uint64",
    "I8": "int8",
    "I16": "int16",
    "I32": "int32",
    "I64": "int64",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "C64": "complex64",
}
_DTYPES: dict[str, _C.dtype] = {
    word: found for word, name in _NAMES.items() if (found := getattr(_C, name, None)) is not None
}
_WORDS = {dtype: word for word, dtype in _DTYPES.items()}


# --- writing ------------------------------------------------------------------------------


def image(tensors: Mapping[str, Tensor]) -> tuple[bytes, list[Tensor]]:
    """The length and the header, and the tensors in the order of their elements."""
    from collections.abc import Mapping

    if not isinstance(tensors, Mapping):
        raise TypeError(f"save(): argument 'obj' must be a dictionary, not {kind(tensors)}")
    for name, tensor in tensors.items():
        _check_entry(name, tensor)
    # The largest elements first, so that all are aligned.
    order = sorted(tensors, key=lambda name: -tensors[name].itemsize)
    places, at = {}, 0
    for name in order:
        size = tensors[name].numel() * tensors[name].itemsize
        places[name] = [at, at + size]
        at += size
    entries = {
        name: {
            "dtype": _WORDS[it.dtype],
            "shape": list(it.shape),
            "data_offsets": places[name],
        }
        for name, it in tensors.items()
    }
    header = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    if len(header) > _LONGEST_HEADER:
        raise ValueError(f"save(): the names and sizes have {len(header)} bytes, which is too many")
    return len(header).to_bytes(8, "little") + header, [tensors[name] for name in order]


def _check_entry(name: Any, tensor: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"save(): names of tensors must be str, not {kind(name)}")
    if name == _METADATA:
        raise ValueError(f"save(): no tensor can be called {name!r}")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError(f"save(): {name!r} is no text that can be written") from None
    if not isinstance(tensor, _C.TensorBase):
        raise TypeError(f"save(): {name!r} must be a Tensor, not {kind(tensor)}")
    if tensor.dtype not in _WORDS:
        raise TypeError(f"save(): {name!r} is {tensor.dtype}, which `.safetensors` has not")
    if tensor.device.type == "meta":
        raise NotImplementedError(f"save(): {name!r} is on the device meta and has no elements")


def write(made: tuple[bytes, list[Tensor]], to: Callable[[Any], Any]) -> None:
    """Pass the bytes of a file on, one part after the other."""
    header, tensors = made
    to(header)
    for tensor in tensors:
        dense = tensor.detach().contiguous().reshape(-1)
        if dense.numel():
            to(memoryview(dense.view(_C.uint8)))  # type: ignore[arg-type]


# --- reading ------------------------------------------------------------------------------


class _Claim(NamedTuple):
    """A tensor as a header declares it."""

    name: str
    dtype: _C.dtype
    shape: tuple[int, ...]
    begin: int
    end: int


def read(file: BinaryIO, progress: Progress) -> dict[str, Tensor]:
    """All tensors, in the order of the header."""
    size = file.seek(0, 2)
    file.seek(0)
    if size < 8:
        raise DamageError(f"it has {size} bytes, but begins with 8 for the length of its header")
    length = int.from_bytes(read_exactly(file, 8, "the length of the header"), "little")
    if length > size - 8:
        raise DamageError(
            f"bytes 0 to 8 claim {length} bytes of header, of which {size - 8} are there"
        )
    if length > _LONGEST_HEADER:
        raise DamageError(f"its header has {length} bytes, more than {_LONGEST_HEADER}")
    claims = _claims(read_exactly(file, length, "the header"))
    ordered = sorted(claims, key=lambda it: (it.begin, it.end))
    _check_places(ordered, size - 8 - length)
    found = {
        it.name: read_tensor(file, it.shape, it.dtype, repr(it.name), progress) for it in ordered
    }
    return {it.name: found[it.name] for it in claims}


def _claims(header: bytes) -> list[_Claim]:
    """What a header declares, with metadata checked and left out."""
    try:
        text = header.decode()
    except UnicodeDecodeError as error:
        raise DamageError(f"byte {8 + error.start}: the header is no UTF-8") from None
    if not text.startswith("{"):
        raise DamageError("byte 8: the header does not begin with '{'")
    try:
        entries = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        at = 8 + len(text[: error.pos].encode())
        raise DamageError(f"byte {at}: the header is no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise DamageError(f"the header is no JSON of this format: {error}") from None
    if not isinstance(entries, dict):
        raise DamageError("byte 8: the header is no object")
    metadata = entries.pop(_METADATA, {})
    if not isinstance(metadata, dict) or any(not isinstance(it, str) for it in metadata.values()):
        raise DamageError(f"{_METADATA!r} must map texts to texts")
    return [_claim(name, entry) for name, entry in entries.items()]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise DamageError(f"the header has {twice!r} twice")
    return made


def _no_constant(word: str) -> Any:
    raise DamageError(f"the header has {word}, which is no JSON")


def _claim(name: str, entry: Any) -> _Claim:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise DamageError(f"{name!r} must have 'dtype', 'shape' and 'data_offsets', and no more")
    dtype = _DTYPES.get(entry["dtype"]) if isinstance(entry["dtype"], str) else None
    if dtype is None:
        raise DamageError(f"{name!r} has the dtype {entry['dtype']!r}, which is not known here")
    shape, places = entry["shape"], entry["data_offsets"]
    if not _are_sizes(shape) or not _are_sizes(places) or len(places) != 2:
        raise DamageError(f"{name!r} has a shape or a place that is not made of sizes")
    if len(shape) > _MOST_DIMS:
        raise DamageError(f"{name!r} has {len(shape)} dimensions, more than {_MOST_DIMS}")
    begin, end = places
    size = prod(shape) * dtype.itemsize
    if end - begin != size:
        raise DamageError(
            f"{name!r} has {size} bytes by its shape and dtype, and its place is {begin} to {end}"
        )
    return _Claim(name, dtype, tuple(shape), begin, end)


def _are_sizes(values: Any) -> bool:
    """Whether it is a list of integers that sizes can be."""
    return isinstance(values, list) and all(type(it) is int and 0 <= it < 2**63 for it in values)


def _check_places(ordered: list[_Claim], size: int) -> None:
    """Tensors follow each other, up to the end of the file."""
    at = 0
    for it in ordered:
        if it.begin != at:
            relation = "overlaps with what is before" if it.begin < at else "leaves a gap"
            raise DamageError(f"{it.name!r} {relation}: it begins at {it.begin} instead of {at}")
        at = it.end
    if at != size:
        raise DamageError(f"the header has places for {at} bytes of elements, but {size} are there")

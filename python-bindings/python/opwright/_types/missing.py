"""What to write in the place of names that `opwright.types` has not got."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_INSTEAD = {
    "Kind": "kinds are classes: derive from types.Type, or from one such as types.Float",
    "ArrayCompatible": "derive from types.Buffer",
    "Container": "derive from types.Sequence",
    "ConstSized": "derive from types.Sized",
    "Generator": "compiled functions have no generators",
    "List": "compiled functions have tuples and arrays: types.UniTuple, types.Array",
    "ListTypeRef": "compiled functions have tuples and arrays: types.UniTuple, types.Array",
    "ReflectedList": "compiled functions have tuples and arrays: types.UniTuple, types.Array",
    "LiteralList": "compiled functions have tuples: types.Tuple",
    "Set": "compiled functions have tuples and arrays: types.UniTuple, types.Array",
    "DictType": "compiled functions have no dicts: write a native_struct",
    "LiteralStrKeyDict": "compiled functions have no dicts: write a native_struct",
    "Record": "write a native_struct",
    "ClassType": "write a native_struct",
    "StructRef": "write a native_struct",
    "Bytes": "memory with elements is types.Array(types.uint8, 1, 'C')",
    "ByteArray": "memory with elements is types.Array(types.uint8, 1, 'C')",
    "MemoryView": "memory with elements is types.Array",
    "CPointer": "compiled functions have no pointers: hand on an array",
    "voidptr": "compiled functions have no pointers: hand on an array",
    "RawPointer": "compiled functions have no pointers: hand on an array",
    "pyobject": "compiled functions hold no objects of Python: write extending.unbox and box",
    "PyObject": "compiled functions hold no objects of Python: write extending.unbox and box",
    "byte": "types.uint8",
    "char": "types.int8",
    "uchar": "types.uint8",
    "short": "types.int16",
    "ushort": "types.uint16",
    "uint": "types.uint64",
    "uintc": "types.uint32",
    "long_": "types.int64",
    "ulong": "types.uint64",
    "longlong": "types.int64",
    "ulonglong": "types.uint64",
    "ssize_t": "types.intp",
    "float_": "types.float64",
    "NPDatetime": "view the array as int64",
    "NPTimedelta": "view the array as int64",
    "unknown": "a function that knows no type returns None",
    "undefined": "a function that knows no type returns None",
}


def text(module: str, name: str, known: Iterable[str]) -> str:
    """Return what is said of a name that is not there, and what to write instead."""
    said = f"module {module!r} has no attribute {name!r}"
    if name in _INSTEAD:
        return f"{said}: {_INSTEAD[name]}"
    from difflib import get_close_matches

    close = get_close_matches(name, [it for it in known if not it.startswith("_")], 1)
    return f"{said}: did you mean {close[0]!r}?" if close and not name.startswith("_") else said

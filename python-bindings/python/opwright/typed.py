"""The classes that are there for one dtype each: storages, and types of tensors.

    >>> from opwright.typed import FloatStorage, FloatTensor
    >>> FloatStorage([1, 2]), isinstance(FloatTensor(3), FloatTensor)
    (<opwright.FloatStorage of 2 elements>, True)

They follow from the table of dtypes; `typed.pyi` shows them to type checkers.
"""

from . import _C

for _title in _C._titles:
    for _name in (f"{_title}Storage", f"{_title}Tensor"):
        globals()[_name] = getattr(_C, _name)


def __getattr__(name: str) -> object:
    said = f"module {__name__!r} has no attribute {name!r}"
    if name in ("List", "Dict"):
        raise AttributeError(
            f"{said}: compiled functions have tuples, arrays and an extending.native_struct"
        )
    raise AttributeError(said)

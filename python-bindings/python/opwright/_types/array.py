"""Arrays and other memory with elements."""

from __future__ import annotations

from .abstract import IterableType
from .base import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LAYOUTS = ("C", "F", "A")


class Buffer(IterableType):
    """Memory with elements of one type, in so many dimensions.

    The layout is `"C"` if rows lie one after the other without gaps, `"F"` if columns do, and
    `"A"` if any strides are possible.
    """

    mutable = True
    # Whether a slice has elements of its own.
    slice_is_copy = False
    aligned = True

    def __init__(
        self,
        dtype: Type,
        ndim: int,
        layout: str,
        readonly: bool = False,
        name: str | None = None,
    ) -> None:
        """Make the type of such memory.

        Raises:
            TypeError: `dtype` is no type, or `ndim` no number.
            ValueError: There is no such layout, or there are fewer than no dimensions.
        """
        if not isinstance(dtype, Type):
            raise TypeError(f"the elements are of a type, not of {dtype!r}")
        if not isinstance(ndim, int):
            raise TypeError(f"how many dimensions there are is an int, not {ndim!r}")
        if layout not in _LAYOUTS:
            raise ValueError(f"a layout is 'C', 'F' or 'A', not {layout!r}")
        if ndim < 0:
            raise ValueError(f"an array of {ndim} dimensions")
        self.dtype, self.ndim, self.layout = dtype, ndim, layout
        if readonly:
            self.mutable = False
        super().__init__(name or f"{type(self).__name__.lower()}({dtype}, {ndim}d, {layout})")

    @property
    def readonly(self) -> bool:
        """Whether no element can be set."""
        return not self.mutable

    @property
    def key(self) -> Any:
        return self.dtype, self.ndim, self.layout, self.mutable, self.aligned

    @property
    def is_c_contig(self) -> bool:
        """Whether rows lie one after the other, without gaps."""
        return self.layout == "C" or (self.ndim <= 1 and self.layout == "F")

    @property
    def is_f_contig(self) -> bool:
        """Whether columns lie one after the other, without gaps."""
        return self.layout == "F" or (self.ndim <= 1 and self.layout == "C")

    @property
    def is_contig(self) -> bool:
        """Whether there are no gaps."""
        return self.layout != "A"

    def is_precise(self) -> bool:
        return self.dtype.is_precise()

    @property
    def mangling_args(self) -> tuple[str, tuple[Any, ...]]:
        words = ("mutable" if self.mutable else "readonly", "aligned" if self.aligned else "any")
        return type(self).__name__, (self.dtype, self.ndim, self.layout, *words)


class Array(Buffer):
    """Arrays and tensors.

    >>> types = opwright.types
    >>> rows = types.Array(types.float64, 2, "C")
    >>> rows, rows.copy(ndim=1), rows.is_contig
    (array(float64, 2d, C), array(float64, 1d, C), True)

    Called with a name, it makes a variable of a graph.

    >>> rows("x").type
    TensorType(float64, (?, ?))
    """

    def __init__(
        self,
        dtype: Type,
        ndim: int,
        layout: str,
        readonly: bool = False,
        name: str | None = None,
        aligned: bool = True,
    ) -> None:
        """Make the type of such arrays.

        Raises:
            TypeError: `dtype` is no type, or `ndim` no number.
            ValueError: There is no such layout, or there are fewer than no dimensions.
        """
        if not aligned:
            self.aligned = False
        words = f"{'' if aligned else 'unaligned '}{'readonly ' if readonly else ''}array"
        super().__init__(
            dtype, ndim, layout, readonly, name or f"{words}({dtype}, {ndim}d, {layout})"
        )

    def copy(
        self,
        dtype: Type | None = None,
        ndim: int | None = None,
        layout: str | None = None,
        readonly: bool | None = None,
    ) -> Array:
        """Return the type of arrays like these but for the changes."""
        made: Array = Array(
            self.dtype if dtype is None else dtype,
            self.ndim if ndim is None else ndim,
            self.layout if layout is None else layout,
            self.readonly if readonly is None else readonly,
            aligned=self.aligned,
        )
        return made

    def clone(self, **changes: Any) -> Array:
        return self.copy(**changes)

    @property
    def as_tensors(self) -> Any:
        """The type of the tensors that variables of graphs stand for."""
        from .dtypes import dtype_of
        from .native import TensorType

        return TensorType(dtype_of(self.dtype), (None,) * self.ndim)

    def make_variable(self, name: str | None = None) -> Any:
        return self.as_tensors.make_variable(name)

    def make_constant(self, value: Any, name: str | None = None) -> Any:
        return self.as_tensors.make_constant(value, name)

    def filter_variable(self, other: Any, allow_convert: bool = True) -> Any:
        return self.as_tensors.filter_variable(other, allow_convert)


def array_of(dtype: Any, dims: Any) -> Array:
    """Return the type of arrays that an index of slices stands for.

    Raises:
        TypeError: There is something else than `:` and `::1`, or `::1` neither first nor last.
    """
    dims = dims if isinstance(dims, tuple) else (dims,)
    whole, dense = slice(None), slice(None, None, 1)
    dense_at = [at for at, it in enumerate(dims) if isinstance(it, slice) and it == dense]
    rest = [it for at, it in enumerate(dims) if at not in dense_at]
    wrong = any(not isinstance(it, slice) or it != whole for it in rest)
    if wrong or len(dense_at) > 1 or (dense_at and dense_at[0] not in (0, len(dims) - 1)):
        raise TypeError(f"write {dtype}[:, :], {dtype}[:, ::1] or {dtype}[::1, :]")
    layout = "A" if not dense_at else "C" if dense_at[0] == len(dims) - 1 else "F"
    made: Array = Array(dtype, len(dims), layout)
    return made

"""Calls of the functions of the array API standard, as texts, for the tests of it.

A row has names, the kinds of dtypes that the functions take, `b`ool, `i`nteger, `u`nsigned,
`f`loating and `c`omplex, and arguments, in which `xp` is the namespace and other names are those
of `operands`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

if tuple(map(int, np.__version__.split(".")[:2])) < (2, 1):
    pytest.skip("numpy has no namespace of the standard before 2.1", allow_module_level=True)

Array = npt.NDArray[Any]

KINDS = {
    "b": ("bool",),
    "i": ("int8", "int16", "int32", "int64"),
    "u": ("uint8", "uint16", "uint32", "uint64"),
    "f": ("float32", "float64"),
    "c": ("complex64", "complex128"),
}

DTYPES = [it for names in KINDS.values() for it in names]

ROWS: list[tuple[str, str, list[str]]] = [
    # Elements.
    (
        "acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 reciprocal sin "
        "sinh sqrt tan tanh",
        "fc",
        ["x", "special", "point"],
    ),
    ("abs isfinite isinf isnan positive sign square", "iufc", ["x", "special", "point"]),
    ("negative", "ifc", ["x", "special"]),
    ("ceil floor trunc round", "iuf", ["x", "special"]),
    ("round", "c", ["x * 1.5"]),
    ("signbit", "f", ["special"]),
    ("conj real", "fc", ["x"]),
    ("imag", "c", ["x"]),
    ("logical_not bitwise_invert", "b", ["x"]),
    ("bitwise_invert", "iu", ["x"]),
    ("add multiply subtract", "iufc", ["x, y", "x, row", "column, y", "x, point", "x, 2", "2, x"]),
    (
        "add multiply subtract divide",
        "f",
        ["across, special", "across, 0.5", "float('inf'), across"],
    ),
    ("divide", "fc", ["x, y", "x, row", "x, 2", "1.5, y"]),
    ("equal not_equal", "biufc", ["x, y", "x, x", "x, row", "x, point", "x, 1", "1, x"]),
    ("equal not_equal less less_equal greater greater_equal", "f", ["across, special"]),
    ("less less_equal greater greater_equal", "iuf", ["x, y", "x, row", "x, 1", "1, x"]),
    ("maximum minimum", "iuf", ["x, y", "x, row", "x, point", "x, 1", "1, x"]),
    ("maximum minimum", "f", ["across, special"]),
    ("floor_divide remainder", "iuf", ["x, y", "x, row", "x, 2", "7, y"]),
    ("floor_divide remainder", "f", ["across, special", "across, 2.0", "-2.0, across"]),
    ("pow", "f", ["across, special", "across, 2", "x, 0.5", "2.0, x"]),
    ("pow", "iu", ["y, index", "y, 2"]),
    ("pow", "c", ["x, y"]),
    (
        "atan2 copysign hypot logaddexp nextafter",
        "f",
        ["x, y", "across, special", "x, 1.0", "1, x"],
    ),
    ("bitwise_and bitwise_or bitwise_xor", "iu", ["x, y", "x, row", "x, 1", "1, x"]),
    ("bitwise_and bitwise_or bitwise_xor", "b", ["x, y", "x, True"]),
    ("logical_and logical_or logical_xor", "b", ["x, y", "x, row", "x, True", "False, x"]),
    ("bitwise_left_shift bitwise_right_shift", "iu", ["x, index", "x, 1", "1, index"]),
    ("clip", "iuf", ["x, 1, 2", "x, 1", "x, None, 2", "x, y", "x, row, 3", "x, min=1, max=column"]),
    ("clip", "f", ["special, -1.0, 1.0", "special, float('nan')", "x, point, float('inf')"]),
    ("where", "biufc", ["x == y, x, y", "x == y, x, 1", "x == y, True, x", "x == y, row, point"]),
    # Creation.
    ("asarray", "biufc", ["x", "x, copy=True", "x, dtype=xp.complex128"]),
    ("empty_like", "biufc", ["none", "none, dtype=xp.int8"]),
    ("ones_like zeros_like", "biufc", ["x", "x, dtype=xp.float64"]),
    ("full_like", "iufc", ["x, 3", "x, fill_value=3", "x, 3, dtype=xp.int16"]),
    ("from_dlpack", "biufc", ["x", "x, copy=True", "x, device='cpu'"]),
    ("tril triu", "biufc", ["x", "cube, k=1", "x, k=-2"]),
    ("meshgrid", "iufc", ["row", "row, row + row", "row, row, row[:2], indexing='ij'", ""]),
    # Shapes.
    ("astype", "biufc", ["x, xp.complex128", "x, xp.bool", "x, x.dtype, copy=False"]),
    ("astype", "biuf", ["x, xp.float32, copy=True"]),
    ("broadcast_arrays", "biufc", ["x, row, column", "x", "point, x"]),
    ("broadcast_to", "biufc", ["x, (2, 3, 4)", "row, shape=(3, 4)", "point, ()"]),
    (
        "concat",
        "biufc",
        ["[x, y]", "(x, y, x), axis=1", "[x, y], axis=-1", "[x, row, point], axis=None"],
    ),
    ("stack", "biufc", ["[x, y]", "(x, y), axis=1", "[x, y, x], axis=-1", "[point, point]"]),
    ("expand_dims", "biufc", ["x, 0", "x, axis=2", "x, axis=-1", "x, axis=-3", "point, axis=0"]),
    ("flip", "biufc", ["x", "x, axis=0", "cube, axis=(0, -1)", "point", "x, axis=()"]),
    ("moveaxis", "biufc", ["cube, 0, 2", "cube, (0, 1), (-1, 0)"]),
    ("permute_dims", "biufc", ["cube, (2, 0, 1)", "x, axes=(1, 0)", "point, ()"]),
    ("matrix_transpose linalg.matrix_transpose", "biufc", ["x", "cube"]),
    ("repeat", "biufc", ["x, 2", "x, 2, axis=1"]),
    ("repeat", "bifc", ["row, index[0, :]", "x, index[:, 0], axis=0"]),
    ("reshape", "biufc", ["x, (4, 3)", "x, shape=(-1,)", "x, (2, 6), copy=True", "point, (1, 1)"]),
    ("reshape", "biufc", ["x, (12,), copy=False", "none, (2, 0)"]),
    (
        "roll",
        "biufc",
        ["x, 2", "x, shift=-1, axis=0", "x, (1, 2), axis=(0, 1)", "x, 1, axis=(0, 1)"],
    ),
    ("squeeze", "biufc", ["column, 1", "column[None], axis=(0, -1)", "column, axis=()"]),
    ("tile", "biufc", ["x, (2, 1)", "x, (3,)", "x, (2, 1, 2)", "point, (2,)"]),
    ("unstack", "biufc", ["x", "x, axis=1", "cube, axis=-2"]),
    # Searching and order.
    ("argmax argmin", "iuf", ["x", "x, axis=0", "x, axis=-1, keepdims=True", "x, keepdims=True"]),
    (
        "max min",
        "iuf",
        ["x", "x, axis=0", "cube, axis=(0, -1), keepdims=True", "x, axis=()", "point"],
    ),
    ("max min", "f", ["special"]),
    (
        "count_nonzero",
        "biufc",
        ["x", "x, axis=0", "cube, axis=(0, 2), keepdims=True", "x, keepdims=True", "none", "point"],
    ),
    ("nonzero", "biufc", ["x", "row", "cube", "none"]),
    (
        "searchsorted",
        "iuf",
        [
            "xp.asarray([1, 2, 2, 3], dtype=x.dtype), x",
            "xp.asarray([1, 2, 2, 3], dtype=x.dtype), x, side='right'",
            "xp.asarray([3, 1, 2], dtype=x.dtype), row, sorter=xp.asarray([1, 2, 0])",
        ],
    ),
    ("sort", "biuf", ["x", "x, axis=0", "x, descending=True", "x, stable=False"]),
    ("argsort", "biuf", ["x", "x, axis=0", "x, descending=True"]),
    ("take", "biufc", ["x, index[0, :2], axis=1", "row, index[0, :]"]),
    ("take", "bifc", ["x, -index[0, :2], axis=-1"]),
    ("take_along_axis", "biufc", ["x, index", "x, index[:1, :], axis=0"]),
    ("take_along_axis", "bifc", ["x, -index, axis=1"]),
    (
        "unique_all unique_counts unique_inverse unique_values",
        "biufc",
        ["x", "cube", "none", "point"],
    ),
    ("unique_all unique_counts unique_inverse unique_values", "f", ["special"]),
    # Reductions.
    (
        "all any",
        "biufc",
        ["x", "x, axis=0", "cube, axis=(0, -1)", "x, axis=1, keepdims=True", "x, axis=()", "none"],
    ),
    (
        "sum prod",
        "iufc",
        [
            *("x", "x, axis=0", "cube, axis=(0, -1)", "cube, axis=(0, 2), keepdims=True", "point"),
            *("x, axis=()", "x, keepdims=True", "none", "none, axis=0", "x, dtype=xp.complex128"),
        ],
    ),
    ("sum prod", "iuf", ["x, dtype=xp.float64", "x, axis=-1, dtype=x.dtype"]),
    (
        "mean",
        "fc",
        ["x", "x, axis=0", "cube, axis=(0, -1)", "x, axis=1, keepdims=True", "x, axis=()"],
    ),
    (
        "std var",
        "f",
        [
            "x",
            "x, axis=0",
            "cube, axis=(0, -1)",
            "x, axis=1, keepdims=True, correction=1.0",
            "x, axis=()",
        ],
    ),
    (
        "cumulative_sum cumulative_prod",
        "iufc",
        ["row", "x, axis=1", "x, axis=0, include_initial=True", "row, dtype=xp.complex128"],
    ),
    ("diff", "iufc", ["x", "x, axis=0, n=2", "x, prepend=column, append=column", "row"]),
    # Products.
    ("matmul linalg.matmul", "iufc", ["x, y.mT", "x, row", "row, row", "cube, x.mT"]),
    (
        "tensordot linalg.tensordot",
        "iufc",
        ["x, y", "x, y.mT, axes=1", "cube, x, axes=((1, 2), (0, 1))"],
    ),
    ("vecdot linalg.vecdot", "iufc", ["x, y", "x, row", "x, y, axis=-2"]),
    ("linalg.outer", "iufc", ["row, row"]),
    ("linalg.trace", "iufc", ["x", "x, offset=1", "cube, offset=-1", "x, dtype=xp.complex128"]),
    ("linalg.cross", "iufc", ["x[:, :3], y[:, :3]", "x, y, axis=-2", "x[:, :3], row[:3]"]),
    ("linalg.diagonal", "biufc", ["x", "cube, offset=1"]),
    # Matrices.
    ("linalg.cholesky", "fc", ["positive", "positive, upper=True"]),
    ("linalg.det linalg.inv linalg.svdvals linalg.slogdet", "fc", ["matrix", "positive"]),
    ("linalg.eigvalsh", "fc", ["positive"]),
    (
        "linalg.matrix_norm",
        "fc",
        ["x", "cube, keepdims=True", "x, ord='nuc'", "x, ord=2", "x, ord=1"],
    ),
    ("linalg.matrix_power", "fc", ["matrix, 3", "matrix, 0", "matrix, -2"]),
    ("linalg.matrix_rank", "fc", ["x", "matrix, rtol=0.5"]),
    ("linalg.pinv", "fc", ["x", "matrix, rtol=0.01"]),
    ("linalg.solve", "fc", ["matrix, column", "matrix, row[:3]", "matrix, matrix[None]"]),
    (
        "linalg.vector_norm",
        "fc",
        ["x", "x, axis=0", "cube, axis=(0, -1), keepdims=True", "x, ord=1", "x, ord=float('inf')"],
    ),
    ("linalg.vector_norm", "fc", ["x, axis=()"]),
    # Transforms.
    ("fft.fft fft.ifft", "c", ["x", "x, n=6", "x, axis=0, norm='ortho'"]),
    ("fft.rfft fft.ihfft", "f", ["x", "x, n=6", "x, axis=0, norm='forward'"]),
    ("fft.hfft fft.irfft", "c", ["x", "x, n=5", "x, axis=0, norm='ortho'"]),
    (
        "fft.fftn fft.ifftn",
        "c",
        ["x", "cube, axes=(0, 2)", "x, s=(2, 5), axes=(0, 1), norm='ortho'"],
    ),
    ("fft.rfftn", "f", ["x", "cube, axes=(0, 2)", "x, s=(2, 5), axes=(0, 1)"]),
    ("fft.irfftn", "c", ["x", "cube, axes=(0, 2)", "x, s=(2, 5), axes=(0, 1)"]),
    ("fft.fftshift fft.ifftshift", "iufc", ["x", "x, axes=0", "cube, axes=(0, 2)"]),
]

# Calls without operands.
CALLS = [
    *(
        "arange(5)",
        "arange(1, 8, 2)",
        "arange(5, 1, -2)",
        "arange(5, 1)",
        "arange(5, 1.0)[:0].astype(xp.float64)",
        "arange(2, stop=4)",
    ),
    *("arange(1.5, 3, 0.5, dtype=xp.float64)", "arange(3, dtype=xp.int8)", "arange(0)"),
    *("empty((0, 2), dtype=xp.int8)", "ones(3, dtype=xp.int16)", "zeros(shape=(), dtype=xp.bool)"),
    *("ones((2, 3), dtype=xp.complex64)", "zeros((2, 0), dtype=xp.float64)"),
    *("full((2,), 3)", "full((), True)", "full(2, fill_value=1.5, dtype=xp.float64)"),
    *(
        "eye(3, dtype=xp.float64)",
        "eye(2, 4, k=1, dtype=xp.int32)",
        "eye(4, 2, k=-5, dtype=xp.bool)",
    ),
    *("eye(3, None, k=-1, dtype=xp.complex64)", "eye(0, 2, dtype=xp.float64)"),
    "linspace(0, 1, 5, dtype=xp.float64)",
    "linspace(0, 1, num=4, endpoint=False, dtype=xp.float64)",
    "linspace(3, -1, 1, dtype=xp.float32)",
    "linspace(0, 1, 0, endpoint=False, dtype=xp.float32)",
    "linspace(0, 1j, 5, dtype=xp.complex128)",
    "asarray([[1, 2], [3, 4]], dtype=xp.int16)",
    "asarray(True)",
    "asarray([1.5, 2j], dtype=xp.complex128)",
]


def evaluated(text: str, namespace: Any, values: dict[str, Any]) -> Any:
    """What a call in the place of a function of a namespace gives, with these values."""
    return eval(f"xp.{text}", {"xp": namespace, **values})


@cache
def operands(dtype: str) -> dict[str, Array]:
    """Arrays of a dtype, by their names in calls."""
    rng = np.random.default_rng(0)
    is_complex = dtype.startswith("complex")

    def draw(*shape: int) -> Array:
        drawn = rng.integers(-4 if dtype[0] in "ifc" else 0, 5, shape)
        return (drawn + 1j * rng.integers(-3, 4, shape) if is_complex else drawn).astype(dtype)

    x, y = draw(3, 4), draw(3, 4)
    if dtype != "bool":
        y[y == 0] = 1
    matrix = draw(3, 3) + np.eye(3, dtype=dtype) * np.asarray(9, dtype)
    specials: list[float] = [0, 1, 2, 10]
    if dtype[0] == "f":
        specials = [-np.inf, -3.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.5, np.inf, np.nan, np.nan]
    special = np.asarray(specials, dtype)
    positive = matrix @ matrix.conj().T if dtype != "bool" else matrix
    return {
        "x": x,
        "y": y,
        "row": y[1].copy(),
        "column": y[:, 1:2].copy(),
        "point": np.asarray(y[0, 0]),
        "none": np.empty((0, 4), dtype),
        "cube": draw(2, 3, 4),
        "special": special,
        "across": special[:, None],
        "index": rng.integers(0, 3, (3, 4)).astype(dtype if dtype[0] in "iu" else "int64"),
        "matrix": matrix,
        "positive": positive,
    }

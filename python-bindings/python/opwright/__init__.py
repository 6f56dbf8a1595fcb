"""A small tensor library whose operators are described once.

    >>> import opwright
    >>> x = opwright.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> x.sum(0)
    tensor([4., 6.], dtype=float32, shape=(2,))

Functions of tensors are here and, mostly, methods of `Tensor`; see also `opwright.nn.functional`,
`opwright.linalg`, `opwright.fft` and `opwright.special`.
"""

from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi

from opwright import _C, _functional, _functions
from opwright import _storage as _storage

# Functions of Python are in the place of native ones that are called alike, as `publish` has it: of
# two imports mypy takes the first, and pyright the last.
# isort: off
from opwright._functional import *  # noqa: F403
from opwright._C import *  # type: ignore[assignment,no-redef] # noqa: F403
from opwright._functional import *  # noqa: F403

# isort: on
from opwright._default_dtype import default_dtype as default_dtype
from opwright._explain import explain as explain
from opwright._overloads import get_overloads as get_overloads
from opwright._repr import set_printoptions as set_printoptions
from opwright._size import Size as Size
from opwright._tensor import Tensor as Tensor
from opwright.autograd.grad_mode import enable_grad as enable_grad
from opwright.autograd.grad_mode import inference_mode as inference_mode
from opwright.autograd.grad_mode import no_grad as no_grad
from opwright.autograd.grad_mode import set_grad_enabled as set_grad_enabled

_C._set_classes(Tensor, Size)
_functions.publish(globals(), written=vars(_functional))

# These use the above.
from opwright import autograd as autograd  # noqa: E402
from opwright import fft as fft  # noqa: E402
from opwright import linalg as linalg  # noqa: E402
from opwright import nn as nn  # noqa: E402
from opwright import return_types as return_types  # noqa: E402
from opwright import signal as signal  # noqa: E402
from opwright import special as special  # noqa: E402

# A dimension that there is not yet, as an index.
newaxis = None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright import array_api as array_api
    from opwright import c as c
    from opwright import cuda as cuda
    from opwright import dask as dask
    from opwright import extending as extending
    from opwright import func as func
    from opwright import graph as graph
    from opwright import interop as interop
    from opwright import masked as masked
    from opwright import optim as optim
    from opwright import random as random
    from opwright import typed as typed
    from opwright import types as types
    from opwright._array_functions import astype as astype
    from opwright._array_functions import bitwise_invert as bitwise_invert
    from opwright._array_functions import broadcast_arrays as broadcast_arrays
    from opwright._array_functions import cumulative_prod as cumulative_prod
    from opwright._array_functions import cumulative_sum as cumulative_sum
    from opwright._array_functions import expand_dims as expand_dims
    from opwright._array_functions import isdtype as isdtype
    from opwright._array_functions import permute_dims as permute_dims
    from opwright._array_functions import repeat as repeat
    from opwright._array_functions import take_along_axis as take_along_axis
    from opwright._array_functions import unstack as unstack
    from opwright._array_functions import vecdot as vecdot
    from opwright._files import load as load
    from opwright._files import save as save
    from opwright._jit.jit import jit as jit
    from opwright._jit.jit import njit as njit
    from opwright._jit.vectorize import vectorize as vectorize
    from opwright._lowrank import pca_lowrank as pca_lowrank
    from opwright._lowrank import svd_lowrank as svd_lowrank
    from opwright._matrices import matrix_transpose as matrix_transpose
    from opwright._progress import set_progress as set_progress
    from opwright._unique import unique_all as unique_all
    from opwright._unique import unique_counts as unique_counts
    from opwright._unique import unique_inverse as unique_inverse
    from opwright._unique import unique_values as unique_values
    from opwright.func import vmap as vmap
    from opwright.graph import Constant as Constant
    from opwright.graph import Variable as Variable
    from opwright.graph import dprint as dprint
    from opwright.graph import specify_shape as specify_shape
    from opwright.graph._functions import In as In
    from opwright.graph._functions import Mode as Mode
    from opwright.graph._functions import Out as Out
    from opwright.graph._functions import function as function
    from opwright.graph._functions import shared as shared
    from opwright.types import TensorType as TensorType
    from opwright.types import Type as Type
    from opwright.types import typeof as typeof


# What few programs need, and those that do import when they ask for it: modules, and names of one.
_LATE: dict[str, str | None] = {
    **dict.fromkeys(
        (
            "array_api",
            "c",
            "cuda",
            "dask",
            "extending",
            "func",
            "graph",
            "interop",
            "masked",
            "optim",
            "random",
            "typed",
            "types",
        )
    ),
    **dict.fromkeys(("Constant", "Variable", "dprint", "specify_shape"), "graph"),
    **dict.fromkeys(("TensorType", "Type", "typeof"), "types"),
    **dict.fromkeys(("jit", "njit"), "_jit.jit"),
    "vectorize": "_jit.vectorize",
    "vmap": "func",
    **dict.fromkeys(("load", "save"), "_files"),
    "matrix_transpose": "_matrices",
    "set_progress": "_progress",
    **dict.fromkeys(("pca_lowrank", "svd_lowrank"), "_lowrank"),
    **dict.fromkeys(
        (
            "astype",
            "bitwise_invert",
            "broadcast_arrays",
            "cumulative_prod",
            "cumulative_sum",
            "expand_dims",
            "isdtype",
            "permute_dims",
            "repeat",
            "take_along_axis",
            "unstack",
            "vecdot",
        ),
        "_array_functions",
    ),
    **dict.fromkeys(("unique_all", "unique_counts", "unique_inverse", "unique_values"), "_unique"),
    **dict.fromkeys(("In", "Mode", "Out", "function", "shared"), "graph._functions"),
}


def _late(name: str) -> object:
    if name not in _LATE:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from opwright._jit import missing

        return missing.found(__name__, name)
    from importlib import import_module

    home = _LATE[name]
    if home is None:
        return import_module(f"{__name__}.{name}")
    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found


if not TYPE_CHECKING:
    # Type checkers read the names themselves, and miss those that are not there.
    __getattr__ = _late
del TYPE_CHECKING


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})


__version__ = _C.__version__
_C._initExtension()
_C._keep_modules()


def _join_cluster() -> None:
    """Tells dask of tensors in a process of `distributed`, which meets them here first."""
    import sys

    if not hasattr(sys.modules.get("distributed"), "Client"):
        return
    import contextlib
    from importlib import import_module

    # What is missing is said where it is asked for: by `import opwright.dask`.
    with contextlib.suppress(ImportError):
        import_module(f"{__name__}.dask")


_join_cluster()

"""Linear algebra."""

from __future__ import annotations

from opwright import _functions
from opwright._functional import tensordot as tensordot
from opwright._matrices import matrix_transpose as matrix_transpose
from opwright._matrices import outer as outer
from opwright._matrices import trace as trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright._linalg_error import LinAlgError

__all__ = _functions.publish(globals(), "_linalg", prefix="linalg_")
__all__ += ["LinAlgError", "matrix_transpose", "outer", "tensordot", "trace"]
__getattr__ = _functions.on_demand(__name__, LinAlgError="_linalg_error")

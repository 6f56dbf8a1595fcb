"""Windows: weights that fade out a signal towards its ends.

A window has `M` elements. It is symmetric by default, for filters; with `sym=False` it is one
period of a periodic function, for Fourier transforms. The formulas are those of A. Oppenheim and
R. Schafer, "Discrete-time signal processing", and of F. Harris, "On the use of windows for harmonic
analysis", 1978.
"""

# Windows are called with the names that PyTorch has.
# ruff: noqa: N803

from __future__ import annotations

from math import pi, sqrt

from opwright import _C
from opwright._kinds import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor

__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]


class _Window:
    """A window that is to be made, checked."""

    def __init__(
        self,
        name: str,
        M: int,
        sym: bool,
        dtype: _C._DType | None,
        device: Any,
        requires_grad: bool,
    ) -> None:
        if M < 0:
            raise ValueError(f"{name}(): argument 'M' must not be negative, but is {M}")
        dtype = _C.get_default_dtype() if dtype is None else dtype
        if dtype not in (_C.float32, _C.float64):
            raise ValueError(
                f"{name}(): argument 'dtype' must be float32 or float64, but is {dtype}"
            )
        self.name, self.count, self.sym = name, M, sym
        self.options = {"dtype": dtype, "device": device}
        self.requires_grad = requires_grad

    @property
    def period(self) -> int:
        """After how many elements the function begins again."""
        return self.count - 1 if self.sym or self.count == 1 else self.count

    def line(self, start: float, step: float) -> Tensor:
        """So many numbers at such a distance."""
        return _C.linspace(start, start + (self.count - 1) * step, self.count, **self.options)

    def ones(self) -> Tensor:
        """A window that leaves everything as it is: of one element, or none."""
        return self.done(_C.ones(self.count, **self.options))

    def done(self, window: Tensor) -> Tensor:
        return window.requires_grad_(self.requires_grad)


def bartlett(
    M: int,
    *,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A triangle, from 0 to 1 and back.

    >>> opwright.signal.windows.bartlett(5)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000], dtype=float32, shape=(5,))
    """
    window = _Window("bartlett", M, sym, dtype, device, requires_grad)
    if M < 2:
        return window.ones()
    return window.done(1 - window.line(-1.0, 2 / window.period).abs())


def general_cosine(
    M: int,
    *,
    a: Iterable[float],
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The sum of cosines of 0, 1, 2, ... waves with the weights `a`, every other one negative.

    >>> opwright.signal.windows.general_cosine(3, a=[0.5, 0.5])
    tensor([0., 1., 0.], dtype=float32, shape=(3,))
    """
    return _sum_of_cosines("general_cosine", a, (M, sym, dtype, device, requires_grad))


def _sum_of_cosines(
    name: str, a: Iterable[float], of: tuple[int, bool, _C._DType | None, Any, bool]
) -> Tensor:
    from collections.abc import Iterable

    window = _Window(name, *of)
    if not isinstance(a, Iterable):
        raise TypeError(f"{name}(): argument 'a' must be a list of numbers, not {kind(a)}")
    weights = [*a]
    if not weights:
        raise ValueError(f"{name}(): argument 'a' must have one number at least")
    if window.count < 2:
        return window.ones()
    angles = window.line(0.0, 2 * pi / window.period)
    total = _C.zeros(window.count, **window.options)
    for number, weight in enumerate(weights):
        total += (-1) ** number * weight * (number * angles).cos()
    return window.done(total)


def general_hamming(
    M: int,
    *,
    alpha: float = 0.54,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`alpha - (1 - alpha) * cos(x)` over one wave."""
    of = (M, sym, dtype, device, requires_grad)
    return _sum_of_cosines("general_hamming", [alpha, 1 - alpha], of)


def hamming(
    M: int,
    *,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`0.54 - 0.46 * cos(x)` over one wave."""
    return _sum_of_cosines("hamming", [0.54, 0.46], (M, sym, dtype, device, requires_grad))


def hann(
    M: int,
    *,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`(1 - cos(x)) / 2` over one wave.

    >>> opwright.signal.windows.hann(4, sym=False)
    tensor([0.0000, 0.5000, 1.0000, 0.5000], dtype=float32, shape=(4,))
    """
    return _sum_of_cosines("hann", [0.5, 0.5], (M, sym, dtype, device, requires_grad))


def blackman(
    M: int,
    *,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`0.42 - 0.5 * cos(x) + 0.08 * cos(2 * x)` over one wave."""
    return _sum_of_cosines("blackman", [0.42, 0.5, 0.08], (M, sym, dtype, device, requires_grad))


def nuttall(
    M: int,
    *,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Four cosines whose side lobes are as low as can be (A. Nuttall, 1981)."""
    weights = [0.3635819, 0.4891775, 0.1365995, 0.0106411]
    return _sum_of_cosines("nuttall", weights, (M, sym, dtype, device, requires_grad))


def cosine(
    M: int,
    *,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The first half of a sine's wave, at the middles of elements."""
    window = _Window("cosine", M, sym, dtype, device, requires_grad)
    if not M:
        return window.ones()
    step = pi / (M if sym or M == 1 else M + 1)
    return window.done(window.line(step / 2, step).sin())


def exponential(
    M: int,
    *,
    center: float | None = None,
    tau: float = 1.0,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`exp(-|x| / tau)` for distances `x` from `center`, the middle by default."""
    window = _Window("exponential", M, sym, dtype, device, requires_grad)
    if tau <= 0:
        raise ValueError(f"exponential(): argument 'tau' must be positive, but is {tau}")
    if sym and center is not None:
        raise ValueError("exponential(): a symmetric window has its 'center' in the middle")
    if not M:
        return window.ones()
    center = window.period / 2 if center is None else center
    return window.done((-window.line(-center / tau, 1 / tau).abs()).exp())


def gaussian(
    M: int,
    *,
    std: float = 1.0,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`exp(-x**2 / (2 * std**2))` for distances `x` from the middle."""
    window = _Window("gaussian", M, sym, dtype, device, requires_grad)
    if std <= 0:
        raise ValueError(f"gaussian(): argument 'std' must be positive, but is {std}")
    if not M:
        return window.ones()
    step = 1 / (std * sqrt(2))
    line = window.line(-window.period / 2 * step, step)
    return window.done((-(line * line)).exp())


def kaiser(
    M: int,
    *,
    beta: float = 12.0,
    sym: bool = True,
    dtype: _C._DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`i0(beta * sqrt(1 - x**2)) / i0(beta)` for `x` from -1 to 1 (J. Kaiser, 1966)."""
    window = _Window("kaiser", M, sym, dtype, device, requires_grad)
    if beta < 0:
        raise ValueError(f"kaiser(): argument 'beta' must not be negative, but is {beta}")
    if M < 2:
        return window.ones()
    line = window.line(-beta, 2 * beta / window.period)
    inside = (beta * beta - line * line).clamp_min(0)
    most = _C.i0(_C.tensor(beta, **window.options))
    return window.done(_C.i0(inside.sqrt()) / most)

"""Activations: layers of functions of each element, or along a dimension."""

from __future__ import annotations

from opwright import _C
from opwright.nn import functional, init
from opwright.nn._activations import implicit_dim
from opwright.nn._arguments import number, size
from opwright.nn._functional_layer import FunctionalLayer, with_own_init
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from opwright import Tensor

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
]


# --- of each element, without parameters ----------------------------------------------


class LogSigmoid(FunctionalLayer, function=functional.logsigmoid):
    """`log(1 / (1 + exp(-x)))`."""


class Sigmoid(FunctionalLayer, function=_C.sigmoid):
    """`1 / (1 + exp(-x))`."""


class Softsign(FunctionalLayer, function=functional.softsign):
    """`x / (1 + |x|)`."""


class Tanh(FunctionalLayer, function=_C.tanh):
    """The hyperbolic tangent."""


class Tanhshrink(FunctionalLayer, function=functional.tanhshrink):
    """`x - tanh(x)`."""


class Hardsigmoid(FunctionalLayer, function=functional.hardsigmoid, shown=()):
    """`x / 6 + 1 / 2`, and 0 or 1 where that is less or more."""

    inplace: bool = False


class Hardswish(FunctionalLayer, function=functional.hardswish, shown=()):
    """`x` times its `Hardsigmoid`."""

    inplace: bool = False


class Mish(FunctionalLayer, function=functional.mish):
    """`x * tanh(log(1 + exp(x)))`."""

    inplace: bool = False


class ReLU(FunctionalLayer, function=functional.relu):
    """`x` where it is positive, and 0 elsewhere; written to the input if `inplace`."""

    inplace: bool = False


class ReLU6(FunctionalLayer, function=functional.relu6):
    """`x` between 0 and 6, and the nearer of these elsewhere."""

    inplace: bool = False


class SELU(FunctionalLayer, function=functional.selu):
    """`ELU`, scaled so that means and variances of layers in a row stay near 0 and 1."""

    inplace: bool = False


class SiLU(FunctionalLayer, function=functional.silu):
    """`x` times its `Sigmoid`."""

    inplace: bool = False


# --- of each element, with parameters -------------------------------------------------


class CELU(FunctionalLayer, function=functional.celu):
    """`x` where it is positive, and `alpha * (exp(x / alpha) - 1)` elsewhere."""

    alpha: float = 1.0
    inplace: bool = False


class ELU(FunctionalLayer, function=functional.elu):
    """`x` where it is positive, and `alpha * (exp(x) - 1)` elsewhere."""

    alpha: float = 1.0
    inplace: bool = False


class GELU(FunctionalLayer, function=functional.gelu):
    """`x` times the probability that a normally distributed number is smaller.

    `approximate` is `"none"`, or `"tanh"` for a formula that is near to it.
    """

    approximate: Literal["none", "tanh"] = "none"


class Hardshrink(FunctionalLayer, function=_C.hardshrink):
    """`x` where it is farther than `lambd` from 0, and 0 elsewhere."""

    lambd: float = 0.5

    def extra_repr(self) -> str:
        """The limit."""
        return str(self.lambd)


class Hardtanh(FunctionalLayer, function=functional.hardtanh):
    """`x` between `min_val` and `max_val`, and the nearer of these elsewhere.

    `min_value` and `max_value` are older names of the limits.
    """

    min_val: float = -1.0
    max_val: float = 1.0
    inplace: bool = False
    min_value: float | None = None
    max_value: float | None = None

    _consumed = frozenset({"min_value", "max_value"})

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        for older, name in (("min_value", "min_val"), ("max_value", "max_val")):
            value = parameters.pop(older)
            if value is not None:
                _warn_of_name("Hardtanh", older, name)
                parameters[name] = value
        low, high = (number("Hardtanh", it, parameters[it]) for it in ("min_val", "max_val"))
        if not high > low:
            raise ValueError(
                f"Hardtanh(): argument 'max_val' must be greater than min_val={low}, but is {high}"
            )
        return parameters


def _warn_of_name(function: str, older: str, name: str) -> None:
    from warnings import warn

    warn(
        f"{function}(): argument {older!r} is deprecated; it is called {name!r} now",
        FutureWarning,
        stacklevel=5,
    )


class LeakyReLU(FunctionalLayer, function=functional.leaky_relu):
    """`x` where it is positive, and `negative_slope * x` elsewhere."""

    negative_slope: float = 0.01
    inplace: bool = False


class RReLU(FunctionalLayer, function=functional.rrelu, passes_training=True):
    """`x` where it is positive, and elsewhere `x` times a random number from `lower` to `upper`.

    It is the middle of these while the layer is not being trained.
    """

    lower: float = 1.0 / 8
    upper: float = 1.0 / 3
    inplace: bool = False


class Softplus(FunctionalLayer, function=functional.softplus):
    """`log(1 + exp(beta * x)) / beta`, and `x` where `beta * x` is greater than `threshold`."""

    beta: float = 1.0
    threshold: float = 20.0


class Softshrink(FunctionalLayer, function=functional.softshrink):
    """`x` drawn to 0 by `lambd`, and 0 where it is not farther than that."""

    lambd: float = 0.5

    def extra_repr(self) -> str:
        """The limit."""
        return str(self.lambd)


class Threshold(FunctionalLayer, function=functional.threshold):
    """`x` where it is greater than `threshold`, and `value` elsewhere."""

    threshold: float
    value: float
    inplace: bool = False


class PReLU(Module):
    """`x` where it is positive, and elsewhere `x` times a slope that is learnt.

    There is one slope, or one for each of `num_parameters` channels, the second dimension; they
    start at `init`.

        >>> opwright.nn.PReLU()(opwright.tensor([-2.0, 2.0])).tolist()
        [-0.5, 2.0]
    """

    __constants__ = ["num_parameters"]  # noqa: RUF012

    weight: Parameter

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        self.num_parameters = size("PReLU", "num_parameters", num_parameters)
        self.init = init
        self.weight = Parameter(_C.empty(self.num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the slopes to what they start at."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.prelu` returns."""
        return _C.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """How many slopes there are."""
        return f"num_parameters={self.num_parameters}"


# --- along a dimension ------------------------------------------------------------------


class GLU(FunctionalLayer, function=functional.glu):
    """The first half along a dimension, times the `Sigmoid` of the other."""

    dim: int = -1


class _AlongDim(FunctionalLayer):
    dim: int | None = None

    def _known_dim(self, input: Tensor) -> int:
        if self.dim is not None:
            return self.dim
        return implicit_dim(type(self).__name__, input, stacklevel=5)


class Softmax(_AlongDim, function=_C.softmax):
    """`exp(x)`, divided by its sum along a dimension.

    Without `dim` it is the first of one or three dimensions, and else the second, which is
    deprecated.
    """

    def forward(self, input: Tensor) -> Tensor:
        """What `opwright.softmax` returns."""
        return _C.softmax(input, self._known_dim(input))


class LogSoftmax(_AlongDim, function=_C.log_softmax):
    """The logarithm of `Softmax`."""

    def forward(self, input: Tensor) -> Tensor:
        """What `opwright.log_softmax` returns."""
        return _C.log_softmax(input, self._known_dim(input))


class Softmin(_AlongDim, function=functional.softmin):
    """`Softmax` of `-x`."""

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.softmin` returns."""
        result: Tensor = functional.softmin(input, self._known_dim(input))
        return result


@with_own_init
class Softmax2d(Module):
    """`Softmax` over the channels at each place of an image, `(N, C, H, W)` or `(C, H, W)`."""

    def forward(self, input: Tensor) -> Tensor:
        """What `opwright.softmax` returns for the dimension of the channels."""
        if input.ndim not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, but it has shape {list(input.shape)}"
            )
        return _C.softmax(input, -3)

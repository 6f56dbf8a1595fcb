"""What parameters start with: functions that write to a tensor, unrecorded, and return it."""

from __future__ import annotations

from math import prod, sqrt

from opwright._functions import with_own_name
from opwright.autograd.grad_mode import no_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright import Generator, Tensor

__all__ = [
    "calculate_gain",
    "constant_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]


@with_own_name(value="val")
def constant_(tensor: Tensor, val: float) -> Tensor:
    """Write `val` to all elements.

    >>> opwright.nn.init.constant_(opwright.empty(2), 0.5)
    tensor([0.5, 0.5], dtype=float32, shape=(2,))
    """
    with no_grad():
        tensor.fill_(val)
    return tensor


@with_own_name()
def zeros_(tensor: Tensor) -> Tensor:
    """Write 0 to all elements."""
    return constant_(tensor, 0.0)


@with_own_name()
def ones_(tensor: Tensor) -> Tensor:
    """Write 1 to all elements."""
    return constant_(tensor, 1.0)


@with_own_name(from_="a", to="b")
def uniform_(
    tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Draw elements evenly from `a` up to `b`."""
    with no_grad():
        tensor.uniform_(a, b, generator=generator)
    return tensor


@with_own_name()
def normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Draw elements from the normal distribution."""
    with no_grad():
        tensor.normal_(mean, std, generator=generator)
    return tensor


@with_own_name(a="gain", b="gain")
def xavier_uniform_(
    tensor: Tensor, gain: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Draw evenly, so that variances stay alike in both directions through a layer.

    The variance is `gain**2 * 2 / (fan_in + fan_out)`: with how many elements an output and an
    input of the layer are connected.
    """
    bound = sqrt(3.0) * _xavier(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


@with_own_name(std="gain")
def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Draw from the normal distribution, with the variance of `xavier_uniform_`."""
    return normal_(tensor, 0.0, _xavier(tensor, gain), generator)


def _xavier(tensor: Tensor, gain: float) -> float:
    return gain * sqrt(2.0 / sum(_fans(tensor)))


@with_own_name()
def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Draw evenly, so that variances stay alike through layers with an activation.

    The variance is `gain**2 / fan`, with the gain of the activation, `a` being the slope of
    `"leaky_relu"`. `mode="fan_in"` keeps the variance of results, `"fan_out"` that of gradients.
    """
    bound = sqrt(3.0) * _kaiming(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


@with_own_name()
def kaiming_normal_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Draw from the normal distribution, with the variance of `kaiming_uniform_`."""
    return normal_(tensor, 0.0, _kaiming(tensor, a, mode, nonlinearity), generator)


def _kaiming(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"{mode!r} is not a valid value for mode: it is 'fan_in' or 'fan_out'")
    fan_in, fan_out = _fans(tensor)
    fan = fan_in if mode == "fan_in" else fan_out
    return calculate_gain(nonlinearity, a) / sqrt(fan) if fan else 0.0


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much an activation shrinks deviations, and weights should make up for it.

    `param` is the slope of `"leaky_relu"`, 0.01 by default.

        >>> opwright.nn.init.calculate_gain("tanh")
        1.6666666666666667
    """
    if nonlinearity == "leaky_relu":
        if param is not None and (isinstance(param, bool) or not isinstance(param, int | float)):
            raise ValueError(f"the slope of leaky_relu must be a number, not {param!r}")
        slope = 0.01 if param is None else param
        return sqrt(2.0 / (1 + slope**2))
    gain = _GAINS.get(nonlinearity)
    if gain is None:
        raise ValueError(
            f"{nonlinearity!r} is not a known activation: these are 'leaky_relu', "
            f"{', '.join(map(repr, _GAINS))}"
        )
    return gain


_GAINS = {
    "linear": 1.0,
    "sigmoid": 1.0,
    "tanh": 5.0 / 3,
    "relu": sqrt(2.0),
    "selu": 3.0 / 4,
    **dict.fromkeys(
        [f"conv{transposed}{n}d" for transposed in ("", "_transpose") for n in (1, 2, 3)], 1.0
    ),
}


def _fans(tensor: Tensor) -> tuple[int, int]:
    """With how many elements each output of a layer is connected, and each input."""
    if tensor.ndim < 2:
        raise ValueError(
            f"the tensor must have 2 dimensions or more, for outputs and inputs of a layer, but "
            f"has {tensor.ndim}"
        )
    outputs, inputs, *window = tensor.shape
    return inputs * prod(window), outputs * prod(window)

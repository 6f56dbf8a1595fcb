"""Steps divided by the root of a running mean of squared gradients."""

from __future__ import annotations

from opwright.optim.optimizer import Optimizer, _not_negative, _real, _regularized

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class RMSprop(Optimizer):
    """`p -= lr * g / (sqrt(v) + eps)`, with a running mean `v` of `g * g`.

    The mean forgets with the factor `alpha`. With `centered`, `v` is the variance: the square of
    the running mean of `g` is subtracted. With momentum, the quotients are summed up as
    `b = momentum * b + g / (sqrt(v) + eps)`, and `p -= lr * b`. Before, `weight_decay * p` is
    added to `g`; `maximize` turns `g` around. Complex parameters are changed as their real and
    imaginary parts.

    From lecture 6e of Hinton's "Neural Networks for Machine Learning" (2012); the centered form is
    that of Graves, "Generating Sequences With Recurrent Neural Networks" (2013).

    `capturable` and `foreach` change nothing.

    Raises:
        ValueError: an option other than these is negative.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr", "eps", "momentum", "weight_decay", "alpha")

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state = self._remembered(parameter, "square_avg", *_others(group))
        state["step"].add_(1)
        gradient = _real(_regularized(parameter, gradient, group))
        parameter, rate, alpha = _real(parameter), float(group["lr"]), group["alpha"]
        square = _real(state["square_avg"]).mul_(alpha)
        square.addcmul_(gradient, gradient, value=1 - alpha)
        if group["centered"]:
            mean = _real(state["grad_avg"]).lerp_(gradient, 1 - alpha)
            square = square.addcmul(mean, mean, value=-1)
        divisor = square.sqrt().add_(group["eps"])
        if group["momentum"]:
            buffer = _real(state["momentum_buffer"]).mul_(group["momentum"])
            parameter.add_(buffer.addcdiv_(gradient, divisor), alpha=-rate)
        else:
            parameter.addcdiv_(gradient, divisor, value=-rate)


def _others(group: dict[str, Any]) -> list[str]:
    """What is remembered for options."""
    names = ["momentum_buffer"] if group["momentum"] else []
    return [*names, "grad_avg"] if group["centered"] else names

"""Adam's steps with Nesterov's momentum."""

from __future__ import annotations

from opwright.optim.optimizer import (
    Optimizer,
    _check_betas,
    _not_negative,
    _real,
    _regularized,
    _scalar,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class NAdam(Optimizer):
    """`Adam` that looks ahead: part of the step goes along the gradient itself.

    In step `t`, with the momentum `mu(t) = beta1 * (1 - 0.96 ** (t * momentum_decay) / 2)` and the
    product `c(t)` of all up to `mu(t)`, it is
    `p -= lr * ((1 - mu(t)) / (1 - c(t)) * g + mu(t + 1) / (1 - c(t + 1)) * m) / (sqrt(v) + eps)`.
    `m` and `v` are the running means of `g` and `g * g`, which forget with `betas`; `v` is scaled
    up for the zero it began with. Before, `weight_decay * p` is added to `g`, or, with
    `decoupled_weight_decay`, `p` is multiplied by `1 - lr * weight_decay`; `maximize` turns `g`
    around. Complex parameters are changed as their real and imaginary parts.

    From Dozat, "Incorporating Nesterov Momentum into Adam" (2016); the decoupled decay is that of
    Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019).

    `foreach` and `capturable` change nothing.

    Raises:
        ValueError: one of `betas` is not at least 0 and below 1, or another option is negative.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr", "eps", "weight_decay", "momentum_decay")
        _check_betas(group)

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        if not self.state[parameter]:
            self.state[parameter] = {"step": _scalar(0.0), "mu_product": _scalar(1.0)}
        state = self._remembered(parameter, "exp_avg", "exp_avg_sq")
        gradient = _real(_regularized(parameter, gradient, group))
        parameter, rate, (beta1, beta2) = _real(parameter), float(group["lr"]), group["betas"]
        step = state["step"].add_(1).item()
        momentum = _momentum(step, group)
        ahead = _momentum(step + 1, group)
        product = state["mu_product"].mul_(momentum).item()
        mean = _real(state["exp_avg"]).lerp_(gradient, 1 - beta1)
        square = _real(state["exp_avg_sq"]).mul_(beta2)
        square.addcmul_(gradient, gradient, value=1 - beta2)
        divisor = square.div(1 - beta2**step).sqrt_().add_(group["eps"])
        parameter.addcdiv_(gradient, divisor, value=-rate * (1 - momentum) / (1 - product))
        parameter.addcdiv_(mean, divisor, value=-rate * ahead / (1 - product * ahead))


def _momentum(step: float, group: dict[str, Any]) -> float:
    """The momentum of a step, which rises from half of `beta1` to `beta1`."""
    momentum: float = group["betas"][0] * (1 - 0.5 * 0.96 ** (step * group["momentum_decay"]))
    return momentum

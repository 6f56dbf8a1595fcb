"""Steps against the gradient, and the mean of where they led."""

from __future__ import annotations

from opwright.optim.optimizer import Optimizer, _regularized, _scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class ASGD(Optimizer):
    """`p = (1 - lambd * eta) * p - eta * g`, of which the state has the mean as `ax`.

    After step `t`, the rate of the next is `eta = lr / (1 + lambd * lr * t) ** alpha`. Up to step
    `t0`, `ax` is `p`; then `ax += mu * (p - ax)` with `mu = 1 / max(1, t - t0)`. Before,
    `weight_decay * p` is added to `g`; `maximize` turns `g` around.

    From Polyak and Juditsky, "Acceleration of Stochastic Approximation by Averaging" (1992); the
    rates are those of Xu, "Towards Optimal One Pass Large Scale Learning with Averaged Stochastic
    Gradient Descent" (2011).

    `foreach` and `capturable` change nothing.

    Raises:
        ValueError: `lr` or `weight_decay` is negative.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        rate = float(group["lr"])
        if not self.state[parameter]:
            eta, mu = _scalar(rate), _scalar(1.0)
            self.state[parameter] = {"step": _scalar(0.0), "eta": eta, "mu": mu}
        state = self._remembered(parameter, "ax")
        gradient = _regularized(parameter, gradient, group)
        step, eta = state["step"].add_(1).item(), state["eta"].item()
        parameter.mul_(1 - group["lambd"] * eta).add_(gradient, alpha=-eta)
        mean, mu = state["ax"], state["mu"].item()
        if mu == 1:
            mean.copy_(parameter)
        else:
            mean.add_(parameter.sub(mean).mul_(mu))
        state["eta"].fill_(rate / (1 + group["lambd"] * rate * step) ** group["alpha"])
        state["mu"].fill_(1 / max(1, step - group["t0"]))

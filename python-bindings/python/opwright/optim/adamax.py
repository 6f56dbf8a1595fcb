"""Steps divided by the greatest gradient of late."""

from __future__ import annotations

from opwright import _C
from opwright.optim.optimizer import Optimizer, _check_betas, _not_negative, _real, _regularized

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class Adamax(Optimizer):
    """`p -= lr / (1 - beta1 ** t) * m / u`, the form of `Adam` for the norm of the maximum.

    `m` is a running mean of `g` that forgets with `beta1`, `u = max(beta2 * u, abs(g) + eps)`, and
    `t` is the number of the step. Before, `weight_decay * p` is added to `g`; `maximize` turns `g`
    around. Complex parameters are changed as their real and imaginary parts.

    From Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2015), algorithm 2.

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
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr", "eps", "weight_decay")
        _check_betas(group)

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state, (beta1, beta2) = self._remembered(parameter, "exp_avg", "exp_inf"), group["betas"]
        step = state["step"].add_(1).item()
        gradient = _real(_regularized(parameter, gradient, group))
        mean = _real(state["exp_avg"]).lerp_(gradient, 1 - beta1)
        greatest = _real(state["exp_inf"]).mul_(beta2)
        greatest.copy_(_C.maximum(greatest, gradient.abs().add_(group["eps"])))
        rate = float(group["lr"]) / (1 - beta1**step)
        _real(parameter).addcdiv_(mean, greatest, value=-rate)

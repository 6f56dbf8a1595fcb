"""Adam's steps, shorter while the mean of the squares is uncertain."""

from __future__ import annotations

from math import sqrt

from opwright.optim.optimizer import Optimizer, _check_betas, _not_negative, _real, _regularized

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class RAdam(Optimizer):
    """`Adam` whose first steps do not divide, and whose next ones are shorter.

    With the running means `m` of `g` and `v` of `g * g`, which forget with `betas` and are scaled
    up for the zeros they began with, it is `p -= lr * r * m / (sqrt(v) + eps)`; `eps` is added
    before `v` is scaled. `r` follows from how many gradients count in `v`: with `b = beta2`,
    `n = 2 / (1 - b) - 1` and `n(t) = n - 2 * t * b ** t / (1 - b ** t)`, it is the root of
    `(n(t) - 4) * (n(t) - 2) * n / ((n - 4) * (n - 2) * n(t))`. Where `n(t)` is at most 5, it is
    `p -= lr * m`. Before, `weight_decay * p` is added to `g`, or, with `decoupled_weight_decay`,
    `p` is multiplied by `1 - lr * weight_decay`; `maximize` turns `g` around. Complex parameters
    are changed as their real and imaginary parts.

    From Liu and others, "On the Variance of the Adaptive Learning Rate and Beyond" (2020),
    algorithm 2, with 5 where that has 4.

    `foreach` and `capturable` change nothing.

    Raises:
        ValueError: one of `betas` is not at least 0 and below 1, or another option is negative.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
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
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr", "eps", "weight_decay")
        _check_betas(group)

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state, (beta1, beta2) = self._remembered(parameter, "exp_avg", "exp_avg_sq"), group["betas"]
        gradient = _real(_regularized(parameter, gradient, group))
        step = state["step"].add_(1).item()
        mean = _real(state["exp_avg"]).lerp_(gradient, 1 - beta1)
        square = _real(state["exp_avg_sq"]).mul_(beta2)
        square.addcmul_(gradient, gradient, value=1 - beta2)
        change = mean / (1 - beta1**step)
        rectified = _rectified(step, beta2)
        if rectified is not None:
            scale = rectified * sqrt(1 - beta2**step)
            change.div_(square.sqrt().add_(group["eps"])).mul_(scale)
        _real(parameter).add_(change, alpha=-float(group["lr"]))


def _rectified(step: float, beta: float) -> float | None:
    """The factor of a step, or None where too few squares are known for one."""
    most = 2 / (1 - beta) - 1
    count = most - 2 * step * beta**step / (1 - beta**step)
    if count <= 5:
        return None
    return sqrt((count - 4) * (count - 2) * most / ((most - 4) * (most - 2) * count))

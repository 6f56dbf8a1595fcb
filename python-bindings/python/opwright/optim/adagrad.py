"""Steps divided by the root of the sum of all squared gradients."""

from __future__ import annotations

from opwright import _C
from opwright.optim.optimizer import Optimizer, _not_negative, _real, _regularized, _scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class Adagrad(Optimizer):
    """`p -= r * g / (sqrt(s) + eps)`, with the sum `s` of all `g * g`.

    The rate falls with the steps `t = 1, 2, ...`: `r = lr / (1 + (t - 1) * lr_decay)`. The sum
    starts with `initial_accumulator_value`, and is there before the first step. Before,
    `weight_decay * p` is added to `g`; `maximize` turns `g` around. Complex parameters are changed
    as their real and imaginary parts.

    From Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic
    Optimization" (2011).

    `foreach` and `fused` change nothing.

    Raises:
        ValueError: an option other than these is negative.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        names = ("lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps")
        _not_negative(group, *names)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters, with options that differ, and begin their sums."""
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        for parameter in group["params"]:
            start = group["initial_accumulator_value"]
            if parameter.is_complex():
                start = complex(start, start)
            total = _C.full_like(parameter, start, requires_grad=False)
            self.state[parameter] = {"step": _scalar(0.0), "sum": total}

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state = self.state[parameter]
        step = state["step"].add_(1).item()
        gradient = _real(_regularized(parameter, gradient, group))
        rate = float(group["lr"]) / (1 + (step - 1) * group["lr_decay"])
        total = _real(state["sum"]).addcmul_(gradient, gradient)
        _real(parameter).addcdiv_(gradient, total.sqrt().add_(group["eps"]), value=-rate)

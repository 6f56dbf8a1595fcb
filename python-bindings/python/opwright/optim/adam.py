"""Steps whose lengths adapt to how great the gradients of each element are."""

from __future__ import annotations

from math import sqrt

from opwright import _C
from opwright.optim.optimizer import (
    Optimizer,
    _check_betas,
    _is_fused,
    _not_negative,
    _real,
    _regularized,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class Adam(Optimizer):
    """`p -= lr * m / (sqrt(v) + eps)`, with running means `m` of `g` and `v` of `g * g`.

    The means forget with the factors `betas`; at the start, they are scaled up for the zeros they
    began with. Before, `weight_decay * p` is added to `g`; `maximize` turns `g` around. With
    `amsgrad`, `v` is the greatest there was. With `decoupled_weight_decay`, `p` is multiplied by
    `1 - lr * weight_decay` and `g` stays what it is.

    Complex parameters are changed as their real and imaginary parts.

    A step is one call for all parameters, `fused`, unless that is false or impossible. `foreach`
    and `capturable` change nothing.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr", "eps", "weight_decay")
        _check_betas(group)

    def _update_all(
        self, parameters: list[Tensor], gradients: list[Tensor], group: dict[str, Any]
    ) -> None:
        if not _is_fused(group, parameters, gradients):
            super()._update_all(parameters, gradients, group)
            return
        if len({id(it) for it in parameters}) < len(parameters):
            # One call would be told of the same memory twice.
            for one, its in zip(parameters, gradients, strict=True):
                self._update_all([one], [its], group)
            return
        amsgrad, (beta1, beta2) = group["amsgrad"], group["betas"]
        if amsgrad:
            states = [self._state(it, group) for it in parameters]
        else:
            # What is remembered is there, but at the first step.
            states = [self.state[it] or self._state(it, group) for it in parameters]
        steps = [it["step"] for it in states]
        _C._foreach_add_(steps, 1)
        step = _C._fused_adamw_ if group["decoupled_weight_decay"] else _C._fused_adam_
        step(
            parameters,
            gradients,
            [it["exp_avg"] for it in states],
            [it["exp_avg_sq"] for it in states],
            [it["max_exp_avg_sq"] for it in states] if amsgrad else [],
            steps,
            lr=group["lr"],
            beta1=beta1,
            beta2=beta2,
            weight_decay=group["weight_decay"],
            eps=group["eps"],
            amsgrad=amsgrad,
            maximize=group["maximize"],
        )

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state = self._state(parameter, group)
        gradient = _regularized(parameter, gradient, group)
        step = state["step"].add_(1).item()
        means = {name: _real(it) for name, it in state.items() if name != "step"}
        _change(_real(parameter), _real(gradient), means, step, group)

    def _state(self, parameter: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        greatest = ["max_exp_avg_sq"] if group["amsgrad"] else []
        return self._remembered(parameter, "exp_avg", "exp_avg_sq", *greatest)


def _change(
    parameter: Tensor,
    gradient: Tensor,
    means: dict[str, Tensor],
    step: float,
    group: dict[str, Any],
) -> None:
    """A step of a real parameter, after its means were given to it."""
    beta1, beta2 = group["betas"]
    mean = means["exp_avg"].lerp_(gradient, 1 - beta1)
    square = means["exp_avg_sq"].mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    if group["amsgrad"]:
        greatest = means["max_exp_avg_sq"]
        square = greatest.copy_(_C.maximum(greatest, square))
    divisor = square.sqrt().div_(sqrt(1 - beta2**step)).add_(group["eps"])
    parameter.addcdiv_(mean, divisor, value=-float(group["lr"]) / (1 - beta1**step))


class AdamW(Adam):
    """`Adam` with `decoupled_weight_decay`: parameters shrink by themselves."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )

"""Steps as long as earlier ones were, in units of the gradients."""

from __future__ import annotations

from opwright.optim.optimizer import Optimizer, _not_negative, _real, _regularized

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class Adadelta(Optimizer):
    """`p -= lr * d`, where `d = g * sqrt(u + eps) / sqrt(v + eps)`.

    `v` is a running mean of `g * g`, and `u` one of `d * d` up to the step before; both forget with
    the factor `rho`. Before, `weight_decay * p` is added to `g`; `maximize` turns `g` around.
    Complex parameters are changed as their real and imaginary parts.

    From Zeiler, "ADADELTA: An Adaptive Learning Rate Method" (2012), algorithm 1, where `lr` is 1.

    `foreach` and `capturable` change nothing.

    Raises:
        ValueError: `rho` is not from 0 to 1, or another option is negative.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr", "eps", "weight_decay")
        if not 0 <= group["rho"] <= 1:
            raise ValueError(f"option 'rho' must be from 0 to 1, but is {group['rho']}")

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state, rho, eps = (
            self._remembered(parameter, "square_avg", "acc_delta"),
            group["rho"],
            group["eps"],
        )
        state["step"].add_(1)
        gradient = _real(_regularized(parameter, gradient, group))
        square = _real(state["square_avg"]).mul_(rho)
        square.addcmul_(gradient, gradient, value=1 - rho)
        lengths = _real(state["acc_delta"])
        change = lengths.add(eps).sqrt_().div_(square.add(eps).sqrt_()).mul_(gradient)
        lengths.mul_(rho).addcmul_(change, change, value=1 - rho)
        _real(parameter).add_(change, alpha=-float(group["lr"]))

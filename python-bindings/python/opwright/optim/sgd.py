"""Steps against the gradient."""

from __future__ import annotations

from opwright.optim.optimizer import Optimizer, _not_negative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class SGD(Optimizer):
    """`p -= lr * g`, with momentum `p -= lr * v`, where `v = momentum * v + (1 - dampening) * g`.

    Before, `weight_decay * p` is added to `g`; `maximize` turns `g` around. The first `v` is `g`.
    With `nesterov`, it is `p -= lr * (g + momentum * v)`.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr", "momentum", "weight_decay")
        if group["nesterov"] and (group["momentum"] <= 0 or group["dampening"] != 0):
            raise ValueError("option 'nesterov' needs a momentum, and a dampening of zero")

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        if group["maximize"]:
            gradient = -gradient
        if group["weight_decay"]:
            gradient = gradient.add(parameter, alpha=group["weight_decay"])
        if group["momentum"]:
            gradient = self._with_momentum(parameter, gradient, group)
        parameter.add_(gradient, alpha=-group["lr"])

    def _with_momentum(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> Tensor:
        state, momentum = self.state[parameter], group["momentum"]
        velocity: Tensor | None = state.get("momentum_buffer")
        if velocity is None:
            velocity = state["momentum_buffer"] = gradient.detach().clone()
        else:
            velocity.mul_(momentum).add_(gradient, alpha=1 - group["dampening"])
        return gradient.add(velocity, alpha=momentum) if group["nesterov"] else velocity

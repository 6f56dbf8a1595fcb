"""Steps against the gradient."""

from __future__ import annotations

from opwright import _C
from opwright.optim.optimizer import Optimizer, _is_fused, _not_negative, _regularized

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class SGD(Optimizer):
    """`p -= lr * g`, with momentum `p -= lr * v`, where `v = momentum * v + (1 - dampening) * g`.

    Before, `weight_decay * p` is added to `g`; `maximize` turns `g` around. The first `v` is `g`.
    With `nesterov`, it is `p -= lr * (g + momentum * v)`.

    A step is one call for all parameters, `fused`, unless that is false or impossible. `foreach`
    changes nothing.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr", "momentum", "weight_decay")
        if group["nesterov"] and (group["momentum"] <= 0 or group["dampening"] != 0):
            raise ValueError("option 'nesterov' needs a momentum, and a dampening of zero")

    def _update_all(
        self, parameters: list[Tensor], gradients: list[Tensor], group: dict[str, Any]
    ) -> None:
        if not _is_fused(group, parameters, gradients):
            super()._update_all(parameters, gradients, group)
            return
        if not group["momentum"]:
            _fused(parameters, gradients, [], group, is_first=True)
            return
        triples = [(self.state[p], p, g) for p, g in zip(parameters, gradients, strict=True)]
        known = [it for it in triples if it[0].get("momentum_buffer") is not None]
        fresh = [it for it in triples if it[0].get("momentum_buffer") is None]
        for chosen, is_first in ((fresh, True), (known, False)):
            if not chosen:
                continue
            states, learnt, slopes = zip(*chosen, strict=True)
            if is_first:
                velocities = [_C.empty_like(it) for it in learnt]
            else:
                velocities = [it["momentum_buffer"] for it in states]
            _fused([*learnt], [*slopes], velocities, group, is_first)
            # Not before: a step that is refused leaves nothing behind.
            for state, velocity in zip(states, velocities, strict=True):
                state["momentum_buffer"] = velocity

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        gradient = _regularized(parameter, gradient, group)
        if group["momentum"]:
            gradient = self._with_momentum(parameter, gradient, group)
        parameter.add_(gradient, alpha=-float(group["lr"]))

    def _with_momentum(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> Tensor:
        state, momentum = self.state[parameter], group["momentum"]
        velocity: Tensor | None = state.get("momentum_buffer")
        if velocity is None:
            velocity = state["momentum_buffer"] = gradient.detach().clone()
        else:
            velocity.mul_(momentum).add_(gradient, alpha=1 - group["dampening"])
        return gradient.add(velocity, alpha=momentum) if group["nesterov"] else velocity


def _fused(
    parameters: list[Tensor],
    gradients: list[Tensor],
    velocities: list[Tensor],
    group: dict[str, Any],
    is_first: bool,
) -> None:
    _C._fused_sgd_(
        parameters,
        gradients,
        velocities,
        weight_decay=group["weight_decay"],
        momentum=group["momentum"],
        lr=group["lr"],
        dampening=group["dampening"],
        nesterov=group["nesterov"],
        maximize=group["maximize"],
        is_first_step=is_first,
    )

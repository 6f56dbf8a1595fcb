"""Momentum whose matrices are made orthogonal, for the hidden layers of networks."""

from __future__ import annotations

from math import sqrt

from opwright import _C
from opwright.optim.optimizer import Optimizer, _not_negative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class Muon(Optimizer):
    """`p = (1 - lr * weight_decay) * p - r * orthogonal(u)`, for parameters that are matrices.

    `u` is the running mean `m = momentum * m + (1 - momentum) * g`, and with `nesterov` that mean
    taken once more, `momentum * m + (1 - momentum) * g`. Its singular values are driven to about 1,
    by `ns_steps` steps of Newton and Schulz with the polynomial `a * x + b * x**3 + c * x**5`,
    whose coefficients are `ns_coefficients`. They are taken in bfloat16, and `eps` is the least
    norm that `u` is divided by. `r` is `lr` times `sqrt(max(1, rows / columns))`, which is what
    `adjust_lr_fn="original"` names, too, or times `0.2 * sqrt(max(rows, columns))` with
    `"match_rms_adamw"`: rates that were found for `AdamW` fit then. Biases, embeddings and last
    layers are for another optimizer.

    From Jordan and others, "Muon: An optimizer for hidden layers in neural networks" (2024), and
    Liu and others, "Muon is Scalable for LLM Training" (2025).

    Raises:
        ValueError: an option is negative, there are not three coefficients, there are 100 steps or
            more, `adjust_lr_fn` is another word, or a parameter is no matrix.
        RuntimeError: in a step, if a parameter is complex.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        defaults = {
            "lr": lr,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "nesterov": nesterov,
            "ns_coefficients": ns_coefficients,
            "eps": eps,
            "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr", "momentum", "weight_decay")
        if group["adjust_lr_fn"] not in (None, *_RATIOS):
            raise ValueError(
                f"option 'adjust_lr_fn' must be one of {', '.join(map(repr, _RATIOS))}, but is "
                f"{group['adjust_lr_fn']!r}"
            )
        if len(group["ns_coefficients"]) != 3:
            raise ValueError(
                f"option 'ns_coefficients' must have three numbers, but has "
                f"{len(group['ns_coefficients'])}"
            )
        if group["ns_steps"] >= 100:
            raise ValueError(f"option 'ns_steps' must be below 100, but is {group['ns_steps']}")
        for parameter in group["params"]:
            if parameter.dim() != 2:
                raise ValueError(
                    f"Muon is for matrices, but a parameter has the shape {list(parameter.shape)}; "
                    f"give such to another optimizer"
                )

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        if parameter.is_complex():
            raise RuntimeError("Muon is for real parameters, but one is complex")
        state, momentum, rate = self.state[parameter], group["momentum"], float(group["lr"])
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = _C.zeros_like(gradient, requires_grad=False)
        mean = state["momentum_buffer"].lerp_(gradient, 1 - momentum)
        change = gradient.lerp(mean, momentum) if group["nesterov"] else mean
        ratio = _RATIOS[group["adjust_lr_fn"] or "original"](*parameter.shape)
        parameter.mul_(1 - rate * group["weight_decay"])
        parameter.add_(_orthogonal(change, group), alpha=-rate * ratio)


# By how much steps are longer, depending on how many rows and columns a parameter has.
_RATIOS = {
    "original": lambda rows, columns: sqrt(max(1, rows / columns)),
    "match_rms_adamw": lambda rows, columns: 0.2 * sqrt(max(rows, columns)),
}


def _orthogonal(matrix: Tensor, group: dict[str, Any]) -> Tensor:
    """A matrix with the singular vectors of another, and singular values of about 1."""
    is_tall = matrix.shape[0] > matrix.shape[1]
    found = matrix.bfloat16()
    if is_tall:
        # Fewer rows than columns make the products small.
        found = found.t()
    found = found / found.norm().clamp(min=group["eps"])
    a, b, c = group["ns_coefficients"]
    for _ in range(group["ns_steps"]):
        gram = found @ found.t()
        found = _C.addmm(found, _C.addmm(gram, gram, gram, beta=b, alpha=c), found, beta=a)
    return found.t() if is_tall else found

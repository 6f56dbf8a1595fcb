"""Steps whose lengths depend on the signs of gradients alone."""

from __future__ import annotations

from opwright import _C
from opwright.optim.optimizer import Optimizer, _not_negative, _real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


class Rprop(Optimizer):
    """`p -= s * sign(g)`, with a step `s` for each element, which is `lr` at first.

    Where the sign of the gradient is that of the step before, `s` is multiplied by the second of
    `etas`; where it has turned, by the first, and the element stays where it is this once.
    `step_sizes` are the least and the greatest `s`. `maximize` turns `g` around. Complex parameters
    are changed as their real and imaginary parts. It is for gradients of all data: those of batches
    turn by chance.

    From Riedmiller and Braun, "A Direct Adaptive Method for Faster Backpropagation Learning: The
    RPROP Algorithm" (1993), without going back where the gradient has turned.

    `foreach` and `capturable` change nothing.

    Raises:
        ValueError: `lr` is negative, or `etas` are not `0 < etas[0] < 1 < etas[1]`.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _check(self, group: dict[str, Any]) -> None:
        _not_negative(group, "lr")
        shrink, grow = group["etas"]
        if not 0 < shrink < 1 < grow:
            raise ValueError(
                f"option 'etas' must be a number between 0 and 1, and one above 1, but is "
                f"{(shrink, grow)}"
            )

    def _update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state, rate = self._remembered(parameter, "prev"), float(group["lr"])
        if "step_size" not in state:
            both = complex(rate, rate) if parameter.is_complex() else rate
            state["step_size"] = _C.full_like(gradient, both, requires_grad=False)
        state["step"].add_(1)
        gradient = _real(-gradient if group["maximize"] else gradient)
        before, lengths = _real(state["prev"]), _real(state["step_size"])
        (shrink, grow), (least, greatest) = group["etas"], group["step_sizes"]
        agreement = gradient * before
        has_turned = agreement < 0
        factors = _C.ones_like(agreement).masked_fill_(agreement > 0, grow)
        lengths.mul_(factors.masked_fill_(has_turned, shrink)).clamp_(least, greatest)
        gradient = gradient.masked_fill(has_turned, 0)
        _real(parameter).addcmul_(gradient.sign(), lengths, value=-1)
        before.copy_(gradient)

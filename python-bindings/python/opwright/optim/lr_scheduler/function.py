"""Rates that a function of the epoch says."""

from __future__ import annotations

from opwright._kinds import kind
from opwright.optim.lr_scheduler.schedule import LRScheduler, _state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from opwright.optim.optimizer import Optimizer


class LambdaLR(LRScheduler):
    """The first rates, multiplied by what a function of the epoch returns.

    There may be a function for each group.

    Raises:
        ValueError: there are more or fewer functions than groups.
        TypeError: one is no function.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        count = len(optimizer.param_groups)
        self.lr_lambdas = [lr_lambda] * count if callable(lr_lambda) else [*lr_lambda]
        if len(self.lr_lambdas) != count:
            raise ValueError(
                f"{type(self).__name__}(): argument 'lr_lambda' has {len(self.lr_lambdas)} "
                f"functions for {count} groups"
            )
        for function in self.lr_lambdas:
            if not callable(function):
                raise TypeError(
                    f"{type(self).__name__}(): argument 'lr_lambda' must have functions, but has "
                    f"an object of type {kind(function)}"
                )
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates of the epoch."""
        return self._products(self.base_lrs)

    def _products(self, rates: list[float]) -> list[float]:
        pairs = zip(rates, self.lr_lambdas, strict=True)
        return [rate * function(self.last_epoch) for rate, function in pairs]

    def state_dict(self) -> dict[str, Any]:
        """Where the schedule stands, without the optimizer and functions with names.

        Of other objects that can be called, it has the attributes.
        """
        return {**super().state_dict(), "lr_lambdas": [_state_of(it) for it in self.lr_lambdas]}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on where another schedule stands; functions stay what they are."""
        own = self.lr_lambdas
        super().load_state_dict({**state_dict, "lr_lambdas": own})
        for function, attributes in zip(own, state_dict.get("lr_lambdas", ()), strict=False):
            vars(function).update(attributes or {})


class MultiplicativeLR(LambdaLR):
    """Rates that are multiplied at every epoch by what a function of it returns.

    There may be a function for each group.

    Raises:
        ValueError: there are more or fewer functions than groups.
        TypeError: one is no function.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates, multiplied but for the first."""
        return self._rates() if self._is_initial else self._products(self._rates())

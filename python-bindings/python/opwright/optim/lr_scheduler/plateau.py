"""Rates that fall when nothing gets better."""

from __future__ import annotations

from math import inf

from opwright.optim.lr_scheduler.schedule import (
    LRScheduler,
    _for_groups,
    _optimizer,
    _warn_of_epochs,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, SupportsFloat

    from opwright.optim.optimizer import Optimizer


class ReduceLROnPlateau(LRScheduler):
    """Rates that are multiplied by `factor` after `patience` epochs without a better measure.

    `step` takes the measure, such as the loss of a validation. In `mode` `"min"` a measure is
    better than the best if it is below `best * (1 - threshold)`, with `threshold_mode="abs"` below
    `best - threshold`; in `"max"` it is above `best * (1 + threshold)` or `best + threshold`. After
    rates fell, worse epochs do not count for `cooldown` epochs. Rates do not fall below `min_lr`,
    which may be one for each group, nor if that would change them by `eps` or less.

    Raises:
        ValueError: `factor` is 1 or more, a mode is another word, or there are more or fewer of
            `min_lr` than groups.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: Literal["min", "max"] = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: Literal["rel", "abs"] = "rel",
        cooldown: int = 0,
        min_lr: list[float] | float = 0,
        eps: float = 1e-8,
    ) -> None:
        self.optimizer = _optimizer(optimizer)
        if not factor < 1:
            raise ValueError(f"argument 'factor' must be below 1, but is {factor}")
        if mode not in ("min", "max"):
            raise ValueError(f"argument 'mode' must be 'min' or 'max', but is {mode!r}")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(
                f"argument 'threshold_mode' must be 'rel' or 'abs', but is {threshold_mode!r}"
            )
        self.factor = factor
        self.min_lrs: list[float] = _for_groups("min_lr", min_lr, optimizer)
        self.default_min_lr = None if isinstance(min_lr, list | tuple) else min_lr
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = self._rates()
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.mode_worse = inf if mode == "min" else -inf
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    def step(self, metrics: SupportsFloat, epoch: int | None = None) -> None:  # type: ignore[override]
        """Say what was measured in an epoch; rates fall if it is one too many without progress."""
        if epoch is not None:
            _warn_of_epochs()
        measure = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(measure):
            self.best = measure
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = self._rates()

    @property
    def in_cooldown(self) -> bool:
        """Whether rates fell so lately that worse epochs do not count."""
        return self.cooldown_counter > 0

    def _is_better(self, measure: float) -> bool:
        sign = 1 if self.mode == "min" else -1
        margin = sign * self.threshold
        limit = self.best * (1 - margin) if self.threshold_mode == "rel" else self.best - margin
        return sign * measure < sign * limit

    def _reduce(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"'min_lrs' has {len(self.min_lrs)} values for {len(groups)} groups, of which "
                    f"some were added; give it a value for each"
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs, strict=True):
            before = float(group["lr"])
            rate = max(before * self.factor, least)
            if before - rate > self.eps:
                group["lr"] = rate

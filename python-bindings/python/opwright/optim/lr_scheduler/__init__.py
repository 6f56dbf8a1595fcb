"""Schedules of learning rates.

>>> w = opwright.ones(1, requires_grad=True)
>>> optimizer = opwright.optim.SGD([w], lr=1.0)
>>> schedule = opwright.optim.lr_scheduler.MultiStepLR(optimizer, [1, 3], gamma=0.5)
>>> for _ in range(4):
...     optimizer.step()
...     schedule.step()
>>> schedule.get_last_lr()
[0.25]
"""

from opwright.optim.lr_scheduler.composition import ChainedScheduler, SequentialLR
from opwright.optim.lr_scheduler.cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from opwright.optim.lr_scheduler.cycle import CyclicLR, OneCycleLR
from opwright.optim.lr_scheduler.decay import ExponentialLR, MultiStepLR, StepLR
from opwright.optim.lr_scheduler.function import LambdaLR, MultiplicativeLR
from opwright.optim.lr_scheduler.plateau import ReduceLROnPlateau
from opwright.optim.lr_scheduler.ramp import ConstantLR, LinearLR, PolynomialLR
from opwright.optim.lr_scheduler.schedule import LRScheduler

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

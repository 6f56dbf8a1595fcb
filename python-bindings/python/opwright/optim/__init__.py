"""Optimizers: what changes parameters as their gradients say.

>>> w = opwright.tensor([1.0, 2.0], requires_grad=True)
>>> optimizer = opwright.optim.SGD([w], lr=0.1)
>>> (w * w).sum().backward()
>>> optimizer.step()
>>> w.detach()
tensor([0.8, 1.6], dtype=float32, shape=(2,))
"""

from opwright.optim import lr_scheduler
from opwright.optim.adam import Adam, AdamW
from opwright.optim.optimizer import Optimizer
from opwright.optim.sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "lr_scheduler"]

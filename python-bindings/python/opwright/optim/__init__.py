"""Optimizers: what changes parameters as their gradients say.

>>> w = opwright.tensor([1.0, 2.0], requires_grad=True)
>>> optimizer = opwright.optim.SGD([w], lr=0.1)
>>> (w * w).sum().backward()
>>> optimizer.step()
>>> w.detach()
tensor([0.8, 1.6], dtype=float32, shape=(2,))
"""

from opwright.optim import lr_scheduler
from opwright.optim.adadelta import Adadelta
from opwright.optim.adagrad import Adagrad
from opwright.optim.adam import Adam, AdamW
from opwright.optim.adamax import Adamax
from opwright.optim.asgd import ASGD
from opwright.optim.lbfgs import LBFGS
from opwright.optim.muon import Muon
from opwright.optim.nadam import NAdam
from opwright.optim.optimizer import Optimizer
from opwright.optim.radam import RAdam
from opwright.optim.rmsprop import RMSprop
from opwright.optim.rprop import Rprop
from opwright.optim.sgd import SGD

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]

"""Functions of neural networks, and the tensors that they learn."""

from opwright.nn import functional
from opwright.nn.parameter import Parameter

__all__ = ["Parameter", "functional"]

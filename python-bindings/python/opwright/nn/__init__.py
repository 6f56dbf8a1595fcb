"""Functions of neural networks."""

from opwright.nn import functional

__all__ = ["functional"]

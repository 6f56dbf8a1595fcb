"""Operators in other frameworks, each of which is imported when it is asked for."""

from opwright.interop import jax as jax
from opwright.interop import torch as torch

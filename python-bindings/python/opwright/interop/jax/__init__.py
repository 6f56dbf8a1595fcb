"""Operators of this module in JAX.

>>> import jax
>>> softplus = opwright.interop.jax.wrap(opwright.ops.softplus.default)
>>> jax.jit(jax.grad(lambda x: softplus(x, beta=2.0).sum()))(jax.numpy.zeros(2))
Array([0.5, 0.5], dtype=float32)
"""

from __future__ import annotations

from ._version import check as _check

_check()

from ._wrapping import wrap as wrap  # noqa: E402
from ._xla import register as register  # noqa: E402

__all__ = ["register", "wrap"]

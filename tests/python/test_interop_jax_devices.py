"""Operators in JAX over several devices: values and derivatives inside of `shard_map`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from opwright import ops

jax = pytest.importorskip("jax", reason="the package jax is absent")
if not hasattr(jax, "shard_map"):
    pytest.skip("this JAX has no `jax.shard_map`", allow_module_level=True)

import jax.numpy as jnp  # noqa: E402
from jax.sharding import Mesh, PartitionSpec  # noqa: E402
from opwright.interop.jax import wrap  # noqa: E402

# An axis of one device is enough for the types.
MESH = Mesh(np.array(jax.devices()[:1]), ("x",))
SPLIT, WHOLE = PartitionSpec("x"), PartitionSpec()

softplus, mul, mm = wrap(ops.softplus.default), wrap(ops.mul), wrap(ops.mm.default)
A, B = jnp.arange(12.0).reshape(4, 3) / 9, jnp.linspace(-1.0, 1.0, 6).reshape(3, 2)


def sharded(function: Callable[..., Any], *specs: Any, out: Any = SPLIT) -> Callable[..., Any]:
    made: Callable[..., Any] = jax.shard_map(function, mesh=MESH, in_specs=specs, out_specs=out)
    return made


def total(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: (function(*args) ** 2).sum()


def repeated(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda it: jax.lax.scan(lambda carry, _: (function(carry), None), it, length=3)[0]


def summed(product: Callable[..., Any]) -> Callable[..., Any]:
    def part(a: Any, b: Any) -> Any:
        return jax.lax.psum(product(a, b), "x")

    return sharded(part, PartitionSpec(None, "x"), SPLIT, out=WHOLE)


# What is asked of our operators, and of functions of JAX.
ASKED: dict[str, Callable[..., Any]] = {
    "values": lambda f, g, h: sharded(f, SPLIT)(A),
    "a gradient": lambda f, g, h: jax.grad(total(sharded(f, SPLIT)))(A),
    "a gradient of what is whole": lambda f, g, h: jax.grad(total(sharded(g, SPLIT, WHOLE)), 1)(
        A, B
    ),
    "a gradient of a sum": lambda f, g, h: jax.grad(total(summed(g)))(A, B),
    "one number for all": lambda f, g, h: jax.grad(total(sharded(h, SPLIT, WHOLE)), 1)(A, 2.0),
    "a loop": lambda f, g, h: jax.grad(total(sharded(repeated(f), SPLIT)))(A),
    "second derivatives": lambda f, g, h: jax.hessian(total(sharded(f, SPLIT)))(A[:, 0]),
    "samples": lambda f, g, h: jax.vmap(sharded(f, SPLIT))(A),
}  # fmt: skip


@pytest.mark.parametrize("what", ASKED)
def test_sharded_functions_are_those_of_jax(what: str) -> None:
    mine = jax.jit(lambda: ASKED[what](softplus, mm, mul))()
    theirs = jax.jit(lambda: ASKED[what](jax.nn.softplus, jnp.matmul, jnp.multiply))()
    np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def test_results_that_vary_are_not_taken_for_replicated_ones() -> None:
    with pytest.raises(ValueError, match="replicat"):
        sharded(softplus, SPLIT, out=WHOLE)(A)


def test_two_devices_agree_with_one() -> None:
    flags = "--xla_force_host_platform_device_count=2"
    program = [sys.executable, "-P", "-c", TWO_DEVICES]
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["2", "True", "True", "True"], done.stderr


TWO_DEVICES = """
import jax, jax.numpy as jnp, numpy as np, opwright
from jax.sharding import Mesh, PartitionSpec as P
mm = opwright.interop.jax.wrap(opwright.ops.mm.default)
mesh = Mesh(np.array(jax.devices()), ("x",))
a, b = jnp.arange(12.0).reshape(4, 3), jnp.arange(6.0).reshape(3, 2)
rows = jax.shard_map(mm, mesh=mesh, in_specs=(P("x"), P()), out_specs=P("x"))
def part(a, b):
    return jax.lax.psum(mm(a, b), "x")
terms = jax.shard_map(part, mesh=mesh, in_specs=(P(None, "x"), P("x")), out_specs=P())
def loss(product):
    return lambda a, b: (product(a, b) ** 2).sum()
print(len(jax.devices()))
print(np.allclose(jax.jit(rows)(a, b), a @ b))
print(np.allclose(jax.jit(jax.grad(loss(rows), 1))(a, b), jax.grad(loss(jnp.matmul), 1)(a, b)))
a, b = a[:, :2], b[:2]
print(np.allclose(jax.grad(loss(terms))(a, b), jax.grad(loss(jnp.matmul))(a, b)))
"""

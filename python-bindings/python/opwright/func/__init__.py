"""Transforms of functions: derivatives, and batches of calls.

A transform takes a function and returns one, so that they nest: `vmap(grad(f))` computes the
gradient of each sample, and `jacfwd(jacrev(f))` second derivatives. Functions take tensors, or
pytrees of them: tuples, lists and dictionaries. They should write to nothing but what they make.

>>> opwright.func.grad(lambda x: x.sin().sum())(opwright.tensor([0.0, 1.0]))
tensor([1.0000, 0.5403], dtype=float32, shape=(2,))
"""

from ._forward import jacfwd as jacfwd
from ._forward import jvp as jvp
from ._forward import linearize as linearize
from ._functional_call import functional_call as functional_call
from ._functional_call import (
    replace_all_batch_norm_modules_ as replace_all_batch_norm_modules_,
)
from ._functional_call import stack_module_state as stack_module_state
from ._reverse import grad as grad
from ._reverse import grad_and_value as grad_and_value
from ._reverse import hessian as hessian
from ._reverse import jacrev as jacrev
from ._reverse import vjp as vjp
from ._vmap import vmap as vmap

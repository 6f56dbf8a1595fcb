"""Calls operators that a crate has taken in, as functions, as methods and in place."""

import numpy as np
import taking_ops as ops

x = ops.tensor([[1.0, -2.0], [3.0, 4.0]])
assert ops.add(x, np.ones((2, 2)), alpha=2).tolist() == [[3.0, 0.0], [5.0, 6.0]]
assert (x + 1).tolist() == [[2.0, -1.0], [4.0, 5.0]]
assert ops.sum(x, 0).tolist() == [4.0, 2.0]
assert x.max(1).indices.tolist() == [0, 1]
assert ops.linalg.norm(ops.tensor([3.0, 4.0])).item() == 5.0
assert ops.hypotenuse(x, x).add_(1).shape == (2, 2)

out = np.zeros((2, 2))
ops.add(x, 0, out=out)
assert out.tolist() == x.tolist()
assert not hasattr(ops, "mul")

rows = ops.ops
assert rows.add.Tensor(self=x, other=x, alpha=-1).tolist() == [[0.0, 0.0], [0.0, 0.0]]
assert rows.hypotenuse.default(x, x).shape == (2, 2)
assert {"add", "add_", "linalg_norm", "hypotenuse"} <= set(dir(rows))
assert not hasattr(rows, "mul")
print("the operators that were taken in work")

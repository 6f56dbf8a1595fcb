"""Calls the operators that the demo added to `my_ops`."""

import my_ops

x = my_ops.tensor([[-3.0, -0.5], [0.5, 3.0]])
print(my_ops.soft_threshold(x).tolist())
print(my_ops.soft_threshold(x, limit=2.5).tolist())
print(my_ops.spread(x))
print(my_ops.hypotenuse(x, my_ops.tensor([4.0, 0.0])).tolist())
try:
    my_ops.soft_threshold(x, limt=2.5)
except TypeError as error:
    print(error)

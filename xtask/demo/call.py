"""Calls the operators that were added to `my_ops`."""

import my_ops

x = my_ops.tensor([[-3.0, -0.5], [0.5, 3.0]])

shrunk = my_ops.soft_threshold(x, limit=2.5)
print(shrunk.tolist())
assert shrunk.tolist() == [[-0.5, 0.0], [0.0, 0.5]]

print(my_ops.spread(x), my_ops.count_within(x))
assert (my_ops.spread(x), my_ops.count_within(x)) == (6.0, 2)

print(x.wrap_around().tolist())
assert x.wrap_around().tolist() == [[0.0, 0.5], [0.5, 0.0]]

out = my_ops.tensor([0.0, 0.0])
my_ops.hypotenuse(my_ops.tensor([3.0, 5.0]), my_ops.tensor([4.0, 12.0]), out=out)
print(out.tolist())
assert out.tolist() == [5.0, 13.0]

try:
    my_ops.soft_threshold(x, limt=2.5)
except TypeError as error:
    print(error)
    assert "mean 'limit'?" in str(error)
else:
    raise AssertionError("a misspelled keyword was accepted")

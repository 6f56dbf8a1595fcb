"""Ops of graphs in Python, for tests."""

from opwright.graph import Apply, Op


class Does(Op):
    """An Op of any number of inputs that returns what a function makes of them."""

    def __init__(self, do, *, view_map=None, name=None):
        self.do = do
        self.view_map = view_map or {}
        self.name = name

    def make_node(self, *inputs):
        """One result, of the first input's type."""
        return Apply(self, list(inputs), [inputs[0].type()])

    def perform(self, node, inputs, output_storage):
        """Does it."""
        output_storage[0][0] = self.do(*inputs)

    def __str__(self):
        return self.name or super().__str__()

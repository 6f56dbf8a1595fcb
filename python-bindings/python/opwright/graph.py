"""Graphs of operator calls: variables, nodes, and what is done with them."""

from opwright import _C

_graph = _C._graph
Apply = _graph.Apply


class Op:
    """What a node does, written in Python.

    A subclass has `make_node`, which makes an `Apply`, and `perform`, which computes its results.
    Ops whose classes and `__props__` are equal do the same.
    """

    __props__: tuple[str, ...] | None = None

    def make_node(self, *inputs):
        """The node of a call with these inputs."""
        raise NotImplementedError(f"{type(self).__name__} has no make_node")

    def perform(self, node, inputs, output_storage):
        """Computes the results: the `k`th is put into `output_storage[k][0]`."""
        raise NotImplementedError(f"{type(self).__name__} has no perform")

    def __call__(self, *inputs, **options):
        outputs = self.make_node(*inputs, **options).outputs
        return outputs[0] if len(outputs) == 1 else outputs

    def _properties(self):
        return tuple(getattr(self, name) for name in self.__props__ or ())

    def __eq__(self, other):
        if self.__props__ is None or type(self) is not type(other):
            return self is other
        return self._properties() == other._properties()

    def __hash__(self):
        if self.__props__ is None:
            return object.__hash__(self)
        return hash((type(self), self._properties()))

    def __str__(self):
        return type(self).__name__


def rewrite(pattern, *, approx=False, when=None):
    """Lets a function say what takes the place of parts of graphs that look like `pattern`.

    The function gets the variables that stand for the names of the pattern, and returns one, or
    `None` if nothing is to be replaced; `when` is asked before with the same arguments. With
    `approx`, results may be rounded otherwise. What this makes has `remove()`.

        @graph.rewrite("sub.Tensor(a, a)")
        def cancel(a):
            return opwright.zeros_like(a)
    """
    return lambda replace: _graph.Rewrite(pattern, replace, approx, when)

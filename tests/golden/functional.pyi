# _C/__init__.pyi

@_disjoint_base
class TensorBase:
    def squash(self) -> Tensor:
        """Maps each element to the interval from 0 to 1.

        Integers are converted to the default dtype first.
        """

def squash(input: Tensor) -> Tensor:
    """Maps each element to the interval from 0 to 1.

    Integers are converted to the default dtype first.
    """


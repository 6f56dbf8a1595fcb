# _C/__init__.pyi

@_disjoint_base
class TensorBase:
    def squash(self) -> Tensor:
        """Maps each element to the interval from 0 to 1.

        Integers are converted to the default dtype first.

        ```python
        >>> opwright.squash(opwright.tensor([0.0]))
        tensor([0.5000], dtype=float32, shape=(1,))
        ```
        """

def squash(input: Tensor) -> Tensor:
    """Maps each element to the interval from 0 to 1.

    Integers are converted to the default dtype first.

    ```python
    >>> opwright.squash(opwright.tensor([0.0]))
    tensor([0.5000], dtype=float32, shape=(1,))
    ```
    """


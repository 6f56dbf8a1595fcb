"""The class of tensors."""

from __future__ import annotations

from . import _C, _numpy, _pickle
from ._functions import in_place_of, with_own_name

TYPE_CHECKING = False
# A module that stands alone has the methods of its operators, and no functions of Python.
_IN_PACKAGE = _C.__name__.endswith("._C")
if TYPE_CHECKING or _IN_PACKAGE:
    from . import _functional
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any, Literal, overload

    import numpy as np


def _default(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark what the tensors of every module have: to other modules it is no override."""
    function.__dict__["_is_default"] = True
    return function


@_C._untracked
class Tensor(_C.TensorBase):
    """An array of elements of one type, in any number of dimensions.

    `Tensor(2, 3)` has this size and elements that are not set, `Tensor([1, 2])` these elements, and
    `Tensor(x)` those of another tensor, of an array or of a storage: a tensor and a storage share
    their memory. The elements are of `dtype`, which is the default dtype unless it is said; a
    tensor alone keeps its own. `opwright.tensor` takes the dtype that the elements ask for.

    Indexing with integers, slices, `...` and `None` gives views that share memory; so do many
    methods.
    """

    __slots__ = ()

    @classmethod
    @_default
    def __opwright_function__(
        cls,
        function: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Run `function` and return results of this class.

        Subclasses that define it take over every call that one of their instances is passed to;
        they may return `NotImplemented` to let the next argument decide.
        """
        if not all(issubclass(cls, each) for each in types):
            return NotImplemented
        return _C._call_without_overrides(cls, function, args, kwargs)

    if TYPE_CHECKING or _IN_PACKAGE:

        @in_place_of(_C.TensorBase.norm)
        def norm(  # type: ignore[override]
            self,
            p: complex | str | None = "fro",
            dim: int | tuple[int, ...] | list[int] | None = None,
            keepdim: bool = False,
            dtype: _C.dtype | None = None,
        ) -> Tensor:
            """What `opwright.norm` does."""
            return _functional.norm(self, p, dim, keepdim, dtype=dtype)

        if TYPE_CHECKING:

            @overload
            def nonzero(self, *, as_tuple: Literal[False] = False) -> Tensor: ...
            @overload
            def nonzero(self, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]: ...

        @in_place_of(_C.TensorBase.nonzero)
        def nonzero(self, *, as_tuple: bool = False) -> Tensor | tuple[Tensor, ...]:
            """What `opwright.nonzero` does."""
            if as_tuple:
                return _functional.nonzero(self, as_tuple=True)
            return _C.nonzero(self)

        @in_place_of(_C.TensorBase.unique_consecutive)
        def unique_consecutive(  # type: ignore[override]
            self, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
        ) -> Any:
            """What `opwright.unique_consecutive` does."""
            return _functional.unique_consecutive(self, return_inverse, return_counts, dim)

        def lu(self, pivot: bool = True, get_infos: bool = False) -> tuple[Tensor, ...]:
            """What `opwright.lu` does."""
            return _functional.lu(self, pivot, get_infos)

        def unique(
            self,
            sorted: bool = True,
            return_inverse: bool = False,
            return_counts: bool = False,
            dim: int | None = None,
        ) -> Any:
            """What `opwright.unique` does."""
            return _functional.unique(self, sorted, return_inverse, return_counts, dim)

        def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType:
            """The functions of the array API standard, which are those of `opwright.array_api`.

            Raises `ValueError` for a version of the standard that is newer, or none.
            """
            from . import array_api

            known = array_api.KNOWN_VERSIONS
            if api_version is not None and api_version not in known:
                raise ValueError(
                    f"{api_version!r} is not a version of the array API that is known here: it is "
                    f"one of {', '.join(known)}"
                )
            return array_api

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Add the gradients of this tensor to `grad` of the leaves that it was made of."""
        _C._backward(self, gradient, retain_graph, create_graph, inputs)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Say whether gradients are recorded for a leaf, and return it."""
        self.requires_grad = requires_grad
        return self

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Any:
        """Call `hook` with the gradient of this tensor whenever a pass has completed it.

        It may return another gradient, and write to the one that it is given, which nobody else
        sees. Of a call with several outputs, some of which got a gradient, the hooks of the others
        are called with `None`. Returns a handle, whose `remove` takes the hook away.
        """
        return _C._register_hook(self, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> Any:
        """Call `hook` with this leaf after a gradient was added to `grad`."""
        return _C._register_leaf_hook(self, hook)

    def retain_grad(self) -> None:
        """Have passes leave a gradient in `grad` although this is a result."""
        _C._retain_grad(self)

    @with_own_name()
    def to_device(self, device: Any, /, *, stream: None = None) -> Tensor:
        """Return the tensor on another device, and itself if it is there.

        Raises `ValueError` for a `stream`: there are none.
        """
        if stream is not None:
            raise ValueError(f"to_device(): {self.device} has no streams, but got {stream!r}")
        return self.to(device)

    def astype(self, dtype: Any, *, copy: bool = True) -> Tensor:
        """Return a copy of another dtype, which may be a name, or numpy's.

        Without `copy`, a tensor of that dtype is returned itself.
        """
        return self.to(_C._graph.named_dtype(dtype), copy=copy)

    def __divmod__(self, other: Any) -> tuple[Tensor, Tensor]:
        """The quotient, rounded down, and what is left."""
        quotient: Any = self.__floordiv__(other)
        if quotient is NotImplemented:
            return NotImplemented
        rest: Tensor = self % other
        return quotient, rest

    def __rdivmod__(self, other: Any) -> tuple[Tensor, Tensor]:
        """The same of a number that is divided by the elements."""
        quotient: Any = self.__rfloordiv__(other)
        if quotient is NotImplemented:
            return NotImplemented  # type: ignore[no-any-return]
        rest: Tensor = other % self
        return quotient, rest

    def __rdiv__(self, other: Any) -> Tensor:
        """`other / tensor`, under the name that PyTorch keeps for it, too."""
        quotient: Tensor = other / self
        return quotient

    def __round__(self, ndigits: int | None = None) -> Tensor:
        """The elements, rounded to this number of digits behind the point."""
        return self.round() if ndigits is None else self.round(decimals=ndigits)

    def __trunc__(self) -> int:
        """What `int(tensor)` is, of a tensor of one element."""
        return int(self)

    def as_integer_ratio(self) -> tuple[int, int]:
        """The only element as a fraction, as `float` and `int` have it."""
        number: Any = self.item()
        if isinstance(number, complex):
            raise TypeError("a complex number is no fraction of integers")
        ratio: tuple[int, int] = number.as_integer_ratio()
        return ratio

    # For libraries that ask which class decides about a mixed operation.
    __array_priority__ = 1000

    def __repr__(self) -> str:
        return _C._shown(self)

    def __sizeof__(self) -> int:
        """The bytes of the object and of its elements, in a view of those that it shows.

        Elements that a view shows several times count once at most: `expand` takes no memory.
        """
        # Not `super()`, which knows the class before it was decorated.
        own = _C.TensorBase.__sizeof__(self)
        if self.is_meta:
            return own
        return own + min(self.nbytes, self.untyped_storage().nbytes())

    def _repr_html_(self) -> str:
        """What a notebook shows: a small table of elements, with the dtype and the shape."""
        from ._html import table

        return table(self)

    def __format__(self, spec: str) -> str:
        """The number of a tensor without dimensions, or the text with each element as `spec` says.

        Raises `ValueError` for a `spec` that is none of numbers of this dtype.
        """
        if not spec and (self.ndim or self.is_meta):
            return str(self)
        from ._format import formatted

        return formatted(self, spec)

    def __contains__(self, element: object) -> bool:
        from numbers import Number

        if isinstance(element, Tensor | Number):
            if isinstance(element, Tensor) and element.ndim:
                import warnings

                warnings.warn(
                    f"a tensor of shape {list(element.shape)} is broadcast, and said to be in "
                    f"another one if any element is equal; compare with == and say which",
                    stacklevel=2,
                )
            try:
                return bool((self == element).any())
            except OverflowError:
                # No dtype holds it.
                return False
        raise TypeError(
            f"a tensor contains numbers and tensors, so it cannot be asked for a "
            f"{type(element).__name__}"
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """A numpy array over the same memory, unless a copy or another dtype is asked for."""
        array = self.numpy()
        if dtype is None or array.dtype == dtype:
            return array.copy() if copy else array
        if copy is False:
            raise ValueError(f"a copy is needed to convert from {array.dtype} to {dtype}")
        return array.astype(dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        """What `numpy.sin(tensor)` and `array + tensor` do."""
        return _numpy.apply(ufunc, method, inputs, keywords)

    def __array_function__(
        self, function: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """What `numpy.mean(tensor)` does."""
        return _numpy.call(function, types, args, kwargs)

    def __array_wrap__(
        self,
        array: np.ndarray[Any, Any],
        context: Any = None,
        return_scalar: bool = False,
    ) -> Tensor:
        """The result of a function of numpy that was called with tensors."""
        return _C.as_tensor(array)

    def __copy__(self) -> Tensor:
        """The same memory behind another object."""
        alias = self.as_subclass(type(self))
        # Asked so, a tensor without attributes makes no dictionary.
        attributes = object.__getstate__(self)
        if attributes is not None:
            _pickle.set_attributes(alias, attributes)
        return alias

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        """A copy with memory of its own, of a leaf together with its gradient."""
        alone = _C._copy_alone(self)
        if alone is not None:
            return alone
        made: Tensor = _pickle.copied(self, memo)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """The memory and where in it the elements are: what is shared stays shared.

        A view takes all the memory along; `clone` gives it memory of its own first.
        """
        return _pickle.reduced(self)


Tensor.__module__ = __name__.rpartition(".")[0]

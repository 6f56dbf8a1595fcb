# What the native module has beside its operators, in the words of the generated stub.

from builtins import type as _type
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from typing import TypeVar as _TypeVar

import numpy as _np
from opwright import Size as _Size
from opwright import ops as ops
from opwright._C import _graph as _graph

# What is written in Python on top of it says what it gives.
_jit: _Any

_T = _TypeVar("_T", bound=TensorBase)
_S = _TypeVar("_S", bound=_AnyStorage)

@_final
class finfo:
    """The limits of a floating-point type; those of its parts for a complex one."""

    def __new__(cls, dtype: _DType | None = None) -> finfo: ...
    @property
    def bits(self) -> _int: ...
    @property
    def eps(self) -> _float: ...
    @property
    def max(self) -> _float: ...
    @property
    def min(self) -> _float: ...
    @property
    def smallest_normal(self) -> _float: ...
    @property
    def tiny(self) -> _float: ...
    @property
    def resolution(self) -> _float: ...
    @property
    def dtype(self) -> _str: ...

@_final
class iinfo:
    """The limits of an integer type."""

    def __new__(cls, dtype: _DType) -> iinfo: ...
    @property
    def bits(self) -> _int: ...
    @property
    def max(self) -> _int: ...
    @property
    def min(self) -> _int: ...
    @property
    def dtype(self) -> _str: ...

# The dtypes stand here.
@_final
class tensortype(type):
    """The class of `FloatTensor` and its like: a type of tensors for each dtype.

    Calling one makes a `Tensor`, and `isinstance` says whether a tensor in main memory has its
    dtype.
    """

    @property
    def dtype(self) -> _dtype: ...
    @property
    def layout(self) -> _layout: ...
    @property
    def is_cuda(self) -> _bool: ...
    @property
    def is_sparse(self) -> _bool: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> Tensor: ...
    def __instancecheck__(self, instance: _object, /) -> _bool: ...

# The types of tensors stand here.
_TensorBase = TensorBase

strided: layout
contiguous_format: memory_format
preserve_format: memory_format
channels_last: memory_format
channels_last_3d: memory_format
default_generator: Generator
__version__: _str

_named_tuple_names: _list[_str]
_adds_by_operators: _bool
_operators: _list[_str]
_titles: _list[_str]
_STR_ENUMS: dict[_str, _list[_str]]
_storages: _tuple[_tuple[type[_AnyStorage], _dtype | None, _str], ...]

def _disabled_function_impl(*_args: _Any, **_kwargs: _Any) -> _Any: ...
def _call_without_overrides(
    class_: type[Tensor],
    function: _Any,
    args: _tuple[_Any, ...],
    kwargs: _Mapping[_str, _Any] | None = None,
    /,
) -> _Any: ...
def _explain(name: _str, /, *args: _Any, **kwargs: _Any) -> _tuple[_str | None, _str]: ...
def _gil_threshold(elements: _int | None = None, /) -> _int: ...
def _named_tuple(name: _str, /) -> type[_tuple[_Any, ...]]: ...
def _reduction(
    reduction: _str, size_average: _bool | None, reduce: _bool | None, level: _int, /
) -> _str: ...
def _schemas(name: _str, /) -> _list[_list[_str | None]]: ...
def _signatures(name: _str, /) -> _list[_str]: ...
def _untracked(class_: type[_T]) -> type[_T]: ...
class _SizeBase(_tuple[_int, ...]):
    @_overload
    def __getitem__(self, key: _SupportsIndex, /) -> _int: ...
    @_overload
    def __getitem__(self, key: slice, /) -> _Size: ...

def _device_count(type: _str) -> _int: ...
def _drawn() -> _int: ...
def _xla_handler(
    unprepared: _Callable[[_str, _str, _list[Tensor], _list[Tensor]], None], minor: _int
) -> _int: ...
def _prepare_xla_call(overload: _Any, arguments: dict[_str, _Any]) -> None: ...
def _prepare_xla_function(function: _Any) -> None: ...
def _initExtension() -> None: ...
def _set_classes(tensor: type[TensorBase], size: type[_tuple[_int, ...]]) -> None: ...
def _keep_modules() -> None: ...
def _copy_alone(tensor: _T) -> _T | None: ...
def _parts(tensor: TensorBase) -> _tuple[_Any, ...]: ...
def _rebuild_view(
    cls: type[_T],
    storage: UntypedStorage,
    dtype: _dtype,
    shape: _Sequence[_int],
    strides: _Sequence[_int],
    offset: _int,
) -> _T: ...
def _rebuild_storage(
    cls: type[_S], memory: UntypedStorage, start: _int = 0, bytes: _int | None = None
) -> _S: ...
def _set_storage_class(class_: type[_AnyStorage]) -> None: ...
def _rebuild(
    class_: type[Tensor], data: _Any, dtype: _dtype, shape: _Sequence[_int]
) -> Tensor: ...
@_disjoint_base
class _Node:
    """A recorded call: a node of the graph that passes go along."""

    def __new__(cls) -> _Self: ...
    def name(self) -> _str:
        """What people call it: `MulBackward0`."""
    @property
    def next_functions(self) -> _tuple[_tuple[_Node | None, _int], ...]:
        """For each input, the call that made it and the number of the output that it was."""
    @property
    def variable(self) -> Tensor:
        """The leaf that gradients are added to."""
    @property
    def metadata(self) -> dict[_str, _Any]:
        """What anybody notes of the node, in a dict that stays with it."""
    @property
    def _input_metadata(self) -> _list[_Any]:
        """What the gradients of the outputs have to be like, one after the other."""
    def _sequence_nr(self) -> _int:
        """When the call was recorded, counted by its thread."""
    def register_prehook(self, function: _Any) -> RemovableHandle:
        """Has a function see the gradients of the outputs before the node runs, as a tuple; it may
        return another one."""
    def register_hook(self, function: _Any) -> RemovableHandle:
        """Has a function see the gradients of the inputs and of the outputs after the node ran; it
        may return other ones of the inputs."""
    def __getattribute__(self, name: _str, /) -> _Any: ...

@_disjoint_base
class _FunctionBase:
    """A call of a function that brings its own gradient: its `ctx`, and the object of its node."""

    to_save: _Any
    non_differentiable: _Any
    dirty_tensors: _Any
    saved_for_forward: _Any
    materialize_grads: _Any
    needs_input_grad: _Any

    def __new__(cls, *_args: _Any, **_kwargs: _Any) -> _Self: ...
    @classmethod
    def apply(cls, *args: _Any) -> _Any:
        """Call the function of the class, and record the call if an argument requires gradients."""
    def _do_forward(self, *args: _Any) -> _Any:
        """Call the function with this object as its `ctx`."""
    def _do_backward(
        self, gradients: _tuple[_Any, ...], retain_variables: _bool
    ) -> _tuple[_Any, ...]:
        """The gradients of the tensors among the arguments, from those of the outputs."""
    def name(self) -> _str:
        """What people call the node: `<class>Backward`."""
    @property
    def next_functions(self) -> _tuple[_tuple[_Any, _int], ...]:
        """For each tensor among the arguments, the call that made it and the number of the output
        that it was."""
    @property
    def saved_tensors(self) -> _tuple[_Any, ...]:
        """The tensors that were saved for the backward."""
    @property
    def _raw_saved_tensors(self) -> _tuple[_Any, ...]: ...
    @property
    def saved_variables(self) -> _tuple[_Any, ...]:
        """An older name of `saved_tensors`."""
    @property
    def metadata(self) -> dict[_Any, _Any]:
        """Anything that people want to note about the node."""
    @property
    def requires_grad(self) -> _bool:
        """Whether the call is recorded."""
    def _sequence_nr(self) -> _int:
        """When the call was recorded, counted by its thread."""
    def register_prehook(self, function: _Any) -> RemovableHandle:
        """Has a function see the gradients of the outputs before the node runs, as a tuple; it may
        return another one."""
    def register_hook(self, function: _Any) -> RemovableHandle:
        """Has a function see the gradients of the tensors among the arguments and of the outputs
        after the node ran; it may return other ones of the tensors."""
    def _register_hook_dict(self, hooks: dict[_Any, _Any]) -> None:
        """The same of all functions that are in a dictionary when the node ran."""

@_final
class RemovableHandle:
    """What takes a hook away."""

    @property
    def id(self) -> _int: ...
    def remove(self) -> None:
        """Takes the hook away; a second time does nothing."""
    def __enter__(self) -> _Self: ...
    def __exit__(self, *_exception: _object) -> None: ...

def is_grad_enabled() -> _bool:
    """Whether calls of this thread are recorded."""

def is_inference_mode_enabled() -> _bool:
    """Whether this thread is in inference mode."""

def is_inference(input: Tensor) -> _bool:
    """Whether a tensor was made in inference mode."""

def is_anomaly_enabled() -> _bool:
    """Whether anomalies are looked for."""

def is_anomaly_check_nan_enabled() -> _bool:
    """Whether not-a-number in a gradient is an anomaly."""

@_disjoint_base
class _NoGrad:
    # Called with a function, it decorates that.
    def __new__(cls, function: _Any = None, /) -> _Any: ...
    def __enter__(self) -> None: ...
    def __exit__(self, kind: _Any, error: _Any, traceback: _Any, /) -> None: ...

@_disjoint_base
class _EnableGrad:
    def __new__(cls, function: _Any = None, /) -> _Any: ...
    def __enter__(self) -> None: ...
    def __exit__(self, kind: _Any, error: _Any, traceback: _Any, /) -> None: ...

@_final
class _Mode:
    def enter(self) -> None: ...

def _set_grad_enabled(mode: _bool) -> _bool: ...
def _enter_inference_mode(mode: _bool) -> _Mode: ...
def _set_anomaly_witness(place: _Any, report: _Any) -> None: ...
def _set_anomaly_enabled(mode: _bool, check_nan: _bool) -> None: ...
def _push_saved_tensors_hooks(pack: _Any, unpack: _Any) -> None: ...
def _pop_saved_tensors_hooks() -> None: ...
def _refuse_saved_tensors_hooks(reason: _str | None) -> _str | None: ...
def _register_multi_grad_hook(
    tensors: _Any, function: _Any, is_any: _bool
) -> RemovableHandle: ...
def _set_version(tensor: _Any, version: _int) -> None: ...
def _register_hook(tensor: Tensor, function: _Any) -> RemovableHandle: ...
def _register_leaf_hook(tensor: Tensor, function: _Any) -> RemovableHandle: ...
def _retain_grad(tensor: Tensor) -> None: ...
def _set_print_options(
    precision: _int | None,
    threshold: _int | None,
    edgeitems: _int | None,
    linewidth: _int | None,
    sci_mode: _bool | None,
) -> None: ...
def _shown(tensor: Tensor) -> _str: ...
def _backward(
    tensors: _Any,
    grad_tensors: _Any = None,
    retain_graph: _bool | None = None,
    create_graph: _bool = False,
    inputs: _Any = None,
) -> None: ...
def _grad(
    outputs: _Any,
    inputs: _Any,
    grad_outputs: _Any = None,
    retain_graph: _bool | None = None,
    create_graph: _bool = False,
    allow_unused: _bool = False,
) -> _tuple[_Any, ...]: ...
def _gradient_edge(tensor: Tensor) -> _tuple[_Node, _int]: ...
def _increment_version(tensor: _Any) -> None: ...
def tensor(
    data: _Any,
    *,
    dtype: _DType | None = None,
    device: _device | _str | None = None,
    requires_grad: _bool | None = False,
    pin_memory: _bool | None = False,
) -> Tensor:
    """A new tensor from numbers, nested sequences, arrays or other tensors."""

def as_tensor(
    data: _Any,
    dtype: _DType | None = None,
    device: _device | _str | None = None,
) -> Tensor:
    """A tensor with the elements of `data`, whose memory it shares if that is possible."""

def asarray(
    obj: _Any,
    *,
    dtype: _DType | None = None,
    device: _device | _str | None = None,
    copy: _bool | None = None,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor with the elements of `obj`, which shares memory as `copy` says."""

def from_numpy(ndarray: _Any) -> Tensor:
    """A tensor over the memory of a numpy array; a read-only one is copied."""

def from_dlpack(
    ext_tensor: _Any, *, device: _device | _str | None = None, copy: _bool | None = None
) -> Tensor:
    """A tensor over the memory of another library's array."""

def frombuffer(
    buffer: _Any,
    *,
    dtype: _DType,
    count: _int = -1,
    offset: _int = 0,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A one-dimensional tensor over the bytes of any object with a buffer."""

def is_tensor(obj: _object) -> _bool:
    """Whether an object is a tensor."""

def get_default_dtype() -> _dtype:
    """The dtype of floating-point results that nothing else decides."""

def set_default_dtype(dtype: _DType) -> None:
    """Decides the dtype of floating-point results that nothing else decides."""

def set_default_tensor_type(type: tensortype | _str) -> None:
    """Decides the default dtype, by a type of tensors or its name."""

def get_num_threads() -> _int:
    """The number of threads that one call uses at most."""

def set_num_threads(num: _int) -> None:
    """Decides how many threads one call uses at most."""

def show_config() -> None:
    """Prints the version, which instructions loops use, and how many threads."""

def manual_seed(seed: _int) -> Generator:
    """Starts the default generator again from a seed, and returns the generator."""

def seed() -> _int:
    """Starts the default generator again from an unknown seed, and returns it."""

def initial_seed() -> _int:
    """The seed that the default generator started from."""

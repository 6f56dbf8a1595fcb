"""The class of tensors: attributes, conversions, protocols of Python."""

from __future__ import annotations

import copy
import gc
import inspect
import math
import operator
import pickle
import weakref
from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import DTYPES


def cube() -> opwright.Tensor:
    return opwright.from_numpy(np.arange(24.0, dtype=np.float32).reshape(2, 3, 4))


class Image(opwright.Tensor):
    """A subclass, whose instances have attributes."""

    title: str


def test_attributes() -> None:
    tensor = cube()
    assert type(tensor.shape) is opwright.Size
    assert tensor.shape == (2, 3, 4)
    assert tensor.dtype is opwright.float32
    assert tensor.device == opwright.device("cpu")
    assert tensor.layout is opwright.strided
    assert tensor.ndim == 3
    assert tensor.itemsize == 4
    assert tensor.nbytes == 96
    assert tensor.T.shape == (4, 3, 2)
    assert tensor.mT.shape == (2, 4, 3)
    assert tensor.is_cpu
    assert not tensor.is_meta
    assert not tensor.is_cuda
    assert not tensor.is_sparse
    assert tensor.requires_grad is False


@pytest.mark.parametrize("name", ["shape", "dtype", "T", "is_leaf", "mT"])
def test_attributes_cannot_be_set(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(cube(), name, None)


def test_a_vector_is_no_matrix() -> None:
    with pytest.raises(RuntimeError, match="2 dimensions"):
        opwright.tensor([1]).mT  # noqa: B018


def test_questions() -> None:
    tensor = cube()[:, 1:]
    assert tensor.dim() == tensor.ndimension() == 3
    assert tensor.numel() == tensor.nelement() == 16
    assert tensor.element_size() == 4
    assert tensor.storage_offset() == 4
    assert tensor.data_ptr() == cube_pointer(tensor) + 16
    assert tensor[:0].data_ptr() == 0
    assert tensor.is_floating_point()
    assert not tensor.is_complex()
    assert tensor.is_signed()
    assert not tensor.is_contiguous()
    assert tensor.untyped_storage().nbytes() == 96
    assert tensor.untyped_storage() == tensor[0].untyped_storage()
    assert tensor.untyped_storage() != cube().untyped_storage()


def cube_pointer(tensor: opwright.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def test_sizes_and_strides() -> None:
    tensor = cube()
    assert tensor.size() == (2, 3, 4)
    assert tensor.size(-1) == tensor.size(dim=2) == 4
    assert tensor.stride() == (12, 4, 1)
    assert tensor.stride(0) == 12
    for method in (tensor.size, tensor.stride):
        with pytest.raises(IndexError, match="got 3"):
            method(3)
        with pytest.raises(TypeError, match=r"'dim'.*not float"):
            method(1.0)


def test_size_is_a_tuple() -> None:
    size = cube().shape
    assert repr(size) == "opwright.Size([2, 3, 4])"
    assert isinstance(size, tuple)
    assert hash(size) == hash((2, 3, 4))
    assert size.numel() == 24
    joined = [size + (5,), (5,) + size]  # noqa: RUF005 - these operators are meant
    for part in (size[1:], *joined, size * 2, 2 * size):
        assert type(part) is opwright.Size
    assert size[0] == 2
    assert opwright.Size(np.array([1, 2])) == (1, 2)
    assert pickle.loads(pickle.dumps(size)) == size
    assert type(copy.deepcopy(size)) is opwright.Size
    with pytest.raises(TypeError):
        opwright.Size([1.5])


def test_casts() -> None:
    casts = "bool byte char short int long half bfloat16 float double cfloat cdouble"
    dtypes = (
        "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128"
    )
    tensor = opwright.tensor([0, 1])
    for method, dtype in zip(casts.split(), dtypes.split(), strict=True):
        cast = getattr(tensor, method)()
        assert cast.dtype is getattr(opwright, dtype)
        assert cast.tolist() == [0, 1]
        assert getattr(cast, method)() is cast
    assert tensor.cpu() is tensor


def test_to() -> None:
    tensor = cube()
    assert tensor.to() is tensor
    assert tensor.to(opwright.float32) is tensor
    assert tensor.to("cpu") is tensor.to(tensor) is tensor
    assert tensor.to(opwright.int32, True).dtype is opwright.int32
    assert tensor.to("meta", opwright.int8).is_meta
    assert tensor.to(device="meta").shape == (2, 3, 4)
    assert tensor.to(dtype=float).dtype is opwright.float64
    assert tensor.to(opwright.zeros(1, dtype=opwright.int8)).dtype is opwright.int8
    copied = tensor.to(opwright.float32, copy=True)
    assert copied is not tensor
    assert copied.data_ptr() != tensor.data_ptr()
    assert tensor.T.to(memory_format=opwright.contiguous_format).is_contiguous()
    with pytest.raises(NotImplementedError):
        tensor.to("meta").to("cpu")
    with pytest.raises(RuntimeError, match="rank 4 tensor to use channels_last"):
        tensor.to(memory_format=opwright.channels_last)
    with pytest.raises(TypeError, match=r"to\(\)"):
        tensor.to(opwright.int32, "cpu")
    with pytest.raises(RuntimeError, match="cuda"):
        tensor.to("cuda")


CASTS = {
    "bool": "bool",
    "byte": "uint8",
    "char": "int8",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "float": "float32",
    "double": "float64",
    "cfloat": "complex64",
    "cdouble": "complex128",
    "cpu": "float32",
}


@pytest.mark.parametrize(("method", "dtype"), CASTS.items())
def test_casts_take_a_memory_format(method: str, dtype: str) -> None:
    image = opwright.arange(120.0).reshape(2, 3, 4, 5)
    cast = getattr(image, method)
    plain = cast()
    assert str(plain.dtype) == f"opwright.{dtype}"
    for memory_format in (None, opwright.preserve_format, opwright.contiguous_format):
        made = cast(memory_format=memory_format)
        assert (made.dtype, made.stride()) == (plain.dtype, plain.stride())
        assert made.tolist() == plain.tolist()
    inner = cast(memory_format=opwright.channels_last)
    assert inner.stride() == (60, 1, 15, 3)
    assert inner.is_contiguous(memory_format=opwright.channels_last)
    assert not inner.is_contiguous()
    assert inner.tolist() == plain.tolist()
    assert getattr(inner, method)(memory_format=opwright.channels_last) is inner
    with pytest.raises(TypeError, match=rf"{method}\(\)"):
        cast(opwright.channels_last)
    assert str(inspect.signature(getattr(opwright.Tensor, method))).endswith("memory_format=None)")


def test_formats_of_memory() -> None:
    image = opwright.arange(120.0).reshape(2, 3, 4, 5)
    formats = {opwright.channels_last: image, opwright.channels_last_3d: image[:, None]}
    for memory_format, tensor in formats.items():
        for made in (
            tensor.to(memory_format=memory_format),
            tensor.to("cpu", opwright.float64, memory_format=memory_format),
            tensor.to(opwright.int16, memory_format=memory_format),
            tensor.to(tensor, memory_format=memory_format),
            tensor.contiguous(memory_format=memory_format),
            tensor.to("meta", memory_format=memory_format),
            tensor.clone(memory_format=memory_format),
        ):
            assert made.is_contiguous(memory_format=memory_format)
            assert made.stride()[1] == 1
            assert made.is_meta or made.tolist() == tensor.tolist()
            assert made.to(memory_format=memory_format) is made
            assert made.is_meta or made.contiguous().stride() == tensor.stride()
    assert image.to(memory_format=opwright.preserve_format) is image
    assert not image.is_contiguous(memory_format=opwright.channels_last_3d)
    with pytest.raises(RuntimeError, match="rank 5"):
        image.to(memory_format=opwright.channels_last_3d)


def test_contiguous() -> None:
    tensor = cube()
    assert tensor.contiguous() is tensor
    compact = tensor.T.contiguous()
    assert compact.is_contiguous()
    assert compact.tolist() == tensor.T.tolist()
    assert tensor.type_as(opwright.tensor(1)).dtype is opwright.int64
    assert tensor.new_tensor([1]).dtype is opwright.float32


def test_items_and_lists() -> None:
    assert cube()[1, 2, 3].item() == 23
    assert cube()[0].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert cube()[0, :, ::2].T.tolist() == [[0, 4, 8], [2, 6, 10]]
    assert opwright.tensor(5).tolist() == 5
    assert cube()[:0].tolist() == []
    assert cube()[:, :0].tolist() == [[], []]
    assert opwright.empty(0, 2**40).tolist() == []
    for dtype in DTYPES:
        value = opwright.tensor(1, dtype=getattr(opwright, dtype)).item()
        kind = {"b": bool, "u": int, "i": int, "f": float, "c": complex}
        assert type(value) is (float if dtype == "bfloat16" else kind[dtype[0]])
    with pytest.raises(RuntimeError, match="24 elements"):
        cube().item()
    with pytest.raises(NotImplementedError):
        cube().to("meta").tolist()


def test_numbers() -> None:
    half, two = opwright.tensor(2.5), opwright.tensor([2])
    assert bool(half) is True
    assert not opwright.tensor(0.0)
    assert (int(half), float(half), complex(half)) == (2, 2.5, 2.5 + 0j)
    assert operator.index(two) == 2
    assert [0, 1, 2][two] == 2
    assert operator.index(opwright.tensor(True)) == 1
    assert complex(opwright.tensor(1j)) == 1j
    assert int(opwright.tensor(-1e18, dtype=opwright.float64)) == -(10**18)
    assert round(float(half)) == 2
    assert math.sqrt(opwright.tensor(4)) == 2


@pytest.mark.parametrize(
    ("function", "value", "error", "says"),
    [
        (bool, [1, 2], RuntimeError, "more than one value is ambiguous"),
        (bool, [], RuntimeError, "no values is ambiguous"),
        (int, [1, 2], RuntimeError, "2 elements"),
        (int, 1j, TypeError, "complex"),
        (int, math.nan, ValueError, "NaN"),
        (int, math.inf, OverflowError, "infinity"),
        (float, [1.0, 2.0], RuntimeError, "2 elements"),
        (float, 1j, RuntimeError, "overflow"),
        (operator.index, 2.5, TypeError, "only integer tensors"),
        (operator.index, [1, 2], TypeError, "only integer tensors"),
        (len, 5, TypeError, "0-d"),
        (iter, 5, TypeError, "0-d"),
        (list, 5, TypeError, "0-d"),
    ],
)
def test_what_is_no_number_is_refused(
    function: Any, value: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        function(opwright.tensor(value))


def test_iteration_gives_views() -> None:
    tensor = cube()
    assert len(tensor) == 2
    rows = list(tensor)
    assert [row.shape for row in rows] == [(3, 4), (3, 4)]
    rows[1][0, 0] = -1
    assert tensor[1, 0, 0].item() == -1
    _, second = tensor
    assert second[2, 3].item() == 23
    assert [row[0, 0].item() for row in reversed(cube())] == [12, 0]
    assert operator.length_hint(iter(tensor)) == 2
    assert list(tensor[:0]) == []
    assert list(opwright.zeros(2, 0)[0]) == []


def test_containment() -> None:
    assert 23.0 in cube()
    assert 24 not in cube()
    assert opwright.tensor(3.0) in cube()
    assert np.float32(5) in cube()
    with pytest.raises(TypeError, match="str"):
        "a" in cube()  # noqa: B015


def test_identity_is_what_is_hashed() -> None:
    one, two = opwright.tensor(1), opwright.tensor(1)
    assert hash(one) == hash(one)
    assert len({one, two, one}) == 2
    assert {one: "a"}[one] == "a"


def test_comparisons_with_strangers() -> None:
    tensor = cube()
    assert (tensor == None) is False  # noqa: E711
    assert (tensor != "a") is True
    with pytest.raises(TypeError, match="not supported between"):
        tensor < "a"  # noqa: B015
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+"):
        tensor + "a"


def test_formats() -> None:
    assert f"{opwright.tensor(1.23456):.2f}" == "1.23"
    assert f"{opwright.tensor([1])}" == "tensor([1], dtype=int64, shape=(1,))"
    assert f"{opwright.tensor([1]):.2f}" == "tensor([1.00], dtype=int64, shape=(1,))"


def test_weak_references() -> None:
    for make in (cube, lambda: Image([1])):
        tensor = make()
        gone = weakref.ref(tensor)
        assert gone() is tensor
        del tensor
        gc.collect()
        assert gone() is None


def test_subclasses() -> None:
    image = Image([[1.0, 2.0]], dtype=opwright.float64)
    image.title = "a"
    assert type(image) is Image
    assert isinstance(image, opwright.Tensor)
    assert image.dtype is opwright.float64
    shared = cube().as_subclass(Image)
    shared[0, 0, 0] = 7
    assert type(shared) is Image
    assert shared.sum().item() == cube().sum().item() + 7
    with pytest.raises(TypeError, match="'cls'"):
        cube().as_subclass(int)
    plain = cube()
    plain.title = "a"  # type: ignore[attr-defined]
    assert vars(plain) == {"title": "a"}


def test_native_and_python_classes_mix() -> None:
    class Named:
        name = "x"

    class Both(Named, opwright.Tensor):
        pass

    assert Both([1]).name == "x"
    assert Both([1]).item() == 1
    with pytest.raises(TypeError):
        type("Bad", (opwright.Tensor, int), {})
    with pytest.raises(TypeError):
        object.__new__(opwright.Tensor)


def test_instances_of_subclasses_can_be_in_cycles() -> None:
    image = Image([1])
    image.title = image  # type: ignore[assignment]
    gone = weakref.ref(image)
    del image
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("dtype", DTYPES)
def test_pickling(protocol: int, dtype: str) -> None:
    tensor = opwright.tensor([[0, 1, 1], [1, 0, 0]], dtype=getattr(opwright, dtype)).T
    loaded = pickle.loads(pickle.dumps(tensor, protocol))
    assert type(loaded) is opwright.Tensor
    assert loaded.dtype is tensor.dtype
    assert loaded.shape == tensor.shape
    assert loaded.tolist() == tensor.tolist()
    loaded[0] = 1


def test_pickling_of_special_tensors() -> None:
    for tensor in (opwright.tensor(5), opwright.zeros(0, 3), opwright.zeros(1).expand(4)):
        loaded = pickle.loads(pickle.dumps(tensor))
        assert loaded.shape == tensor.shape
        assert loaded.tolist() == tensor.tolist()
    meta = pickle.loads(pickle.dumps(opwright.empty(2, 3, device="meta")))
    assert meta.is_meta
    assert meta.shape == (2, 3)
    image = Image([1])
    image.title = "a"
    loaded_image = pickle.loads(pickle.dumps(image))
    assert type(loaded_image) is Image
    assert loaded_image.title == "a"


def test_pickling_out_of_band_copies_nothing() -> None:
    tensor = cube()
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps(tensor, 5, buffer_callback=buffers.append)
    assert len(text) < 300
    loaded = pickle.loads(text, buffers=buffers)
    assert loaded.data_ptr() == tensor.data_ptr()


def test_copies() -> None:
    image = Image([1.0, 2.0])
    image.title = "a"
    shallow, deep = copy.copy(image), copy.deepcopy(image)
    image[0] = 5
    assert shallow.tolist() == [5.0, 2.0]
    assert deep.tolist() == [1.0, 2.0]
    for made in (shallow, deep):
        assert type(made) is Image
        assert made.title == "a"
    pair = copy.deepcopy([image, image])
    assert pair[0] is pair[1]


def test_threads() -> None:
    before = opwright.get_num_threads()
    opwright.set_num_threads(1)
    assert opwright.get_num_threads() == 1
    opwright.set_num_threads(before)
    for wrong in (0, -1):
        with pytest.raises(RuntimeError, match="positive"):
            opwright.set_num_threads(wrong)


def test_generators() -> None:
    generator = opwright.Generator()
    assert generator.manual_seed(5) is generator
    assert generator.initial_seed() == 5
    assert generator.device == opwright.device("cpu")
    state = generator.get_state()
    assert state.dtype is opwright.uint8
    other = opwright.Generator(device="cpu")
    other.set_state(state)
    assert other.initial_seed() == 5
    assert generator.manual_seed(-1).initial_seed() == 2**64 - 1
    assert generator.seed() == generator.initial_seed()
    with pytest.raises(RuntimeError, match="seed"):
        generator.manual_seed(2**64)
    with pytest.raises(TypeError, match="float"):
        generator.manual_seed(1.5)
    with pytest.raises(RuntimeError, match="meta"):
        opwright.Generator("meta")
    assert opwright.manual_seed(7) is opwright.default_generator
    assert opwright.initial_seed() == 7


def test_is_tensor() -> None:
    assert opwright.is_tensor(cube())
    assert opwright.is_tensor(Image([1]))
    assert not opwright.is_tensor(np.ones(1))


def test_parts_of_complex_tensors_are_views():
    t = opwright.tensor([1 + 2j, 3 - 4j])
    assert t.real.tolist() == [1, 3]
    assert t.imag.tolist() == [2, -4]
    t.imag[0] = 7
    assert t.tolist() == [1 + 7j, 3 - 4j]
    x = opwright.ones(2)
    assert x.real.data_ptr() == x.data_ptr()
    assert x.imag.tolist() == [0, 0]

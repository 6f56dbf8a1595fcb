"""Storages: the memory of tensors as objects, one class for each dtype."""

from __future__ import annotations

import copy
import gc
import mmap
import os
import pickle
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import opwright
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opwright import _C

ROWS: list[tuple[Any, Any, str]] = [row for row in _C._storages if row[1] is not None]
DTYPES = {dtype: getattr(opwright, base.__name__[1:-4]) for base, dtype, _ in ROWS}
CLASSES = [*DTYPES.values(), opwright.UntypedStorage]
IN_NUMPY = [it for it in DTYPES if it != opwright.bfloat16]


def array_type(dtype: Any) -> Any:
    return np.dtype(str(dtype).partition(".")[2])


@pytest.fixture(params=DTYPES, ids=str)
def dtype(request: Any) -> Any:
    return request.param


def test_there_is_a_class_for_each_dtype() -> None:
    dtypes = {it for it in vars(_C).values() if isinstance(it, opwright.dtype)}
    assert set(DTYPES) == dtypes
    names = {it.__name__ for it in CLASSES}
    assert len(names) == len(dtypes) + 1
    assert {"DoubleStorage", "ComplexFloatStorage", "UInt16Storage", "UntypedStorage"} <= names


@pytest.mark.parametrize("made", CLASSES)
def test_classes_are_derived_from_native_ones(made: Any) -> None:
    base = made.__mro__[1]
    assert base.__name__ == f"_{made.__name__}Base"
    assert getattr(_C, base.__name__) is base
    assert (made.__module__, base.__module__) == ("opwright", "opwright._C")
    assert isinstance(made(1), base)
    assert issubclass(made, opwright.TypedStorage) is (made is not opwright.UntypedStorage)
    assert opwright.Storage is opwright.UntypedStorage
    assert _C.StorageBase is _C._UntypedStorageBase


def test_what_they_have_in_common_cannot_be_made() -> None:
    with pytest.raises(TypeError):
        _C._AnyStorage(3)
    for abstract in (opwright.TypedStorage, _C._AnyStorage):
        with pytest.raises(TypeError):
            _C._AnyStorage.__new__(abstract, 3)
    with pytest.raises(TypeError):
        _C._AnyStorage.__new__(opwright.FloatStorage, 3)


def test_subclasses_keep_their_class() -> None:
    class Mine(opwright.FloatStorage):
        pass

    made = Mine([1, 2])
    assert type(made) is Mine and made.tolist() == [1.0, 2.0]
    made.note = "kept"
    again = pickle.loads(pickle.dumps(opwright.FloatStorage([1, 2])))
    assert again.tolist() == made.tolist()


def test_sizes_and_elements(dtype: Any) -> None:
    made = DTYPES[dtype]
    assert made().tolist() == []
    assert made(3).tolist() == [0, 0, 0]
    assert made(np.int64(2)).size() == 2
    for numbers in ([1, 0, 1], (1, 0, 1), np.array([1, 0, 1]), opwright.tensor([1, 0, 1])):
        storage = made(numbers)
        assert storage.tolist() == opwright.tensor([1, 0, 1], dtype=dtype).tolist()
    assert (len(storage), storage.size(), storage.nbytes()) == (3, 3, 3 * dtype.itemsize)
    assert storage.element_size() == dtype.itemsize
    assert storage.dtype is dtype and made.dtype is dtype
    assert storage.device == opwright.device("cpu")
    assert not storage.is_cuda and not storage.is_sparse


@pytest.mark.parametrize("made", CLASSES)
@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("abc",), TypeError),
        ((["a"],), TypeError),
        (([[1, 2], [3, 4]],), TypeError),
        ((1.5,), TypeError),
        ((None,), TypeError),
        (({1: 2},), TypeError),
        ((1, 2, 3), TypeError),
        ((-1,), RuntimeError),
        ((-(10**30),), RuntimeError),
        ((2**62,), (MemoryError, RuntimeError)),
        ((2**63 - 1,), (MemoryError, RuntimeError)),
        ((10**30,), (MemoryError, RuntimeError)),
    ],
)
def test_wrong_arguments_are_refused(made: Any, args: tuple[Any, ...], error: Any) -> None:
    with pytest.raises(error):
        made(*args)


def test_a_size_that_cannot_be_had_changes_nothing() -> None:
    storage = opwright.DoubleStorage([1, 2])
    for size in (2**61, 2**62, 10**30):
        with pytest.raises((MemoryError, RuntimeError)):
            storage.resize_(size)
    with pytest.raises(RuntimeError, match="must not be negative"):
        storage.resize_(-1)
    assert storage.tolist() == [1.0, 2.0]
    with pytest.raises((MemoryError, RuntimeError)):
        opwright.ones(1).set_(opwright.FloatStorage(1), 2**60, (2**40,))


def test_elements_are_read_and_written() -> None:
    storage = opwright.LongStorage([1, 2, 3, 4])
    storage[0], storage[-1] = 9, 7.0
    with pytest.raises(RuntimeError, match="fraction"):
        storage[1] = 7.9
    assert storage[0] == 9 and storage[-1] == 7
    storage[1:3] = True
    assert list(storage) == [9, 1, 1, 7] and 7 in storage
    for index in (4, -5, 2**80):
        with pytest.raises(IndexError):
            storage[index]
        with pytest.raises(IndexError):
            storage[index] = 0
    for key in ("a", 1.5, None, (0, 1)):
        with pytest.raises(TypeError):
            storage[key]
    with pytest.raises(RuntimeError, match="step 1"):
        storage[::2]
    for value in ("a", None, [1], object()):
        with pytest.raises(TypeError):
            storage[0] = value
        with pytest.raises(TypeError):
            storage.fill_(value)
    assert storage.fill_(3) is storage and storage.tolist() == [3] * 4
    with pytest.raises((RuntimeError, OverflowError, ValueError)):
        opwright.ByteStorage(1)[0] = 256


def test_numbers_that_resize_the_storage_find_it_as_it_is() -> None:
    storage = opwright.LongStorage([1, 2, 3])

    class Index:
        def __index__(self) -> int:
            storage.resize_(1)
            return 2

    with pytest.raises(IndexError):
        storage[Index()]
    storage.resize_(3)
    part = storage[: Index()]
    assert len(part) <= 2 and len(storage) == 1


def test_slices_share() -> None:
    storage = opwright.IntStorage(range(6))
    part = storage[2:5]
    part[0] = 90
    assert type(part) is opwright.IntStorage
    assert (storage.tolist(), part.tolist()) == ([0, 1, 90, 3, 4, 5], [90, 3, 4])
    assert part[1:][0] == 3 and part.data_ptr() == storage.data_ptr() + 8
    assert storage[4:2].tolist() == [] and storage[:].tolist() == storage.tolist()
    with pytest.raises(RuntimeError, match="slice"):
        part.resize_(10)
    storage.resize_(3)
    assert part.tolist() == [90]
    storage.resize_(0)
    assert part.tolist() == [] and len(part[1:]) == 0
    storage.resize_(100)
    assert part.tolist() == [0, 0, 0]


def test_equal_is_only_the_same_object() -> None:
    a, b = opwright.FloatStorage([1]), opwright.FloatStorage([1])
    assert a == a and a != b and len({a, b}) == 2
    tensor = opwright.arange(4)
    assert tensor.untyped_storage() is tensor[1:].untyped_storage()
    memory = weakref.ref(tensor.untyped_storage())
    assert memory() is None
    with pytest.raises(TypeError):
        a + 1


def test_copies_have_memory_of_their_own(dtype: Any) -> None:
    storage = DTYPES[dtype]([1, 0, 1])
    for made in (storage.clone(), copy.copy(storage), copy.deepcopy(storage)):
        assert type(made) is type(storage)
        assert made.tolist() == storage.tolist()
        made.fill_(0)
        assert storage[0] == 1
    assert type(storage.new()) is type(storage) and len(storage.new()) == 0
    assert storage[1:].clone().nbytes() == 2 * dtype.itemsize
    assert storage.cpu().data_ptr() == storage.data_ptr()
    with pytest.raises(RuntimeError):
        storage.cuda()


NUMBERS = st.lists(st.integers(0, 100) | st.just(0), max_size=8)


@pytest.mark.filterwarnings("ignore:Casting complex")
@given(NUMBERS, st.sampled_from(IN_NUMPY), st.sampled_from(IN_NUMPY))
def test_conversions_are_those_of_numpy(numbers: list[int], old: Any, new: Any) -> None:
    array = np.array(numbers, dtype=array_type(old))
    if np.dtype(array_type(old)).kind == "f":
        array = array + array_type(old).type(0.5)
    storage = DTYPES[old](array)
    with np.errstate(all="ignore"):
        is_cut = array.dtype.kind == "c" and array_type(new).kind not in "cb"
        expected = (array.real if is_cut else array).astype(array_type(new))
    target = DTYPES[new](len(numbers))
    assert target.copy_(storage) is target
    for made in (target, DTYPES[new](storage), storage.type(DTYPES[new])):
        assert type(made) is DTYPES[new]
        assert np.array_equal(np.asarray(made), expected)


@pytest.mark.filterwarnings("ignore:Casting complex")
def test_every_dtype_converts_to_every_other(dtype: Any) -> None:
    storage = DTYPES[dtype]([1, 0])
    for base, other, name in ROWS:
        made = getattr(storage, name)()
        assert type(made) is DTYPES[other] and made.tolist() == DTYPES[other]([1, 0]).tolist()
        assert (made is storage) is (other is dtype)
        assert storage.type(f"opwright.{DTYPES[other].__name__}").tolist() == made.tolist()
        assert type(storage.type(base)) is type(storage.type(other)) is type(made)
    assert storage.type() == f"opwright.{type(storage).__name__}"
    assert storage.type("opwright.UntypedStorage").tolist() == [1, 0]
    for name in ("opwright.NoStorage", "Float", "torch.FloatStorage"):
        with pytest.raises(ValueError, match="class of storages"):
            storage.type(name)
    for what in (3, opwright.Tensor, object()):
        with pytest.raises(TypeError):
            storage.type(what)


def test_copies_need_as_many_elements() -> None:
    storage = opwright.LongStorage(range(5))
    with pytest.raises(RuntimeError, match="sizes must be equal"):
        storage.copy_(opwright.LongStorage(4))
    for other in ([1] * 5, opwright.arange(5), None):
        with pytest.raises(TypeError):
            storage.copy_(other)
    storage[1:].copy_(storage[:4])
    assert storage.tolist() == [0, 0, 1, 2, 3]


def test_truth_values_are_0_or_1(tmp_path: Path) -> None:
    file = tmp_path / "bools"
    file.write_bytes(bytes([0, 1, 7]))
    made = [
        opwright.BoolStorage([0, 0.5, 7]),
        opwright.BoolStorage(opwright.UntypedStorage([0, 1, 7])),
        opwright.BoolStorage(opwright.FloatStorage([0, float("nan"), 2])),
        opwright.BoolStorage.from_buffer(bytes([0, 1, 7])),
        opwright.BoolStorage(3).copy_(opwright.ByteStorage([0, 1, 7])),
    ]
    for storage in made:
        assert bytes(memoryview(storage)) == bytes([0, 1, 1])
    with pytest.raises(RuntimeError, match="truth values"):
        opwright.BoolStorage.from_file(file)
    foreign = opwright.tensor([], dtype=opwright.bool).set_(opwright.UntypedStorage([0, 1, 7]))
    assert foreign.storage().tolist() == [False, True, True]
    assert bytes(memoryview(foreign.storage().clone())) == bytes([0, 1, 1])


def test_tensors_and_storages_are_over_one_memory() -> None:
    tensor = opwright.arange(6.0).view(2, 3)
    for view in (tensor, tensor[1:], tensor.t()):
        storage = view.storage()
        assert type(storage) is opwright.FloatStorage and len(storage) == 6
        assert storage.data_ptr() == tensor.data_ptr()
    storage[5] = 50
    assert tensor[1, 2] == 50 and tensor._version == 0
    tensor.untyped_storage().fill_(0)
    assert tensor.tolist() == [[0.0] * 3] * 2


def test_tensors_see_how_storages_are_resized() -> None:
    tensor = opwright.arange(4)
    view, storage = tensor[2:], tensor.storage()
    assert storage.resize_(100_000) is storage
    storage[2] = 20
    assert tensor.tolist() == [0, 1, 20, 3] and view.tolist() == [20, 3]
    assert storage.data_ptr() == tensor.data_ptr() and storage[99_999] == 0
    tensor[3] = 30
    assert storage[3] == 30
    storage.resize_(1)
    assert len(tensor.untyped_storage()) == 8
    # Where nothing is any more, there is at least no other memory.
    assert len(tensor.tolist()) == 4
    storage.resize_(4)
    assert tensor.tolist() == [0, 0, 0, 0]


def test_set_puts_tensors_over_storages() -> None:
    tensor = opwright.ones(2)
    storage = opwright.FloatStorage(range(6))
    assert tensor.set_(storage) is tensor
    assert tensor.tolist() == [0, 1, 2, 3, 4, 5]
    assert tensor.storage().data_ptr() == storage.data_ptr()
    assert tensor.set_(storage, 1, (2, 2)).tolist() == [[1, 2], [3, 4]]
    assert tensor.set_(storage, 0, (2, 2), (1, 2)).tolist() == [[0, 2], [1, 3]]
    assert tensor.set_(storage[2:4]).tolist() == [2, 3]
    assert tensor.storage_offset() == 2
    assert tensor.set_(source=storage, storage_offset=4, size=(4,)).tolist() == [4, 5, 0, 0]
    assert len(storage) == 8
    other = opwright.arange(3.0)
    assert tensor.set_(other).data_ptr() == other.data_ptr()
    assert tensor.set_(other, 1, (2,)).tolist() == [1, 2]
    assert tensor.set_().shape == (0,)
    assert opwright.tensor([], dtype=opwright.float32).set_(
        opwright.UntypedStorage([0, 0, 128, 63])
    ).tolist() == [1.0]


def test_set_refuses_what_does_not_fit() -> None:
    tensor, storage = opwright.ones(2), opwright.FloatStorage(range(4))
    for wrong in (
        (opwright.DoubleStorage(2),),
        (opwright.arange(2),),
        (storage, -1, (1,)),
        (storage, 0, (2,), (1, 1)),
        (storage, 0, (2,), (-1,)),
        (storage, 0, (-2,)),
        (storage[1:3], 0, (3,)),
        (storage[1:3], 2, (1,)),
        (storage[1:3], 2**62, (2,), (2**62,)),
        (storage.untyped()[1:9],),
    ):
        with pytest.raises((RuntimeError, ValueError)):
            tensor.set_(*wrong)
    with pytest.raises(TypeError):
        tensor.set_([1.0])
    assert tensor.tolist() == [1, 1] and len(storage) == 4
    leaf = opwright.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError):
        leaf.set_(storage)


def test_memory_of_numpy_is_not_resized() -> None:
    array = np.arange(4.0)
    tensor = opwright.from_numpy(array)
    storage = tensor.storage()
    assert not storage.resizable()
    for size in (0, 2, 100):
        with pytest.raises(RuntimeError, match="another library"):
            storage.resize_(size)
    storage.resize_(4)
    with pytest.raises(RuntimeError, match="another library"):
        tensor.set_(storage, 0, (9,))
    storage[0] = 9
    assert array[0] == 9


def test_memory_that_numpy_sees_does_not_move() -> None:
    storage = opwright.FloatStorage([1, 2])
    array = np.asarray(storage)
    tensor = opwright.tensor([], dtype=opwright.float32).set_(storage)
    capsule = tensor.__dlpack__()
    for move in (lambda: storage.resize_(1000), storage.share_memory_):
        with pytest.raises(RuntimeError, match="delete that first"):
            move()
    del array
    gc.collect()
    with pytest.raises(RuntimeError, match="delete that first"):
        storage.resize_(1000)
    del capsule
    storage.resize_(1000)
    assert tensor.tolist() == [1, 2]
    memoryview(storage).release()
    storage.resize_(10)


def test_storages_are_buffers(dtype: Any) -> None:
    storage = DTYPES[dtype]([1, 0, 1])
    if dtype not in IN_NUMPY:
        with pytest.raises(BufferError):
            memoryview(storage)
        return
    view = memoryview(storage)
    assert (view.ndim, view.shape, view.itemsize) == (1, (3,), dtype.itemsize)
    assert not view.readonly
    array = np.asarray(storage)
    assert array.dtype == array_type(dtype)
    array[1] = 1
    assert storage[1] == 1
    part = np.asarray(storage[1:])
    part[0] = 0
    assert storage.tolist()[1] == 0


def test_threads_read_what_moves() -> None:
    tensor = opwright.full((10_000,), 3)
    storage = tensor.storage()
    seen: list[Any] = []

    def read() -> None:
        for _ in range(50):
            seen.append(int(tensor.sum()))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for round in range(1, 40):
        try:
            storage.resize_(10_000 + round * 3000)
        except RuntimeError as error:
            assert "moving" in str(error)
    for reader in readers:
        reader.join()
    assert set(seen) == {30_000}


def test_growing_often_does_not_keep_every_place() -> None:
    storage = opwright.ByteStorage(1)
    places = {storage.resize_(size).data_ptr() for size in range(1, 5000)}
    assert len(places) < 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_processes_share_memory() -> None:
    tensor = opwright.arange(4)
    storage = tensor.storage()
    assert not storage.is_shared()
    assert storage.share_memory_() is storage and storage.is_shared()
    assert storage.share_memory_() is storage
    assert tensor.tolist() == [0, 1, 2, 3] and tensor.storage().is_shared()
    child = os.fork()
    if child == 0:
        tensor.storage()[1] = 70
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert tensor[1] == 70
    with pytest.raises(RuntimeError, match="processes share"):
        storage.resize_(1000)
    assert opwright.FloatStorage().share_memory_().is_shared()


def test_files_are_mapped(tmp_path: Path) -> None:
    path = tmp_path / "floats"
    storage = opwright.FloatStorage.from_file(str(path), shared=True, size=3)
    assert type(storage) is opwright.FloatStorage and storage.is_shared()
    storage.fill_(2)
    assert np.fromfile(path, dtype=np.float32).tolist() == [2, 2, 2]
    private = opwright.FloatStorage.from_file(path, False, 2)
    private.fill_(5)
    assert storage.tolist() == [2, 2, 2] and private.tolist() == [5, 5]
    assert not private.is_shared()
    whole = opwright.FloatStorage.from_file(path)
    assert len(whole) == 3 and type(opwright.UntypedStorage.from_file(path)[0]) is int
    assert (
        len(opwright.FloatStorage.from_file(path, shared=True, size=mmap.PAGESIZE)) == mmap.PAGESIZE
    )
    assert path.stat().st_size == 4 * mmap.PAGESIZE
    for each in (storage, private):
        with pytest.raises(RuntimeError, match="file"):
            each.resize_(10**6)


def test_files_that_cannot_be_mapped_are_refused(tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_bytes(b"12345")
    made = opwright.FloatStorage.from_file
    for wrong in (
        (tmp_path / "missing", False, 4),
        (tmp_path / "missing",),
        (tmp_path / "no" / "folder", True, 4),
        (tmp_path, False, 1),
        ("/dev/zero", False, 1),
        (odd, False, 2),
        (odd,),
        (odd, False, -1),
        ("null\0byte", False, 1),
    ):
        with pytest.raises((RuntimeError, OSError, ValueError)):
            made(*wrong)
    with pytest.raises((RuntimeError, MemoryError)):
        made(odd, False, 2**62)
    with pytest.raises(TypeError):
        made(3)
    assert odd.read_bytes() == b"12345"
    (tmp_path / "empty").touch()
    assert made(tmp_path / "empty").tolist() == []


def test_buffers_are_read_in_either_order(dtype: Any) -> None:
    if dtype not in IN_NUMPY:
        return
    array = np.array([1, 0, 1], dtype=array_type(dtype))
    made = DTYPES[dtype].from_buffer
    for order, mark in (("little", "<"), ("big", ">"), ("native", "=")):
        stored = array.astype(array.dtype.newbyteorder(mark)).tobytes()
        assert made(stored, order).tolist() == array.tolist()
        # Elements may begin anywhere.
        assert made(b"\0" + stored, order, 2, 1).tolist() == array.tolist()[:2]
    with pytest.raises(ValueError, match="byte_order"):
        made(stored, "middle")
    if dtype.itemsize > 1:
        with pytest.raises(TypeError, match="byte_order"):
            made(stored)
        with pytest.raises(ValueError, match="whole number"):
            made(stored[:-1], "native")
    for count, offset in ((4, 0), (-1, 100), (1, -1), (2**62, 0), (3, 1)):
        with pytest.raises(ValueError):
            made(stored, "native", count, offset)
    source = bytearray(stored)
    storage = made(source, "native")
    storage.fill_(0)
    assert bytes(source) == stored
    with pytest.raises(TypeError):
        made([1, 2], "native")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_keep_class_and_elements(dtype: Any, protocol: int) -> None:
    storage = DTYPES[dtype]([1, 0, 1])
    again = pickle.loads(pickle.dumps(storage, protocol))
    assert type(again) is type(storage) and again.tolist() == storage.tolist()
    untyped = pickle.loads(pickle.dumps(opwright.UntypedStorage([1, 2]), protocol))
    assert type(untyped) is opwright.UntypedStorage and untyped.tolist() == [1, 2]


@pytest.mark.parametrize(
    "again", [lambda it: pickle.loads(pickle.dumps(it)), copy.deepcopy], ids=["pickle", "deepcopy"]
)
def test_what_shares_memory_shares_it_afterwards(again: Any) -> None:
    tensor = opwright.arange(6)
    storage = tensor.storage()
    parts = [tensor, tensor[2:], storage, storage[1:3], storage.untyped(), tensor.storage()]
    first, view, typed, part, untyped, twin = again(parts)
    typed[2] = 50
    assert first[2] == 50 and view[0] == 50 and part.tolist() == [1, 50] and twin[2] == 50
    untyped[0] = 7
    assert first[0] == 7 and tensor.tolist() == list(range(6))
    assert untyped is first.untyped_storage()


def test_wrong_pickles_are_refused() -> None:
    memory = opwright.UntypedStorage(8)
    make = _C._rebuild_storage
    assert make(opwright.FloatStorage, memory, 4, 4).tolist() == [0.0]
    for wrong in ((4, 8), (2, 4), (9, 0), (0, 2**63)):
        with pytest.raises((ValueError, OverflowError)):
            make(opwright.FloatStorage, memory, *wrong)
    for wrong_class in (int, opwright.TypedStorage, opwright.Tensor):
        with pytest.raises(TypeError):
            make(wrong_class, memory)
    with pytest.raises(TypeError):
        make(opwright.FloatStorage, b"1234")


def test_bytes_of_any_buffer_are_a_storage() -> None:
    source = bytearray(range(8))
    storage = opwright.UntypedStorage(source)
    storage[0] = 9
    assert source[0] == 9 and storage.tolist()[1:] == list(range(1, 8))
    assert opwright.UntypedStorage(b"ab").tolist() == [97, 98]
    with pytest.raises((RuntimeError, OverflowError, ValueError)):
        opwright.UntypedStorage([300])


def test_a_typed_storage_has_the_dtype_that_is_named() -> None:
    storage = opwright.TypedStorage([1, 2], dtype=opwright.int16)
    assert type(storage) is opwright.ShortStorage
    assert storage.tolist() == [1, 2]
    assert type(opwright.TypedStorage(3)) is opwright.FloatStorage
    assert type(opwright.ShortStorage(3, dtype=opwright.int16)) is opwright.ShortStorage
    for made in (opwright.FloatStorage, opwright.UntypedStorage):
        with pytest.raises(TypeError, match="has no elements of float64"):
            made(3, dtype=opwright.float64)

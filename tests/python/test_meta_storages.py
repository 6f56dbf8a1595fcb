"""Storages on the device meta: they have a size, and no elements."""

import copy
import pickle

import opwright
import pytest

META = {
    "of a tensor": lambda: opwright.ones(2, 3, device="meta").storage(),
    "of a view": lambda: opwright.ones(3, 2, device="meta").t().storage(),
    "of a size": lambda: opwright.TypedStorage(6, dtype=opwright.float32, device="meta"),
    "of a class": lambda: opwright.FloatStorage(6, device="meta"),
    "of numbers": lambda: opwright.TypedStorage([1] * 6, dtype=opwright.float32, device="meta"),
    "of a storage": lambda: opwright.FloatStorage(opwright.IntStorage(6), device="meta"),
    "of bytes": lambda: opwright.ones(6, device="meta").untyped_storage().float()[:6],
    "of a slice": lambda: opwright.ones(9, device="meta").storage()[2:8],
    "a copy": lambda: opwright.ones(6, device="meta").storage().clone(),
    "a deep copy": lambda: copy.deepcopy(opwright.ones(6, device="meta").storage()),
    "a pickle": lambda: pickle.loads(pickle.dumps(opwright.ones(6, device="meta").storage())),
    "converted": lambda: opwright.ones(6, device="meta").storage().double().float(),
    "made longer": lambda: opwright.ones(2, device="meta").storage().resize_(6),
    "copied to": lambda: opwright.FloatStorage(6, device="meta").copy_(opwright.IntStorage(6)),
    "filled": lambda: opwright.FloatStorage(6, device="meta").fill_(1),
}


@pytest.mark.parametrize("name", META)
def test_storages_on_meta_have_a_size_and_no_elements(name: str) -> None:
    storage = META[name]()
    assert type(storage) is opwright.FloatStorage
    assert (len(storage), storage.size(), storage.nbytes()) == (6, 6, 24)
    assert (storage.device.type, storage.element_size(), storage.data_ptr()) == ("meta", 4, 0)
    assert repr(storage) == "<opwright.FloatStorage of 6 elements on meta>"
    assert storage.untyped().nbytes() == 24 and storage[1:3].size() == 2
    assert storage.new().device.type == "meta"
    storage[0] = 1
    for read in (
        storage.tolist,
        storage.cpu,
        storage.share_memory_,
        lambda: storage[0],
        lambda: list(storage),
        lambda: bytes(storage.untyped()),
        lambda: memoryview(storage),
        lambda: opwright.tensor(storage),
        lambda: opwright.FloatStorage(storage),
        lambda: opwright.FloatStorage(6).copy_(storage),
    ):
        with pytest.raises(NotImplementedError, match="has a size and no elements"):
            read()
    with pytest.raises(IndexError):
        storage[6] = 1
    with pytest.raises(RuntimeError, match="sizes must be equal"):
        storage.copy_(opwright.FloatStorage(5))


def test_tensors_over_storages_on_meta() -> None:
    storage = opwright.ones(2, 3, device="meta").storage()
    assert opwright.empty(0, device="meta").set_(storage).shape == (6,)
    for source in (storage, storage.untyped()):
        with pytest.raises(RuntimeError, match="cannot be put over memory on meta"):
            opwright.empty(0).set_(source)
    with pytest.raises(RuntimeError, match="a meta tensor has no storage"):
        opwright.empty(0, device="meta").set_(storage, 1, (2,))

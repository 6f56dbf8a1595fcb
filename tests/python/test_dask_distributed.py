"""Tensors and operators on workers of `distributed`, which come and go."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import opwright
import pytest
import twin
from opwright import Tensor, ops

dask = pytest.importorskip("dask", reason="dask is not installed")
da = pytest.importorskip("dask.array", reason="dask's arrays are not installed")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")

import opwright.dask  # noqa: E402
from distributed.protocol import deserialize, serialize  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
EXAMPLES = str(Path(__file__).resolve().parents[2] / "examples")
NUMBERS = np.random.default_rng(0).standard_normal((60, 80))


@contextmanager
def cluster_of(count: int) -> Iterator[Any]:
    """A client of processes, which have the path of this one when they start."""
    with (
        distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs=60,
        ) as cluster,
        distributed.Client(cluster) as made,
    ):
        yield made


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    sys.path.insert(0, EXAMPLES)
    with cluster_of(2) as made:
        yield made
    sys.path.remove(EXAMPLES)


def chunked() -> Any:
    return da.from_array(opwright.tensor(NUMBERS), chunks=(20, 30), asarray=False)


@opwright.jit  # type: ignore[untyped-decorator, unused-ignore]
def twice(x: Any) -> Any:
    """A compiled function, which workers compile as well."""
    return x * 2


VIEWS = {
    "all": lambda x: x,
    "rows": lambda x: x[2:5],
    "transposed": lambda x: x.T,
    "gaps": lambda x: x[:, ::2],
    "expanded": lambda x: x[:1].expand(5, 8),
    "empty": lambda x: x[:0],
    "number": lambda x: x[0, 0],
}
DTYPES = [opwright.float64, opwright.bfloat16, opwright.bool, opwright.complex64, opwright.uint8]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("view", VIEWS)
def test_elements_are_sent(view: str, dtype: opwright.dtype) -> None:
    whole = opwright.arange(48).reshape(6, 8).to(dtype)
    sent = VIEWS[view](whole)
    header, frames = serialize(sent)
    assert header["serializer"] == "dask"
    # A view leaves the rest of its memory behind.
    size = sum(memoryview(frame).nbytes for frame in frames)
    assert size <= max(sent.numel(), 1) * dtype.itemsize
    # Frames arrive in one buffer, one behind the other, which nobody may write to.
    moved = [memoryview(b"." + bytes(frame))[1:] for frame in frames]
    for received in (deserialize(header, frames), deserialize(header, moved)):
        assert (received.dtype, received.shape) == (sent.dtype, sent.shape)
        assert received.tolist() == sent.tolist()


@pytest.mark.parametrize("view", ["all", "rows", "transposed", "expanded"])
def test_nothing_is_copied(view: str) -> None:
    sent = VIEWS[view](opwright.arange(48.0).reshape(6, 8))
    header, frames = serialize(sent)
    assert deserialize(header, frames).data_ptr() == sent.data_ptr()


def test_what_has_more_than_elements_is_pickled() -> None:
    leaf = opwright.ones(3, requires_grad=True)
    meta = opwright.empty(3, device="meta")
    for sent in (leaf, meta):
        header, frames = serialize(sent)
        assert header["serializer"] == "pickle"
        received = deserialize(header, frames)
        assert received.requires_grad == sent.requires_grad
        assert received.device == sent.device


def test_arrays_on_workers(client: Any) -> None:
    x, tensor = chunked(), opwright.tensor(NUMBERS)
    # From the first process that has them to the one that adds them up.
    for found, expected in (
        ((x @ x.T).sum(axis=0), (tensor @ tensor.T).sum(0)),
        (x.std(axis=0), tensor.std(0, correction=0)),
        (da.concatenate([x, x])[30:90], opwright.cat([tensor, tensor])[30:90]),
        (opwright.dask.map(ops.logsumexp, x, [1]), tensor.logsumexp(1)),
        (opwright.dask.map(ops.argmax, x, 1), tensor.argmax(1)),
        (x.map_blocks(twice), tensor * 2),
        (x.map_blocks(ops.exp.default), tensor.exp()),
        (x.persist(), tensor),
    ):
        computed = found.compute()
        assert type(computed) is Tensor
        assert opwright.allclose(computed, expected)
    median = da.percentile(x.reshape(-1), [50]).compute()
    assert type(median) is Tensor


def test_functions_of_graphs_on_workers(client: Any) -> None:
    x = opwright.TensorType("float64", (None, None))("x")
    function = opwright.function([x], x * 3)
    found = chunked().map_blocks(function, dtype="float64", meta=opwright.empty(0, 0).double())
    assert opwright.allclose(found.compute(), opwright.tensor(NUMBERS) * 3)


def test_tensors_as_arguments(client: Any) -> None:
    tensor = opwright.tensor(NUMBERS)
    scattered = client.scatter(tensor)
    assert client.submit(lambda it: it.sum(), scattered).result() == tensor.sum()
    assert client.submit(ops.add.Tensor, scattered, scattered).result().equal(tensor + tensor)


def test_a_worker_lacks_the_module(client: Any, tmp_path: Path) -> None:
    """It raises, and goes on; the program does not wait for it without end."""
    other = twin.install(tmp_path)
    x = chunked()
    mapped = opwright.dask.map(other.ops.exp, x)
    with pytest.raises(ModuleNotFoundError, match=r"`exp.default` of `twin_ops.ops`.*install"):
        mapped.compute()
    workers = client.scheduler_info()["workers"]
    with pytest.raises(ModuleNotFoundError, match="install the package `twin_ops` there"):
        x.map_blocks(other.ops.exp.default, dtype=x.dtype, meta=x._meta).compute()
    assert client.scheduler_info()["workers"].keys() == workers.keys()
    assert type(pickle.loads(pickle.dumps(other.ops.exp))) is type(other.ops.exp)


def test_two_modules_are_pickled_by_name(tmp_path: Path) -> None:
    """That of one is, although that of another was imported later."""
    other = twin.install(tmp_path)
    importlib.import_module(f"{other.__name__}.dask")
    pickled = [distributed.protocol.pickle.dumps(it) for it in (opwright.ones(2), other.ones(2))]
    code = f"""if True:
        import pickle, sys
        sys.modules["opwright"] = None
        for it in {pickled!r}:
            print(type(pickle.loads(it)).__name__)
    """
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (["Missing", "Missing"], "")


def test_a_worker_is_killed_while_it_calculates(tmp_path: Path) -> None:
    """What it had is made again, and nothing else."""

    def draw(block_info: Any = None) -> Tensor:
        number = block_info[None]["chunk-location"][0]
        with (tmp_path / "drawn").open("a") as file:
            file.write(f"{number}\n")
        killed = tmp_path / "killed"
        if number == 2 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), 9)
        return opwright.full((2,), float(number))

    x = da.map_blocks(draw, chunks=((2,) * 6,), dtype="float32", meta=opwright.empty(0))
    with cluster_of(2):
        assert opwright.dask.map(ops.sum, x).compute().item() == 30
    drawn = (tmp_path / "drawn").read_text().split()
    assert drawn.count("2") == 2
    assert sorted(set(drawn)) == list("012345")


def test_every_worker_is_killed() -> None:
    """The task that does it is named."""

    def kill(_: Any) -> Any:
        os.kill(os.getpid(), 9)

    x = chunked().map_blocks(kill, name="deadly", dtype="float64", meta=chunked()._meta)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        cluster_of(1),
        pytest.raises(distributed.KilledWorker, match=r"to run task \('sum-"),
    ):
        opwright.dask.map(ops.sum, x).compute()


def test_a_killed_worker(client: Any) -> None:
    """The example goes on without it, and finds what it finds with both."""
    cluster = importlib.import_module("cluster")
    drawn = cluster.points(40_000, 10_000)
    x = drawn / drawn.std(axis=0)
    expected, losses = cluster.fit(x, False)
    assert losses == sorted(losses, reverse=True)
    held = x.persist()
    distributed.wait(held)
    first, _ = client.run(os.getpid).values()
    os.kill(first, 9)
    weights, again = cluster.fit(held, False)
    assert opwright.allclose(weights, expected)
    assert again == pytest.approx(losses)
    deadline = time.monotonic() + 60
    while first in client.run(os.getpid).values() and time.monotonic() < deadline:
        time.sleep(0.1)


def test_the_example(client: Any) -> None:
    cluster = importlib.import_module("cluster")
    assert cluster.points().nbytes > cluster.MEMORY_LIMIT
    x = cluster.points(20_000, 10_000)
    centers = cluster.k_means(x, False)
    found = sorted(map(tuple, centers[:, :2].tolist()))
    np.testing.assert_allclose(found, sorted(cluster.CLUSTERS), atol=0.1)
    sample = x[:50].compute()
    labels = cluster.nearest(x[:50], centers).compute()
    drawn = cluster.picture([1.0, 0.5], sample, labels, centers)
    assert drawn.startswith("<svg")
    assert drawn.count("<circle") == 53

"""A worker of `distributed` that lacks the package: it says so, and goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import ops

da = pytest.importorskip("dask.array", reason="dask's arrays are not installed")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")

import opwright.dask  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
NUMBERS = np.random.default_rng(0).standard_normal((60, 80))
LACKS = "install the package `opwright` there"


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Of a worker that has the package, and of one that has everything but it."""
    code = "import sys; sys.modules['opwright'] = None; import distributed.cli.dask_worker as it; "
    options = ["--name", "bare", "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    with (
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs=60,
        ) as cluster,
        distributed.Client(cluster) as made,
        subprocess.Popen(
            [sys.executable, "-P", "-c", code + "it.main()", cluster.scheduler_address, *options],
            stderr=subprocess.DEVNULL,
        ) as process,
    ):
        made.wait_for_workers(2)
        yield made
        # Nothing ended it.
        assert process.poll() is None
        process.terminate()


def chunked() -> Any:
    return da.from_array(opwright.tensor(NUMBERS), chunks=(20, 30), asarray=False)


@pytest.mark.parametrize(
    "asked",
    [
        lambda x: x.sum(),
        lambda x: x[2:5, ::2] + 1,
        lambda x: np.exp(x),
        lambda x: x.astype(opwright.bfloat16).T.sum(),
        lambda x: da.unique(x),
        lambda x: x.to_backend("numpy"),
        lambda _: da.ones((4, 4), chunks=2).to_backend("opwright"),
        lambda x: opwright.dask.map(ops.logsumexp, x, [1]),
    ],
)
def test_a_worker_lacks_the_package(client: Any, asked: Any) -> None:
    found = client.compute(asked(chunked()), workers=["bare"])
    with pytest.raises(ModuleNotFoundError, match=LACKS):
        found.result(timeout=60)


def test_tensors_pass_through_a_worker_that_lacks_the_package(client: Any) -> None:
    tensor = opwright.tensor(NUMBERS)
    for held in (
        client.scatter(tensor, workers=["bare"], direct=False),
        client.submit(lambda it: it, tensor.T, workers=["bare"]),
    ):
        with pytest.raises(ModuleNotFoundError, match=LACKS):
            client.submit(lambda it: it.sum(), held, workers=["bare"]).result(timeout=60)
        # The first one of the cluster reads what this one could not.
        total = client.submit(lambda it: it.sum(), held, workers=[0]).result(timeout=60)
        assert total.item() == pytest.approx(NUMBERS.sum())
        assert held.result().tolist() in (tensor.tolist(), tensor.T.tolist())

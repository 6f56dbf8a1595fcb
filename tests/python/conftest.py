"""Settings that hold for every test of the Python module."""

from pathlib import Path

import hypothesis
import numpy as np
import pytest

# The same examples in every run, so that a failure can be seen again;
# no deadline, because a busy machine is not a bug.
hypothesis.settings.register_profile("opwright", derandomize=True, deadline=None)
hypothesis.settings.load_profile("opwright")

# JAX gives numpy more dtypes, which other tests say that it lacks.
APART = "test_interop_jax"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out files that need a process of their own, unless they are named."""
    named = {Path(it.partition("::")[0]).resolve() for it in config.args}
    is_left_out = collection_path.name.startswith(APART) and collection_path not in named
    return True if is_left_out else None


@pytest.fixture
def rng() -> np.random.Generator:
    """A source of random arrays that starts alike in every test."""
    return np.random.default_rng(0)

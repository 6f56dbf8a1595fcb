"""Settings that hold for every test of the Python module."""

import hypothesis
import numpy as np
import pytest

# The same examples in every run, so that a failure can be seen again;
# no deadline, because a busy machine is not a bug.
hypothesis.settings.register_profile("opwright", derandomize=True, deadline=None)
hypothesis.settings.load_profile("opwright")


@pytest.fixture
def rng() -> np.random.Generator:
    """A source of random arrays that starts alike in every test."""
    return np.random.default_rng(0)

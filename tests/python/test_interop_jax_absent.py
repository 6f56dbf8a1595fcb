"""What is said where JAX is absent or too old."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace

import opwright
import pytest


@pytest.fixture
def imported_anew(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in [it for it in sys.modules if it.startswith("opwright.interop.jax")]:
        monkeypatch.delitem(sys.modules, name)
    return monkeypatch


def test_absence_names_the_package(imported_anew: pytest.MonkeyPatch) -> None:
    imported_anew.setitem(sys.modules, "jax", None)
    with pytest.raises(ImportError, match=r"needs `jax` .* not installed; `pip install") as error:
        importlib.import_module("opwright.interop.jax")
    assert error.value.name == "jax"


def test_an_old_version_is_named(imported_anew: pytest.MonkeyPatch) -> None:
    old = SimpleNamespace(__version__="0.4.30", __version_info__=(0, 4, 30))
    imported_anew.setitem(sys.modules, "jax", old)
    with pytest.raises(ImportError, match=r"needs `jax` \d.* or newer, and 0\.4\.30 is installed"):
        importlib.import_module("opwright.interop.jax")


def test_other_frameworks_are_no_attributes() -> None:
    assert "jax" in dir(opwright.interop)
    with pytest.raises(AttributeError, match="has no attribute 'mxnet'"):
        _ = opwright.interop.mxnet

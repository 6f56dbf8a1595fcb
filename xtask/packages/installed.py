"""Looks at the package `opwright` as it is installed: what it says of itself, what it computes.

It needs nothing but the package, and is run where nothing else is installed.
"""

from __future__ import annotations

import importlib.metadata
import math
import platform
import sys


def described() -> str:
    """Compares what the package says of itself with what registries and users need; its version."""
    package = importlib.metadata.distribution("opwright")
    said = package.metadata
    for key in ("Summary", "License-Expression", "Keywords", "Author", "Requires-Python"):
        assert said[key], f"the package says no {key}"
    addresses = [it.split(", ")[1] for it in said.get_all("Project-URL", [])]
    assert len(addresses) >= 2, f"the package names too few addresses: {addresses}"
    files = {it.name: it for it in package.files or []}
    for licence in said.get_all("License-File", []):
        assert "licenses" in files[licence].parts, f"{licence} is not in the package"
    assert len(said.get_all("License-File", [])) >= 2, "the package lacks a licence"
    for file in ("py.typed", "__init__.pyi", "opcheck.toml"):
        assert file in files, f"{file} is not in the package"
    text = str(said.get_payload())
    assert text.lstrip().startswith("# opwright"), "the package has no page for registries"
    always = [it for it in package.requires or [] if "extra ==" not in it]
    assert not always, f"the package needs others: {always}"
    return package.version


def computed() -> None:
    """Calls operators, a gradient, a compiled graph and a compiled function."""
    import opwright
    from opwright import TensorType, function

    assert "numpy" not in sys.modules, "importing the package imports numpy"
    x = opwright.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    loss = (x @ x).square().mean().sqrt()
    assert math.isclose(loss.item(), math.sqrt((49 + 100 + 225 + 484) / 4), rel_tol=1e-6)
    loss.backward()
    assert x.grad.shape == (2, 2)
    values, _ = opwright.tensor([1.0, 5.0, 3.0]).topk(2)
    assert values.tolist() == [5.0, 3.0]
    assert opwright.linalg.det(opwright.tensor([[2.0, 0.0], [0.0, 3.0]])).item() == 6.0
    assert opwright.fft.fft(opwright.ones(4))[0].item() == 4.0
    y = TensorType("float32", (None,))("y")
    assert function([y], y.exp().sum())([0.0, 0.0]).item() == 2.0


def main() -> None:
    """Prints a line, or fails at what is not as it should be."""
    version = described()
    computed()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"opwright {version} works on {python}, {platform.system()} {platform.machine()}")


if __name__ == "__main__":
    main()

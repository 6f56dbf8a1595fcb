"""What operators cost when their module is built: time, bytes, and time to import it.

Modules of more and more operators are written from upstream's schemas, with empty kernels, in the
profile that `opwright new` gives a crate. What an overload costs is the difference between two of
them, so that what every module has is left out.

Usage: build.py PROJECT UPSTREAM.yaml FOLDER
"""

from __future__ import annotations

import itertools
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

COUNTS = (100, 500, 2500)
ROUNDS = 3
IMPORTS = 9


@dataclass(frozen=True)
class Cost:
    """What a module costs: seconds, seconds of all processors, bytes, seconds."""

    overloads: int
    generation: float
    rustc: float
    rustc_of_all: float
    size: int
    imported: float


def timed(command: list[str], folder: Path, env: Mapping[str, str] = os.environ) -> list[float]:
    """The time of a command, and that of all processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, env=dict(env), check=True, stdout=subprocess.DEVNULL)
    elapsed = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [elapsed, spent]


def written(project: Path, upstream: Path, folder: Path, count: int) -> Path:
    """A crate of `opwright new` with so many entries at most."""
    crate = folder / f"ops_{count}"
    shutil.rmtree(crate, ignore_errors=True)
    cargo = ["cargo", "run", "--quiet"]
    new = ["--package", "opwright-cli", "--", "new", str(crate), "--path", str(project)]
    library = ["--package", "opwright-codegen", "--example", "empty_library"]
    library += ["--", str(upstream), str(count), str(crate)]
    subprocess.run(cargo + new, cwd=project, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(cargo + library, cwd=project, check=True, stdout=subprocess.DEVNULL)
    return crate


def newest(crate: Path, target: Path, name: str) -> Path:
    """What the last build of a crate left under this name."""
    found = target.glob(f"release/build/{crate.name}-*/{name}")
    return max(found, key=lambda it: it.stat().st_mtime)


def overloads(crate: Path, target: Path) -> int:
    """How many were generated: those of the entries, and those derived from them."""
    text = newest(crate, target, "out/generated.rs").read_text(encoding="utf-8")
    return len(re.findall(r"\bimpl rt ?:: ?Op for ", text))


def generation(crate: Path, target: Path) -> float:
    """How long the build script runs."""
    script = newest(crate, target, "build-script-build")
    out = target / "generated"
    out.mkdir(exist_ok=True)
    env = {
        **os.environ,
        "OUT_DIR": str(out),
        "CARGO_MANIFEST_DIR": str(crate),
        "CARGO_PKG_NAME": crate.name,
    }
    return statistics.median(timed([str(script)], crate, env)[0] for _ in range(ROUNDS))


def imported(library: Path, crate: Path) -> float:
    """How long an import takes in a new process."""
    shutil.copy(library, crate / f"{crate.name}.abi3.so")
    code = (
        f"import time; start = time.perf_counter(); import {crate.name};"
        "print(time.perf_counter() - start)"
    )
    run = [sys.executable, "-c", code]
    times = [float(subprocess.check_output(run, cwd=crate)) for _ in range(IMPORTS)]
    return statistics.median(times)


def release(crate: Path, target: Path) -> Cost:
    """What the module of a crate costs in the release profile."""
    env = {**os.environ, "CARGO_PROFILE_RELEASE_STRIP": "true"}
    cargo = ["cargo", "build", "--release", "--quiet", "--lib", "--target-dir", str(target)]
    timed(cargo, crate, env)
    library = target / f"release/lib{crate.name}.so"
    size, ready = library.stat().st_size, imported(library, crate)
    # Other options of rustc: it runs again, and the build script does not.
    again = ["cargo", "rustc", *cargo[2:], "--", "--cfg", f'again="{time.time_ns()}"']
    rustc = timed(again, crate, env)
    count = overloads(crate, target)
    return Cost(count, generation(crate, target), rustc[0], rustc[1], size, ready)


def edited(crate: Path, target: Path) -> float:
    """How long a build takes in the development profile after one kernel was edited."""
    cargo = ["cargo", "build", "--quiet", "--lib", "--target-dir", str(target)]
    timed(cargo, crate)
    source = crate / "src/lib.rs"
    text = source.read_text(encoding="utf-8")
    head, call, tail = text.rpartition("nothing()")
    source.write_text(f"{head}let result = {call};\n    result{tail}", encoding="utf-8")
    try:
        return timed(cargo, crate)[0]
    finally:
        source.write_text(text, encoding="utf-8")


def main() -> None:
    """Prints the tables."""
    project, upstream, folder = map(Path, sys.argv[1:])
    if not upstream.exists():
        print(f"skipped: there is no {upstream}")
        return
    target = folder / "target"
    crates = [written(project, upstream, folder, count) for count in COUNTS]
    costs = [release(crate, target) for crate in crates]
    print(f"{'overloads':>9} {'generation':>11} {'rustc':>8} {'of all':>8} {'library':>10} import")
    for it in costs:
        print(
            f"{it.overloads:>9} {it.generation * 1e3:>8.0f} ms {it.rustc:>6.1f} s"
            f" {it.rustc_of_all:>6.1f} s {it.size / 1024:>6.0f} KiB {it.imported * 1e3:.1f} ms"
        )
    print("\neach further overload:")
    for one, two in itertools.pairwise(costs):
        more = two.overloads - one.overloads
        print(
            f"{one.overloads:>4} to {two.overloads:>4}:"
            f" generation {(two.generation - one.generation) / more * 1e3:.2f} ms,"
            f" rustc {(two.rustc - one.rustc) / more * 1e3:.1f} ms"
            f" ({(two.rustc_of_all - one.rustc_of_all) / more * 1e3:.1f} ms of all processors),"
            f" {(two.size - one.size) / more / 1024:.2f} KiB"
        )
    seconds = edited(crates[-1], target)
    print(f"\none kernel edited beside {costs[-1].overloads}, development profile: {seconds:.1f} s")


if __name__ == "__main__":
    main()

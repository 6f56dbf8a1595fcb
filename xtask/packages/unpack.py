"""Unpacks the packages in a folder to another one, as cargo's source of crates in a directory.

Called as `unpack.py PACKAGES SOURCES`.
"""

import hashlib
import json
import sys
import tarfile
from pathlib import Path

packages, sources = map(Path, sys.argv[1:])
paths = sorted(packages.glob("*.crate"))
assert paths, f"there is no package in {packages}"
for path in paths:
    with tarfile.open(path) as package:
        package.extractall(sources, filter="data")
    # Lock files name packages by these sums; those of single files may be left out.
    sums = {"package": hashlib.sha256(path.read_bytes()).hexdigest(), "files": {}}
    (sources / path.stem / ".cargo-checksum.json").write_text(json.dumps(sums))

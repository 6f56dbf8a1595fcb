"""`python -m opwright.testing MODULE`: checks all operators of a module."""

from __future__ import annotations

import argparse
import importlib
import sys
from operator import attrgetter

from opwright.testing import opcheck


def main() -> int:
    """Prints the report; 1 if something does not hold."""
    parser = argparse.ArgumentParser(prog="python -m opwright.testing", description=__doc__)
    parser.add_argument("module", help="the name under which the module is imported")
    parser.add_argument(
        "operator",
        nargs="*",
        help="functions or methods of it, as `add` or `Tensor.add`; all operators if none",
    )
    parser.add_argument("--skip", action="append", default=[], help="a check to leave out")
    parser.add_argument(
        "--word", action="append", default=[], help="a text to try where one is asked for"
    )
    options = parser.parse_args()
    module = importlib.import_module(options.module)
    try:
        targets = [attrgetter(it)(module) for it in options.operator] or [module]
        reports = [
            opcheck(it, skip=options.skip, words=options.word, raises=False) for it in targets
        ]
    except (AttributeError, ValueError) as error:
        parser.error(str(error))
    print(*reports, sep="\n")
    return int(not all(it.ok for it in reports))


if __name__ == "__main__":
    sys.exit(main())

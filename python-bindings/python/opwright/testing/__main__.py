"""`python -m opwright.testing MODULE`: checks all operators of a module."""

from __future__ import annotations

import argparse
import importlib
import sys
from operator import attrgetter

from opwright.testing import opcheck
from opwright.testing._known import beside


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
    parser.add_argument(
        "--known",
        metavar="FILE",
        help="what is known not to hold; else the `opcheck.toml` of the package, if it has one",
    )
    options = parser.parse_args()
    module = importlib.import_module(options.module)
    try:
        targets = [attrgetter(it)(module) for it in options.operator] or [module]
        known = options.known or beside(module)
        reports = [
            opcheck(it, skip=options.skip, words=options.word, known=known, raises=False)
            for it in targets
        ]
    except (AttributeError, OSError, ValueError) as error:
        parser.error(str(error))
    print(*reports, sep="\n")
    return int(not all(it.ok for it in reports))


if __name__ == "__main__":
    sys.exit(main())

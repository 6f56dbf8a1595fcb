"""Calls operators once each, rightly and wrongly; run under a checker of memory.

`python each_once.py EVERY` calls every so-many-th operator.
"""

import contextlib
import sys
import warnings

import opwright
from bound_operators import operators, right_call, wrong_calls


def main(every: int) -> None:
    """Calls them; what they raise does not matter here, how they use memory does."""
    warnings.simplefilter("ignore")
    called = 0
    for operator in list(operators())[::every]:
        for overload in operator.overloads:
            called += right_call(operator, overload, count=30) is not None
        for args, kwargs in wrong_calls(operator):
            with contextlib.suppress(TypeError):
                operator.function(*args, **kwargs)
    # Several threads, tiles, buffers and lanes.
    large = opwright.ones(130, 257)
    for result in (large @ large.t(), large.t().sort().values, large[::2, ::3].exp()):
        called += int(bool(result.sum() > 0))
    print(f"{called} right calls")


if __name__ == "__main__":
    main(int(sys.argv[1]))

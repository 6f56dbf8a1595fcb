"""Repeats each of some statements in a thread of its own; run under a counter of instructions.

`python repeat_calls.py COUNT STATEMENT...`.
"""

import sys
import threading

import opwright

NAMES = {
    "a": opwright.tensor([1.0, 2.0, 3.0, 4.0]),
    "b": opwright.tensor([5.0, 6.0, 7.0, 8.0]),
    "out": opwright.zeros(4),
    "x": opwright.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True),
    "no_grad": opwright.no_grad,
    "m": opwright.ones(4, 4),
    "add": opwright.add,
    "where": opwright.where,
    "sort": opwright.sort,
    "mask": opwright.tensor([True, False, True, False]),
}


def repeat(statement: str, count: int, done: threading.Event, end: threading.Event) -> None:
    """Runs it so often, then waits for the end: a new thread would get the number of this one."""
    loop = compile(f"for _ in range({count}):\n    {statement}", statement, "exec")
    exec(loop, dict(NAMES))
    done.set()
    end.wait()


def main(count: int, statements: list[str]) -> None:
    """Runs all, one after the other."""
    end = threading.Event()
    for statement in statements:
        done = threading.Event()
        threading.Thread(target=repeat, args=(statement, count, done, end)).start()
        done.wait()
    end.set()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])

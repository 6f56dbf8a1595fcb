"""Calls of every operator with objects of every kind, hostile ones too.

`python fuzz.py CALLS SEED SECONDS FILE` makes so many calls, again with further seeds until the
time is over, and tells the file which call is next. Nothing may crash, hang, or raise
`SystemError`. It is a process of its own, because it limits its memory and because a crash shall
not take the other tests along.
"""

import contextlib
import faulthandler
import os
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import hypothesis
import opwright
from bound_operators import Operator, guesses, operators, overloads_of
from hostile_objects import LyingStr, objects, resizing
from hypothesis import strategies as st

# What a call may take on top of what is there; more must be refused.
MEMORY = 2 << 30

# A call that takes longer hangs.
SECONDS = 20

OBJECTS = objects()

# Not to be called: they change what all calls do, or print where the tests read.
NOT_CALLED = {
    "set_num_threads",
    "set_default_dtype",
    "set_default_tensor_type",
    "set_printoptions",
    "show_config",
}


class Keywords(dict[str, Any]):
    """Keywords that say of themselves what is not so."""

    def __len__(self) -> int:
        return 1

    def __contains__(self, _: object) -> bool:
        return True


def functions() -> list[Operator]:
    """All operators, and what else is called with objects of all kinds."""
    by_hand = ["tensor", "as_tensor", "asarray", "from_numpy", "from_dlpack", "Tensor", "device"]
    by_hand += ["Generator", "get_overloads", "iinfo", "finfo", "is_tensor"]
    others = {it: getattr(opwright, it) for it in by_hand if hasattr(opwright, it)}
    for name in vars(opwright._C.TensorBase) | vars(opwright.Tensor):
        method = getattr(opwright.Tensor, name)
        if callable(method) and not overloads_of("Tensor.", name, method):
            others[f"Tensor.{name}"] = method
    extra = [Operator(name, function, ()) for name, function in others.items()]
    return [it for it in [*operators(), *extra] if it.name not in NOT_CALLED]


def keywords_of(operator: Operator) -> list[str]:
    """The keywords that an operator takes, and one that none does."""
    names = {name for overload in operator.overloads for name in overload.parameters}
    return [*sorted(names - {"self"}), "axis", "no_such"]


@dataclass(frozen=True)
class Plan:
    """A call before its objects are made, which are known by their numbers."""

    operator: Operator
    # Of a call that fits an overload by its types, in which some arguments are exchanged.
    guess: int | None
    args: list[int]
    kwargs: dict[str, int]
    way: int

    def __str__(self) -> str:
        return f"{self.operator} {self.guess} {self.args} {self.kwargs} {self.way}"


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """A call of an operator."""
    # By number: the library would compare all that it can choose from.
    operator = FUNCTIONS[draw(st.integers(0, len(FUNCTIONS) - 1))]
    number = st.integers(0, len(OBJECTS) - 1)
    guess = draw(st.none() | st.integers(0, 9999)) if operator.overloads else None
    args = draw(st.lists(number, max_size=5 if guess is None else 2))
    names = keywords_of(operator)
    named = draw(st.lists(st.tuples(st.integers(0, len(names) - 1), number), max_size=2))
    kwargs = {names[at]: it for at, it in named}
    return Plan(operator, guess, args, kwargs, draw(st.integers(0, 9)))


def made(plan: Plan) -> tuple[list[Any], dict[str, Any]]:
    """The arguments."""
    given = [OBJECTS[it]() for it in plan.args]
    named = {name: OBJECTS[it]() for name, it in plan.kwargs.items()}
    if plan.guess is None:
        return given, named
    overloads = plan.operator.overloads
    overload = overloads[plan.guess % len(overloads)]
    # Not every overload has arguments that one can guess.
    guessed = [*guesses(overload, str(plan.guess), 1 + plan.guess % 2)]
    args, kwargs = guessed[-1] if guessed else ([], {})
    exchanged = list(args)
    for at, (number, one) in enumerate(zip(plan.args, given, strict=True)):
        if exchanged:
            exchanged[(number + at) % len(exchanged)] = one
    return exchanged, kwargs | named


def prepared(kwargs: dict[str, Any], way: int) -> Any:
    """The keywords, in one of the ways in which they can be given."""
    if way == 0:
        return Keywords(kwargs)
    if way == 1:
        return {LyingStr(name): value for name, value in [*kwargs.items()][:1]}
    if way == 2:
        return {**kwargs, 1: 2}
    return kwargs


def run(function: Callable[..., Any], args: list[Any], kwargs: Any) -> str:
    """Calls, and tells what came of it, if it should not have."""
    try:
        function(*args, **kwargs)
    except SystemError as error:
        return f"SystemError: {error}"
    except Exception as error:
        with contextlib.suppress(Exception):
            if "internal error" in str(error) or "panick" in str(error):
                return f"a panic: {error}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return ""


def check(plan: Plan) -> None:
    """Makes the objects, calls, and looks at what came of it."""
    args, kwargs = made(plan)
    if plan.way > 7:
        victim = opwright.ones(40, 40)
        args[:0] = [victim, resizing(victim)]
    elif plan.way > 4 or (plan.guess is None and plan.operator.name.startswith("Tensor.")):
        args.insert(0, opwright.ones(2, 2))
    # Overwritten by the next one; after a crash it tells which call it was.
    os.pwrite(TRACE, str(plan).ljust(500).encode(errors="replace"), 0)
    signal.alarm(SECONDS)
    wrong = run(plan.operator.function, args, prepared(kwargs, plan.way))
    signal.alarm(0)
    assert not wrong, f"{plan}: {wrong}"


FUNCTIONS = functions()
TRACE = os.open(sys.argv[4], os.O_CREAT | os.O_RDWR)


def limit_memory() -> None:
    """Lets the process have only so much more memory than it has."""
    with open("/proc/self/statm") as statm:
        pages = int(statm.read().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main(examples: int, seed: int, seconds: float) -> None:
    """Tries calls until the time is over; prints how many."""
    faulthandler.enable()
    # Without a handler of Python's: a call that hangs would never let it run.
    faulthandler.register(signal.SIGALRM, chain=True)
    warnings.simplefilter("ignore")
    opwright.ones(1_000_000).sum()
    limit_memory()
    tried, end = 0, time.monotonic() + seconds
    while tried == 0 or time.monotonic() < end:
        settings = hypothesis.settings(
            max_examples=examples,
            deadline=None,
            database=None,
            # Without making it smaller: the plan of a call is short.
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        hypothesis.seed(seed + tried)(settings(hypothesis.given(plans())(check)))()
        tried += examples
    print(f"{tried} calls")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))

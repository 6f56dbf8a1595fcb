"""Compares stubs with the module by `mypy.stubtest`, whose arguments these are.

Stubs have a form of a function for each way to call it: one more with `axis` or `axes` for `dim`,
with `shape` for `size`, and so on, as numpy calls them. The signature at run time shows one name
for each parameter, so what is said about the others is left out. So is what is said about names of
parameters that are positional alone: type checkers forget them where a function is decorated.
"""

import re
import subprocess
import sys

OTHER_NAME = re.compile(
    r"(\S+) is inconsistent, runtime does not have parameter "
    r'"(axes|axis|k|keepdims|num|shape|stop)"'
)
# Whoever gives the one need not give the other.
DEFAULT = re.compile(
    r"(\S+) is inconsistent, stub parameter "
    r'"(diagonal|dim|dims|end|keepdim|size|steps)" has a default value but runtime'
)
NAMELESS = re.compile(r'\S+ is inconsistent, stub parameter "__arg\d+" differs from runtime')


def unexpected(lines: list[str]) -> list[str]:
    """What is wrong but for the other names."""
    renamed = {found[1] for it in lines if (found := OTHER_NAME.match(it))}
    rest = [it for it in lines if not OTHER_NAME.match(it) and not NAMELESS.match(it)]
    rest = [it for it in rest if not it.startswith("Success")]
    return [it for it in rest if not ((found := DEFAULT.match(it)) and found[1] in renamed)]


if __name__ == "__main__":
    command = [sys.executable, "-P", "-m", "mypy.stubtest", "--concise", *sys.argv[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = unexpected(done.stdout.splitlines())
    print("\n".join(found), done.stderr, sep="\n")
    sys.exit(1 if found or (done.returncode and not done.stdout) else 0)

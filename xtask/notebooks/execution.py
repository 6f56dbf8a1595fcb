"""Runs the cells of a notebook, in a kernel of Jupyter or in a plain Python.

Outputs are those of the notebook format: `stream`, `execute_result`. Both ways run in the folder
that is named, with the variables that are, and a cell that fails ends it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import os
import subprocess
import sys
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Outputs = list[dict[str, Any]]

# How long a cell may run, in seconds.
_LONGEST = 600
# What a script is told; a kernel has words of its own there.
_START = "import sys\nsys.argv = ['example']"


class CellError(Exception):
    """A cell raised something; the text is what a notebook would show of it."""


def has_jupyter() -> bool:
    """Whether there is all that a kernel needs."""
    return all(find_spec(it) is not None for it in ("nbclient", "nbformat", "ipykernel"))


def run(codes: list[str], folder: Path, environment: dict[str, str], plain: bool) -> list[Outputs]:
    """The outputs of each cell.

    Raises:
        CellError: One of them fails.
    """
    found = (_in_python if plain else _in_kernel)([_START, *codes], folder, environment)
    return found[1:]


def _in_kernel(codes: list[str], folder: Path, environment: dict[str, str]) -> list[Outputs]:
    import nbformat
    from jupyter_client import KernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(it) for it in codes])
    manager = KernelManager()
    # That of this interpreter, whichever kernels the user has installed.
    manager.kernel_spec.argv[0] = sys.executable
    manager.kernel_spec.argv.append("--IPKernelApp.log_level=40")
    client = NotebookClient(
        notebook,
        km=manager,
        timeout=_LONGEST,
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        client.execute(env={**os.environ, **environment})
    except CellExecutionError as error:
        raise CellError(str(error)) from None
    finally:
        if manager.has_kernel:
            manager.shutdown_kernel(now=True)
    return [_of_notebook(cell["outputs"]) for cell in notebook.cells]


def _of_notebook(outputs: Any) -> Outputs:
    """Plain dictionaries, in which what a stream printed is one text."""
    made: Outputs = []
    for output in json.loads(json.dumps(outputs)):
        last = made[-1] if made else {}
        if output["output_type"] == "stream" and last.get("name") == output["name"]:
            last["text"] += output["text"]
        else:
            made.append(output)
    return made


def _in_python(codes: list[str], folder: Path, environment: dict[str, str]) -> list[Outputs]:
    command = [sys.executable, __file__]
    done = subprocess.run(
        command,
        input=json.dumps(codes),
        cwd=folder,
        env={**os.environ, **environment},
        text=True,
        capture_output=True,
        timeout=_LONGEST,
        check=False,
    )
    if done.returncode:
        raise CellError(done.stderr)
    found: list[Outputs] = json.loads(done.stdout)
    return found


def _main() -> None:
    """The other end of a plain Python: cells from the standard input, their outputs to it."""
    codes = json.load(sys.stdin)
    # Cells are what `__main__` is, as in a kernel, so that what they define can be pickled.
    names: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
    vars(sys.modules["__main__"]).update(names)
    outputs = [
        _run(code, number, vars(sys.modules["__main__"])) for number, code in enumerate(codes)
    ]
    print(json.dumps(outputs))


def _run(code: str, number: int, names: dict[str, Any]) -> Outputs:
    name = f"<cell {number}>"
    # Compilers of functions read their source.
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    tree = ast.parse(code, name)
    last = tree.body[-1] if tree.body else None
    is_shown = isinstance(last, ast.Expr) and not code.rstrip().endswith(";")
    shown = ast.Expression(last.value) if isinstance(last, ast.Expr) and is_shown else None
    if shown is not None:
        tree.body.pop()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), names)
        value = None if shown is None else eval(compile(shown, name, "eval"), names)
    made: Outputs = []
    if printed.getvalue():
        made.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    if value is not None:
        data = _shown(value)
        made.append(
            {
                "output_type": "execute_result",
                "data": data,
                "metadata": {},
                "execution_count": number,
            }
        )
    return made


def _shown(value: Any) -> dict[str, str]:
    data = {"text/plain": repr(value)}
    for kind, method in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
        draw = getattr(value, method, None)
        text = None if draw is None else draw()
        if text is not None:
            data[kind] = text
    return data


if __name__ == "__main__":
    try:
        _main()
    except Exception:
        # Unlike the interpreter, it knows the lines of cells.
        traceback.print_exc()
        sys.exit(1)

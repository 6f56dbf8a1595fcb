"""Files of tensors: `save` and `load`.

`.safetensors` files are written and read. Of the files that PyTorch writes, the tensors are read;
nothing in a file is ever executed.
"""

from __future__ import annotations

from os import PathLike, fspath

from opwright._kinds import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, BinaryIO

    from opwright import Tensor

    _Path = str | PathLike[str] | BinaryIO

__all__ = ["load", "save"]

# Endings of files that are something else, and what writes them.
_OTHERS = {
    ".pt": "PyTorch",
    ".pth": "PyTorch",
    ".npy": "numpy.save",
    ".npz": "numpy.savez",
    ".pkl": "pickle",
}


def save(obj: Mapping[str, Tensor], path: _Path) -> None:
    """Write tensors under their names to a `.safetensors` file.

    Args:
        obj: The tensors, such as what `Module.state_dict` returns. Each is written whole, also one
            that shares its memory with others.
        path: The path of the file, which is replaced as a whole once all is written, or a file
            that is open for writing bytes.

    Raises:
        TypeError: What is to be written is no dictionary of tensors, or the format lacks a dtype.
        ValueError: The ending of the path is that of another format.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     opwright.save({"x": opwright.ones(2)}, f"{folder}/x.safetensors")
        ...     opwright.load(f"{folder}/x.safetensors")
        {'x': tensor([1., 1.], dtype=float32, shape=(2,))}
    """
    from opwright._files import safetensors

    if not isinstance(path, str | PathLike) and hasattr(path, "write"):
        safetensors.write(safetensors.image(obj), path.write)
        return
    import os

    name = _text_of(path, "save")
    ending = os.path.splitext(name)[1].lower()
    if ending in _OTHERS:
        raise ValueError(
            f"save(): '{name}' would not be what it is called: {_OTHERS[ending]} writes "
            f"`{ending}`, and save() `.safetensors`"
        )
    _replace(name, safetensors.image(obj), safetensors.write)


def _replace(name: str, image: Any, write: Callable[[Any, Any], None]) -> None:
    """Write a file beside the one that it then replaces, which others may be reading."""
    import os
    from secrets import token_hex

    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as file:
            write(image, file.write)
        return
    name = os.path.realpath(name)
    folder, base = os.path.split(name)
    temporary = os.path.join(folder, f".{base}.{token_hex(8)}")
    try:
        with open(temporary, "xb") as file:
            write(image, file.write)
        if os.path.exists(name):
            os.chmod(temporary, os.stat(name).st_mode & 0o777)
        os.replace(temporary, name)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def load(path: _Path) -> dict[str, Any]:
    """Read the tensors of a `.safetensors` file, or what PyTorch saved of dictionaries of tensors.

    Which of both it is follows from how the file begins. Tensors are read straight into their
    memory. Of files of PyTorch only dictionaries, lists, numbers, texts, tensors and parameters are
    read; whatever else they have to be made of is refused by its name, and nothing is executed.

    Args:
        path: The path of the file, or a file that is open for reading bytes and can be moved in.

    Returns:
        The tensors by their names, for instance for `Module.load_state_dict`.

    Raises:
        ValueError: The file is damaged, or of another format.

    Examples:
        >>> import io
        >>> file = io.BytesIO()
        >>> opwright.save({"x": opwright.ones(2)}, file)
        >>> opwright.load(file)
        {'x': tensor([1., 1.], dtype=float32, shape=(2,))}
    """
    if not isinstance(path, str | PathLike) and hasattr(path, "readinto"):
        return _read(path, getattr(path, "name", None))
    name = _text_of(path, "load")
    with open(name, "rb") as file:
        return _read(file, name)


def _read(file: BinaryIO, name: Any) -> dict[str, Any]:
    from opwright._files import safetensors, torch_archive
    from opwright._files.damage import DamageError
    from opwright._progress import Progress

    size = file.seek(0, 2)
    file.seek(0)
    start = file.read(4)
    file.seek(0)
    read = torch_archive.read if start == torch_archive.START else safetensors.read
    shown = "tensors" if name is None else f"'{name}'"
    try:
        if start[:2] == b"\x80\x02":
            raise DamageError("it is a pickle, as PyTorch wrote it before it wrote zips")
        with Progress(f"loading {shown}", size, "bytes") as progress:
            return read(file, progress)
    except DamageError as error:
        which = "" if name is None else f"'{name}': "
        raise ValueError(f"load(): {which}{error}") from None


def _text_of(path: Any, function: str) -> str:
    name = fspath(path) if isinstance(path, str | PathLike) else None
    if not isinstance(name, str):
        raise TypeError(f"{function}(): argument 'path' must be a path or a file, not {kind(path)}")
    return name

"""How blocks of C hold the types that are always there, and what all have that write C."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Source:
    """What types and Ops that write C have in common."""

    # "c" if the text is C as well as C++.
    c_language = "c++"
    # "release" if the code may run while other threads run Python.
    c_gil = "hold"

    def c_headers(self, c_compiler: Any = None) -> list[str]:
        """Return the files to include: `<math.h>`."""
        return []

    def c_libraries(self, c_compiler: Any = None) -> list[str]:
        """Return the libraries to link: `m`."""
        return []

    def c_header_dirs(self, c_compiler: Any = None) -> list[str]:
        """Return the folders of the headers."""
        return []

    def c_lib_dirs(self, c_compiler: Any = None) -> list[str]:
        """Return the folders of the libraries."""
        return []

    def c_compile_args(self, c_compiler: Any = None) -> list[str]:
        """Return arguments for the compiler."""
        return []

    def c_no_compile_args(self, c_compiler: Any = None) -> list[str]:
        """Return arguments that the compiler must not get, whoever asks for them."""
        return []

    def c_init_code(self, c_compiler: Any = None) -> str | list[str]:
        """Return what is done once per process."""
        return []

    def c_support_code(self, c_compiler: Any = None) -> str | list[str]:
        """Return functions and types that the other texts use."""
        return []

    def c_compiler(self) -> Any:
        """Return the compiler: its name, its path, an object with `path`, or None for any."""
        return None

    def c_code_cache_version(self) -> tuple[Any, ...]:
        """Return a version: if it is `()`, nothing is kept longer than the process."""
        return ()


class Number(Source):
    """How blocks hold a plain number."""

    c_language = "c"

    def __init__(self, declared: str, takes: str, wanted: str, read: str, make: str) -> None:
        self._texts = (declared, takes, wanted, read, make)

    def c_declare(self, name: str, sub: dict[str, str]) -> str:
        return f"{self._texts[0]} {name};"

    def c_init(self, name: str, sub: dict[str, str]) -> str:
        return f"memset(&{name}, 0, sizeof {name});"

    def c_extract(self, name: str, sub: dict[str, str]) -> str:
        _, takes, wanted, read, _ = self._texts
        message = f"expected {wanted}, not %s"
        return (
            f"memset(&{name}, 0, sizeof {name});\n"
            f'if (!{takes}(py_{name})) {{ PyErr_Format(PyExc_TypeError, "{message}", '
            f"Py_TYPE(py_{name})->tp_name); {sub['fail']} }}\n"
            f"{read.format(name, 'py_' + name)}\n"
            f"if (PyErr_Occurred()) {sub['fail']}"
        )

    def c_sync(self, name: str, sub: dict[str, str]) -> str:
        return (
            f"Py_XDECREF(py_{name}); py_{name} = {self._texts[4].format(name)}; "
            f"if (!py_{name}) {sub['fail']}"
        )

    def c_cleanup(self, name: str, sub: dict[str, str]) -> str:
        return ""

    def c_code_cache_version(self) -> tuple[Any, ...]:
        return (1,)


NUMBERS = {
    "float64": Number(
        "double", "PyFloat_Check", "a float", "{0} = PyFloat_AsDouble({1});",
        "PyFloat_FromDouble({0})",
    ),
    "int64": Number(
        "int64_t", "PyLong_Check", "an int", "{0} = PyLong_AsLongLong({1});",
        "PyLong_FromLongLong({0})",
    ),
    "bool": Number(
        "unsigned char", "PyBool_Check", "a bool", "{0} = {1} == Py_True;",
        "PyBool_FromLong({0})",
    ),
    "complex128": Number(
        "opw_complex128", "PyComplex_Check", "a complex",
        "{0}.re = PyComplex_RealAsDouble({1}); {0}.im = PyComplex_ImagAsDouble({1});",
        "PyComplex_FromDoubles({0}.re, {0}.im)",
    ),
}  # fmt: skip

ELEMENTS = {
    "float64": "double",
    "float32": "float",
    "float16": "uint16_t",
    "bfloat16": "uint16_t",
    "complex64": "opw_complex64",
    "complex128": "opw_complex128",
    "bool": "unsigned char",
}


class Tensor(Source):
    """How blocks hold a tensor: as `struct opw_tensor`, with its elements as `<name>_AT(i, j)`."""

    c_language = "c"

    def __init__(self, ty: Any) -> None:
        self.dtype = str(ty.dtype).rpartition(".")[2]
        self.shape = ty.shape

    def c_declare(self, name: str, sub: dict[str, str]) -> str:
        element = ELEMENTS.get(self.dtype, f"{self.dtype}_t")
        at = [f"i{dim}" for dim in range(len(self.shape))]
        offset = "".join(f" + ({i}) * {name}.strides[{dim}]" for dim, i in enumerate(at))
        return (
            f"struct opw_tensor {name};\n"
            f"#define {name}_AT({', '.join(at)}) "
            f"(*({element}*)((char*){name}.data{offset}))\n"
        )

    def c_init(self, name: str, sub: dict[str, str]) -> str:
        return f"{name}.owner = NULL; {name}.data = NULL; {name}.ndim = 0;"

    def c_extract(self, name: str, sub: dict[str, str]) -> str:
        extents = ", ".join("-1" if it is None else str(it) for it in self.shape) or "-1"
        return (
            f"{self.c_init(name, sub)}\nstatic const int64_t {name}_extents[] = {{{extents}}};\n"
            f'if (opw_the_host->tensor(py_{name}, "{self.dtype}", {len(self.shape)}, '
            f"{name}_extents, &{name})) {sub['fail']}"
        )

    def c_sync(self, name: str, sub: dict[str, str]) -> str:
        return (
            f"if (!{name}.owner) {{ PyErr_SetString(PyExc_SystemError, "
            f'"a tensor was not made: opw_empty() makes one"); {sub["fail"]} }}\n'
            f"Py_INCREF({name}.owner); Py_XDECREF(py_{name}); py_{name} = {name}.owner;"
        )

    def c_cleanup(self, name: str, sub: dict[str, str]) -> str:
        return f"Py_CLEAR({name}.owner);"

    def c_code_cache_version(self) -> tuple[Any, ...]:
        return (1,)

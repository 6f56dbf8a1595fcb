//! Prints the Python stubs: what a type checker and an editor see.
//!
//! ```text
//! _C/__init__.pyi        the tensor class with its methods, functions of the module
//! _C/_nn.pyi             functions of a submodule
//! return_types.pyi       classes of named results
//! ```
//!
//! Each overload is one definition with its documentation, in try order, so
//! that a checker picks the one that runs. Builtins have names with an
//! underscore here, because methods such as `int` hide the plain ones.

mod annotation;
mod definition;
mod storages;

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use opwright_schema::functional;
use opwright_schema::model::{OpSet, PythonModule};
use opwright_schema::tables::{Reduction, str_enum};
use opwright_schema::types::NativeType;

use crate::file;
use crate::print::python::named::named_tuples;
use crate::signature::{Home, PythonFunction, Signature};
use annotation::StubWords;
use definition::Definitions;

/// What a package has beside its operators.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// Its import name; it has the class `Tensor`.
    pub name: &'a str,
    /// Definitions of the native module that no operator is: functions, values, classes.
    pub members: &'a str,
    /// The tensor class's own members, without indentation.
    pub tensor_members: &'a str,
    /// Whether it takes arrays of other libraries where it expects tensors.
    pub arrays: bool,
}

/// A module of the package that has the functions of a native submodule.
#[derive(Clone, Copy, Debug)]
pub struct Published<'a> {
    /// The native submodule, as entries name it: `linalg`.
    pub module: &'a str,
    /// The stub's path below the package: `linalg.pyi`.
    pub path: &'a str,
    /// What the names in the module go without: `linalg_`.
    pub prefix: &'a str,
    /// What it has besides; the functions in it are instead of native ones.
    pub members: &'a str,
    /// Whether functions of entries, `python: {functional: ...}`, are in it.
    pub is_functional: bool,
}

impl Package<'static> {
    /// A package with nothing of its own.
    pub fn plain(name: &'static str) -> Self {
        Package { name, members: "", tensor_members: "", arrays: false }
    }
}

impl Package<'_> {
    fn words(&self) -> StubWords {
        if self.arrays { StubWords::OpenStub } else { StubWords::Stub }
    }

    /// Names for types that have none.
    fn unions(&self) -> String {
        let tensors = if self.arrays { ARRAYS } else { TENSORS };
        format!("{NUMBER}{tensors}{INT_LIST}{DTYPES}{}", words_of_enumerations())
    }
}

/// A file of stubs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stub {
    /// Its path below the package.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Classes that every native module has.
const CLASSES: &str = include_str!("stub/classes.pyi");

/// The beginning of every file.
const IMPORTS: &str = "\
from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import slice as _slice
from builtins import str as _str
from builtins import tuple as _tuple
from builtins import type as _type
from typing import Any as _Any
from typing import Literal as _Literal
from typing import Protocol as _Protocol
from typing import Self as _Self
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import final as _final
from typing import overload as _overload
";

/// What marks a class whose instances are laid out natively.
const DISJOINT_BASE: &str = "from typing_extensions import disjoint_base as _disjoint_base\n";

/// A name for numbers, and what arrays and scalars of numpy are, by what they have, so that nobody
/// needs numpy. Scalars can be hashed.
const NUMBER: &str = "\
class _NumpyArray(_Protocol):
    @property
    def __array_interface__(self) -> _Any: ...
    @property
    def strides(self) -> _Any: ...

class _NumpyNumber(_NumpyArray, _Protocol):
    def __float__(self) -> _float: ...
    def __hash__(self) -> _int: ...

_Number: _TypeAlias = _bool | _int | _float | _complex | _NumpyNumber
";

/// Names for lists of tensors.
const TENSORS: &str = "\
_TensorList: _TypeAlias = _tuple[Tensor, ...] | _list[Tensor]
";

/// Names for what stands for a tensor, and for lists of it.
const ARRAYS: &str = "\
from typing_extensions import Buffer as _Buffer

class _SupportsDLPack(_Protocol):
    def __dlpack__(self, *args: _Any, **kwargs: _Any) -> _Any: ...

_Array: _TypeAlias = Tensor | _SupportsDLPack | _Buffer
_TensorList: _TypeAlias = _tuple[_Array, ...] | _list[_Any]
";

/// A name for lists of integers.
const INT_LIST: &str = "\
_IntList: _TypeAlias = _tuple[_SupportsIndex, ...] | _list[_int] | _list[_SupportsIndex]
";

/// A name for what stands for a dtype: the classes of Python's numbers, texts, and numpy's dtypes and
/// classes of scalars, by what they have, so that nobody needs numpy.
const DTYPES: &str = "\
class _NumpyDType(_Protocol):
    @property
    def char(self) -> _str: ...
    @property
    def num(self) -> _int: ...

class _NumpyScalar(_Protocol):
    @property
    def dtype(self) -> _Any: ...
    def tobytes(self) -> _Any: ...

_DType: _TypeAlias = (
    _dtype | _str | _type[_float] | _type[_complex] | _NumpyDType | _type[_NumpyScalar]
)
";

/// Other names for the classes that a tensor's attributes hide.
const ALIASES: &str = "\
_dtype: _TypeAlias = dtype
_layout: _TypeAlias = layout
_device: _TypeAlias = device
_memory_format: _TypeAlias = memory_format
";

/// The words of enumerations: what parameters `reduction` take beside numbers, and those that take
/// words alone.
fn words_of_enumerations() -> String {
    let reductions = ("Reduction", Reduction::ALL.map(Reduction::name).to_vec());
    let others = str_enum::ROWS.iter().map(|row| {
        let words = row.words.iter().map(|(word, _)| *word);
        (row.name, words.collect())
    });
    let lines = iter::once(reductions).chain(others).map(|(name, words)| {
        format!("_{name}: _TypeAlias = _Literal[\"{}\"]\n", words.join("\", \""))
    });
    lines.collect()
}

/// The stubs of all functions.
pub fn print(ops: &OpSet, functions: &[PythonFunction], package: &Package<'_>) -> Vec<Stub> {
    let mut homes: BTreeMap<&Home, Vec<&PythonFunction>> = BTreeMap::new();
    for function in functions {
        homes.entry(&function.home).or_default().push(function);
    }
    let printer = Definitions { ops, words: package.words() };
    let mut stubs = vec![native(&printer, &homes, package)];
    let natives = derived(ops);
    for (home, functions) in &homes {
        if let Home::Module(PythonModule::Sub(name)) = home {
            let path = format!("_C/_{name}.pyi");
            let definitions = beside(&printer, "", functions, package.name);
            stubs.push(submodule(package, path, &natives, &definitions));
        }
    }
    stubs.push(return_types(functions, package, &natives));
    stubs
}

/// One signature alone, as a definition without a body.
pub fn line(function: &PythonFunction, signature: &Signature, package: &str) -> String {
    definition::line(function, signature, package)
}

/// The stub of a module that has the functions of a native submodule, by the names that people know:
/// it re-exports them.
pub fn published(
    ops: &OpSet,
    functions: &[PythonFunction],
    package: &Package<'_>,
    module: &Published<'_>,
) -> Stub {
    let by_hand: BTreeSet<&str> = declared(module.members).collect();
    let home = Home::Module(PythonModule::Sub(module.module.to_owned()));
    let native = functions.iter().filter(|it| it.home == home);
    let native = native.flat_map(|it| [&it.name].into_iter().chain(&it.aliases));
    let native =
        native.map(|it| (it.strip_prefix(module.prefix).unwrap_or(it), (module.module, it)));
    // They come first.
    let forwarding = functions.iter().filter(|it| module.is_functional && it.forwarding.is_some());
    let forwarding = forwarding.map(|it| (it.name.as_str(), (functional::MODULE, &it.name)));
    let named: BTreeMap<&str, (&str, &String)> =
        native.chain(forwarding).filter(|(name, _)| !by_hand.contains(name)).collect();
    let names: BTreeSet<&str> = named.keys().chain(&by_hand).copied().collect();
    let public = names.iter().filter(|it| !it.starts_with('_')).map(|it| format!("{it:?}"));
    let imports = named.iter().map(|(name, (module, native))| {
        format!("from {}._C._{module} import {native} as {name}\n", package.name)
    });
    let imports = imports.collect::<String>();
    let all = format!("__all__ = [{}]\n", public.collect::<Vec<_>>().join(", "));
    let path = module.path.to_owned();
    match module.members {
        "" => Stub { path, text: file::python(&format!("{imports}\n{all}")) },
        members => {
            let definitions = format!("{imports}\n{all}\n{members}");
            submodule(package, path, &derived(ops), &definitions)
        }
    }
}

fn native(
    printer: &Definitions<'_>,
    homes: &BTreeMap<&Home, Vec<&PythonFunction>>,
    package: &Package<'_>,
) -> Stub {
    let of = |home: &Home| homes.get(home).map(Vec::as_slice).unwrap_or_default();
    let Package { name, members, tensor_members, arrays: _ } = package;
    let unions = package.unions();
    let mut text = format!(
        "{IMPORTS}\nimport {name}.return_types\nfrom {name} import Tensor\n{DISJOINT_BASE}\n\
         {CLASSES}\n{}\n{ALIASES}{unions}",
        storages::print()
    );
    let methods = beside(printer, tensor_members, of(&Home::Method), name);
    let methods = if methods.is_empty() { "...\n" } else { &methods };
    text.push_str(&format!("\n@_disjoint_base\nclass TensorBase:\n{}\n", indented(methods)));
    text.push_str(&beside(printer, members, of(&Home::Module(PythonModule::Root)), name));
    text.extend(printer.ops.natives.iter().filter_map(NativeType::class));
    Stub { path: "_C/__init__.pyi".to_owned(), text: file::python(&text) }
}

/// What is written by hand, and the functions of names that it leaves free.
fn beside(
    printer: &Definitions<'_>,
    by_hand: &str,
    functions: &[&PythonFunction],
    package: &str,
) -> String {
    let mut taken: BTreeSet<String> = declared(by_hand).map(str::to_owned).collect();
    let mut text = by_hand.to_owned();
    for function in functions {
        text.push_str(&printer.print(function, &mut taken, package));
    }
    text
}

/// A module that has only functions.
fn submodule(package: &Package<'_>, path: String, natives: &[&str], definitions: &str) -> Stub {
    let name = package.name;
    let classes = ["Generator", "Storage"];
    let aliased = ["device", "dtype", "layout", "memory_format"];
    let mut text = format!("{IMPORTS}\nimport {name}.return_types\nfrom {name} import Tensor\n");
    for class in classes.iter().chain(natives) {
        text.push_str(&format!("from {name}._C import {class}\n"));
    }
    for class in aliased {
        text.push_str(&format!("from {name}._C import {class} as _{class}\n"));
    }
    text.push_str(&format!("\n{}\n{definitions}", package.unions()));
    Stub { path, text: file::python(&text) }
}

/// The types of the crate that stubs name by their classes.
fn derived(ops: &OpSet) -> Vec<&'static str> {
    ops.natives.iter().filter(|it| it.is_derived()).map(NativeType::name).collect()
}

fn return_types(functions: &[PythonFunction], package: &Package<'_>, natives: &[&str]) -> Stub {
    let mut text = format!(
        "{IMPORTS}from typing import NamedTuple as _NamedTuple\n\nfrom {} import Tensor\n",
        package.name
    );
    for class in natives {
        text.push_str(&format!("from {}._C import {class}\n", package.name));
    }
    for (class, fields) in named_tuples(functions) {
        text.push_str(&format!("\nclass {class}(_NamedTuple):\n"));
        for (field, ty) in fields {
            text.push_str(&format!("    {field}: {}\n", StubWords::Stub.returned(&ty)));
        }
    }
    Stub { path: "return_types.pyi".to_owned(), text: file::python(&text) }
}

fn indented(text: &str) -> String {
    let line = |it: &str| match it.is_empty() {
        true => "\n".to_owned(),
        false => format!("    {it}\n"),
    };
    text.lines().map(line).collect()
}

/// The functions that a text defines by hand, or takes from other modules.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| match line.strip_prefix("def ") {
        Some(defined) => defined.split('(').next(),
        None => line.strip_prefix("from ")?.rsplit_once(" as ").map(|(_, name)| name),
    })
}

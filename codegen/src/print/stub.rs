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

use std::collections::{BTreeMap, BTreeSet};

use opwright_schema::model::{OpSet, PythonModule};

use crate::file;
use crate::print::named::named_tuples;
use crate::signature::{Function, Home, Signature};
use annotation::Words;
use definition::Definitions;

/// What a package has beside its operators.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// Its import name; it has the class `Tensor`.
    pub name: &'a str,
    /// The native module's classes but for that of tensors.
    pub classes: &'a str,
    /// The native module's functions and values that no operator is.
    pub members: &'a str,
    /// The tensor class's own members, without indentation.
    pub tensor_members: &'a str,
}

impl Package<'static> {
    /// A package with nothing of its own.
    pub fn plain(name: &'static str) -> Self {
        Package { name, classes: CLASSES, members: "", tensor_members: "" }
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

/// Classes that annotations need.
const CLASSES: &str = include_str!("stub/classes.pyi");

/// The beginning of every file.
const IMPORTS: &str = "\
from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import overload as _overload
";

/// Names for the types that annotations use, each free of what it hides.
const ALIASES: &str = "\
_Number: _TypeAlias = _bool | _int | _float | _complex
_TensorList: _TypeAlias = _tuple[Tensor, ...] | _list[Tensor]
_IntList: _TypeAlias = _tuple[_SupportsIndex, ...] | _list[_int] | _list[_SupportsIndex]
_dtype: _TypeAlias = dtype
_layout: _TypeAlias = layout
_device: _TypeAlias = device
_memory_format: _TypeAlias = memory_format
";

/// The stubs of all functions.
pub fn print(ops: &OpSet, functions: &[Function], package: &Package<'_>) -> Vec<Stub> {
    let mut homes: BTreeMap<&Home, Vec<&Function>> = BTreeMap::new();
    for function in functions {
        homes.entry(&function.home).or_default().push(function);
    }
    let printer = Definitions { ops };
    let mut stubs = vec![native(&printer, &homes, package)];
    for (home, functions) in &homes {
        if let Home::Module(PythonModule::Sub(name)) = home {
            stubs.push(submodule(&printer, name, functions, package));
        }
    }
    stubs.push(return_types(functions, package));
    stubs
}

/// One signature alone, as a definition without a body.
pub fn line(function: &Function, signature: &Signature, package: &str) -> String {
    definition::line(function, signature, package)
}

fn native(
    printer: &Definitions<'_>,
    homes: &BTreeMap<&Home, Vec<&Function>>,
    package: &Package<'_>,
) -> Stub {
    let of = |home: &Home| homes.get(home).map(Vec::as_slice).unwrap_or_default();
    let Package { name, classes, members, tensor_members } = package;
    let mut text = format!(
        "{IMPORTS}\nimport {name}.return_types\nfrom {name} import Tensor\n\n{classes}\n{ALIASES}"
    );
    let methods = beside(printer, tensor_members, of(&Home::Method), name);
    let methods = if methods.is_empty() { "...\n" } else { &methods };
    text.push_str(&format!("\nclass TensorBase:\n{}\n", indented(methods)));
    text.push_str(&beside(printer, members, of(&Home::Module(PythonModule::Root)), name));
    Stub { path: "_C/__init__.pyi".to_owned(), text: file::python(&text) }
}

/// What is written by hand, and the functions of names that it leaves free.
fn beside(
    printer: &Definitions<'_>,
    by_hand: &str,
    functions: &[&Function],
    package: &str,
) -> String {
    let mut taken: BTreeSet<String> = declared(by_hand).map(str::to_owned).collect();
    let mut text = by_hand.to_owned();
    for function in functions {
        text.push_str(&printer.print(function, &mut taken, package));
    }
    text
}

fn submodule(
    printer: &Definitions<'_>,
    module: &str,
    functions: &[&Function],
    package: &Package<'_>,
) -> Stub {
    let name = package.name;
    let mut text = format!(
        "{IMPORTS}\nimport {name}.return_types\nfrom {name} import Tensor\n\
         from {name}._C import Generator, Storage, Stream, device, dtype, layout, memory_format\n\
         \n{ALIASES}\n"
    );
    text.push_str(&beside(printer, "", functions, name));
    Stub { path: format!("_C/_{module}.pyi"), text: file::python(&text) }
}

fn return_types(functions: &[Function], package: &Package<'_>) -> Stub {
    let mut text = format!(
        "{IMPORTS}from typing import NamedTuple as _NamedTuple\n\nfrom {} import Tensor\n",
        package.name
    );
    for (class, fields) in named_tuples(functions) {
        text.push_str(&format!("\nclass {class}(_NamedTuple):\n"));
        for (field, ty) in fields {
            text.push_str(&format!("    {field}: {}\n", Words::Stub.returned(&ty)));
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

/// The functions that a text defines by hand.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    let defined = text.lines().filter_map(|it| it.strip_prefix("def "));
    defined.filter_map(|it| it.split('(').next())
}

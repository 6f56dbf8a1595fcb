//! Entries of compiled functions, one for each list of types, as data: how arguments are recognized,
//! what runs, and how results are boxed.

use std::sync::{Arc, OnceLock};

use opwright_jit::tier::Tiered;
use opwright_jit::types::Ty;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::arrays::ArrayForm;
use super::fields::Members;
use super::ndarray::NumpyScalar;

/// What is compiled for types.
pub(super) struct Entry {
    pub(super) types: Vec<Ty>,
    pub(super) result: Ty,
    pub(super) outcome: ResultKind,
    /// What was registered when it was compiled.
    pub(super) generation: u64,
    pub(super) parameters: Box<[ArgumentKind]>,
    /// How many words the arguments have, and the results.
    pub(super) taken: usize,
    pub(super) given: usize,
    /// Whether no code of Python is needed to read arguments.
    pub(super) is_direct: bool,
    /// Whether other threads may have the interpreter meanwhile.
    pub(super) releases: bool,
    /// How long typing and compiling took.
    pub(super) microseconds: u64,
    /// What runs it, which may come to something faster at any time.
    pub(super) code: Arc<Tiered>,
}

/// What arguments of a type are.
pub(super) struct ArgumentKind {
    pub(super) ty: Ty,
    /// How many words a value has.
    pub(super) width: usize,
    pub(super) shape: Shape,
    /// Scalars of numpy that are of the type, too.
    pub(super) scalar: NumpyScalar,
}

/// How arguments of a type are read.
pub(super) enum Shape {
    Float,
    Int,
    Unsigned,
    Bool,
    Complex,
    /// Numbers that only numpy has.
    Scalar,
    None,
    Text,
    Array(ArrayForm),
    Struct(Members),
    /// Tuples of exactly this class.
    Tuple(usize, Box<[ArgumentKind]>),
    /// The function at an address, as it is or compiled.
    Function(usize),
    /// Objects of a class of the user's.
    Derived(DerivedArguments),
    /// What has to be asked for its type.
    Other,
}

/// Arguments of a type of the user's own.
pub(super) struct DerivedArguments {
    pub(super) ty: Ty,
    /// What the first of them said, once one came.
    pub(super) known: OnceLock<DerivedClass>,
}

pub(super) struct DerivedClass {
    /// Its class, if all instances of that have the type.
    pub(super) class: Option<Py<PyType>>,
    pub(super) members: DerivedMembers,
}

/// Where the members come from, and how each is read.
pub(super) enum DerivedMembers {
    Attributes(Box<[(Py<PyString>, ArgumentKind)]>),
    Function(Py<PyAny>, Box<[ArgumentKind]>),
}

/// What results of a type are.
pub(super) struct ResultKind {
    pub(super) ty: Ty,
    pub(super) form: ResultForm,
}

/// How results of a type are boxed.
pub(super) enum ResultForm {
    None,
    Bool,
    Int,
    Float,
    Struct(Members),
    /// What takes longer.
    Other,
}

//! Parsed options of an attribute.

use opwright_schema::model::DispatchKey;
use proc_macro2::{Ident, Span};
use syn::Result;

use super::derivative::Derivative;
use crate::core_dims::CoreDims;
use crate::dtypes::Dtypes;
use crate::promote::Promote;

/// What a function is to its operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FunctionRole {
    /// Its kernel: for the keys that the entry gives to the function's name.
    Kernel,
    /// Its kernel for these keys.
    KernelFor(Vec<DispatchKey>),
    /// The rule from argument shapes and dtypes to those of the results.
    Rule,
    /// What its arguments are checked for beside a rule of the runtime.
    Check,
}

impl FunctionRole {
    /// Whether it is a kernel, and nothing beside one.
    pub fn is_kernel(&self) -> bool {
        matches!(self, FunctionRole::Kernel | FunctionRole::KernelFor(_))
    }
}

/// An option of the attribute that the entry of a YAML file would have as a key.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The key.
    pub name: Ident,
    /// Its value, and where it stands; a flag's value is empty.
    pub value: String,
    /// Where the value stands.
    pub span: Span,
}

/// What `core` says.
#[derive(Clone, Debug)]
pub struct CoreOption {
    /// The core dimensions.
    pub dims: CoreDims,
    /// Where they stand.
    pub span: Span,
}

/// How a function is written, as far as the attribute says it.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// It takes and returns single elements.
    pub elementwise: Option<Span>,
    /// It takes views of core dimensions.
    pub core: Option<CoreOption>,
    /// It fills a result of which this rule of the runtime says what it looks like.
    pub structured: Option<Ident>,
    /// There is an out variant, which hands on to it.
    pub out: Option<Span>,
    /// Elements are calculated in a type that holds several dtypes.
    pub wide: Option<Span>,
    /// Parameters of a kernel of elements that are no tensors, but numbers in
    /// the type of the elements.
    pub numbers: Vec<Ident>,
    /// The dtypes that a generic function is compiled for.
    pub dtypes: Option<Dtypes>,
    /// What dtypes are brought to.
    pub promote: Option<(Promote, Span)>,
    /// The function's parameters are called otherwise than the schema's.
    pub any_names: bool,
    /// What it says about gradients, and where.
    pub derivative: Option<(Derivative, Span)>,
    /// The operator's name, if it is not the function's.
    pub name: Option<(String, Span)>,
}

/// All that was said, sound or not.
#[derive(Default)]
pub(super) struct AttributeOptions {
    /// Parts, which exclude each other, and the options that say them.
    pub(super) parts: Vec<(Ident, FunctionRole)>,
    pub(super) style: Style,
    pub(super) settings: Vec<Setting>,
}

impl AttributeOptions {
    /// Takes in a part; never fails, as no two parts are compared here.
    pub(super) fn part(&mut self, name: &Ident, part: FunctionRole) -> Result<()> {
        self.parts.push((name.clone(), part));
        Ok(())
    }
}

//! The model of gradients of an overload, ready to be printed.

use opwright_schema::model::Overload;
use proc_macro2::TokenStream;

use super::saved::SavedSlot;
use super::tree::Tree;

/// How calls of an overload are recorded.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// What its nodes are called.
    pub node: String,
    /// Its inputs that can have gradients, in the order of the schema.
    pub inputs: Vec<DifferentiableInput>,
    /// Which outputs can have gradients.
    pub outputs: Vec<bool>,
    /// What nodes save.
    pub slots: Vec<SavedSlot>,
    /// The formulas.
    pub parts: Vec<GradientFormula>,
    /// The derivatives that the formulas call, if these follow from the kernel and stand here.
    pub derived: Option<Box<Derived>>,
}

/// Derivatives that follow from a kernel.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The gradient of an input.
    pub first: Hidden,
    /// The gradient of an input of that.
    pub second: Hidden,
}

/// An operator that only formulas call.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// What it takes and returns.
    pub overload: Overload,
    /// How calls of it are recorded.
    pub gradient: Gradient,
    /// What a call of it does.
    pub below: TokenStream,
}

/// An input that can have a gradient.
#[derive(Clone, Copy, Debug)]
pub struct DifferentiableInput {
    /// The number of the parameter.
    pub param: usize,
    /// It is a list of tensors.
    pub is_list: bool,
}

/// The formula of the gradients of some inputs.
#[derive(Clone, Debug)]
pub struct GradientFormula {
    /// The inputs, by their numbers in [`Gradient::inputs`].
    pub inputs: Vec<usize>,
    /// The slots that it reads.
    pub reads: Vec<usize>,
    /// What is printed for it; none if nobody has written one.
    pub value: Option<TokenStream>,
    /// The same as data, if all that it calls has a row.
    pub tree: Option<Tree>,
    /// What kind of value that is.
    pub place: Place,
}

impl GradientFormula {
    /// That of so many inputs, of which nobody has written any.
    pub(super) fn unwritten(inputs: usize) -> Self {
        let inputs = (0..inputs).collect();
        GradientFormula { inputs, reads: Vec::new(), value: None, tree: None, place: Place::One }
    }
}

/// Where the value of a formula goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// An optional tensor, the gradient of one.
    One,
    /// Optional tensors, the gradients of a list.
    List,
    /// A tuple of optional tensors.
    Tuple,
}

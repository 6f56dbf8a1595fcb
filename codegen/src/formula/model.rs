//! What is known of the gradients of an overload, ready to be printed.

use proc_macro2::TokenStream;

use super::saved::Slot;

/// How calls of an overload are recorded.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// What its nodes are called.
    pub node: String,
    /// Its inputs that can have gradients, in the order of the schema.
    pub inputs: Vec<Input>,
    /// Which outputs can have gradients.
    pub outputs: Vec<bool>,
    /// What nodes save.
    pub slots: Vec<Slot>,
    /// The formulas.
    pub parts: Vec<Part>,
}

/// An input that can have a gradient.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// The number of the parameter.
    pub param: usize,
    /// It is a list of tensors.
    pub is_list: bool,
}

/// The formula of the gradients of some inputs.
#[derive(Clone, Debug)]
pub struct Part {
    /// The inputs, by their numbers in [`Gradient::inputs`].
    pub inputs: Vec<usize>,
    /// The slots that it reads.
    pub reads: Vec<usize>,
    /// What is printed for it; none if nobody has written one.
    pub value: Option<TokenStream>,
    /// What kind of value that is.
    pub place: Place,
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

//! Gradients of operators in the model: formulas by input and output, with their places.

use opwright_diagnostics::{Span, Spanned};
use opwright_formula::Expr;

/// The gradients of one operator.
#[derive(Clone, Debug)]
pub struct Derivative {
    /// Index of the operator.
    pub operator: usize,
    /// It is about the functional variant that is generated from the operator,
    /// and not about the operator itself.
    pub generated: bool,
    /// What its nodes are called, if that does not follow from its place among the others of one
    /// name.
    pub node: Option<String>,
    /// The entry's schema, or the first key of an operator's own.
    pub span: Span,
    /// The names of its parameters in there.
    pub params: Vec<Span>,
    /// Which outputs have gradients.
    pub outputs: OutputDifferentiability,
    /// The formulas by autograd key; those of [`AutogradKey::Default`] serve
    /// every key without some of its own.
    pub formulas: Vec<(AutogradKey, Formulas)>,
}

/// Which outputs of an operator have gradients.
#[derive(Clone, Debug, PartialEq)]
pub enum OutputDifferentiability {
    /// Those that the formulas say.
    Unstated,
    /// One truth value per output; missing ones are false.
    Stated(Vec<bool>),
    /// The one output, if this condition holds.
    If(Formula),
}

/// A formula as written, and what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// The text.
    pub text: Spanned<String>,
    /// Its tree, with places in the text.
    pub expr: Expr,
}

/// What a set of formulas is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AutogradKey {
    /// Everything.
    Default,
    /// Nested tensors.
    NestedTensor,
    /// CUDA tensors.
    Cuda,
}

/// Formulas of one operator for one key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Formulas {
    /// Gradients of inputs.
    pub backward: Vec<Backward>,
    /// Tangents of outputs.
    pub forward: Vec<Forward>,
    /// Inputs that never have a gradient, by index.
    pub non_differentiable: Vec<usize>,
}

/// The gradient of one or several inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Backward {
    /// Indices of the inputs.
    pub inputs: Vec<usize>,
    /// The formula.
    pub formula: Formula,
    /// It is the call of a function that others cannot call, which is reached by this path.
    pub function: Option<String>,
    /// It is `not_implemented("...")`.
    pub not_implemented: bool,
}

/// The tangent of one or several outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Forward {
    /// Indices of the outputs.
    pub outputs: Vec<usize>,
    /// How it is computed.
    pub rule: ForwardRule,
    /// Where that is written.
    pub span: Span,
}

/// How a tangent is computed.
#[derive(Clone, Debug, PartialEq)]
pub enum ForwardRule {
    /// The operator is linear: apply it to the tangents.
    AutoLinear,
    /// The operator works element by element: follows from the gradient.
    AutoElementWise,
    /// A formula.
    Formula(Formula),
}

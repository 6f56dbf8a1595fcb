//! Gradients of operators, as formulas that are parsed and compared with what they are about: the
//! key `derivative` of entries, and files such as upstream's `derivatives.yaml`.

pub mod annotated;
mod entry;
mod formula;
mod names;

use std::collections::HashMap;

use opwright_diagnostics::diag::Diagnostics;
use opwright_diagnostics::source::Sources;
use opwright_formula::Expr;

use crate::check::Index;
use crate::group::{Renamed, signature};
use crate::model::{Group, Kind, OpName, OpSet, Overload, SourceId, Span, Spanned};
use crate::types::Natives;
use crate::yaml::{self, Node};

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

/// Reads the file, and reports what does not fit the operators.
pub(crate) fn read(
    cx: &mut Diagnostics,
    sources: &Sources,
    file: SourceId,
    index: &Index<'_>,
    natives: Natives<'_>,
) -> Vec<Derivative> {
    let mut derivatives: Vec<Derivative> = Vec::new();
    for node in yaml::entries(cx, sources, file) {
        let Some(derivative) = entry::read(cx, &node, index, natives) else { continue };
        entry::check_twice(cx, &derivatives, &derivative);
        derivatives.push(derivative);
    }
    derivatives
}

/// Takes in what entries say of their own gradients, behind what files say.
pub(crate) fn read_own(
    cx: &mut Diagnostics,
    all: &[(OpName, Node<'_>)],
    index: &Index<'_>,
    derivatives: &mut Vec<Derivative>,
) {
    for (name, node) in all {
        let Some((operator, overload)) = index.get(name) else { continue };
        let own = entry::read_own(cx, node, (operator, &overload.schema));
        let Some(derivative) = own else { continue };
        entry::check_twice(cx, derivatives, &derivative);
        derivatives.push(derivative);
    }
}

/// The derivative of each operator, by index into [`OpSet::derivatives`].
///
/// An operator without an entry of its own has that of its functional
/// variant, unless it is an out variant; a copying form of a view has that of
/// the view.
pub fn assign(ops: &OpSet) -> Vec<Option<usize>> {
    let mut assigned: Vec<Option<usize>> = vec![None; ops.overloads.len()];
    let own = ops.derivatives.iter().enumerate().filter(|(_, it)| !it.generated);
    for (idx, derivative) in own {
        assigned[derivative.operator].get_or_insert(idx);
    }
    for group in &ops.groups {
        inherit(&mut assigned, group);
    }
    let views = by_signature(ops, &assigned);
    for (overload, slot) in ops.overloads.iter().zip(&mut assigned) {
        if slot.is_none() {
            *slot = view_of(overload).and_then(|it| views.get(&it).copied());
        }
    }
    assigned
}

fn inherit(assigned: &mut [Option<usize>], group: &Group) {
    let Some(derivative) = group.functional.and_then(|it| assigned[it]) else { return };
    for member in [group.inplace, group.mutable].into_iter().flatten() {
        assigned[member].get_or_insert(derivative);
    }
}

fn by_signature(ops: &OpSet, assigned: &[Option<usize>]) -> HashMap<String, usize> {
    let known = ops.overloads.iter().zip(assigned);
    known
        .filter_map(|(overload, derivative)| {
            Some((signature(&overload.schema).to_string(), (*derivative)?))
        })
        .collect()
}

/// The signature of the view that this operator is the copying form of.
fn view_of(overload: &Overload) -> Option<String> {
    let is_copy = overload.has_tag("view_copy") && overload.schema.kind() == Kind::Functional;
    let root = overload.schema.name.base.root.strip_suffix("_copy").filter(|_| is_copy)?;
    Some(Renamed(root, signature(&overload.schema)).to_string())
}

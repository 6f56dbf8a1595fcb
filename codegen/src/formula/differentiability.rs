//! Differentiability of an overload, as documentation describes it.

use opwright_schema::derivatives::assign;
use opwright_schema::model::{Kind, OpSet};

use super::model::Gradient;
use crate::kernels::{Kernels, is_transparent};

/// What becomes of the gradients of an overload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differentiability {
    /// Its calls are recorded, by the formulas of this entry.
    Formulas(usize),
    /// Its calls are recorded, by formulas that follow from its kernel.
    Derived,
    /// It is made of calls of other operators, which are recorded in its place.
    Composed,
    /// Its calls are recorded, and there are no formulas to go back through them.
    NotImplemented,
    /// Its results never require gradients.
    Nowhere,
}

impl Differentiability {
    /// What becomes of those of each overload, by its index.
    pub fn of(
        ops: &OpSet,
        kernels: &[Kernels],
        gradients: &[Option<Gradient>],
    ) -> Vec<Differentiability> {
        let assigned = assign(ops);
        let overloads = gradients.iter().enumerate().map(|(idx, gradient)| {
            let has_formula = |it: &Gradient| it.parts.iter().any(|it| it.value.is_some());
            let is_out = matches!(ops.overloads[idx].schema.kind(), Kind::Out | Kind::Scratch);
            match (gradient, assigned[idx]) {
                _ if is_out => Differentiability::Nowhere,
                _ if is_transparent(ops, kernels, idx) => Differentiability::Composed,
                (None, _) => Differentiability::Nowhere,
                (Some(it), Some(entry)) if has_formula(it) => Differentiability::Formulas(entry),
                (Some(it), None) if has_formula(it) => Differentiability::Derived,
                (Some(_), _) => Differentiability::NotImplemented,
            }
        });
        overloads.collect()
    }

    /// The same in a few words, for people.
    pub fn words(self) -> &'static str {
        match self {
            Differentiability::Formulas(_) => "by formulas",
            Differentiability::Derived => "follows from its kernel",
            Differentiability::Composed => "composed of operators that record",
            Differentiability::NotImplemented => "not implemented",
            Differentiability::Nowhere => "not differentiable",
        }
    }
}

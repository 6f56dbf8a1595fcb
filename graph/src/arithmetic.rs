//! Functions of numbers alone, which need no frame.

use opwright_runtime::Scalar;
use smallvec::SmallVec;

use crate::plan::Plan;
use crate::step::Step;

/// The numbers of a call, one for each slot.
pub(crate) type Registers = SmallVec<[Scalar; 8]>;

/// Whether all that a plan does is to compute numbers of numbers that are given.
pub(crate) fn is_arithmetic(plan: &Plan) -> bool {
    plan.shared.is_empty() && plan.steps.iter().all(|it| !it.has_tensors())
}

/// Computes all that is not given; `false` if that fails, in which case whoever computes it otherwise
/// sees how.
#[inline]
pub(crate) fn compute(steps: &[Step], registers: &mut Registers) -> bool {
    steps.iter().all(|step| match step.number(registers) {
        Some(number) => {
            registers.push(number);
            true
        }
        None => false,
    })
}

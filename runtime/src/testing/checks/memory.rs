//! Checks of aliasing: what is written to, and which results are views.

use crate::Tensor;
use crate::testing::state::TensorState;
use crate::testing::trial::{Done, Trial};

/// Only what is declared as written to changes, and that in its own memory.
pub(super) fn mutation(trial: &Trial<'_>, problems: &mut Vec<String>) -> Done {
    for (param, passed, now) in trial.params() {
        let (name, slot) = (param.slot.name, &param.slot);
        for ((tensor, before), now) in passed.iter().zip(now) {
            if !slot.writes && !TensorState::of(tensor)?.is_same(before)? {
                problems.push(format!("writes to `{name}`, which is declared as `{slot}`"));
            }
            if slot.writes && is_replaced(tensor, now) {
                problems.push(format!(
                    "gives `{name}` new memory instead of writing to the one that it has"
                ));
            }
        }
    }
    Ok(())
}

/// Whether a tensor of the same shape is in other memory; one of another shape may need more.
fn is_replaced(before: &Tensor, now: &Tensor) -> bool {
    before.shape() == now.shape() && now.numel() > 0 && !shares(before, now)
}

/// Results share memory with those arguments only that their alias sets name.
pub(super) fn aliasing(trial: &Trial<'_>, problems: &mut Vec<String>) -> Done {
    for (slot, value) in trial.operator.returned().zip(&trial.results) {
        for (param, passed, _) in trial.params() {
            let is_shared = value
                .tensors()
                .iter()
                .any(|it| it.numel() > 0 && passed.iter().any(|(tensor, _)| shares(it, tensor)));
            if is_shared && !slot.may_be_part_of(&param.slot) {
                let name = param.slot.name;
                problems.push(format!("returns memory of `{name}`, which no alias set declares"));
            }
        }
    }
    Ok(())
}

fn shares(one: &Tensor, other: &Tensor) -> bool {
    match (one.storage(), other.storage()) {
        (Some(one), Some(other)) => one.is_same(other),
        _ => false,
    }
}

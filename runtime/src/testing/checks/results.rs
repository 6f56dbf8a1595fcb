//! Checks that results are as many and of the types that the schema declares.

use crate::Device;
use crate::testing::trial::{Done, Trial};

pub(super) fn results(trial: &Trial<'_>, problems: &mut Vec<String>) -> Done {
    let declared: Vec<_> = trial.operator.returned().collect();
    if trial.results.len() != declared.len() {
        let count = trial.results.len();
        problems.push(format!("returns {count} values, declared are {}", declared.len()));
    }
    for (slot, value) in declared.iter().zip(&trial.results) {
        if !slot.ty.has(value) {
            problems.push(format!("returns {value:?}, declared is {}", slot.ty));
        }
        if value.tensors().iter().any(|it| it.device() == Device::Meta) {
            problems.push(
                "returns a tensor on the meta device, though all others are on the CPU".into(),
            );
        }
    }
    Ok(())
}

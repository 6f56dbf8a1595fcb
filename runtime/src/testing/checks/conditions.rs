//! Metamorphic checks: the same call under other conditions gives the same.

use crate::op::Value;
use crate::parallel::{get_num_threads, set_num_threads};
use crate::testing::elements::SampleLayout;
use crate::testing::guess::LARGE_KIND;
use crate::testing::state::TensorState;
use crate::testing::trial::{CallFailure, Done, Trial, run};
use crate::{Device, ErrorKind, Result, Tensor};

/// The result does not depend on how the arguments lie in memory.
pub(super) fn strides(trial: &Trial<'_>, problems: &mut Vec<String>) -> Done {
    if trial.sample.elements().iter().all(|it| it.is_contiguous()) {
        return Ok(());
    }
    let plain = trial.sample.changed("", &|it| it.laid_out(SampleLayout::Contiguous));
    let expected = trial.again(&plain)?;
    if !all_close(&expected, &trial.outcome()?)? {
        problems.push("gives something else than with contiguous tensors".to_owned());
    }
    Ok(())
}

/// Tensors without elements give the shapes and dtypes that the computation gives.
pub(super) fn meta(trial: &Trial<'_>, problems: &mut Vec<String>) -> Done {
    if trial.sample.elements().is_empty() {
        return Ok(());
    }
    let (values, results) = match run(trial.operator, &trial.sample.on_meta()) {
        Err(CallFailure::Refused(error)) if error.kind() == ErrorKind::NotImplemented => {
            return Ok(());
        }
        Err(failure) => {
            problems.push(format!("on meta it {failure}"));
            return Ok(());
        }
        Ok(done) => done,
    };
    let returned = results.iter().zip(&trial.results);
    let changed = values.iter().zip(&trial.values);
    for (meta, cpu) in returned.chain(changed) {
        compare(&meta.tensors(), &cpu.tensors(), problems);
    }
    if results.iter().flat_map(Value::tensors).any(|it| it.device() != Device::Meta) {
        problems.push("on meta it returns a tensor on the CPU".to_owned());
    }
    Ok(())
}

fn compare(meta: &[&Tensor], cpu: &[&Tensor], problems: &mut Vec<String>) {
    if meta.len() != cpu.len() {
        problems.push(format!("on meta there are {} tensors; on cpu {}", meta.len(), cpu.len()));
    }
    for (meta, cpu) in meta.iter().zip(cpu) {
        if (meta.shape(), meta.dtype()) != (cpu.shape(), cpu.dtype()) {
            problems.push(format!(
                "on meta the result is {}, shape {:?}; on cpu it is {}, shape {:?}",
                meta.dtype(),
                meta.shape(),
                cpu.dtype(),
                cpu.shape()
            ));
        }
    }
}

/// The result does not depend on the number of threads.
pub(super) fn threads(trial: &Trial<'_>, problems: &mut Vec<String>) -> Done {
    if trial.sample.kind != LARGE_KIND {
        return Ok(());
    }
    let count = get_num_threads();
    set_num_threads(1)?;
    let alone = trial.again(trial.sample);
    // Zero threads cannot be, so this is the number that was.
    set_num_threads(count.max(3))?;
    let together = trial.again(trial.sample);
    set_num_threads(count)?;
    if !all_close(&alone?, &together?)? {
        problems.push("gives something else than with one thread".to_owned());
    }
    Ok(())
}

fn all_close(expected: &[TensorState], got: &[TensorState]) -> Result<bool> {
    for (expected, got) in expected.iter().zip(got) {
        if !expected.is_close(got)? {
            return Ok(false);
        }
    }
    Ok(expected.len() == got.len())
}

//! Connectionist temporal classification: how unlikely sequences of labels are for networks that say at
//! each step what they see, or nothing new (A. Graves et al., 2006).

use opwright_macros::native_op;
use opwright_runtime::{DType, Error, Reduction, Result, Scalar, Tensor, buffer, ensure};

use super::loss::reduced_losses;
use crate::gradient::{constants, float, part, to};
use crate::ops::{self, TensorOps};

/// The logarithm of what is impossible, which may be subtracted from itself.
const IMPOSSIBLE: f64 = -1e30;

/// From here on a loss is infinite.
const INFINITE: f64 = 1e29;

#[native_op(ctc_loss.IntList)]
fn ctc_loss_of_lists(
    log_probs: &Tensor,
    targets: &Tensor,
    input_lengths: &[i64],
    target_lengths: &[i64],
    blank: i64,
    reduction: Reduction,
    zero_infinity: bool,
) -> Result<Tensor> {
    let is_single = log_probs.ndim() == 2;
    let log_probs = if is_single { log_probs.unsqueeze(1)? } else { log_probs.clone() };
    let &[steps, batch, classes] = log_probs.shape() else {
        return Err(wrong_input(&log_probs));
    };
    ensure!(
        log_probs.dtype().is_floating() && targets.dtype().is_integral(),
        Runtime,
        "ctc_loss needs floating log_probs and targets of integers, but got {} and {}",
        log_probs.dtype(),
        targets.dtype()
    );
    ensure!(
        (0..classes).contains(&blank),
        Runtime,
        "blank must be in label range, from 0 to {}, but is {blank}",
        classes - 1
    );
    for (name, lengths, most) in
        [("input_lengths", input_lengths, steps), ("target_lengths", target_lengths, i64::MAX)]
    {
        ensure!(
            lengths.len() as i64 == batch,
            Runtime,
            "{name} must be of size batch_size, {batch}, but has {} elements",
            lengths.len()
        );
        ensure!(
            lengths.iter().all(|it| (0..=most).contains(it)),
            Runtime,
            "Expected {name} to have values from 0 to {most}, but got {lengths:?}"
        );
    }
    let labels = labels(targets, target_lengths)?;
    check_labels(&labels, classes, blank)?;
    let paths = Paths { log_probs: &to(&log_probs, log_probs.dtype().calculated())?, blank };
    let losses = paths.losses(&labels, input_lengths, target_lengths)?;
    let is_infinite = losses.gt_scalar(float(INFINITE))?;
    let instead = if zero_infinity { 0.0 } else { f64::INFINITY };
    let losses = losses.masked_fill(&is_infinite, float(instead))?;
    let losses = to(&losses, log_probs.dtype())?;
    match reduction {
        Reduction::Mean => {
            let counts = target_lengths.iter().map(|it| (*it).max(1) as f64);
            let counts = constants(&losses, &[batch], buffer::collected(counts)?)?;
            losses.div(&to(&counts, losses.dtype())?)?.mean()
        }
        Reduction::None if is_single => losses.reshape(&[]),
        _ => reduced_losses(losses, reduction),
    }
}

#[native_op(ctc_loss.Tensor)]
fn ctc_loss(
    log_probs: &Tensor,
    targets: &Tensor,
    input_lengths: &Tensor,
    target_lengths: &Tensor,
    blank: i64,
    reduction: Reduction,
    zero_infinity: bool,
) -> Result<Tensor> {
    let list = |name: &str, lengths: &Tensor| {
        ensure!(
            lengths.dtype().is_integral() && lengths.ndim() <= 1,
            Runtime,
            "{name} must be a vector of integers, but is one of {} with {} dimensions",
            lengths.dtype(),
            lengths.ndim()
        );
        let numbers = ops::unbind::int::call(&lengths.reshape(&[-1])?, 0)?;
        let number = |it: &Tensor| ops::_local_scalar_dense::Default_::call(it)?.to_i64();
        buffer::try_collected(numbers.iter().map(number))
    };
    ops::ctc_loss::IntList::call(
        log_probs,
        targets,
        &list("input_lengths", input_lengths)?,
        &list("target_lengths", target_lengths)?,
        blank,
        reduction,
        zero_infinity,
    )
}

#[cold]
fn wrong_input(log_probs: &Tensor) -> Error {
    Error::runtime(format_args!(
        "log_probs must have the dimensions of steps, sequences and classes, but has the shape {:?}",
        log_probs.shape()
    ))
}

/// A row of labels for each sequence, from rows, or from all of them one behind the other.
fn labels(targets: &Tensor, lengths: &[i64]) -> Result<Tensor> {
    let targets = to(targets, DType::Int64)?;
    let most = lengths.iter().max().copied().unwrap_or(0);
    if let &[rows, columns] = targets.shape() {
        ensure!(
            rows == lengths.len() as i64 && most <= columns,
            Runtime,
            "targets must have a row of at least {most} labels for each of {} sequences, but have the \
             shape {:?}",
            lengths.len(),
            targets.shape()
        );
        return part(&targets, 1, 0, most);
    }
    let total = lengths.iter().try_fold(0_i64, |sum, it| sum.checked_add(*it));
    ensure!(
        targets.ndim() == 1 && total == Some(targets.numel() as i64),
        Runtime,
        "targets must be as many as target_lengths say together, {total:?}, but have the shape {:?}",
        targets.shape()
    );
    let mut rows = Vec::new();
    let mut start = 0;
    for &length in lengths {
        let row = part(&targets, 0, start, start + length)?;
        rows.push(ops::constant_pad_nd::Default_::call(&row, &[0, most - length], Scalar::Int(0))?);
        start += length;
    }
    let rows: Vec<&Tensor> = rows.iter().collect();
    if rows.is_empty() {
        return targets.new_zeros(&[0, most]);
    }
    ops::stack::Default_::call(&rows, 0)
}

fn check_labels(labels: &Tensor, classes: i64, blank: i64) -> Result<()> {
    if labels.device().is_meta() {
        return Ok(());
    }
    let is_label =
        labels.ge_scalar(Scalar::Int(0))?.logical_and(&labels.lt_scalar(Scalar::Int(classes))?)?;
    ensure!(
        is_label.all()?.is_nonzero()?,
        Runtime,
        "targets must be from 0 to {}, the classes but for blank={blank}, and one of them is not",
        classes - 1
    );
    Ok(())
}

/// Ways of saying labels step by step.
struct Paths<'a> {
    /// The logarithm of the probability of each class, for each step and sequence.
    log_probs: &'a Tensor,
    /// The class that says nothing new.
    blank: i64,
}

impl Paths<'_> {
    /// For each sequence the negative logarithm of the probability of all ways together.
    fn losses(&self, labels: &Tensor, steps: &[i64], lengths: &[i64]) -> Result<Tensor> {
        let [batch, most] = [labels.shape()[0], labels.shape()[1]];
        // Between labels, and around them, may be blanks.
        let count = 2 * most + 1;
        let blanks = ops::full_like::Default_::call(
            &labels.unsqueeze(2)?,
            Scalar::Int(self.blank),
            None,
            None,
            None,
            None,
            None,
        )?;
        let pairs = ops::cat::Default_::call(&[&blanks, &labels.unsqueeze(2)?], 2)?;
        let pairs = pairs.reshape(&[batch, 2 * most])?;
        let states =
            ops::constant_pad_nd::Default_::call(&pairs, &[0, 1], Scalar::Int(self.blank))?;
        // A blank between two labels may be left out, unless they are the same.
        let before = shifted(&states, 2, Scalar::Int(self.blank))?;
        let cannot_skip =
            states.eq_scalar(Scalar::Int(self.blank))?.logical_or(&states.eq(&before)?)?;
        let said = |step: i64| self.log_probs.select(0, step)?.gather(1, &states);
        let number = |numbers: Vec<i64>, shape: &[i64]| constants(self.log_probs, shape, numbers);
        let all = number(buffer::collected(0..count)?, &[1, count])?;
        let starts = all.gt_scalar(Scalar::Int(1))?;
        // What no step says is certain if it is nothing.
        let silent = lengths.iter().map(|it| if *it == 0 { 0.0 } else { -IMPOSSIBLE });
        let silent = constants(self.log_probs, &[batch], buffer::collected(silent)?)?;
        let silent = to(&silent, self.log_probs.dtype())?;
        let total = self.log_probs.shape()[0];
        if total == 0 {
            return Ok(silent);
        }
        let mut paths = said(0)?.masked_fill(&starts, float(IMPOSSIBLE))?;
        let ends = number(buffer::copied(steps)?, &[batch, 1])?;
        for step in 1..total {
            let skipped = shifted(&paths, 2, float(IMPOSSIBLE))?
                .masked_fill(&cannot_skip, float(IMPOSSIBLE))?;
            let moved = paths.logaddexp(&shifted(&paths, 1, float(IMPOSSIBLE))?)?;
            let moved = moved.logaddexp(&skipped)?;
            let next = moved.add(&said(step)?)?;
            let is_over = ends.le_scalar(Scalar::Int(step))?;
            paths = ops::r#where::self_::call(&is_over, &paths, &next)?;
        }
        // The last label, or the blank behind it.
        let last = buffer::collected(lengths.iter().map(|it| 2 * it))?;
        let label = buffer::collected(lengths.iter().map(|it| (2 * it - 1).max(0)))?;
        let at = |places: Vec<i64>| paths.gather(1, &number(places, &[batch, 1])?)?.squeeze_dim(1);
        let (blank, label) = (at(last)?, at(label)?);
        let is_empty = number(buffer::copied(lengths)?, &[batch])?.eq_scalar(Scalar::Int(0))?;
        let losses = blank.logaddexp(&label.masked_fill(&is_empty, float(IMPOSSIBLE))?)?.neg()?;
        let is_silent = ends.squeeze_dim(1)?.eq_scalar(Scalar::Int(0))?;
        ops::r#where::self_::call(&is_silent, &silent, &losses)
    }
}

/// Columns further to the right, with others in front of them.
fn shifted(rows: &Tensor, by: i64, front: Scalar) -> Result<Tensor> {
    let columns = rows.shape()[1];
    part(&ops::constant_pad_nd::Default_::call(rows, &[by, 0], front)?, 1, 0, columns)
}

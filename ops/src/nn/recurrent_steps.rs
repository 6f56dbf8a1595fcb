//! Recurrent layers step by step, in single operators, for all dtypes and for second derivatives.

use std::ops::Range;

use opwright_runtime::{Result, Tensor};

use super::recurrence::{Recurrence, State, Weights, product};
use crate::ops::{self, TensorOps};

/// One layer over packed rows, in one direction: all states, and the last of each sequence.
pub(super) fn layer_by_steps(
    recurrence: Recurrence,
    rows: &Tensor,
    sizes: &[i64],
    start: &State,
    weights: &Weights<'_>,
    is_reverse: bool,
) -> Result<(Tensor, State)> {
    // What does not depend on states is one product for all steps.
    let of_rows = product(rows, weights.of_row, weights.row_bias)?;
    let mut steps = ops::split_with_sizes::Default_::call(&of_rows, sizes, 0)?;
    if is_reverse {
        steps.reverse();
    }
    let mut state = start.part(0, steps.first().map_or(0, |it| it.shape()[0]))?;
    let (mut all, mut ended) = (Vec::new(), Vec::new());
    for of_row in &steps {
        let (count, rows) = (of_row.shape()[0], state.rows());
        if count < rows {
            ended.push(state.part(count, rows)?);
            state = state.part(0, count)?;
        } else if count > rows {
            state = State::joined(&[state, start.part(rows, count)?])?;
        }
        state = recurrence.step(of_row, &state, weights)?;
        all.push(state.hidden.clone());
    }
    if is_reverse {
        all.reverse();
    }
    if !ended.is_empty() {
        ended.push(state);
        ended.reverse();
        state = State::joined(&ended)?;
    }
    let all: Vec<&Tensor> = all.iter().collect();
    Ok((ops::cat::Default_::call(&all, 0)?, state))
}

/// What backpropagation through time gives.
pub(super) struct LayerGradients {
    /// Gradients of the rows' parts of gates, before these are activated.
    pub(super) of_rows: Tensor,
    /// The same of the states' parts.
    pub(super) of_state: Tensor,
    /// Gradients of the first states.
    pub(super) of_hidden: Tensor,
    pub(super) of_cell: Option<Tensor>,
    /// The hidden state before each row.
    pub(super) before: Tensor,
}

/// Backpropagation through time in single operators, which can be differentiated.
///
/// States are calculated anew: as far as recording knows, those that were saved do not depend on anything.
pub(super) fn passed_by_steps(
    recurrence: Recurrence,
    (grad_states, grad_hidden, grad_cell): (Option<&Tensor>, Option<&Tensor>, Option<&Tensor>),
    input: &Tensor,
    (hx, cx): (&Tensor, Option<&Tensor>),
    weights: &Weights<'_>,
    steps: &[Range<i64>],
) -> Result<LayerGradients> {
    let of_rows = product(input, weights.of_row, weights.row_bias)?;
    let batch = hx.shape()[0];
    let mut state = State { hidden: hx.clone(), cell: cx.cloned() };
    let mut saved = Vec::new();
    for range in steps {
        let count = range.end - range.start;
        let before = state.part(0, count)?;
        let of_row = of_rows.narrow(0, range.start, count)?;
        let gates = recurrence.activated(&of_row, &before.hidden, weights)?;
        let next = recurrence.next(&gates, &before)?;
        state = State::joined(&[next, state.part(count, batch)?])?;
        saved.push((gates, before));
    }
    let or_zeros = |grad: Option<&Tensor>, like: &Tensor| match grad {
        Some(grad) => Ok(grad.clone()),
        None => like.new_zeros(like.shape()),
    };
    let mut grad = State {
        hidden: or_zeros(grad_hidden, hx)?,
        cell: cx.map(|it| or_zeros(grad_cell, it)).transpose()?,
    };
    let mut parts = Vec::new();
    for (range, (gates, before)) in steps.iter().zip(saved).rev() {
        let count = range.end - range.start;
        let mut at_step = grad.part(0, count)?;
        if let Some(grad) = grad_states {
            at_step.hidden = at_step.hidden.add(&grad.narrow(0, range.start, count)?)?;
        }
        let (of_row, of_state, kept) = recurrence.step_backward(&gates, &before, &at_step)?;
        let mut hidden = of_state.matmul(weights.of_state)?;
        let mut cell = None;
        if let Some(kept) = kept {
            hidden = hidden.add(&kept.hidden)?;
            cell = kept.cell;
        }
        grad = State::joined(&[State { hidden, cell }, grad.part(count, batch)?])?;
        parts.push((range.start, [of_row, of_state, before.hidden]));
    }
    parts.sort_by_key(|(start, _)| *start);
    let all = |at: usize, width: i64| match parts.is_empty() {
        true => input.new_zeros(&[0, width]),
        false => {
            let parts: Vec<&Tensor> = parts.iter().map(|(_, it)| &it[at]).collect();
            ops::cat::Default_::call(&parts, 0)
        }
    };
    let gates = weights.of_state.shape()[0];
    Ok(LayerGradients {
        of_rows: all(0, gates)?,
        of_state: all(1, gates)?,
        of_hidden: grad.hidden,
        of_cell: grad.cell,
        before: all(2, hx.size_of(-1)?)?,
    })
}

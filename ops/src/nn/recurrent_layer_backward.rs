//! Backpropagation through time of a recurrent layer in one direction, as one operator.
//!
//! The gates and states that the pass forward saved give, from the last step to the first, the gradients of
//! gates; all others follow from these by products over all steps. Second derivatives are those of
//! [the same pass in single operators](super::recurrent_steps).

use std::ops::Range;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::autograd::is_recording;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::{Result, Scalar, Tensor, buffer, dispatch, ensure, interrupt};
use opwright_vecmath::blocks;
use opwright_vecmath::elementary::Elementary;

use super::recurrence::Recurrence::{self, Gru, Lstm, Relu, Tanh};
use super::recurrence::Weights;
use super::recurrent_gates::{
    activation_backward, add, gru_step_backward, lstm_cell, lstm_step_backward,
};
use super::recurrent_layer::{elements, elements_mut, has_kernel, rows, steps};
use super::recurrent_steps::{LayerGradients, passed_by_steps};
use crate::gradient::{check_saved, wanted};
use crate::matrices::product::multiply;
use crate::ops::{self, TensorOps};

const ONE: Scalar = Scalar::Int(1);

#[native_op(_recurrent_layer_backward)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn recurrent_layer_backward_kernel(
    grad_states: Option<&Tensor>,
    grad_hy: Option<&Tensor>,
    grad_cy: Option<&Tensor>,
    w_hh: &Tensor,
    gates: &Tensor,
    before: &Tensor,
    batch_sizes: &[i64],
    mode: i64,
    reverse: bool,
) -> Result<(Tensor, Tensor, Tensor, Tensor)> {
    let mode = Recurrence::of(mode)?;
    let (dtype, device) = (gates.dtype(), gates.device());
    if !has_kernel(dtype) {
        return Err(dtype.unsupported("_recurrent_layer_backward"));
    }
    ensure!(
        w_hh.ndim() == 2,
        Runtime,
        "w_hh must be a matrix, but has the shape {:?}",
        w_hh.shape()
    );
    let (hidden, cells) = (w_hh.shape()[1], i64::from(mode == Lstm));
    let batch = batch_sizes.iter().copied().max().unwrap_or(0);
    let batch = grad_hy.or(grad_cy).and_then(|it| it.shape().first().copied()).unwrap_or(batch);
    let sum = batch_sizes.iter().try_fold(0_i64, |sum, it| sum.checked_add(*it));
    let count = sum.unwrap_or(i64::MAX);
    let saved = [
        ("grad_states", grad_states, [count, hidden]),
        ("grad_hy", grad_hy, [batch, hidden]),
        ("grad_cy", grad_cy, [batch * cells, hidden]),
        ("w_hh", Some(w_hh), [mode.gates().saturating_mul(hidden), hidden]),
        ("gates", Some(gates), [count, mode.saved_gates().saturating_mul(hidden)]),
        ("before", Some(before), [count, (1 + cells).saturating_mul(hidden)]),
    ];
    for (name, tensor, shape) in &saved {
        check_saved(gates, name, *tensor, shape)?;
    }
    ensure!(
        batch_sizes.iter().all(|it| (0..=batch).contains(it)),
        Runtime,
        "batch_sizes must not be greater than the {batch} sequences, but are {batch_sizes:?}"
    );
    let matrix = |rows, columns| Tensor::allocate(&[rows, columns], dtype, device);
    let mut pass = LayerBackward {
        of_rows: matrix(count, mode.gates() * hidden)?,
        of_state: matrix(if mode == Gru { count } else { 0 }, mode.gates() * hidden)?,
        of_hidden: matrix(batch, hidden)?,
        of_cell: matrix(batch * cells, hidden)?,
    };
    if !device.is_meta() {
        for (slot, grad) in [(&mut pass.of_hidden, grad_hy), (&mut pass.of_cell, grad_cy)] {
            match grad {
                Some(grad) => slot.copy_from(grad)?,
                None => slot.fill(Scalar::Int(0))?,
            }
        }
        let grad = grad_states.map(Tensor::to_contiguous).transpose()?;
        let (gates, before) = (gates.to_contiguous()?, before.to_contiguous()?);
        let steps = steps(batch_sizes, !reverse)?;
        dispatch!(dtype, "_recurrent_layer_backward", calculated floating, |T| {
            pass.run::<T>(mode, [&gates, &before, w_hh], grad.as_ref(), &steps)
        })?;
    }
    Ok((pass.of_rows, pass.of_state, pass.of_hidden, pass.of_cell))
}

/// What the pass backward writes.
struct LayerBackward {
    /// Gradients of the rows' parts of gates, before these are activated.
    of_rows: Tensor,
    /// The same of the states' parts, if they are others.
    of_state: Tensor,
    /// Gradients of the states at the step at hand, in the end of the first ones.
    of_hidden: Tensor,
    of_cell: Tensor,
}

impl LayerBackward {
    fn run<T: Element + Float + Elementary>(
        &mut self,
        mode: Recurrence,
        [gates, before, weight]: [&Tensor; 3],
        grad: Option<&Tensor>,
        steps: &[Range<i64>],
    ) -> Result<()> {
        let width = self.of_hidden.shape()[1] as usize;
        let beta = if mode == Gru { ONE } else { Scalar::Int(0) };
        let mut bent = buffer::filled(width, T::ZERO)?;
        for range in steps {
            let mut of_hidden = rows(&self.of_hidden, &(0..range.end - range.start))?;
            let of_rows = rows(&self.of_rows, range)?;
            let of_states = grad.map(|it| rows(it, range)).transpose()?;
            let of_state = if mode == Gru { Some(rows(&self.of_state, range)?) } else { None };
            // SAFETY: nobody else has these tensors, nobody writes to those of the pass forward, and
            // none of the slices is used where a product reads or writes them.
            unsafe {
                StepGradients {
                    mode,
                    width,
                    gates: elements(&rows(gates, range)?),
                    before: elements(&rows(before, range)?),
                    grad: of_states.as_ref().map_or(&[][..], |it| elements(it)),
                    of_rows: elements_mut(&of_rows),
                    of_state: of_state.as_ref().map_or(&mut [][..], |it| elements_mut(it)),
                    of_hidden: elements_mut(&of_hidden),
                    of_cell: elements_mut(&self.of_cell),
                    bent: &mut bent,
                }
                .run();
            }
            let of_state = of_state.as_ref().unwrap_or(&of_rows);
            multiply(ONE, of_state, weight, beta, &mut of_hidden)?;
            interrupt::check();
        }
        Ok(())
    }
}

/// The rows of one step, each of so many elements.
struct StepGradients<'a, T> {
    mode: Recurrence,
    width: usize,
    gates: &'a [T],
    before: &'a [T],
    grad: &'a [T],
    of_rows: &'a mut [T],
    of_state: &'a mut [T],
    of_hidden: &'a mut [T],
    of_cell: &'a mut [T],
    /// Room for a row.
    bent: &'a mut [T],
}

impl<T: Element + Float + Elementary> StepGradients<'_, T> {
    fn run(self) {
        let width = self.width;
        if width == 0 {
            return;
        }
        add(self.of_hidden, self.grad);
        let (gates, states) = (self.mode.gates() as usize, 1 + usize::from(self.mode == Lstm));
        let each = self.gates.chunks_exact(self.mode.saved_gates() as usize * width);
        let each = each.zip(self.before.chunks_exact(states * width));
        let each = each.zip(self.of_rows.chunks_exact_mut(gates * width));
        let each = each.zip(self.of_hidden.chunks_exact_mut(width));
        let mut cells = self.of_cell.chunks_exact_mut(width);
        let mut of_state = self.of_state.chunks_exact_mut(gates * width);
        for (((saved, before), of_rows), of_hidden) in each {
            match self.mode {
                Tanh | Relu => activation_backward(saved, of_hidden, of_rows, self.mode == Tanh),
                Lstm => {
                    let Some(of_cell) = cells.next() else { return };
                    self.bent.copy_from_slice(&before[width..]);
                    lstm_cell(saved, self.bent);
                    blocks::tanh(self.bent);
                    let before = &before[width..];
                    lstm_step_backward(saved, before, self.bent, of_hidden, of_cell, of_rows);
                }
                Gru => {
                    let Some(of_state) = of_state.next() else { return };
                    gru_step_backward(saved, before, of_hidden, of_rows, of_state);
                }
            }
        }
    }
}

/// From the gradients of gates, which backpropagation through time gives, by products over all steps.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the formula says")]
#[allow(clippy::type_complexity, reason = "one for each that the formula is of")]
pub(crate) fn recurrent_layer_backward(
    grad_states: Option<&Tensor>,
    grad_hy: Option<&Tensor>,
    grad_cy: Option<&Tensor>,
    input: &Tensor,
    hx: &Tensor,
    cx: Option<&Tensor>,
    w_ih: &Tensor,
    w_hh: &Tensor,
    b_ih: Option<&Tensor>,
    b_hh: Option<&Tensor>,
    gates: &Tensor,
    before: &Tensor,
    batch_sizes: &[i64],
    mode: i64,
    reverse: bool,
    mask: &[bool],
) -> Result<(
    Option<Tensor>,
    Option<Tensor>,
    Option<Tensor>,
    Option<Tensor>,
    Option<Tensor>,
    Option<Tensor>,
    Option<Tensor>,
)> {
    let grads = (grad_states, grad_hy, grad_cy);
    let kind = Recurrence::of(mode)?;
    let passed = if is_recording() {
        let weights = Weights {
            of_row: w_ih,
            of_state: w_hh,
            row_bias: b_ih,
            state_bias: b_hh,
            projection: None,
        };
        passed_by_steps(kind, grads, input, (hx, cx), &weights, &steps(batch_sizes, reverse)?)?
    } else {
        // A sequence may have a state and no rows, which only a gradient of states tells.
        let none = match (grad_hy, grad_cy) {
            (None, None) => Some(hx.new_zeros(hx.shape())?),
            _ => None,
        };
        let (of_rows, of_state, of_hidden, of_cell) =
            ops::_recurrent_layer_backward::Default_::call(
                grad_states,
                grad_hy.or(none.as_ref()),
                grad_cy,
                w_hh,
                gates,
                before,
                batch_sizes,
                mode,
                reverse,
            )?;
        let of_state = if kind == Gru { of_state } else { of_rows.clone() };
        let before = before.narrow(1, 0, hx.size_of(-1)?)?;
        LayerGradients { of_rows, of_state, of_hidden, of_cell: Some(of_cell), before }
    };
    let LayerGradients { of_rows, of_state, of_hidden, of_cell, before } = passed;
    let product = |gradients: &Tensor, of: &Tensor| gradients.transpose(0, 1)?.matmul(of);
    let sum = |gradients: &Tensor| ops::sum::dim_IntList::call(gradients, Some(&[0]), false, None);
    Ok((
        wanted(mask, 0, || of_rows.matmul(w_ih))?,
        wanted(mask, 1, || Ok(of_hidden))?,
        of_cell.filter(|_| mask[2]),
        wanted(mask, 3, || product(&of_rows, input))?,
        wanted(mask, 4, || product(&of_state, &before))?,
        wanted(mask, 5, || sum(&of_rows))?,
        wanted(mask, 6, || sum(&of_state))?,
    ))
}

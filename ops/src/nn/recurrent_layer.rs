//! Recurrent layer in one direction as one operator, and its backpropagation through time.
//!
//! What does not depend on states is one product over all steps. Then, step by step, the states of all
//! sequences, which stay in one matrix, are multiplied by their weights, and gates are activated in
//! place. Sequences that have ended or not yet begun keep the rows that they have there: after the last
//! step it holds the last states of all.
//!
//! Second derivatives are those of [the same pass in single operators](super::recurrent).

use std::ops::{Range, RangeInclusive};

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::autograd::is_recording;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::structured::common_device;
use opwright_runtime::{
    DType, Error, Result, Scalar, Tensor, buffer, dispatch, ensure, interrupt, multiversion, view,
};
use opwright_vecmath::blocks;
use opwright_vecmath::elementary::Elementary;

use super::along_dim::total;
use super::recurrent::{LayerGradients, Recurrence, Weights, passed_by_steps};
use crate::gradient::wanted;
use crate::matrices::product::multiply;
use crate::ops::{self, TensorOps};

use Recurrence::{Gru, Lstm, Relu, Tanh};

const ONE: Scalar = Scalar::Int(1);

/// So many rows are multiplied by a weight one by one; one alone is a product with a vector.
const FEW: RangeInclusive<i64> = 2..=8;

/// Whether there is a kernel for layers of this dtype.
pub(super) fn has_kernel(dtype: DType) -> bool {
    matches!(dtype, DType::Float32 | DType::Float64)
}

/// The rows of each step, in the order in which the states follow from each other.
pub(super) fn steps(batch_sizes: &[i64], is_reverse: bool) -> Result<Vec<Range<i64>>> {
    let mut end = 0_i64;
    let mut steps = buffer::collected(batch_sizes.iter().map(|&size| {
        end = end.saturating_add(size);
        end - size..end
    }))?;
    if is_reverse {
        steps.reverse();
    }
    Ok(steps)
}

/// The sizes of a layer.
#[derive(Clone, Copy)]
struct LayerSize {
    /// Rows of all steps.
    rows: i64,
    /// Sequences.
    batch: i64,
    /// Elements of a state.
    hidden: i64,
}

fn size_of(
    mode: Recurrence,
    hx: &Tensor,
    cx: Option<&Tensor>,
    batch_sizes: &[i64],
) -> Result<LayerSize> {
    let &[batch, hidden] = hx.shape() else {
        return Err(Error::runtime(format_args!(
            "hx must be a matrix with a row for each sequence, but has the shape {:?}",
            hx.shape()
        )));
    };
    let cell = cx.map(Tensor::shape);
    ensure!(
        cell == (mode == Lstm).then_some(hx.shape()),
        Runtime,
        "cx must be of the shape of hx in long short-term memory, and is not taken else, but is {cell:?}"
    );
    ensure!(
        batch_sizes.iter().all(|it| (0..=batch).contains(it)),
        Runtime,
        "batch_sizes must not be greater than the {batch} rows of hx, but are {batch_sizes:?}"
    );
    let rows = batch_sizes.iter().try_fold(0_i64, |sum, it| sum.checked_add(*it));
    Ok(LayerSize { rows: rows.unwrap_or(i64::MAX), batch, hidden })
}

#[native_op(_recurrent_layer)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn recurrent_layer(
    input: &Tensor,
    hx: &Tensor,
    cx: Option<&Tensor>,
    w_ih: &Tensor,
    w_hh: &Tensor,
    b_ih: Option<&Tensor>,
    b_hh: Option<&Tensor>,
    batch_sizes: &[i64],
    mode: i64,
    reverse: bool,
) -> Result<(Tensor, Tensor, Tensor, Tensor, Tensor)> {
    let mode = Recurrence::of(mode)?;
    let size = size_of(mode, hx, cx, batch_sizes)?;
    ensure!(
        input.ndim() == 2 && input.shape()[0] == size.rows,
        Runtime,
        "input must be a matrix with the {} rows of batch_sizes, but has the shape {:?}",
        size.rows,
        input.shape()
    );
    let weights = Weights {
        of_row: w_ih,
        of_state: w_hh,
        row_bias: b_ih,
        state_bias: b_hh,
        projection: None,
    };
    weights.check_sizes(mode, input.shape()[1], size.hidden, size.hidden)?;
    let (dtype, device) = (input.dtype(), input.device());
    if !has_kernel(dtype) {
        return Err(dtype.unsupported("_recurrent_layer"));
    }
    for it in [Some(hx), cx, Some(w_ih), Some(w_hh), b_ih, b_hh].into_iter().flatten() {
        common_device(&[input, it])?;
        ensure!(
            it.dtype() == dtype,
            Runtime,
            "input and parameters must have the same dtype, but have {dtype} and {}",
            it.dtype()
        );
    }
    let matrix = |rows, columns| Tensor::allocate(&[rows, columns], dtype, device);
    let cells = i64::from(mode == Lstm);
    let mut layer = LayerForward {
        states: matrix(size.rows, size.hidden)?,
        hidden: matrix(size.batch, size.hidden)?,
        cell: matrix(size.batch * cells, size.hidden)?,
        gates: matrix(size.rows, mode.saved_gates() * size.hidden)?,
        before: matrix(size.rows, (1 + cells) * size.hidden)?,
    };
    if !device.is_meta() {
        layer.hidden.copy_from(hx)?;
        if let Some(cx) = cx {
            layer.cell.copy_from(cx)?;
        }
        let steps = steps(batch_sizes, reverse)?;
        dispatch!(dtype, "_recurrent_layer", calculated floating, |T| {
            layer.run::<T>(mode, &input.to_contiguous()?, &weights, &steps)
        })?;
    }
    Ok((layer.states, layer.hidden, layer.cell, layer.gates, layer.before))
}

/// What the pass forward writes.
struct LayerForward {
    states: Tensor,
    /// The states at the step at hand, in the end the last ones.
    hidden: Tensor,
    cell: Tensor,
    /// Activated gates of each row, and for gated recurrent units the state's part of the new one.
    gates: Tensor,
    /// The states before each row, hidden ones and cells side by side.
    before: Tensor,
}

/// Rows of a matrix.
fn rows(matrix: &Tensor, range: &Range<i64>) -> Result<Tensor> {
    view::narrow(matrix, 0, range.start, range.end - range.start)
}

/// The elements of a dense matrix.
///
/// # Safety
///
/// Nobody else has references to them, or uses them, as long as these are used.
#[allow(clippy::mut_from_ref, reason = "the elements are shared, and the caller vouches for them")]
unsafe fn elements<T: Element>(matrix: &Tensor) -> &mut [T] {
    debug_assert!(matrix.is_contiguous() && matrix.dtype() == T::DTYPE);
    // SAFETY: a contiguous tensor of this type has so many elements from there on.
    unsafe { std::slice::from_raw_parts_mut(matrix.data_ptr().cast(), matrix.numel()) }
}

impl LayerForward {
    fn run<T: Element + Float + Elementary>(
        &mut self,
        mode: Recurrence,
        input: &Tensor,
        weights: &Weights<'_>,
        steps: &[Range<i64>],
    ) -> Result<()> {
        let width = self.hidden.shape()[1];
        let gates = mode.gates() * width;
        let mut projected = view::narrow(&self.gates, 1, 0, gates)?;
        self.gates.fill(Scalar::Int(0))?;
        if let Some(bias) = weights.row_bias {
            projected.copy_from(bias)?;
        }
        multiply(ONE, input, &view::transpose(weights.of_row, 0, 1)?, ONE, &mut projected)?;
        // Few rows are not worth packing the weight, more of them its transpose once.
        let batch = self.hidden.shape()[0];
        let are_few = FEW.contains(&batch);
        let weight = match are_few {
            true => weights.of_state.to_contiguous()?,
            false => view::transpose(weights.of_state, 0, 1)?.to_contiguous()?,
        };
        let bias = weights.state_bias.map(Tensor::to_vec::<T>).transpose()?;
        let of_state = Tensor::zeroed(&[batch, gates], T::DTYPE, input.device())?;
        for range in steps {
            let first = 0..range.end - range.start;
            let hidden = rows(&self.hidden, &first)?;
            let mut of_state = rows(&of_state, &first)?;
            if are_few {
                // SAFETY: as below.
                unsafe {
                    let count = first.end as usize;
                    few_products(
                        count,
                        elements::<T>(&hidden),
                        elements(&weight),
                        elements(&of_state),
                    );
                }
            } else {
                multiply(ONE, &hidden, &weight, Scalar::Int(0), &mut of_state)?;
            }
            // SAFETY: nobody else has these tensors, and none of the slices is used where a product
            // reads or writes them.
            unsafe {
                StepRows {
                    mode,
                    width: width as usize,
                    bias: bias.as_deref(),
                    of_state: elements(&of_state),
                    gates: elements(&rows(&self.gates, range)?),
                    before: elements(&rows(&self.before, range)?),
                    states: elements(&rows(&self.states, range)?),
                    hidden: elements(&hidden),
                    cell: elements::<T>(&self.cell),
                }
                .run();
            }
            interrupt::check();
        }
        Ok(())
    }
}

/// The rows of one step, each of so many elements.
struct StepRows<'a, T> {
    mode: Recurrence,
    width: usize,
    bias: Option<&'a [T]>,
    of_state: &'a mut [T],
    gates: &'a mut [T],
    before: &'a mut [T],
    states: &'a mut [T],
    hidden: &'a mut [T],
    cell: &'a mut [T],
}

impl<T: Element + Float + Elementary> StepRows<'_, T> {
    fn run(self) {
        let width = self.width;
        if width == 0 {
            return;
        }
        let (gates, states) =
            (self.mode.gates() as usize, self.before.len() / self.states.len().max(1));
        let each = self.of_state.chunks_exact_mut(gates * width);
        let each = each.zip(self.gates.chunks_exact_mut(self.mode.saved_gates() as usize * width));
        let each = each.zip(self.before.chunks_exact_mut(states.max(1) * width));
        let each = each.zip(self.states.chunks_exact_mut(width));
        let each = each.zip(self.hidden.chunks_exact_mut(width));
        let mut cells = self.cell.chunks_exact_mut(width);
        for ((((of_state, gates), before), state), hidden) in each {
            if let Some(bias) = self.bias {
                add(of_state, bias);
            }
            before[..width].copy_from_slice(hidden);
            match self.mode {
                Tanh => {
                    add(gates, of_state);
                    blocks::tanh(gates);
                    hidden.copy_from_slice(gates);
                }
                Relu => {
                    add(gates, of_state);
                    gates
                        .iter_mut()
                        .for_each(|it| *it = if *it <= T::ZERO { T::ZERO } else { *it });
                    hidden.copy_from_slice(gates);
                }
                Lstm => {
                    let Some(cell) = cells.next() else { return };
                    before[width..].copy_from_slice(cell);
                    add(gates, of_state);
                    blocks::sigmoid(&mut gates[..2 * width]);
                    blocks::tanh(&mut gates[2 * width..3 * width]);
                    blocks::sigmoid(&mut gates[3 * width..]);
                    lstm_cell(gates, cell);
                    hidden.copy_from_slice(cell);
                    blocks::tanh(hidden);
                    scale(hidden, &gates[3 * width..]);
                }
                Gru => {
                    let (reset_update, new) = gates.split_at_mut(2 * width);
                    let (new, of_new) = new.split_at_mut(width);
                    add(reset_update, &of_state[..2 * width]);
                    blocks::sigmoid(reset_update);
                    of_new.copy_from_slice(&of_state[2 * width..]);
                    add_products(new, &reset_update[..width], of_new);
                    blocks::tanh(new);
                    interpolate(hidden, new, &reset_update[width..]);
                }
            }
            state.copy_from_slice(hidden);
        }
    }
}

multiversion! {
    /// The products of all rows with all rows of a weight, which stay in the first cache one by one.
    fn few_products<const FMA: bool, T>(
        count: usize,
        rows: &[T],
        weight: &[T],
        products: &mut [T],
    )
    where
        [T: Float]
    {
        if rows.is_empty() {
            return;
        }
        let (width, gates) = (rows.len() / count, products.len() / count);
        for (at, weight) in weight.chunks_exact(width).enumerate() {
            for (row, products) in rows.chunks_exact(width).zip(products.chunks_exact_mut(gates)) {
                let mut parts = [T::ZERO; 16];
                let (blocks, rest) = row.as_chunks::<16>();
                let (others, other_rest) = weight.as_chunks::<16>();
                for (block, other) in blocks.iter().zip(others) {
                    for ((part, &a), &b) in parts.iter_mut().zip(block).zip(other) {
                        *part = if FMA { a.mul_add(b, *part) } else { a * b + *part };
                    }
                }
                for ((part, &a), &b) in parts.iter_mut().zip(rest).zip(other_rest) {
                    *part = a * b + *part;
                }
                products[at] = total(&parts, |it| it);
            }
        }
    }
}

multiversion! {
    fn add<T>(slots: &mut [T], values: &[T])
    where
        [T: Float]
    {
        slots.iter_mut().zip(values).for_each(|(slot, &it)| *slot = *slot + it);
    }

    fn scale<T>(slots: &mut [T], factors: &[T])
    where
        [T: Float]
    {
        slots.iter_mut().zip(factors).for_each(|(slot, &it)| *slot = *slot * it);
    }

    fn add_products<T>(slots: &mut [T], a: &[T], b: &[T])
    where
        [T: Float]
    {
        slots.iter_mut().zip(a).zip(b).for_each(|((slot, &a), &b)| *slot = *slot + a * b);
    }

    /// `new + weight * (slot - new)`
    fn interpolate<T>(slots: &mut [T], new: &[T], weights: &[T])
    where
        [T: Float]
    {
        for ((slot, &new), &weight) in slots.iter_mut().zip(new).zip(weights) {
            *slot = new + weight * (*slot - new);
        }
    }

    /// `forget * cell + input * new`
    fn lstm_cell<T>(gates: &[T], cell: &mut [T])
    where
        [T: Float]
    {
        let width = cell.len();
        let (input, forget, new) = (&gates[..width], &gates[width..2 * width], &gates[2 * width..]);
        for (((cell, &input), &forget), &new) in cell.iter_mut().zip(input).zip(forget).zip(new) {
            *cell = forget * *cell + input * new;
        }
    }

    /// Gradients of what gates were before they were activated, and of the cell before, from that of
    /// the hidden state and that of the cell; `bent` is the `tanh` of the cell.
    #[allow(clippy::needless_range_loop, reason = "several rows are walked together")]
    fn lstm_step_backward<T>(
        gates: &[T],
        before: &[T],
        bent: &[T],
        grad: &[T],
        of_cell: &mut [T],
        of_gates: &mut [T]
    )
    where
        [T: Float]
    {
        let width = grad.len();
        let (input, forget) = (&gates[..width], &gates[width..2 * width]);
        let (new, output) = (&gates[2 * width..3 * width], &gates[3 * width..4 * width]);
        let (before, bent, of_cell) = (&before[..width], &bent[..width], &mut of_cell[..width]);
        let (of_input, rest) = of_gates.split_at_mut(width);
        let (of_forget, rest) = rest.split_at_mut(width);
        let (of_new, of_output) = rest.split_at_mut(width);
        let of_output = &mut of_output[..width];
        for at in 0..width {
            let cell = of_cell[at] + grad[at] * output[at] * (T::ONE - bent[at] * bent[at]);
            of_input[at] = cell * new[at] * input[at] * (T::ONE - input[at]);
            of_forget[at] = cell * before[at] * forget[at] * (T::ONE - forget[at]);
            of_new[at] = cell * input[at] * (T::ONE - new[at] * new[at]);
            of_output[at] = grad[at] * bent[at] * output[at] * (T::ONE - output[at]);
            of_cell[at] = cell * forget[at];
        }
    }

    /// The same of gated recurrent units, where `grad` becomes what goes to the state before without
    /// a product.
    #[allow(clippy::needless_range_loop, reason = "several rows are walked together")]
    fn gru_step_backward<T>(
        gates: &[T],
        before: &[T],
        grad: &mut [T],
        of_rows: &mut [T],
        of_state: &mut [T]
    )
    where
        [T: Float]
    {
        let width = grad.len();
        let (reset, update) = (&gates[..width], &gates[width..2 * width]);
        let (new, of_new) = (&gates[2 * width..3 * width], &gates[3 * width..4 * width]);
        let before = &before[..width];
        let (of_row_gates, of_row_new) = of_rows.split_at_mut(2 * width);
        let of_row_new = &mut of_row_new[..width];
        let (of_reset, of_update) = of_row_gates.split_at_mut(width);
        let of_state_new = &mut of_state[2 * width..3 * width];
        for at in 0..width {
            let slope = grad[at] * (T::ONE - update[at]) * (T::ONE - new[at] * new[at]);
            of_row_new[at] = slope;
            of_state_new[at] = slope * reset[at];
            of_reset[at] = slope * of_new[at] * reset[at] * (T::ONE - reset[at]);
            of_update[at] =
                grad[at] * (before[at] - new[at]) * update[at] * (T::ONE - update[at]);
            grad[at] = grad[at] * update[at];
        }
        of_state[..2 * width].copy_from_slice(of_row_gates);
    }

    fn activation_backward<T>(states: &[T], grad: &[T], of_rows: &mut [T], is_tanh: bool)
    where
        [T: Float]
    {
        let each = of_rows.iter_mut().zip(states).zip(grad);
        if is_tanh {
            each.for_each(|((slot, &it), &grad)| *slot = grad * (T::ONE - it * it));
        } else {
            each.for_each(|((slot, &it), &grad)| {
                *slot = if it <= T::ZERO { T::ZERO } else { grad };
            });
        }
    }
}

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
    let wanted = [
        ("grad_states", grad_states, [count, hidden]),
        ("grad_hy", grad_hy, [batch, hidden]),
        ("grad_cy", grad_cy, [batch * cells, hidden]),
        ("w_hh", Some(w_hh), [mode.gates().saturating_mul(hidden), hidden]),
        ("gates", Some(gates), [count, mode.saved_gates().saturating_mul(hidden)]),
        ("before", Some(before), [count, (1 + cells).saturating_mul(hidden)]),
    ];
    for (name, tensor, shape) in wanted {
        let Some(tensor) = tensor else { continue };
        common_device(&[gates, tensor])?;
        ensure!(
            tensor.shape() == shape && tensor.dtype() == dtype,
            Runtime,
            "{name} must be of {dtype} and the shape {shape:?}, but is of {} and the shape {:?}",
            tensor.dtype(),
            tensor.shape()
        );
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
                    of_rows: elements(&of_rows),
                    of_state: of_state.as_ref().map_or(&mut [][..], |it| elements(it)),
                    of_hidden: elements(&of_hidden),
                    of_cell: elements(&self.of_cell),
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
        let (of_rows, of_state, of_hidden, of_cell) =
            ops::_recurrent_layer_backward::Default_::call(
                grad_states,
                grad_hy,
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

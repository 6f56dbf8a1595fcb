//! Recurrent layers: a state that goes from one step of a sequence to the next, by which the step's
//! result depends on all before it.
//!
//! Sequences of several lengths lie packed: those of one step below those of the step before, the
//! longest first, so that each step has a number of rows of its own.
//!
//! Layers of `float32` and `float64` are [one operator](super::recurrent_layer) in each direction; others,
//! those with a projection, and what is differentiated twice are made of
//! [steps](super::recurrent_steps).

use opwright_macros::native_op;
use opwright_runtime::{DType, Error, Result, Tensor, buffer, ensure};

use super::recurrence::Recurrence::{self, Gru, Lstm, Relu, Tanh};
use super::recurrence::{State, Weights, no_cell};
use super::recurrent_layer;
use super::recurrent_steps::layer_by_steps;
use crate::ops::{self, TensorOps};

/// Whether a layer of these weights over these rows is one operator: they have no projection, and all is of one
/// dtype that there is a kernel for.
fn are_for_kernel(weights: &Weights<'_>, rows: &Tensor, start: &State) -> bool {
    let others = [Some(&start.hidden), start.cell.as_ref(), weights.row_bias, weights.state_bias];
    let mut others = others.into_iter().flatten().chain([weights.of_row, weights.of_state]);
    weights.projection.is_none()
        && recurrent_layer::has_kernel(rows.dtype())
        && others.all(|it| it.dtype() == rows.dtype())
}

/// One layer over packed rows, in one direction: all states, and the last of each sequence.
fn layer(
    recurrence: Recurrence,
    rows: &Tensor,
    sizes: &[i64],
    start: &State,
    weights: &Weights<'_>,
    is_reverse: bool,
) -> Result<(Tensor, State)> {
    weights.check(recurrence, rows.size_of(-1)?, start)?;
    if !are_for_kernel(weights, rows, start) {
        return layer_by_steps(recurrence, rows, sizes, start, weights, is_reverse);
    }
    let (states, hidden, cell, ..) = ops::_recurrent_layer::Default_::call(
        rows,
        &start.hidden,
        start.cell.as_ref(),
        weights.of_row,
        weights.of_state,
        weights.row_bias,
        weights.state_bias,
        sizes,
        recurrence.mode(),
        is_reverse,
    )?;
    let cell = (recurrence == Lstm).then_some(cell);
    Ok((states, State { hidden, cell }))
}

/// What all layers have in common.
#[derive(Clone, Copy)]
struct Layers<'a> {
    recurrence: Recurrence,
    params: &'a [&'a Tensor],
    has_biases: bool,
    num_layers: i64,
    /// The probability with which an element between two layers is left out.
    dropout: f64,
    bidirectional: bool,
}

impl Layers<'_> {
    /// The states of the last layer over packed rows, and the last states of all.
    fn run(&self, rows: &Tensor, sizes: &[i64], start: &State) -> Result<(Tensor, State)> {
        let directions = if self.bidirectional { 2 } else { 1 };
        let count = self.num_layers.saturating_mul(directions);
        self.check(count, sizes, start)?;
        let each = self.params.len() / count as usize;
        let mut rows = rows.clone();
        let mut last = Vec::new();
        for (number, of_layer) in self.params.chunks(each * directions as usize).enumerate() {
            if number > 0 && self.dropout > 0.0 {
                rows = ops::dropout::Default_::call(&rows, self.dropout, true)?;
            }
            let mut both = Vec::new();
            for (direction, tensors) in of_layer.chunks(each).enumerate() {
                let at = (number * directions as usize + direction) as i64;
                let start = start.each(|it| it.select(0, at))?;
                let weights = Weights::of(tensors, self.has_biases)?;
                let (states, state) =
                    layer(self.recurrence, &rows, sizes, &start, &weights, direction == 1)?;
                both.push(states);
                last.push(state);
            }
            rows = match &both[..] {
                [only] => only.clone(),
                _ => ops::cat::Default_::call(&both.iter().collect::<Vec<_>>(), -1)?,
            };
        }
        let hidden: Vec<&Tensor> = last.iter().map(|it| &it.hidden).collect();
        let cells: Vec<&Tensor> = last.iter().filter_map(|it| it.cell.as_ref()).collect();
        let cell =
            if cells.is_empty() { None } else { Some(ops::stack::Default_::call(&cells, 0)?) };
        Ok((rows, State { hidden: ops::stack::Default_::call(&hidden, 0)?, cell }))
    }

    fn check(&self, count: i64, sizes: &[i64], start: &State) -> Result<()> {
        ensure!(self.num_layers > 0, Runtime, "num_layers must be greater than zero");
        ensure!(!sizes.is_empty(), Runtime, "Expected sequence length to be larger than 0 in RNN");
        let (hidden, batch) = (start.hidden.shape(), sizes.iter().max().copied().unwrap_or(0));
        let cell = start.cell.as_ref().map_or(hidden, Tensor::shape);
        for (name, shape) in [("hx[0]", hidden), ("hx[1]", cell)] {
            ensure!(
                shape.len() == 3 && shape[..2] == [count, batch],
                Runtime,
                "Expected hidden {name} size ({count}, {batch}, ...), a state for each layer, \
                 direction and sequence, got {shape:?}"
            );
        }
        let is_projected = cell[2] != hidden[2];
        let each = 2 + if self.has_biases { 2 } else { 0 } + i64::from(is_projected);
        ensure!(
            self.params.len() as i64 == count.saturating_mul(each),
            Runtime,
            "got an incorrect number of RNN parameters: {count} layers and directions have {each} \
             each, but there are {}",
            self.params.len()
        );
        Ok(())
    }

    /// Over a batch of sequences of one length.
    fn run_batch(
        &self,
        input: &Tensor,
        start: &State,
        batch_first: bool,
    ) -> Result<(Tensor, State)> {
        let is_turned = batch_first && input.ndim() == 3;
        let input = if is_turned { input.transpose(0, 1)? } else { input.clone() };
        let &[steps, batch, features] = input.shape() else { return Err(no_batch(&input)) };
        ensure!(steps > 0, Runtime, "Expected sequence length to be larger than 0 in RNN");
        let rows = input.reshape(&[steps * batch, features])?;
        let sizes = buffer::filled(steps as usize, batch)?;
        let (states, state) = self.run(&rows, &sizes, start)?;
        let states = states.reshape(&[steps, batch, states.size_of(-1)?])?;
        Ok((if batch_first { states.transpose(0, 1)? } else { states }, state))
    }

    /// Over packed sequences.
    fn run_packed(
        &self,
        data: &Tensor,
        batch_sizes: &Tensor,
        start: &State,
    ) -> Result<(Tensor, State)> {
        ensure!(
            data.ndim() == 2,
            Runtime,
            "data must have 2 dimensions, those of packed steps and of features, got {}",
            data.ndim()
        );
        ensure!(
            batch_sizes.ndim() == 1 && batch_sizes.dtype() == DType::Int64,
            Runtime,
            "batch_sizes must be a vector of int64, but is one of {} with {} dimensions",
            batch_sizes.dtype(),
            batch_sizes.ndim()
        );
        let sizes = ops::unbind::int::call(batch_sizes, 0)?;
        let size = |it: &Tensor| ops::_local_scalar_dense::Default_::call(it)?.to_i64();
        let sizes = buffer::try_collected(sizes.iter().map(size))?;
        ensure!(
            sizes.is_sorted_by(|one, next| one >= next) && sizes.last().is_none_or(|it| *it > 0),
            Runtime,
            "batch_sizes must be positive and never grow, but are {sizes:?}"
        );
        let total = sizes.iter().try_fold(0_i64, |sum, it| sum.checked_add(*it));
        ensure!(
            total == Some(data.shape()[0]),
            Runtime,
            "batch_sizes must add up to the {} rows of data, but are {sizes:?}",
            data.shape()[0]
        );
        self.run(data, &sizes, start)
    }
}

#[cold]
fn no_batch(input: &Tensor) -> Error {
    Error::runtime(format_args!(
        "input must have 3 dimensions, those of steps, sequences and features, but has {}",
        input.ndim()
    ))
}

fn with_cell(
    (states, State { hidden, cell }): (Tensor, State),
) -> Result<(Tensor, Tensor, Tensor)> {
    Ok((states, hidden, cell.ok_or_else(no_cell)?))
}

#[native_op(lstm.input)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn lstm_input(
    input: &Tensor,
    hx: &[&Tensor],
    params: &[&Tensor],
    has_biases: bool,
    num_layers: i64,
    dropout: f64,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Result<(Tensor, Tensor, Tensor)> {
    let dropout = if train { dropout } else { 0.0 };
    let layers =
        Layers { recurrence: Lstm, params, has_biases, num_layers, dropout, bidirectional };
    with_cell(layers.run_batch(input, &State::pair(hx)?, batch_first)?)
}

#[native_op(lstm.data)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn lstm_data(
    data: &Tensor,
    batch_sizes: &Tensor,
    hx: &[&Tensor],
    params: &[&Tensor],
    has_biases: bool,
    num_layers: i64,
    dropout: f64,
    train: bool,
    bidirectional: bool,
) -> Result<(Tensor, Tensor, Tensor)> {
    let dropout = if train { dropout } else { 0.0 };
    let layers =
        Layers { recurrence: Lstm, params, has_biases, num_layers, dropout, bidirectional };
    with_cell(layers.run_packed(data, batch_sizes, &State::pair(hx)?)?)
}

#[native_op(gru.input)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn gru_input(
    input: &Tensor,
    hx: &Tensor,
    params: &[&Tensor],
    has_biases: bool,
    num_layers: i64,
    dropout: f64,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Result<(Tensor, Tensor)> {
    let dropout = if train { dropout } else { 0.0 };
    let layers = Layers { recurrence: Gru, params, has_biases, num_layers, dropout, bidirectional };
    let (states, state) = layers.run_batch(input, &State::single(hx), batch_first)?;
    Ok((states, state.hidden))
}

#[native_op(gru.data)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn gru_data(
    data: &Tensor,
    batch_sizes: &Tensor,
    hx: &Tensor,
    params: &[&Tensor],
    has_biases: bool,
    num_layers: i64,
    dropout: f64,
    train: bool,
    bidirectional: bool,
) -> Result<(Tensor, Tensor)> {
    let dropout = if train { dropout } else { 0.0 };
    let layers = Layers { recurrence: Gru, params, has_biases, num_layers, dropout, bidirectional };
    let (states, state) = layers.run_packed(data, batch_sizes, &State::single(hx))?;
    Ok((states, state.hidden))
}

#[native_op(rnn_tanh.input)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn rnn_tanh_input(
    input: &Tensor,
    hx: &Tensor,
    params: &[&Tensor],
    has_biases: bool,
    num_layers: i64,
    dropout: f64,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Result<(Tensor, Tensor)> {
    let dropout = if train { dropout } else { 0.0 };
    let layers =
        Layers { recurrence: Tanh, params, has_biases, num_layers, dropout, bidirectional };
    let (states, state) = layers.run_batch(input, &State::single(hx), batch_first)?;
    Ok((states, state.hidden))
}

#[native_op(rnn_tanh.data)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn rnn_tanh_data(
    data: &Tensor,
    batch_sizes: &Tensor,
    hx: &Tensor,
    params: &[&Tensor],
    has_biases: bool,
    num_layers: i64,
    dropout: f64,
    train: bool,
    bidirectional: bool,
) -> Result<(Tensor, Tensor)> {
    let dropout = if train { dropout } else { 0.0 };
    let layers =
        Layers { recurrence: Tanh, params, has_biases, num_layers, dropout, bidirectional };
    let (states, state) = layers.run_packed(data, batch_sizes, &State::single(hx))?;
    Ok((states, state.hidden))
}

#[native_op(rnn_relu.input)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn rnn_relu_input(
    input: &Tensor,
    hx: &Tensor,
    params: &[&Tensor],
    has_biases: bool,
    num_layers: i64,
    dropout: f64,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Result<(Tensor, Tensor)> {
    let dropout = if train { dropout } else { 0.0 };
    let layers =
        Layers { recurrence: Relu, params, has_biases, num_layers, dropout, bidirectional };
    let (states, state) = layers.run_batch(input, &State::single(hx), batch_first)?;
    Ok((states, state.hidden))
}

#[native_op(rnn_relu.data)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn rnn_relu_data(
    data: &Tensor,
    batch_sizes: &Tensor,
    hx: &Tensor,
    params: &[&Tensor],
    has_biases: bool,
    num_layers: i64,
    dropout: f64,
    train: bool,
    bidirectional: bool,
) -> Result<(Tensor, Tensor)> {
    let dropout = if train { dropout } else { 0.0 };
    let layers =
        Layers { recurrence: Relu, params, has_biases, num_layers, dropout, bidirectional };
    let (states, state) = layers.run_packed(data, batch_sizes, &State::single(hx))?;
    Ok((states, state.hidden))
}

//! Recurrent layers: a state that goes from one step of a sequence to the next, by which the step's
//! result depends on all before it.
//!
//! Sequences of several lengths lie packed: those of one step below those of the step before, the
//! longest first, so that each step has a number of rows of its own.

use opwright_macros::native_op;
use opwright_runtime::{DType, Error, Result, Scalar, Tensor, buffer, ensure, fail};

use crate::ops::{self, TensorOps};

/// How a state follows from the one before and from a row of the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recurrence {
    /// `tanh` of both.
    Tanh,
    /// `relu` of both.
    Relu,
    /// Gated recurrent units (K. Cho et al., 2014), whose reset gate comes after the product.
    Gru,
    /// Long short-term memory (S. Hochreiter and J. Schmidhuber, 1997), with a gate that forgets.
    Lstm,
}

use Recurrence::{Gru, Lstm, Relu, Tanh};

impl Recurrence {
    /// How many rows of a weight there are for each of the state.
    fn gates(self) -> i64 {
        match self {
            Tanh | Relu => 1,
            Gru => 3,
            Lstm => 4,
        }
    }

    /// The state that follows from a row's part of the gates and from the state before.
    fn step(self, of_row: &Tensor, state: &State, weights: &Weights<'_>) -> Result<State> {
        let of_state = product(&state.hidden, weights.of_state, weights.state_bias)?;
        let sum = || of_row.add(&of_state);
        match self {
            Tanh => Ok(State { hidden: sum()?.tanh()?, cell: None }),
            Relu => Ok(State { hidden: sum()?.relu()?, cell: None }),
            Gru => {
                let [reset, update, new] = gates(of_row)?;
                let [of_reset, of_update, of_new] = gates(&of_state)?;
                let reset = reset.add(&of_reset)?.sigmoid()?;
                let update = update.add(&of_update)?.sigmoid()?;
                let new = ops::addcmul::Default_::call(&new, &reset, &of_new, Scalar::Int(1))?;
                let new = new.tanh()?;
                Ok(State { hidden: new.lerp_tensor(&state.hidden, &update)?, cell: None })
            }
            Lstm => {
                let Some(before) = &state.cell else { return Err(no_cell()) };
                let [input, forget, cell, output] = gates(&sum()?)?;
                let kept = forget.sigmoid()?.mul(before)?;
                let (input, cell) = (input.sigmoid()?, cell.tanh()?);
                let cell = ops::addcmul::Default_::call(&kept, &input, &cell, Scalar::Int(1))?;
                let hidden = output.sigmoid()?.mul(&cell.tanh()?)?;
                let hidden = match weights.projection {
                    Some(weight) => product(&hidden, weight, None)?,
                    None => hidden,
                };
                Ok(State { hidden, cell: Some(cell) })
            }
        }
    }
}

#[cold]
fn no_cell() -> Error {
    Error::runtime("lstm expects two hidden states")
}

/// What goes from step to step, a row for each sequence.
#[derive(Clone, Debug)]
struct State {
    hidden: Tensor,
    cell: Option<Tensor>,
}

impl State {
    fn each(&self, f: impl Fn(&Tensor) -> Result<Tensor>) -> Result<State> {
        Ok(State { hidden: f(&self.hidden)?, cell: self.cell.as_ref().map(f).transpose()? })
    }

    fn rows(&self) -> i64 {
        self.hidden.shape()[0]
    }

    /// The rows from `start` up to `end`.
    fn part(&self, start: i64, end: i64) -> Result<State> {
        self.each(|it| it.narrow(0, start, end - start))
    }

    /// One below the other.
    fn joined(parts: &[State]) -> Result<State> {
        let hidden: Vec<&Tensor> = parts.iter().map(|it| &it.hidden).collect();
        let cells: Vec<&Tensor> = parts.iter().filter_map(|it| it.cell.as_ref()).collect();
        let cell = if cells.is_empty() { None } else { Some(ops::cat::Default_::call(&cells, 0)?) };
        Ok(State { hidden: ops::cat::Default_::call(&hidden, 0)?, cell })
    }
}

/// The parameters of a layer in one direction.
#[derive(Clone, Copy)]
struct Weights<'a> {
    of_row: &'a Tensor,
    of_state: &'a Tensor,
    row_bias: Option<&'a Tensor>,
    state_bias: Option<&'a Tensor>,
    projection: Option<&'a Tensor>,
}

impl<'a> Weights<'a> {
    /// From those of a layer, in the order in which layers have them.
    fn of(tensors: &'a [&'a Tensor], has_biases: bool) -> Result<Weights<'a>> {
        let (row_bias, state_bias, rest) = match *tensors {
            [_, _, row, state, ref rest @ ..] if has_biases => (Some(row), Some(state), rest),
            [_, _, ref rest @ ..] if !has_biases => (None, None, rest),
            _ => fail!(Runtime, "a layer has {} parameters, which are too few", tensors.len()),
        };
        let projection = rest.first().copied();
        Ok(Weights { of_row: tensors[0], of_state: tensors[1], row_bias, state_bias, projection })
    }

    /// Fails unless they are for rows and states of these sizes.
    fn check(&self, recurrence: Recurrence, features: i64, state: &State) -> Result<()> {
        let width = state.hidden.size_of(-1)?;
        let size = state.cell.as_ref().map_or(Ok(width), |it| it.size_of(-1))?;
        let gates = recurrence.gates() * size;
        let wanted = [
            ("w_ih", Some(self.of_row), &[gates, features][..]),
            ("w_hh", Some(self.of_state), &[gates, width]),
            ("b_ih", self.row_bias, &[gates]),
            ("b_hh", self.state_bias, &[gates]),
            ("w_hr", self.projection, &[width, size]),
        ];
        for (name, tensor, shape) in wanted {
            let Some(tensor) = tensor else { continue };
            ensure!(
                tensor.shape() == shape,
                Runtime,
                "{name} must have the shape {shape:?}, for {features} features and a state of {size}, \
                 but has {:?}",
                tensor.shape()
            );
        }
        Ok(())
    }
}

/// `rows @ weight.T + bias`
fn product(rows: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    ops::linear::Default_::call(rows, weight, bias)
}

/// The parts of a row, of which there are `N`.
fn gates<const N: usize>(rows: &Tensor) -> Result<[Tensor; N]> {
    let parts = ops::chunk::Default_::call(rows, N as i64, -1)?;
    parts.try_into().map_err(|_| Error::runtime("gates are missing"))
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

/// The two states of long short-term memory.
fn pair(hx: &[&Tensor]) -> Result<State> {
    match *hx {
        [hidden, cell] => Ok(State { hidden: hidden.clone(), cell: Some(cell.clone()) }),
        _ => Err(no_cell()),
    }
}

fn single(hx: &Tensor) -> State {
    State { hidden: hx.clone(), cell: None }
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
    with_cell(layers.run_batch(input, &pair(hx)?, batch_first)?)
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
    with_cell(layers.run_packed(data, batch_sizes, &pair(hx)?)?)
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
    let (states, state) = layers.run_batch(input, &single(hx), batch_first)?;
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
    let (states, state) = layers.run_packed(data, batch_sizes, &single(hx))?;
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
    let (states, state) = layers.run_batch(input, &single(hx), batch_first)?;
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
    let (states, state) = layers.run_packed(data, batch_sizes, &single(hx))?;
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
    let (states, state) = layers.run_batch(input, &single(hx), batch_first)?;
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
    let (states, state) = layers.run_packed(data, batch_sizes, &single(hx))?;
    Ok((states, state.hidden))
}

/// One step of a cell.
fn cell(
    recurrence: Recurrence,
    input: &Tensor,
    state: &State,
    tensors: (&Tensor, &Tensor),
    biases: (Option<&Tensor>, Option<&Tensor>),
) -> Result<State> {
    ensure!(
        input.ndim() == 2 && state.hidden.ndim() == 2 && input.shape()[0] == state.rows(),
        Runtime,
        "Input batch size must match hidden batch size, of matrices, but got input of shape {:?} and \
         a state of shape {:?}",
        input.shape(),
        state.hidden.shape()
    );
    let weights = Weights {
        of_row: tensors.0,
        of_state: tensors.1,
        row_bias: biases.0,
        state_bias: biases.1,
        projection: None,
    };
    weights.check(recurrence, input.shape()[1], state)?;
    recurrence.step(&product(input, weights.of_row, weights.row_bias)?, state, &weights)
}

#[native_op(lstm_cell)]
fn lstm_cell(
    input: &Tensor,
    hx: &[&Tensor],
    w_ih: &Tensor,
    w_hh: &Tensor,
    b_ih: Option<&Tensor>,
    b_hh: Option<&Tensor>,
) -> Result<(Tensor, Tensor)> {
    let state = cell(Lstm, input, &pair(hx)?, (w_ih, w_hh), (b_ih, b_hh))?;
    Ok((state.hidden, state.cell.ok_or_else(no_cell)?))
}

#[native_op(gru_cell)]
fn gru_cell(
    input: &Tensor,
    hx: &Tensor,
    w_ih: &Tensor,
    w_hh: &Tensor,
    b_ih: Option<&Tensor>,
    b_hh: Option<&Tensor>,
) -> Result<Tensor> {
    Ok(cell(Gru, input, &single(hx), (w_ih, w_hh), (b_ih, b_hh))?.hidden)
}

#[native_op(rnn_tanh_cell)]
fn rnn_tanh_cell(
    input: &Tensor,
    hx: &Tensor,
    w_ih: &Tensor,
    w_hh: &Tensor,
    b_ih: Option<&Tensor>,
    b_hh: Option<&Tensor>,
) -> Result<Tensor> {
    Ok(cell(Tanh, input, &single(hx), (w_ih, w_hh), (b_ih, b_hh))?.hidden)
}

#[native_op(rnn_relu_cell)]
fn rnn_relu_cell(
    input: &Tensor,
    hx: &Tensor,
    w_ih: &Tensor,
    w_hh: &Tensor,
    b_ih: Option<&Tensor>,
    b_hh: Option<&Tensor>,
) -> Result<Tensor> {
    Ok(cell(Relu, input, &single(hx), (w_ih, w_hh), (b_ih, b_hh))?.hidden)
}

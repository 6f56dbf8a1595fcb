//! Recurrent layers: a state that goes from one step of a sequence to the next, by which the step's
//! result depends on all before it.
//!
//! Sequences of several lengths lie packed: those of one step below those of the step before, the
//! longest first, so that each step has a number of rows of its own.
//!
//! Layers of `float32` and `float64` are [one operator](super::recurrent_layer) in each direction; others,
//! those with a projection, and what is differentiated twice are made of steps.

use std::ops::Range;

use opwright_macros::native_op;
use opwright_runtime::{DType, Error, Result, Scalar, Tensor, buffer, ensure, fail};

use super::recurrent_layer;
use crate::ops::{self, TensorOps};

/// How a state follows from the one before and from a row of the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recurrence {
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
    /// By the number that it has in schemas.
    pub(super) fn of(mode: i64) -> Result<Recurrence> {
        MODES.get(mode as usize).copied().ok_or_else(|| {
            Error::runtime(format_args!(
                "mode must be 0 for relu, 1 for tanh, 2 for long short-term memory or 3 for gated \
                 recurrent units, but is {mode}"
            ))
        })
    }

    fn mode(self) -> i64 {
        MODES.iter().position(|it| *it == self).map_or(-1, |at| at as i64)
    }

    /// How many rows of a weight there are for each of the state.
    pub(super) fn gates(self) -> i64 {
        match self {
            Tanh | Relu => 1,
            Gru => 3,
            Lstm => 4,
        }
    }

    /// How many numbers [`Recurrence::activated`] gives for each of the state.
    pub(super) fn saved_gates(self) -> i64 {
        match self {
            Tanh | Relu => 1,
            Gru | Lstm => 4,
        }
    }

    /// What gates give for a row's part of them and for the state before; of gated recurrent units also
    /// the state's part of the last one.
    fn activated(
        self,
        of_row: &Tensor,
        hidden: &Tensor,
        weights: &Weights<'_>,
    ) -> Result<Vec<Tensor>> {
        let of_state = product(hidden, weights.of_state, weights.state_bias)?;
        let sum = || of_row.add(&of_state);
        match self {
            Tanh => Ok(vec![sum()?.tanh()?]),
            Relu => Ok(vec![sum()?.relu()?]),
            Gru => {
                let [reset, update, new] = gates(of_row)?;
                let [of_reset, of_update, of_new] = gates(&of_state)?;
                let reset = reset.add(&of_reset)?.sigmoid()?;
                let update = update.add(&of_update)?.sigmoid()?;
                let new = ops::addcmul::Default_::call(&new, &reset, &of_new, Scalar::Int(1))?;
                Ok(vec![reset, update, new.tanh()?, of_new])
            }
            Lstm => {
                let [input, forget, new, output] = gates(&sum()?)?;
                Ok(vec![input.sigmoid()?, forget.sigmoid()?, new.tanh()?, output.sigmoid()?])
            }
        }
    }

    /// The state that follows from gates and from the state before.
    fn next(self, gates: &[Tensor], state: &State) -> Result<State> {
        match (self, gates) {
            (Tanh | Relu, [hidden]) => Ok(State { hidden: hidden.clone(), cell: None }),
            (Gru, [_, update, new, _]) => {
                Ok(State { hidden: new.lerp_tensor(&state.hidden, update)?, cell: None })
            }
            (Lstm, [input, forget, new, output]) => {
                let Some(before) = &state.cell else { return Err(no_cell()) };
                let kept = forget.mul(before)?;
                let cell = ops::addcmul::Default_::call(&kept, input, new, Scalar::Int(1))?;
                Ok(State { hidden: output.mul(&cell.tanh()?)?, cell: Some(cell) })
            }
            _ => Err(Error::runtime("gates are missing")),
        }
    }

    /// The state that follows from a row's part of the gates and from the state before.
    fn step(self, of_row: &Tensor, state: &State, weights: &Weights<'_>) -> Result<State> {
        let State { hidden, cell } =
            self.next(&self.activated(of_row, &state.hidden, weights)?, state)?;
        let hidden = match weights.projection {
            Some(weight) if self == Lstm => product(&hidden, weight, None)?,
            _ => hidden,
        };
        Ok(State { hidden, cell })
    }

    /// Gradients of the rows' and of the states' parts of gates before they are activated, and of the
    /// state before as far as it goes there without a product, from the gradient of the state after.
    fn step_backward(
        self,
        gates: &[Tensor],
        before: &State,
        grad: &State,
    ) -> Result<(Tensor, Tensor, Option<State>)> {
        let complement = |it: &Tensor| ops::rsub::Scalar::call(it, Scalar::Int(1), Scalar::Int(1));
        let slope = |it: &Tensor| it.mul(&complement(it)?);
        let tanh_slope = |it: &Tensor| complement(&it.mul(it)?);
        let side_by_side = |parts: &[&Tensor]| ops::cat::Default_::call(parts, -1);
        match (self, gates) {
            (Tanh, [hidden]) => {
                let of_row = grad.hidden.mul(&tanh_slope(hidden)?)?;
                Ok((of_row.clone(), of_row, None))
            }
            (Relu, [hidden]) => {
                let is_flat = hidden.le_scalar(Scalar::Int(0))?;
                let of_row = grad.hidden.masked_fill(&is_flat, Scalar::Int(0))?;
                Ok((of_row.clone(), of_row, None))
            }
            (Gru, [reset, update, new, of_new]) => {
                let kept = grad.hidden.mul(update)?;
                let of_update = before.hidden.sub(new)?.mul(&grad.hidden)?.mul(&slope(update)?)?;
                let of_row = grad.hidden.sub(&kept)?.mul(&tanh_slope(new)?)?;
                let of_reset = of_row.mul(of_new)?.mul(&slope(reset)?)?;
                let of_state = of_row.mul(reset)?;
                Ok((
                    side_by_side(&[&of_reset, &of_update, &of_row])?,
                    side_by_side(&[&of_reset, &of_update, &of_state])?,
                    Some(State { hidden: kept, cell: None }),
                ))
            }
            (Lstm, [input, forget, new, output]) => {
                let (Some(before), Some(of_cell)) = (&before.cell, &grad.cell) else {
                    return Err(no_cell());
                };
                let kept = forget.mul(before)?;
                let bent =
                    ops::addcmul::Default_::call(&kept, input, new, Scalar::Int(1))?.tanh()?;
                let of_cell = of_cell.add(&grad.hidden.mul(output)?.mul(&tanh_slope(&bent)?)?)?;
                let of_gates = side_by_side(&[
                    &of_cell.mul(new)?.mul(&slope(input)?)?,
                    &of_cell.mul(before)?.mul(&slope(forget)?)?,
                    &of_cell.mul(input)?.mul(&tanh_slope(new)?)?,
                    &grad.hidden.mul(&bent)?.mul(&slope(output)?)?,
                ])?;
                let none = grad.hidden.new_zeros(grad.hidden.shape())?;
                let kept = State { hidden: none, cell: Some(of_cell.mul(forget)?) };
                Ok((of_gates.clone(), of_gates, Some(kept)))
            }
            _ => Err(Error::runtime("gates are missing")),
        }
    }
}

/// In the order of their numbers in schemas.
const MODES: [Recurrence; 4] = [Relu, Tanh, Lstm, Gru];

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
pub(super) struct Weights<'a> {
    pub(super) of_row: &'a Tensor,
    pub(super) of_state: &'a Tensor,
    pub(super) row_bias: Option<&'a Tensor>,
    pub(super) state_bias: Option<&'a Tensor>,
    pub(super) projection: Option<&'a Tensor>,
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

    /// Whether a layer of them over these rows is one operator: it has no projection, and is all of one
    /// dtype that there is a kernel for.
    fn are_for_kernel(&self, rows: &Tensor, start: &State) -> bool {
        let others = [Some(&start.hidden), start.cell.as_ref(), self.row_bias, self.state_bias];
        let mut others = others.into_iter().flatten().chain([self.of_row, self.of_state]);
        self.projection.is_none()
            && recurrent_layer::has_kernel(rows.dtype())
            && others.all(|it| it.dtype() == rows.dtype())
    }

    /// Fails unless they are for rows and states of these sizes.
    fn check(&self, recurrence: Recurrence, features: i64, state: &State) -> Result<()> {
        let width = state.hidden.size_of(-1)?;
        let size = state.cell.as_ref().map_or(Ok(width), |it| it.size_of(-1))?;
        self.check_sizes(recurrence, features, width, size)
    }

    /// Fails unless they are for rows of so many features, hidden states of this width, and cells of
    /// this size.
    pub(super) fn check_sizes(
        &self,
        recurrence: Recurrence,
        features: i64,
        width: i64,
        size: i64,
    ) -> Result<()> {
        let gates = recurrence.gates().saturating_mul(size);
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
    if !weights.are_for_kernel(rows, start) {
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

/// The same in single operators.
fn layer_by_steps(
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

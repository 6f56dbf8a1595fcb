//! Recurrences: how a state follows from the one before and from a row of the sequence, and the gradients
//! of such a step, in single operators.

use opwright_runtime::{Error, Result, Scalar, Tensor, ensure, fail};

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

    pub(super) fn mode(self) -> i64 {
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
    pub(super) fn activated(
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
    pub(super) fn next(self, gates: &[Tensor], state: &State) -> Result<State> {
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
    pub(super) fn step(
        self,
        of_row: &Tensor,
        state: &State,
        weights: &Weights<'_>,
    ) -> Result<State> {
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
    pub(super) fn step_backward(
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
pub(super) fn no_cell() -> Error {
    Error::runtime("lstm expects two hidden states")
}

/// What goes from step to step, a row for each sequence.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) hidden: Tensor,
    pub(super) cell: Option<Tensor>,
}

impl State {
    /// Without a cell.
    pub(super) fn single(hidden: &Tensor) -> State {
        State { hidden: hidden.clone(), cell: None }
    }

    /// The two states of long short-term memory.
    ///
    /// # Errors
    ///
    /// If there are others.
    pub(super) fn pair(hx: &[&Tensor]) -> Result<State> {
        match *hx {
            [hidden, cell] => Ok(State { hidden: hidden.clone(), cell: Some(cell.clone()) }),
            _ => Err(no_cell()),
        }
    }

    pub(super) fn each(&self, f: impl Fn(&Tensor) -> Result<Tensor>) -> Result<State> {
        Ok(State { hidden: f(&self.hidden)?, cell: self.cell.as_ref().map(f).transpose()? })
    }

    pub(super) fn rows(&self) -> i64 {
        self.hidden.shape()[0]
    }

    /// The rows from `start` up to `end`.
    pub(super) fn part(&self, start: i64, end: i64) -> Result<State> {
        self.each(|it| it.narrow(0, start, end - start))
    }

    /// One below the other.
    pub(super) fn joined(parts: &[State]) -> Result<State> {
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
    pub(super) fn of(tensors: &'a [&'a Tensor], has_biases: bool) -> Result<Weights<'a>> {
        let (row_bias, state_bias, rest) = match *tensors {
            [_, _, row, state, ref rest @ ..] if has_biases => (Some(row), Some(state), rest),
            [_, _, ref rest @ ..] if !has_biases => (None, None, rest),
            _ => fail!(Runtime, "a layer has {} parameters, which are too few", tensors.len()),
        };
        let projection = rest.first().copied();
        Ok(Weights { of_row: tensors[0], of_state: tensors[1], row_bias, state_bias, projection })
    }

    /// Fails unless they are for rows and states of these sizes.
    pub(super) fn check(&self, recurrence: Recurrence, features: i64, state: &State) -> Result<()> {
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
pub(super) fn product(rows: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    ops::linear::Default_::call(rows, weight, bias)
}

/// The parts of a row, of which there are `N`.
fn gates<const N: usize>(rows: &Tensor) -> Result<[Tensor; N]> {
    let parts = ops::chunk::Default_::call(rows, N as i64, -1)?;
    parts.try_into().map_err(|_| Error::runtime("gates are missing"))
}

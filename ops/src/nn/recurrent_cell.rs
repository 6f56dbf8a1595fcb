//! Recurrent cells: one step of a sequence.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure};

use super::recurrence::Recurrence::{self, Gru, Lstm, Relu, Tanh};
use super::recurrence::{State, Weights, no_cell, product};

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
    let state = cell(Lstm, input, &State::pair(hx)?, (w_ih, w_hh), (b_ih, b_hh))?;
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
    Ok(cell(Gru, input, &State::single(hx), (w_ih, w_hh), (b_ih, b_hh))?.hidden)
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
    Ok(cell(Tanh, input, &State::single(hx), (w_ih, w_hh), (b_ih, b_hh))?.hidden)
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
    Ok(cell(Relu, input, &State::single(hx), (w_ih, w_hh), (b_ih, b_hh))?.hidden)
}

//! Loops over the gates of recurrent layers, and over their gradients.

use std::array;

use opwright_runtime::dtype::Float;
use opwright_runtime::multiversion;

use super::along_dim::total;

/// So many rows are multiplied side by side, so that no sum waits for the one before.
const SIDE_BY_SIDE: usize = 2;

multiversion! {
    /// The products of all rows with all rows of a weight, which stay in the first cache one by one.
    pub(super) fn few_products<const FMA: bool, T>(
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
            let (others, other_rest) = weight.as_chunks::<16>();
            for first in (0..count).step_by(SIDE_BY_SIDE) {
                // Behind the last row it is multiplied again.
                let row = |it: usize| &rows[(first + it).min(count - 1) * width..][..width];
                let beside: [_; SIDE_BY_SIDE] = array::from_fn(|it| row(it).as_chunks::<16>());
                let mut parts = [[T::ZERO; 16]; SIDE_BY_SIDE];
                for (block, other) in others.iter().enumerate() {
                    for (parts, (blocks, _)) in parts.iter_mut().zip(beside) {
                        for ((part, &a), &b) in parts.iter_mut().zip(&blocks[block]).zip(other) {
                            *part = if FMA { a.mul_add(b, *part) } else { a * b + *part };
                        }
                    }
                }
                for ((number, parts), (_, rest)) in (first..count).zip(&mut parts).zip(beside) {
                    for ((part, &a), &b) in parts.iter_mut().zip(rest).zip(other_rest) {
                        *part = a * b + *part;
                    }
                    products[number * gates + at] = total(parts, |it| it);
                }
            }
        }
    }
}

multiversion! {
    pub(super) fn add<T>(slots: &mut [T], values: &[T])
    where
        [T: Float]
    {
        slots.iter_mut().zip(values).for_each(|(slot, &it)| *slot = *slot + it);
    }

    pub(super) fn scale<T>(slots: &mut [T], factors: &[T])
    where
        [T: Float]
    {
        slots.iter_mut().zip(factors).for_each(|(slot, &it)| *slot = *slot * it);
    }

    pub(super) fn add_products<T>(slots: &mut [T], a: &[T], b: &[T])
    where
        [T: Float]
    {
        slots.iter_mut().zip(a).zip(b).for_each(|((slot, &a), &b)| *slot = *slot + a * b);
    }

    /// `new + weight * (slot - new)`
    pub(super) fn interpolate<T>(slots: &mut [T], new: &[T], weights: &[T])
    where
        [T: Float]
    {
        for ((slot, &new), &weight) in slots.iter_mut().zip(new).zip(weights) {
            *slot = new + weight * (*slot - new);
        }
    }

    /// `forget * cell + input * new`
    pub(super) fn lstm_cell<T>(gates: &[T], cell: &mut [T])
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
    pub(super) fn lstm_step_backward<T>(
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
    pub(super) fn gru_step_backward<T>(
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

    pub(super) fn activation_backward<T>(states: &[T], grad: &[T], of_rows: &mut [T], is_tanh: bool)
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

//! Factoring a symmetric or Hermitian matrix that need not be definite, as LAPACK does it: by the
//! diagonal pivoting of J. Bunch and L. Kaufman, "Some stable methods for calculating inertia and
//! solving symmetric linear systems", 1977.

use opwright_runtime::{Result, buffer, ensure, interrupt};

use crate::columns::ColumnMajor;
use crate::number::RealOrComplex;

/// The factors of `P @ L @ D @ L.mT @ P.mT`, or of that with `L.mH`: `L` has a diagonal of 1, and `D`
/// consists of blocks of one or two rows.
#[derive(Debug)]
pub struct Ldl<T> {
    /// Both in the lower triangle of one matrix.
    pub factors: ColumnMajor<T>,
    /// For each row the number, from 1, of that with which it was exchanged; for two rows of a block
    /// the negative number of that with which the second was.
    pub pivots: Vec<i32>,
    /// Whether the adjoint is meant, not the transposed matrix.
    pub is_hermitian: bool,
}

/// A block of `D`, and what was exchanged for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pivot {
    /// Of one row, exchanged with this one.
    One(usize),
    /// Of two rows, the second of which was exchanged with this one.
    Two(usize),
}

/// The least share that a diagonal element may have of the greatest beside it: `(1 + sqrt(17)) / 8`
/// bounds the growth of elements best.
const LEAST_SHARE: f64 = 0.640_388_203_202_208_4;

impl<T: RealOrComplex> Ldl<T> {
    /// Factors a matrix, of which the lower triangle counts.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn of(mut factors: ColumnMajor<T>, is_hermitian: bool) -> Result<Ldl<T>> {
        let size = factors.dim().0;
        for column in 1..size {
            factors.column_mut(column)[..column].fill(T::ZERO);
        }
        let mut ldl = Ldl { factors, pivots: buffer::filled(size, 0)?, is_hermitian };
        let mut at = 0;
        while at < size {
            interrupt::check();
            let pivot = ldl.pivot(at);
            ldl.exchange(at, pivot);
            match pivot {
                Pivot::One(row) => {
                    ldl.pivots[at] = row as i32 + 1;
                    ldl.eliminate_one(at);
                    at += 1;
                }
                Pivot::Two(row) => {
                    ldl.pivots[at..at + 2].fill(-(row as i32 + 1));
                    ldl.eliminate_two(at);
                    at += 2;
                }
            }
        }
        Ok(ldl)
    }

    /// From factors and exchanges that were found before.
    ///
    /// # Errors
    ///
    /// `Runtime` if the exchanges are none of this size.
    pub fn with(factors: ColumnMajor<T>, pivots: Vec<i32>, is_hermitian: bool) -> Result<Ldl<T>> {
        let ldl = Ldl { factors, pivots, is_hermitian };
        let mut at = 0;
        while at < ldl.pivots.len() {
            let (pivot, size) = (ldl.pivots[at], ldl.pivots.len());
            ensure!(
                pivot != 0 && pivot.unsigned_abs() as usize <= size,
                Runtime,
                "pivots must be from 1 to {size}, or negative ones for blocks of two rows, but one is \
                 {pivot}"
            );
            ensure!(
                pivot > 0 || ldl.pivots.get(at + 1).is_some_and(|it| *it < 0),
                Runtime,
                "a negative pivot must be followed by another one, of the same block, but {pivot} at \
                 {at} is not"
            );
            at += if pivot > 0 { 1 } else { 2 };
        }
        Ok(ldl)
    }

    /// The number, from 1, of the first block of one row that is zero, or 0.
    pub fn info(&self) -> i32 {
        let is_zero = |at: usize| self.pivots[at] > 0 && self.factors.at(at, at) == T::ZERO;
        let zero = (0..self.pivots.len()).find(|it| is_zero(*it));
        zero.map_or(0, |k| k as i32 + 1)
    }

    /// Overwrites the right sides with solutions.
    pub fn solve(&self, right: &mut ColumnMajor<T>) {
        for column in 0..right.dim().1 {
            self.solve_one(right.column_mut(column));
        }
    }

    /// The conjugate, if the matrix is Hermitian.
    fn adjoint(&self, number: T) -> T {
        if self.is_hermitian { number.conjugate() } else { number }
    }

    /// How large a number is, as LAPACK compares them.
    fn length(number: T) -> f64 {
        let (re, im) = number.parts();
        re.abs() + im.abs()
    }

    /// Which block comes next.
    fn pivot(&self, at: usize) -> Pivot {
        let size = self.pivots.len();
        let length = |row, column| Self::length(self.factors.at(row, column));
        let greatest =
            |found: (usize, f64), it: (usize, f64)| if it.1 > found.1 { it } else { found };
        let below = (at + 1..size).map(|row| (row, length(row, at)));
        let (row, below) = below.fold((at, 0.0), greatest);
        let own = length(at, at);
        if own >= LEAST_SHARE * below || own.is_nan() || row == at {
            return Pivot::One(at);
        }
        let before = (at..row).map(|column| length(row, column));
        let beside = before.chain((row + 1..size).map(|it| length(it, row))).fold(0.0, f64::max);
        if own >= LEAST_SHARE * below * (below / beside) {
            Pivot::One(at)
        } else if length(row, row) >= LEAST_SHARE * beside {
            Pivot::One(row)
        } else {
            Pivot::Two(row)
        }
    }

    /// Exchanges rows and columns of what is left.
    fn exchange(&mut self, at: usize, pivot: Pivot) {
        let size = self.pivots.len();
        let (own, other) = match pivot {
            Pivot::One(other) => (at, other),
            Pivot::Two(other) => (at + 1, other),
        };
        if own == other {
            return;
        }
        for row in other + 1..size {
            self.swap((row, own), (row, other));
        }
        for between in own + 1..other {
            self.swap((between, own), (other, between));
            self.conjugate((between, own));
            self.conjugate((other, between));
        }
        self.conjugate((other, own));
        self.swap((own, own), (other, other));
        if let Pivot::Two(_) = pivot {
            self.swap((own, at), (other, at));
        }
    }

    fn swap(&mut self, one: (usize, usize), other: (usize, usize)) {
        let size = self.pivots.len();
        let place = |(row, column): (usize, usize)| column * size + row;
        self.factors.elements_mut().swap(place(one), place(other));
    }

    fn conjugate(&mut self, (row, column): (usize, usize)) {
        let number = self.adjoint(self.factors.at(row, column));
        self.factors.column_mut(column)[row] = number;
    }

    /// What a Hermitian matrix has on its diagonal is real.
    fn real(&self, number: T) -> T {
        if self.is_hermitian { T::of_parts(number.parts().0, 0.0) } else { number }
    }

    /// Takes a block of one row out of what is below.
    fn eliminate_one(&mut self, at: usize) {
        let size = self.pivots.len();
        let own = self.real(self.factors.at(at, at));
        self.factors.column_mut(at)[at] = own;
        if own == T::ZERO {
            return;
        }
        for column in at + 1..size {
            let factor = self.adjoint(self.factors.at(column, at)).divided(own);
            for row in column..size {
                let left = self.factors.at(row, column) - self.factors.at(row, at) * factor;
                self.factors.column_mut(column)[row] = left;
            }
            let left = self.real(self.factors.at(column, column));
            self.factors.column_mut(column)[column] = left;
        }
        for number in &mut self.factors.column_mut(at)[at + 1..] {
            *number = number.divided(own);
        }
    }

    /// Takes a block of two rows out of what is below.
    fn eliminate_two(&mut self, at: usize) {
        let size = self.pivots.len();
        for own in [at, at + 1] {
            let number = self.real(self.factors.at(own, own));
            self.factors.column_mut(own)[own] = number;
        }
        for column in at + 2..size {
            let sides = (self.factors.at(column, at), self.factors.at(column, at + 1));
            // The row of `L`, `sides` times the inverse of the block.
            let sides = (self.adjoint(sides.0), self.adjoint(sides.1));
            let (first, second) = self.divided_by_block(at, sides);
            for row in column..size {
                let own = self.factors.at(row, at) * first;
                let other = self.factors.at(row, at + 1) * second;
                let left = self.factors.at(row, column) - own - other;
                self.factors.column_mut(column)[row] = left;
            }
            let left = self.real(self.factors.at(column, column));
            self.factors.column_mut(column)[column] = left;
            let (first, second) = (self.adjoint(first), self.adjoint(second));
            self.factors.column_mut(at)[column] = first;
            self.factors.column_mut(at + 1)[column] = second;
        }
    }

    /// The solution of a block's two equations.
    fn divided_by_block(&self, at: usize, right: (T, T)) -> (T, T) {
        let below = self.factors.at(at + 1, at);
        let above = self.adjoint(below);
        let first = self.factors.at(at, at).divided(above);
        let second = self.factors.at(at + 1, at + 1).divided(below);
        let whole = first * second - T::ONE;
        let right = (right.0.divided(above), right.1.divided(below));
        ((second * right.0 - right.1).divided(whole), (first * right.1 - right.0).divided(whole))
    }

    fn solve_one(&self, right: &mut [T]) {
        let size = self.pivots.len();
        let mut at = 0;
        while at < size {
            let other = self.pivots[at].unsigned_abs() as usize - 1;
            if self.pivots[at] > 0 {
                right.swap(at, other);
                for row in at + 1..size {
                    right[row] -= self.factors.at(row, at) * right[at];
                }
                right[at] = right[at].divided(self.factors.at(at, at));
                at += 1;
            } else {
                right.swap(at + 1, other);
                for row in at + 2..size {
                    let own = self.factors.at(row, at) * right[at];
                    right[row] = right[row] - own - self.factors.at(row, at + 1) * right[at + 1];
                }
                let solved = self.divided_by_block(at, (right[at], right[at + 1]));
                (right[at], right[at + 1]) = solved;
                at += 2;
            }
        }
        while at > 0 {
            let (last, is_one) = (at - 1, self.pivots[at - 1] > 0);
            let first = if is_one { last } else { last - 1 };
            for column in first..at {
                for row in at..size {
                    right[column] -= self.adjoint(self.factors.at(row, column)) * right[row];
                }
            }
            right.swap(last, self.pivots[last].unsigned_abs() as usize - 1);
            at = first;
        }
    }
}

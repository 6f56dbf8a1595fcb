//! Trial values for unknown extents.

use opwright_runtime::op::Value;
use opwright_runtime::types::TensorType;

use super::symbols::Symbols;
use crate::model::argument::NodeArgument;
use crate::model::variable::Variable;

/// Two numbers that hardly anything divides.
pub(super) const PRIMES: [i64; 2] = [61, 97];

/// So many calls say enough.
const ENOUGH: usize = 60;

/// So many are made where most fail.
const MOST: usize = 400;

/// So many of the numbers in a call are tried for what else could fit.
const FEW: usize = 6;

/// The numbers that occur in a call.
pub(super) struct Assignments {
    /// How many symbols there are.
    count: usize,
    /// Extents and integers that are known.
    known: Vec<i64>,
    /// For each symbol the extent beside it in another tensor, if it is known.
    partners: Vec<Option<i64>>,
    /// For each symbol whether it is an integer, which may be less than one.
    ints: Vec<bool>,
    /// For each symbol that is an extent the number of its dimension, from the right.
    dims: Vec<Option<usize>>,
}

impl Assignments {
    /// Those of a call.
    pub(super) fn of(
        symbols: &Symbols,
        inputs: &[Variable],
        arguments: &[NodeArgument],
    ) -> Assignments {
        let shapes: Vec<Option<&[Option<i64>]>> = inputs
            .iter()
            .map(|it| it.ty().downcast::<TensorType>().map(TensorType::shape))
            .collect();
        let extents = shapes.iter().flatten().flat_map(|it| it.iter().copied().flatten());
        let mut ints = Vec::new();
        arguments.iter().for_each(|it| integers(it, &mut ints));
        let mut known: Vec<i64> = extents.chain(ints).filter(|it| *it > 0).collect();
        known.sort_unstable();
        known.dedup();
        let partner = |input: usize, from_right: usize| {
            let others = shapes.iter().enumerate().filter(|(at, _)| *at != input);
            let mut beside = others.filter_map(|(_, shape)| {
                let shape = shape.as_ref()?;
                *shape.iter().rev().nth(from_right)?
            });
            beside.find(|it| *it != 1)
        };
        let partners = symbols
            .iter()
            .map(|it| it.from_right.and_then(|from_right| partner(it.input, from_right)))
            .collect();
        let ints = symbols.iter().map(|it| it.from_right.is_none()).collect();
        let dims = symbols.iter().map(|it| it.from_right).collect();
        Assignments { count: symbols.len(), known, partners, ints, dims }
    }

    /// Those that mostly fit, and say enough where they do.
    pub(super) fn likely(&self) -> Vec<Vec<i64>> {
        let mut found: Vec<Vec<i64>> = Vec::new();
        let product = self.known.iter().try_fold(1_i64, |a, b| a.checked_mul(*b));
        let alike = [1, 2].into_iter().chain(PRIMES).chain(self.known.iter().copied());
        let product = product.filter(|it| *it < 1 << 20);
        found.extend(alike.chain(product).map(|it| vec![it; self.count]));
        for others in PRIMES {
            for at in 0..self.count {
                let negative = [0, -1].into_iter().filter(|_| self.ints[at]);
                for one in self.known.iter().copied().chain([1]).chain(negative) {
                    let mut assigned = vec![others; self.count];
                    assigned[at] = one;
                    found.push(assigned);
                }
            }
            let beside = self.partners.iter().map(|it| it.unwrap_or(others));
            found.push(beside.collect());
        }
        // Those of partners last are the most specific: they must not be cut off.
        let mut kept: Vec<Vec<i64>> = Vec::new();
        for assigned in found.into_iter().rev() {
            if !kept.contains(&assigned) {
                kept.push(assigned);
            }
        }
        kept.reverse();
        if kept.len() > ENOUGH {
            let late = kept.split_off(kept.len() - ENOUGH / 2);
            kept.truncate(ENOUGH / 2);
            kept.extend(late);
        }
        kept
    }

    /// What fitted with no elements in one tensor after the other: some calls have other results
    /// then, and what fits only then says nothing of the rest.
    pub(super) fn empty(&self, fitting: &[Vec<i64>]) -> Vec<Vec<i64>> {
        let extents = || (0..self.count).filter(|at| !self.ints[*at]);
        let firsts = fitting.iter().take(2).flat_map(|first| {
            let all = extents().map(|at| (at, 0)).collect::<Vec<_>>();
            let each = extents().map(|at| changed(first, &[(at, 0)]));
            each.chain([changed(first, &all)])
        });
        firsts.collect()
    }

    /// All combinations of what occurs, as many as are reasonable.
    pub(super) fn all(&self) -> Vec<Vec<i64>> {
        let mut numbers: Vec<i64> = self.known.iter().copied().chain([1, 2, 3, 4, 61]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut found = vec![Vec::new()];
        for _ in 0..self.count {
            let longer = found.iter().flat_map(|it: &Vec<i64>| {
                numbers.iter().map(|number| it.iter().copied().chain([*number]).collect())
            });
            found = longer.take(MOST).collect();
        }
        found
    }

    /// Where a symbol had one value in all that fitted: the same numbers with others for it, for all of
    /// its dimension, and for it and a second one. What fits need not have been tried, as extents of
    /// several inputs depend on one another.
    pub(super) fn around(&self, fitting: &[Vec<i64>]) -> Vec<Vec<i64>> {
        let Some(first) = fitting.first() else { return Vec::new() };
        let is_stuck = |at: &usize| fitting.iter().all(|it| it[*at] == first[*at]);
        let stuck: Vec<usize> = (0..self.count).filter(is_stuck).collect();
        let each = stuck.iter().flat_map(|one| self.changes(&[*one], first));
        let mut found: Vec<Vec<i64>> = each.chain(self.by_dim(&stuck, first)).collect();
        found.extend(self.by_pair(&stuck, first));
        found.truncate(MOST);
        found
    }

    /// What several inputs have in common, such as how many images there are.
    fn by_dim(&self, stuck: &[usize], fitting: &[i64]) -> Vec<Vec<i64>> {
        let mut dims: Vec<usize> = stuck.iter().filter_map(|it| self.dims[*it]).collect();
        dims.sort_unstable();
        dims.dedup();
        let of = |dim| (0..self.count).filter(|it| self.dims[*it] == Some(dim)).collect();
        let groups = dims.into_iter().map(of).filter(|it: &Vec<usize>| it.len() > 2);
        groups.flat_map(|it| self.changes(&it, fitting)).collect()
    }

    /// Two that depend on each other; alike first, as of all pairs there may be too many.
    fn by_pair(&self, stuck: &[usize], fitting: &[i64]) -> Vec<Vec<i64>> {
        let both = |one: &usize| {
            let one = *one;
            (0..self.count).filter(move |other| *other != one).map(move |other| (one, other))
        };
        let pairs: Vec<(usize, usize)> = stuck.iter().flat_map(both).collect();
        let is_new = |(one, other): &&(usize, usize)| one < other || !stuck.contains(other);
        let alike = pairs.iter().filter(is_new);
        let mut found: Vec<Vec<i64>> =
            alike.flat_map(|(one, other)| self.changes(&[*one, *other], fitting)).collect();
        for (one, other) in pairs {
            for number in self.near(one, fitting) {
                let second = self.near(other, fitting).into_iter().filter(|it| *it != number);
                found.extend(second.map(|it| changed(fitting, &[(one, number), (other, it)])));
            }
        }
        found
    }

    /// What fitted with another number for all of these.
    fn changes(&self, symbols: &[usize], fitting: &[i64]) -> Vec<Vec<i64>> {
        let number = |it: i64| symbols.iter().map(|at| (*at, it)).collect::<Vec<_>>();
        let numbers = self.near(symbols[0], fitting).into_iter();
        numbers.map(|it| changed(fitting, &number(it))).collect()
    }

    /// What to try for a symbol in place of the number that fitted.
    fn near(&self, at: usize, fitting: &[i64]) -> Vec<i64> {
        let least = if self.ints[at] { -1 } else { 0 };
        let multiples = fitting.iter().flat_map(|it| [2 * it, 3 * it]);
        let known = self.known.iter().copied().take(FEW);
        let mut numbers: Vec<i64> =
            (least..=3).chain([PRIMES[0]]).chain(multiples.take(FEW)).chain(known).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// An assignment with other numbers for some symbols.
fn changed(assigned: &[i64], others: &[(usize, i64)]) -> Vec<i64> {
    let mut changed = assigned.to_vec();
    others.iter().for_each(|(at, number)| changed[*at] = *number);
    changed
}

/// The integers in an argument.
fn integers(argument: &NodeArgument, found: &mut Vec<i64>) {
    fn of_value(value: &Value, found: &mut Vec<i64>) {
        match value {
            Value::Int(it) => found.push(*it),
            Value::List(items) => items.iter().for_each(|it| of_value(it, found)),
            _ => {}
        }
    }
    match argument {
        NodeArgument::Input(_) => {}
        NodeArgument::Value(value) => of_value(value, found),
        NodeArgument::List(items) => items.iter().for_each(|it| integers(it, found)),
    }
}

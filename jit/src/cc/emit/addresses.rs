//! The addresses that a text names by number: what lies where differs between processes, and the text
//! is compiled once for all of them.

use std::collections::BTreeSet;

use crate::callbacks;

/// A function of this library that every text may call, in the order of the first rows.
#[derive(Clone, Copy)]
pub(super) enum Callback {
    Fail,
    FailDepth,
    FailNative,
    Trace,
    Poll,
    Retain,
    Release,
    FromHalf,
    ToHalf,
    RoundToHalf,
}

/// The rows of the table that a text is entered with.
pub(super) struct Addresses {
    rows: Vec<u64>,
    callbacks: usize,
    /// The functions of real numbers that loops call by name, as rows of the table of these, and
    /// whether they are of 32 bits.
    pub(super) vectors: BTreeSet<(u16, bool)>,
}

impl Addresses {
    pub(super) fn new() -> Addresses {
        let rows: Vec<u64> = [
            callbacks::fail as *const (),
            callbacks::fail_depth as *const (),
            callbacks::fail_native as *const (),
            callbacks::trace as *const (),
            callbacks::poll as *const (),
            callbacks::retain as *const (),
            callbacks::release as *const (),
            callbacks::from_half as *const (),
            callbacks::to_half as *const (),
            callbacks::round_to_half as *const (),
        ]
        .map(|it| it.expose_provenance() as u64)
        .into();
        Addresses { callbacks: rows.len(), rows, vectors: BTreeSet::new() }
    }

    /// The row of an address, which is appended if there is none yet.
    pub(super) fn row(&mut self, address: u64) -> usize {
        let known = self.rows[self.callbacks..].iter().position(|it| *it == address);
        known.map_or_else(
            || {
                self.rows.push(address);
                self.rows.len() - 1
            },
            |at| at + self.callbacks,
        )
    }

    pub(super) fn into_rows(self) -> Vec<u64> {
        self.rows
    }
}

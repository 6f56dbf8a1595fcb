//! Constants of a function, each once.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::hash::WordHasher;
use crate::ir::{Def, Function, Value, ValueData};
use crate::types::Prim;

/// The constants of a function by bits and kind.
pub(super) struct Constants(HashMap<(u64, Prim), Value, BuildHasherDefault<WordHasher>>);

impl Constants {
    pub(super) fn new(function: &Function) -> Constants {
        let mut known = HashMap::default();
        for (at, data) in (0..).zip(&function.values) {
            if let Def::Const(bits) = data.def {
                known.entry((bits, data.prim)).or_insert(Value(at));
            }
        }
        Constants(known)
    }

    /// The constant of these bits.
    pub(super) fn get(&mut self, function: &mut Function, bits: u64, prim: Prim) -> Value {
        *self.0.entry((bits, prim)).or_insert_with(|| {
            function.values.push(ValueData { prim, def: Def::Const(bits) });
            Value(function.values.len() as u32 - 1)
        })
    }
}

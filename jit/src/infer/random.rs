//! Draws of random numbers: what the host's library writes distributions with.

use super::bind::Args;
use super::state::Infer;
use super::value::Typed;
use crate::error::{Error, Result};
use crate::ir::{Convert, Opcode};
use crate::types::{Prim, Ty};
use crate::{random, random_bits};

impl Infer<'_> {
    /// A draw: `unit` from 0 to before 1, `normal`, `below` a bound; or a `seed` for all that follow.
    pub(super) fn draw(&mut self, what: &str, args: Args) -> Result<Typed> {
        match (what, args.positional.as_slice()) {
            ("unit", []) => {
                let bits = self.external("draw_bits", random::bits, &[], &[Prim::Int])[0];
                let eleven = self.builder.int(11);
                let upper = self.builder.emit(Opcode::Shr, &[bits, eleven], Prim::Int);
                let whole =
                    self.builder.emit(Opcode::Convert(Convert::ToF64(true)), &[upper], Prim::F64);
                let unit = self.float(random_bits::UNIT).word();
                Ok(self.word_op(Opcode::FMul, &[whole, unit], Ty::float64()))
            }
            ("normal", []) => {
                let words = self.external("draw_normal", random::normal, &[], &[Prim::F64]);
                Ok(Typed::new(Ty::float64(), words))
            }
            ("below" | "seed", [value]) => {
                let word = self.convert(value, Ty::int64())?.word();
                let words = match what {
                    "below" => self.external("draw_below", random::below, &[word], &[Prim::Int]),
                    _ => self.external("draw_seed", random::seed, &[word], &[Prim::Int]),
                };
                Ok(Typed::new(Ty::int64(), words))
            }
            _ => Err(Error::typing(format!("there is no draw {what} of so many numbers"))),
        }
    }
}

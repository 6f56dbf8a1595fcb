//! Functions of real numbers: one call for one number, for several, or for the vectors that a compiler
//! makes of a loop.
//!
//! A loop whose rounds do not need each other calls functions by names of the text, which GCC knows to
//! be there for vectors, too: `_ZGVeN8v_m3` is `m3` of eight numbers in a register of 64 bytes, as the
//! [vector function ABI] names it. All of them call the functions of blocks of numbers.
//!
//! [vector function ABI]: https://sourceware.org/glibc/wiki/libmvec

use super::function::FunctionPrinter;
use super::number::float_prim;
use crate::ir::{Inst, MathF32, MathF64, MathFn, Opcode};
use crate::types::Prim;

impl FunctionPrinter<'_> {
    /// A row of the table of functions, which every back end calls.
    pub(super) fn math(&mut self, function: MathFn, inst: &Inst) {
        let prim = float_prim(self.function.prim(inst.results[0]));
        let args: Vec<String> =
            inst.args.iter().take(function.arity()).map(|it| self.as_type(*it, prim)).collect();
        let function = if self.is_parallel && function.row().blocks.is_some() {
            self.addresses.vectors.insert((function.0, prim == Prim::F32));
            name(function, prim == Prim::F32)
        } else {
            let (address, ty) = alone(function, prim == Prim::F32);
            self.address(address, ty)
        };
        self.define(inst, &format!("{function}({})", args.join(", ")), prim);
    }

    /// One call for several numbers.
    pub(super) fn calls_at_once(&mut self, calls: &[u32]) {
        let function = self.function;
        let insts = || calls.iter().map(|it| &function.insts[*it as usize]);
        let Some(Inst { op: Opcode::Math(math), results, .. }) = insts().next() else { return };
        let prim = float_prim(function.prim(results[0]));
        let Some((address, ty)) = several(*math, prim == Prim::F32) else { return };
        let number = if prim == Prim::F32 { "float" } else { "double" };
        let called = self.address(address, ty);
        self.line("{");
        for (name, at) in ["x", "y"].iter().zip(0..math.arity()) {
            let operands: Vec<String> = insts().map(|it| self.as_type(it.args[at], prim)).collect();
            self.line(format_args!("{number} {name}[] = {{ {} }};", operands.join(", ")));
        }
        let others = if math.arity() == 2 { "y" } else { "x" };
        self.line(format_args!("{called}(x, {others}, {});", calls.len()));
        for (at, inst) in insts().enumerate() {
            self.define(inst, &format!("x[{at}]"), prim);
        }
        self.line("}");
    }
}

/// The address of a function of one call, and its type in the text.
fn alone(function: MathFn, is_narrow: bool) -> (u64, &'static str) {
    let row = function.row();
    let (address, ty) = match (is_narrow, row.f64, row.f32) {
        (true, _, MathF32::One(it)) => (it as *const (), "one_float_fn"),
        (true, _, MathF32::Two(it)) => (it as *const (), "two_float_fn"),
        (false, MathF64::One(it), _) => (it as *const (), "one_double_fn"),
        (false, MathF64::Two(it), _) => (it as *const (), "two_double_fn"),
    };
    (address.expose_provenance() as u64, ty)
}

/// The address of a function of several numbers, and its type in the text.
fn several(function: MathFn, is_narrow: bool) -> Option<(u64, &'static str)> {
    let blocks = function.row().blocks?;
    let (address, ty) = match is_narrow {
        true => (blocks.f32 as *const (), "floats_fn"),
        false => (blocks.f64 as *const (), "doubles_fn"),
    };
    Some((address.expose_provenance() as u64, ty))
}

fn name(function: MathFn, is_narrow: bool) -> String {
    format!("m{}{}", function.0, if is_narrow { "f" } else { "" })
}

/// The functions that loops call by name: what stands before all others, and what the entry does.
pub(super) fn vectors(addresses: &mut super::addresses::Addresses) -> (String, String) {
    let (mut text, mut stores) = (String::new(), String::new());
    for (row, is_narrow) in addresses.vectors.clone() {
        let function = MathFn(row);
        let name = name(function, is_narrow);
        let Some((blocks, _)) = several(function, is_narrow) else { continue };
        let rows = [alone(function, is_narrow).0, blocks].map(|it| addresses.row(it));
        let kind = if is_narrow { "FLOAT" } else { "DOUBLE" };
        let count = if function.arity() == 2 { "TWO" } else { "ONE" };
        text += &format!("{count}_{kind}({name})\n");
        stores += &format!("    KNOW({name}, t[{}], t[{}]);\n", rows[0], rows[1]);
    }
    (text, stores)
}

//! Arithmetic, comparisons, functions of real numbers.

use super::function::FunctionPrinter;
use crate::ir::{Cond, Inst, Opcode, Value};
use crate::types::Prim;

impl FunctionPrinter<'_> {
    /// An instruction over numbers that cannot fail.
    pub(super) fn number(&mut self, op: Opcode, inst: &Inst) -> Result<(), String> {
        match op {
            Opcode::And => self.bits("&", inst),
            Opcode::Or => self.bits("|", inst),
            Opcode::Xor => self.bits("^", inst),
            Opcode::Select => self.select(inst),
            Opcode::FAdd => self.float_pair("+", inst),
            Opcode::FSub => self.float_pair("-", inst),
            Opcode::FMul => self.float_pair("*", inst),
            Opcode::FDiv => self.float_pair("/", inst),
            Opcode::FMulAdd => self.multiply_add(inst),
            Opcode::FCmp(cond) => self.float_comparison(cond, inst),
            Opcode::FNeg => self.float("-", inst),
            Opcode::FAbs => self.float("__builtin_fabs", inst),
            Opcode::FSqrt => self.float("__builtin_sqrt", inst),
            Opcode::FFloor => self.float("__builtin_floor", inst),
            Opcode::FCeil => self.float("__builtin_ceil", inst),
            Opcode::FTrunc => self.float("__builtin_trunc", inst),
            Opcode::FRint => self.float("__builtin_rint", inst),
            Opcode::Cmp(cond, is_signed) => self.comparison(cond, is_signed, inst),
            Opcode::Offset => self.offset(inst),
            _ => return self.int_pair(op, inst),
        }
        Ok(())
    }

    fn int_pair(&mut self, op: Opcode, inst: &Inst) -> Result<(), String> {
        let [a, b] = [0, 1].map(|at| self.as_type(inst.args[at], Prim::Int));
        let known = self.function.constant(inst.args[1]).map(u64::cast_signed);
        // Dividing by a power of two is shifting, which rounds toward minus infinity.
        let power = known.filter(|it| *it > 0 && it.count_ones() == 1);
        let text = match (op, power) {
            (Opcode::Add, _) => format!("{a} + {b}"),
            (Opcode::Sub, _) => format!("{a} - {b}"),
            (Opcode::Mul, _) => format!("{a} * {b}"),
            (Opcode::Shl, _) => format!("{a} << ({b} & 63)"),
            (Opcode::Sar, _) => format!("{a} >> ({b} & 63)"),
            (Opcode::Shr, _) => format!("(u64){a} >> ({b} & 63)"),
            (Opcode::Div(false), _) => format!("(u64){a} / (u64){b}"),
            (Opcode::Rem(false), _) => format!("(u64){a} % (u64){b}"),
            (Opcode::Div(true), _) => format!("int_div({a}, {b})"),
            (Opcode::Rem(true), _) => format!("int_rem({a}, {b})"),
            (Opcode::FloorDiv, Some(it)) => format!("{a} >> {}", it.trailing_zeros()),
            (Opcode::FloorMod, Some(it)) => format!("{a} & {}", it - 1),
            (Opcode::FloorDiv, None) => format!("floor_div({a}, {b})"),
            (Opcode::FloorMod, None) => format!("floor_mod({a}, {b})"),
            (Opcode::Pow, _) => format!("int_pow({a}, {b})"),
            (Opcode::Gcd, _) => format!("int_gcd({a}, {b})"),
            (other, _) => return Err(format!("no C for {other:?}")),
        };
        self.define(inst, &format!("({text})"), Prim::Int);
        Ok(())
    }

    /// An address so many bytes further.
    fn offset(&mut self, inst: &Inst) {
        let address = self.as_type(inst.args[0], Prim::Ptr);
        let bytes = self.as_type(inst.args[1], Prim::Int);
        self.define(inst, &format!("({address} + {bytes})"), Prim::Ptr);
    }

    fn bits(&mut self, operator: &str, inst: &Inst) {
        let is_bool = inst.args.iter().all(|it| self.function.prim(*it) == Prim::Bool);
        let prim = if is_bool { Prim::Bool } else { Prim::Int };
        let [a, b] = [0, 1].map(|at| self.as_type(inst.args[at], prim));
        self.define(inst, &format!("({a} {operator} {b})"), prim);
    }

    fn comparison(&mut self, cond: Cond, is_signed: bool, inst: &Inst) {
        let [a, b] = [0, 1].map(|at| self.as_type(inst.args[at], Prim::Int));
        let ty = if is_signed { "" } else { "(u64)" };
        self.define(inst, &format!("({ty}{a} {} {ty}{b})", operator(cond)), Prim::Bool);
    }

    fn float_comparison(&mut self, cond: Cond, inst: &Inst) {
        let prim = float_prim(self.function.prim(inst.args[0]));
        let [a, b] = [0, 1].map(|at| self.as_type(inst.args[at], prim));
        self.define(inst, &format!("({a} {} {b})", operator(cond)), Prim::Bool);
    }

    fn select(&mut self, inst: &Inst) {
        let prim = self.function.prim(inst.results[0]);
        let test = self.truth(inst.args[0]);
        let [a, b] = [1, 2].map(|at| self.as_type(inst.args[at], prim));
        let text = if prim == Prim::Int && self.is_unpredictable(inst) {
            format!("({b} ^ (({a} ^ {b}) & -(u64)({test} != 0)))")
        } else {
            format!("({test} ? {a} : {b})")
        };
        self.define(inst, &text, prim);
    }

    /// Whether a selection is neither the lesser nor the greater of two numbers nor one of constants:
    /// of others, compilers make branches.
    fn is_unpredictable(&self, inst: &Inst) -> bool {
        let function = self.function;
        let is_known = |it: &Value| function.constant(*it).is_some();
        let is_extremum = function
            .def(inst.args[0])
            .is_some_and(|test| inst.args[1..].iter().all(|it| test.args.contains(it)));
        !is_extremum && !inst.args[1..].iter().any(is_known)
    }

    fn float_pair(&mut self, operator: &str, inst: &Inst) {
        let prim = float_prim(self.function.prim(inst.results[0]));
        let [a, b] = [0, 1].map(|at| self.as_type(inst.args[at], prim));
        self.define(inst, &format!("({a} {operator} {b})"), prim);
    }

    /// A function of the language, whose name for `float` ends in a letter.
    fn float(&mut self, function: &str, inst: &Inst) {
        let prim = float_prim(self.function.prim(inst.results[0]));
        let a = self.as_type(inst.args[0], prim);
        let narrow = if prim == Prim::F32 && function != "-" { "f" } else { "" };
        self.define(inst, &format!("{function}{narrow}({a})"), prim);
    }

    fn multiply_add(&mut self, inst: &Inst) {
        let prim = float_prim(self.function.prim(inst.results[0]));
        let [a, b, c] = [0, 1, 2].map(|at| self.as_type(inst.args[at], prim));
        let narrow = if prim == Prim::F32 { "f" } else { "" };
        self.define(inst, &format!("__builtin_fma{narrow}({a}, {b}, {c})"), prim);
    }
}

/// Numbers of 64 bits, unless they are of 32: as the machine reads an operation.
pub(super) fn float_prim(prim: Prim) -> Prim {
    if prim == Prim::F32 { Prim::F32 } else { Prim::F64 }
}

fn operator(cond: Cond) -> &'static str {
    match cond {
        Cond::Eq => "==",
        Cond::Ne => "!=",
        Cond::Lt => "<",
        Cond::Le => "<=",
        Cond::Gt => ">",
        Cond::Ge => ">=",
    }
}

//! Forward-mode differentiation by dual numbers.
//!
//! The derivative of a function of numbers is a function that takes a tangent beside each parameter
//! that is active, and gives one for each real number of its result. Values that depend on no active
//! parameter have no tangent, so what does not matter costs nothing and brings no `0 * inf`. Blocks,
//! loops and calls stay as they are: a parameter of a block that is active is followed by its
//! tangent. Rules of instructions are in [`rules`].

mod activity;
mod rules;

use std::sync::Arc;

use self::activity::is_real;
use super::dominators::Dominators;
use crate::ir::{
    Block, Builder, FuncId, Function, Inst, Opcode, PlaceId, RuntimeCall, Terminator, Value,
    ValueList,
};
use crate::types::{Prim, Ty};

/// Why a function has no derivative by dual numbers, and where.
#[derive(Debug)]
pub(crate) struct Undifferentiable {
    pub(crate) reason: &'static str,
    pub(crate) place: PlaceId,
}

/// The derivative of another function, as a function of the same program, for parameters that are
/// active.
pub(crate) type DerivativeCallee<'a, E> = dyn FnMut(FuncId, Vec<bool>) -> Result<FuncId, E> + 'a;

/// The derivative of a function that the passes have simplified: `active` has a word for each of its
/// parameters.
///
/// # Errors
///
/// What has no derivative, and what `callee` raises.
pub(crate) fn differentiate<E: From<Undifferentiable>>(
    function: &Function,
    active: &[bool],
    callee: &mut DerivativeCallee<'_, E>,
) -> Result<Function, E> {
    let is_active = activity::of(function, active);
    let mut params = function.params.clone();
    for (param, _) in function.block(Block(0)).params.iter().zip(active).filter(|(_, it)| **it) {
        params.push(real(function.prim(*param)));
    }
    let name = Arc::from(format!("derivative of {}", function.name));
    let (builder, words) = Builder::new(name, params, function.place);
    let mut dual = Dual {
        function,
        is_active,
        builder,
        values: vec![None; function.values.len()],
        tangents: vec![None; function.values.len()],
    };
    dual.begin(&words);
    for block in Dominators::new(function).preorder() {
        dual.block(*block, callee)?;
    }
    Ok(dual.builder.function)
}

/// The type of a tangent.
pub(crate) fn real(prim: Prim) -> Ty {
    if prim == Prim::F32 { Ty::float32() } else { Ty::float64() }
}

/// The type of what a derivative returns: the result, and a tangent for each real number in it.
pub(crate) fn result_type(result: Ty) -> Ty {
    let tangents = result.prims().into_iter().filter(|it| is_real(*it)).map(real);
    Ty::tuple(std::iter::once(result).chain(tangents).collect::<Vec<_>>())
}

/// A derivative that is written.
struct Dual<'a> {
    function: &'a Function,
    /// Which values have tangents.
    is_active: Vec<bool>,
    builder: Builder,
    /// What stands for each value.
    values: Vec<Option<Value>>,
    tangents: Vec<Option<Value>>,
}

impl Dual<'_> {
    /// Makes all blocks, so that they have their numbers, and what they are passed.
    fn begin(&mut self, words: &[Value]) {
        let function = self.function;
        self.builder.function.sites.clone_from(&function.sites);
        self.builder.function.result = result_type(function.result);
        self.define(&function.block(Block(0)).params, words);
        for data in &function.blocks[1..] {
            let mut prims: Vec<Prim> = data.params.iter().map(|it| function.prim(*it)).collect();
            let active = data.params.iter().filter(|it| self.is_active[it.0 as usize]);
            prims.extend(active.map(|it| function.prim(*it)));
            let (_, words) = self.builder.add_block(prims);
            self.define(&data.params, &words);
        }
    }

    /// What stands for values, and then the tangents of those that have some.
    fn define(&mut self, values: &[Value], words: &[Value]) {
        let (own, mut tangents) = (words.iter(), words[values.len()..].iter());
        for (value, word) in values.iter().zip(own) {
            self.values[value.0 as usize] = Some(*word);
            if self.is_active[value.0 as usize] {
                self.tangents[value.0 as usize] = tangents.next().copied();
            }
        }
    }

    fn value(&mut self, value: Value) -> Value {
        let known = self.values[value.0 as usize];
        known.unwrap_or_else(|| {
            let bits = self.function.constant(value).unwrap_or_default();
            self.builder.constant(bits, self.function.prim(value))
        })
    }

    fn all(&mut self, values: &[Value]) -> ValueList {
        values.iter().map(|it| self.value(*it)).collect()
    }

    fn tangent(&self, value: Value) -> Option<Value> {
        self.tangents[value.0 as usize]
    }

    /// The tangent of a value, zero if it has none.
    fn tangent_or_zero(&mut self, value: Value) -> Value {
        match self.tangent(value) {
            Some(tangent) => tangent,
            None => self.builder.constant(0, self.function.prim(value)),
        }
    }

    fn block<E: From<Undifferentiable>>(
        &mut self,
        block: Block,
        callee: &mut DerivativeCallee<'_, E>,
    ) -> Result<(), E> {
        let function = self.function;
        let data = function.block(block);
        self.builder.enter(block);
        for inst in data.insts.iter().map(|it| &function.insts[*it as usize]) {
            self.builder.place = inst.place;
            self.inst(inst, callee)?;
        }
        let term = self.term(&data.term);
        self.builder.end(term);
        Ok(())
    }

    fn inst<E: From<Undifferentiable>>(
        &mut self,
        inst: &Inst,
        callee: &mut DerivativeCallee<'_, E>,
    ) -> Result<(), E> {
        self.check(inst)?;
        let args = self.all(&inst.args);
        let is_active = inst.args.iter().any(|it| self.is_active[it.0 as usize]);
        if let Opcode::Call(RuntimeCall::Function(id), site) = inst.op
            && is_active
        {
            let active: Vec<bool> =
                inst.args.iter().map(|it| self.is_active[it.0 as usize]).collect();
            let tangents = inst.args.iter().filter_map(|it| self.tangent(*it));
            let args: ValueList = args.iter().copied().chain(tangents).collect();
            let mut prims: Vec<Prim> =
                inst.results.iter().map(|it| self.function.prim(*it)).collect();
            prims.extend(prims.clone().into_iter().filter(|it| is_real(*it)));
            let op = Opcode::Call(RuntimeCall::Function(callee(id, active)?), site);
            let words = self.builder.push(op, &args, prims);
            self.define(&inst.results, &words);
            return Ok(());
        }
        let prims: Vec<Prim> = inst.results.iter().map(|it| self.function.prim(*it)).collect();
        let results = self.builder.push(inst.op, &args, prims);
        for (value, word) in inst.results.iter().zip(&results) {
            self.values[value.0 as usize] = Some(*word);
        }
        if let [result] = inst.results[..]
            && self.is_active[result.0 as usize]
        {
            let tangents: Vec<Option<Value>> =
                inst.args.iter().map(|it| self.tangent(*it)).collect();
            let mut rule = rules::DerivativeRule::new(&mut self.builder, results[0]);
            self.tangents[result.0 as usize] = Some(rule.tangent(inst.op, &args, &tangents));
        }
        Ok(())
    }

    /// Whether an instruction keeps the tangents of what it reads.
    fn check(&self, inst: &Inst) -> Result<(), Undifferentiable> {
        let is_active = inst.args.iter().any(|it| self.is_active[it.0 as usize]);
        let reason = match inst.op {
            Opcode::Store(_) if is_active => "it writes numbers into an array",
            Opcode::Call(RuntimeCall::External(_), _) => "it makes an array, or calls an operator",
            Opcode::Convert(crate::ir::Convert::Bits)
                if inst.results.iter().any(|it| is_real(self.function.prim(*it))) =>
            {
                "it makes a number of the bits of another"
            }
            _ => return Ok(()),
        };
        Err(Undifferentiable { reason, place: inst.place })
    }

    fn term(&mut self, term: &Terminator) -> Terminator {
        match term {
            Terminator::Open => Terminator::Open,
            Terminator::Jump(target) => Terminator::Jump(self.target(target)),
            Terminator::Branch(test, first, second) => {
                let test = self.value(*test);
                Terminator::Branch(test, self.target(first), self.target(second))
            }
            Terminator::Raise(site, values) => Terminator::Raise(*site, self.all(values)),
            Terminator::Return(values) => {
                let mut words = self.all(values);
                for value in values {
                    if is_real(self.function.prim(*value)) {
                        let tangent = self.tangent_or_zero(*value);
                        words.push(tangent);
                    }
                }
                Terminator::Return(words)
            }
        }
    }

    fn target(&mut self, (block, args): &(Block, ValueList)) -> (Block, ValueList) {
        let mut words = self.all(args);
        let params = &self.function.block(*block).params;
        for (param, arg) in params.iter().zip(args) {
            if self.is_active[param.0 as usize] {
                let tangent = self.tangent_or_zero(*arg);
                words.push(tangent);
            }
        }
        (*block, words)
    }
}

#[cfg(test)]
mod tests;

//! Derivatives of functions of numbers, where they are called.

use super::bind::Args;
use super::state::Infer;
use super::value::Typed;
use crate::error::{Error, Result};
use crate::ir::{FuncId, Opcode, RuntimeCall, Trap, Value};
use crate::passes::dual::{self, Undifferentiable, result_type};
use crate::types::{Obj, Prim, Ty, TyKind};

impl Infer<'_> {
    /// The derivative of a function of the host with respect to an argument, at arguments.
    pub(super) fn call_derivative(&mut self, of: Obj, at: usize, args: &Args) -> Result<Typed> {
        let name = self.host.describe(of);
        if let Some((keyword, _)) = args.keywords.first() {
            return Err(Error::typing(format!("the derivative of {name} takes no {keyword}=")));
        }
        let types: Vec<Ty> = args.positional.iter().map(|it| it.ty).collect();
        let is_real_number =
            |ty: Option<&Ty>| ty.is_some_and(|it| matches!(**it, TyKind::Float(_)));
        if !is_real_number(types.get(at)) {
            let ty = types.get(at).map_or_else(|| "nothing".to_owned(), ToString::to_string);
            return Err(undifferentiable(
                &name,
                &format!("argument {at} is {ty}, not a real number"),
            ));
        }
        let place = self.builder.place;
        let (id, result) = self.instance(of, &types)?;
        self.builder.place = place;
        let Some(result) = result.filter(|it| is_real_number(Some(it))) else {
            let ty = result.map_or_else(|| "itself".to_owned(), |it| it.to_string());
            return Err(undifferentiable(&name, &format!("it returns {ty}, not a real number")));
        };
        let active: Vec<bool> = (0..)
            .zip(&types)
            .flat_map(|(number, ty)| std::iter::repeat_n(number == at, ty.width()))
            .collect();
        let dual = self.derivative_of(id, active, &name)?;
        let seed = self.one_of(types[at].prims()[0]);
        let words = args.positional.iter().flat_map(|it| it.words.iter().copied());
        let words: Vec<Value> = words.chain([seed]).collect();
        let site = self.builder.site(Trap::Call);
        let call = Opcode::Call(RuntimeCall::Function(dual), site);
        let results = self.builder.push(call, &words, result_type(result).prims());
        Ok(Typed::one(result, results[result.width()]))
    }

    fn one_of(&mut self, prim: Prim) -> Value {
        let bits = if prim == Prim::F32 { u64::from(1_f32.to_bits()) } else { 1_f64.to_bits() };
        self.builder.constant(bits, prim)
    }

    /// The derivative of a function of the program, for these words of its parameters.
    fn derivative_of(&mut self, id: FuncId, active: Vec<bool>, name: &str) -> Result<FuncId> {
        let key = (id, active);
        if let Some(known) = self.derivatives.get(&key) {
            return Ok(*known);
        }
        let Some(mut function) = self.done[id.0 as usize].clone() else {
            return Err(undifferentiable(name, "it calls itself"));
        };
        let derivative = FuncId(u32::try_from(self.done.len()).unwrap_or(u32::MAX));
        self.done.push(None);
        self.derivatives.insert(key.clone(), derivative);
        crate::passes::run(&mut function);
        let mut callee = |id, active| Ok(self.derivative_of(id, active, name)?);
        let made = dual::differentiate::<NoDerivative>(&function, &key.1, &mut callee);
        self.done[derivative.0 as usize] = Some(made.map_err(|it| match it {
            NoDerivative::Here(here) => {
                let place = self.program.place_text(here.place);
                undifferentiable(name, &format!("{} at {place}", here.reason))
            }
            NoDerivative::Callee(error) => error,
        })?);
        Ok(derivative)
    }
}

/// Why there is no derivative: in a function, or in one that it calls.
enum NoDerivative {
    Here(Undifferentiable),
    Callee(Error),
}

impl From<Undifferentiable> for NoDerivative {
    fn from(here: Undifferentiable) -> NoDerivative {
        NoDerivative::Here(here)
    }
}

impl From<Error> for NoDerivative {
    fn from(error: Error) -> NoDerivative {
        NoDerivative::Callee(error)
    }
}

fn undifferentiable(name: &str, reason: &str) -> Error {
    Error::typing(format!(
        "{name} is not differentiated: {reason}; register a gradient with derivative(), or pass a \
         detach()"
    ))
}

//! Functions of arrays that the host plans: an operator of the module, or a function with a source.

use super::bind::Args;
use super::state::Infer;
use super::value::Typed;
use crate::error::{Error, Result};
use crate::host::{ArrayPlan, Frozen, OperatorOperand};
use crate::ir::ValueList;
use crate::operator::OperatorCall;
use crate::types::{Prim, TyKind};

impl Infer<'_> {
    /// Functions of arrays that are known by name.
    pub(super) fn array_builtin(&mut self, name: &str, args: Args) -> Result<Typed> {
        if let Some(made) = self.making(name, args.clone())? {
            return Ok(made);
        }
        let short = super::bind::short(name);
        if let ("real" | "imag", [array]) = (short, args.positional.as_slice()) {
            let array = self.made(array)?;
            return self.attribute(&array, short);
        }
        let is_ours = name.starts_with("opwright.");
        let by_element =
            super::number_function::is_number_function(name) && args.keywords.is_empty();
        if by_element && (!is_ours || self.is_real_alike(&args.positional)) {
            return self.array_function(name, &args.positional);
        }
        let mut given = Vec::with_capacity(args.positional.len());
        for value in &args.positional {
            given.push(self.made(value)?);
        }
        let args = Args { positional: given, keywords: args.keywords };
        let short = match short {
            // Ours exchanges two dimensions.
            "transpose" | "swapdims" if is_ours => "swapaxes",
            "permute" if is_ours => "transpose",
            "clone" if is_ours => "copy",
            other => other,
        };
        match (short, args.positional.as_slice()) {
            ("shape" | "ndim" | "size", [array]) => self.attribute(&array.clone(), short),
            ("ravel" | "copy" | "transpose" | "reshape" | "swapaxes", [array, rest @ ..]) => {
                let rest = Args { positional: rest.to_vec(), keywords: args.keywords.clone() };
                self.array_method(&array.clone(), short, rest)
            }
            _ => self.planned(name, args),
        }
    }

    /// Whether all arrays among operands have one real dtype, and the others are real numbers: then
    /// ours promote as numpy's do.
    fn is_real_alike(&self, operands: &[Typed]) -> bool {
        let mut dtypes = operands.iter().filter_map(|it| match *it.ty {
            TyKind::Lazy(id) => Some(self.lazy[id as usize].dtype),
            _ => it.ty.as_array().map(|it| it.dtype),
        });
        let Some(first) = dtypes.next().filter(|it| it.is_float()) else { return false };
        dtypes.all(|it| it == first) && !operands.iter().any(|it| it.ty.is_complex())
    }

    /// A function of arrays that the host knows by name: an operator, or one with a source.
    pub(super) fn planned(&mut self, name: &str, args: Args) -> Result<Typed> {
        let mut operands = Vec::new();
        let mut words = ValueList::new();
        let positional = args.positional.iter().map(|it| (None, it));
        let named = args.keywords.iter().map(|(name, it)| (Some(name.clone()), it));
        for (name, value) in positional.chain(named) {
            let known = self.known_value(value);
            operands.push(OperatorOperand { name, ty: value.ty, word: words.len(), known });
            words.extend(value.words.iter().copied());
        }
        match self.host.plan(name, &operands)? {
            Some(ArrayPlan::Operator(call)) => {
                let writes_only = call.results.is_empty();
                let made = self.operator_call(call, &words)?;
                // What writes to its first argument gives it back.
                return Ok(match args.positional.into_iter().next() {
                    Some(first) if writes_only => first,
                    _ => made,
                });
            }
            Some(ArrayPlan::Function(object, numbers)) => {
                let all: Vec<&Typed> =
                    args.positional.iter().chain(args.keywords.iter().map(|(_, it)| it)).collect();
                let passed = numbers.iter().filter_map(|it| all.get(*it)).map(|it| (*it).clone());
                return self.call_function(object, Args::of(passed.collect()));
            }
            None => {}
        }
        let types: Vec<String> = args.positional.iter().map(|it| it.ty.to_string()).collect();
        Err(Error::typing(format!("no function {name} of ({})", types.join(", "))))
    }

    /// What a value is, if that is known while typing.
    fn known_value(&self, value: &Typed) -> Option<Frozen> {
        let bits = |at: usize| self.builder.function.constant(value.words[at]);
        match &*value.ty {
            TyKind::None => Some(Frozen::None),
            TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) => {
                Some(Frozen::Number(value.ty, [bits(0)?, 0]))
            }
            TyKind::Tuple(_) => {
                let items: Option<Vec<Frozen>> =
                    value.items()?.iter().map(|it| self.known_value(it)).collect();
                items.map(Frozen::Tuple)
            }
            TyKind::DType(_) | TyKind::Text(_) | TyKind::Function(_) => {
                Some(Frozen::Fact(value.ty))
            }
            _ => None,
        }
    }

    fn operator_call(&mut self, call: OperatorCall, words: &ValueList) -> Result<Typed> {
        let types = call.results.clone();
        let call = Box::new(call);
        let address = std::ptr::from_ref(&*call).expose_provenance() as u64;
        self.program.operators.push(call);
        let address = self.builder.constant(address, Prim::Ptr);
        let count = self.builder.int(i64::try_from(words.len()).unwrap_or(i64::MAX));
        let args: ValueList = [address, count].into_iter().chain(words.iter().copied()).collect();
        let prims: Vec<Prim> = types.iter().flat_map(|it| it.prims()).collect();
        let made = self.external("operator", crate::operator::call_operator, &args, &prims);
        let mut results = Vec::with_capacity(types.len());
        let mut at = 0;
        for ty in &types {
            let result = Typed::new(*ty, made[at..at + ty.width()].into());
            self.keep_for_statement(&result);
            results.push(result);
            at += ty.width();
        }
        match results.as_slice() {
            [one] => Ok(one.clone()),
            many => Ok(Typed::tuple(many)),
        }
    }
}

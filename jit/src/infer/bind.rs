//! Arguments of a call, bound to the parameters of what is called.

use std::sync::Arc;

use super::state::Infer;
use super::value::Typed;
use crate::ast::{Ast, CallExpr, FunctionDef, ParamKind};
use crate::error::{Error, Result};

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Args {
    pub(crate) positional: Vec<Typed>,
    pub(crate) keywords: Vec<(Arc<str>, Typed)>,
}

impl Args {
    /// Arguments without names.
    pub(crate) fn of(positional: Vec<Typed>) -> Args {
        Args { positional, keywords: Vec::new() }
    }

    /// The arguments with the extents that may be passed one by one, or as `size`, as one shape.
    pub(crate) fn with_size(mut self) -> Args {
        if self.positional.len() > 1 {
            self.positional = vec![Typed::tuple(&self.positional)];
        }
        for (name, _) in &mut self.keywords {
            if **name == *"size" {
                *name = Arc::from("shape");
            }
        }
        self
    }

    /// The arguments as these names, where those in `optional` may be missing.
    pub(crate) fn named<const N: usize>(
        mut self,
        callee: &str,
        names: [&str; N],
        required: usize,
    ) -> Result<[Option<Typed>; N]> {
        if self.positional.len() > N {
            return Err(Error::typing(format!(
                "{callee}() takes {N} positional arguments but {} were given",
                self.positional.len()
            )));
        }
        let mut given = self.positional.drain(..).collect::<Vec<_>>().into_iter();
        let mut found = [const { None }; N];
        for (slot, name) in found.iter_mut().zip(names) {
            *slot = given.next();
            if let Some(at) = self.keywords.iter().position(|(it, _)| **it == *name) {
                let (name, value) = self.keywords.remove(at);
                if slot.replace(value).is_some() {
                    return Err(twice(callee, &name));
                }
            }
        }
        if let Some((name, _)) = self.keywords.first() {
            return Err(unexpected(callee, name));
        }
        if let Some(at) = found[..required].iter().position(Option::is_none) {
            return Err(missing(callee, names[at]));
        }
        Ok(found)
    }
}

fn twice(callee: &str, name: &str) -> Error {
    Error::typing(format!("{callee}() got multiple values for argument '{name}'"))
}

fn unexpected(callee: &str, name: &str) -> Error {
    Error::typing(format!("{callee}() got an unexpected keyword argument '{name}'"))
}

fn missing(callee: &str, name: &str) -> Error {
    Error::typing(format!("{callee}() missing a required argument: '{name}'"))
}

impl Infer<'_> {
    /// The arguments of a call as they stand.
    pub(super) fn args(&mut self, ast: &Ast, call: &CallExpr) -> Result<Args> {
        let mut args = Args::default();
        for (item, is_rest) in &call.positional {
            let value = self.operand(ast, *item)?;
            if !is_rest {
                args.positional.push(value);
                continue;
            }
            match value.items() {
                Some(items) => args.positional.extend(items),
                None => return Err(Error::typing(format!("* takes tuples, not {}", value.ty))),
            }
        }
        for (name, item) in &call.keywords {
            args.keywords.push((name.clone(), self.expr(ast, *item)?));
        }
        Ok(args)
    }

    /// One value for each parameter.
    pub(super) fn bind(
        &mut self,
        callee: &str,
        function: &FunctionDef,
        args: Args,
        default: &mut dyn FnMut(&mut Self, &str) -> Result<Option<Typed>>,
    ) -> Result<Vec<Typed>> {
        let mut positional = args.positional.into_iter();
        let mut keywords = args.keywords;
        let mut values = Vec::with_capacity(function.params.len());
        for param in &function.params {
            let given = match param.kind {
                ParamKind::Positional | ParamKind::Either => positional.next(),
                ParamKind::Keyword => None,
                ParamKind::Rest => Some(Typed::tuple(&positional.by_ref().collect::<Vec<_>>())),
            };
            let by_name = match param.kind {
                ParamKind::Positional | ParamKind::Rest => None,
                ParamKind::Either | ParamKind::Keyword => {
                    keywords.iter().position(|(name, _)| *name == param.name)
                }
            };
            let value = match (given, by_name) {
                (Some(_), Some(_)) => return Err(twice(callee, &param.name)),
                (Some(value), None) => Some(value),
                (None, Some(at)) => Some(keywords.remove(at).1),
                (None, None) => default(self, &param.name)?,
            };
            values.push(value.ok_or_else(|| missing(callee, &param.name))?);
        }
        let left = positional.count();
        if left > 0 {
            let takes = function.params.len();
            return Err(Error::typing(format!(
                "{callee}() takes {takes} positional arguments but {} were given",
                takes + left
            )));
        }
        match keywords.first() {
            Some((name, _)) => Err(unexpected(callee, name)),
            None => Ok(values),
        }
    }
}

/// The last part of a dotted name.
pub(super) fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

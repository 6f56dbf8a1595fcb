//! Gradients that functions of the crate give, by the names of their parameters.

use quote::quote;

use super::scope::Current;
use super::translate::Translator;
use super::value::FormulaValue;
use crate::codes;

impl Translator<'_, '_> {
    /// The call of a function that an annotation names, with the values that its parameters are
    /// called like.
    pub(super) fn gradient_function(
        &mut self,
        key: &str,
        current: &mut Current,
    ) -> Option<FormulaValue> {
        let function = self.callables.function(key)?;
        let (mut passed, name) = (Vec::new(), &function.name);
        for ((param, place), ty) in function.names.iter().zip(&function.helper.params) {
            let Some(value) = self.scope.name(param, current) else {
                let message = format!("`{name}` takes `{param}`, which its operator does not have");
                let known = self.scope.names();
                self.cx
                    .error(codes::GRADIENT, place, message)
                    .suggest(param, known.iter().map(String::as_str))
                    .help(format_args!("there are `{}`", known.join("`, `")));
                continue;
            };
            match value.pass(ty) {
                Some((tokens, _)) => passed.push(tokens),
                None => {
                    let message =
                        format!("`{param}` is of type `{}` where `{name}` takes `{ty}`", value.ty);
                    self.cx
                        .error(codes::GRADIENT, place, message)
                        .help("give the parameter the type that the operator has");
                }
            }
        }
        if passed.len() < function.names.len() {
            return None;
        }
        let path = function.helper.tokens();
        Some(FormulaValue::owned(
            function.helper.returns.clone(),
            quote!(rt::ok(#path(#(#passed),*))),
        ))
    }
}

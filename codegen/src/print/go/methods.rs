//! Prints operators as methods of tensors.

use std::fmt::Write;

use super::doc;
use super::functions::{parameters_without, results, returns};
use super::model::{GoFunction, PassingMode};

/// The file's text behind its first line.
pub(super) fn print(functions: &[GoFunction<'_>]) -> String {
    let mut out = String::new();
    for function in functions {
        let Some(receiver) = function.receiver() else { continue };
        let own = &receiver.name;
        let _ = write!(
            out,
            "\n{}func ({own} Tensor) {}({}){} {{\n\t{}{}({})\n}}\n",
            doc::method(function),
            function.name,
            parameters_without(function, own),
            results(function),
            if returns(function) { "return " } else { "" },
            function.name,
            arguments(function).join(", "),
        );
    }
    out
}

/// What a forward passes on.
pub(super) fn arguments(function: &GoFunction<'_>) -> Vec<String> {
    let own = function.parameters().map(|it| match it.place {
        PassingMode::Variadic => format!("{}...", it.name),
        PassingMode::Own | PassingMode::Field => it.name.clone(),
    });
    own.chain(function.options().map(|_| "opts...".to_owned())).collect()
}

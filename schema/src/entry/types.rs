//! The key `types`: of what types the results of variables are.

use opwright_diagnostics::diag::Diagnostics;
use opwright_formula::types::{TypeRule, parse};

use crate::codes;
use crate::keys::Field;
use crate::model::{Schema, Spanned};

/// Reads a pattern.
pub(super) fn read(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Option<Spanned<String>> {
    let text = field.string(cx)?;
    match parse(&text.value) {
        Ok(_) => Some(text),
        Err(wrong) => {
            let message = format!("the pattern is wrong: {wrong}");
            let error = cx.error(codes::WRONG_VALUE, &text.span, message);
            error.help("write it like `[T; *s] -> [i64; ?, $rank(self)]`");
            None
        }
    }
}

/// What a pattern says of parameters and results that the schema does not have.
pub(super) fn check(cx: &mut Diagnostics, types: &Spanned<String>, schema: &Schema) {
    let Ok(patterns) = parse(&types.value) else { return };
    for name in patterns.iter().flat_map(TypeRule::params) {
        if !schema.params.iter().any(|it| it.name.value == name) {
            let message = format!("there is no parameter `{name}`");
            cx.error(codes::WRONG_VALUE, &types.span, message);
        }
    }
    if patterns.iter().any(|it| it.results.len() != schema.returns.len()) {
        let (said, count) = (patterns[0].results.len(), schema.returns.len());
        let message = format!("the pattern says {said} results, and the schema {count}");
        cx.error(codes::WRONG_VALUE, &types.span, message);
    }
}

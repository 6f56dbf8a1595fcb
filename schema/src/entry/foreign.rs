//! The key `c`: what a function in C is called, if there is one.

use crate::codes;
use crate::diag::Diagnostics;
use crate::keys::{Field, Keys};
use crate::model::Foreign;
use crate::parse::is_identifier;
use crate::yaml::Value;

/// Every key below `c`.
pub const KEYS: [&str; 2] = ["name", "skip"];

/// Reads `skip` or a mapping.
pub(super) fn read(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Foreign {
    let mut foreign = Foreign::default();
    if let Value::Scalar { .. } = &field.node.value {
        foreign.skip = field.choice(cx, &[("skip", true)]).unwrap_or_default();
        return foreign;
    }
    let Some(mut keys) = Keys::open(cx, field.node, "`skip` or a `name`") else {
        return foreign;
    };
    if let Some(name) = keys.take("name") {
        foreign.name = name.string(cx);
        if let Some(wrong) = foreign.name.take_if(|it| !is_identifier(&it.value)) {
            let message = format!("`{}` is not a name in C", wrong.value);
            cx.error(codes::NAME, &wrong.span, message)
                .help("a name consists of letters, digits and `_`");
        }
    }
    if let Some(skip) = keys.take("skip") {
        foreign.skip = skip.bool(cx).unwrap_or_default();
    }
    keys.finish(cx, &KEYS);
    foreign
}

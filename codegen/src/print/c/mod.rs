//! Prints the library for C: a header, and the functions that it declares.
//!
//! Both come from one model of a C function, [`model::CFunction`]: those of operators from their
//! schemas, those of a crate's types from schemas that [`structs`] makes of the types, the fixed ones
//! from the prototypes in [`fixed`].

pub mod calls;
pub mod fixed;
pub mod functions;
pub mod header;
pub mod model;
pub mod structs;
pub mod types;

use std::collections::BTreeSet;

use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_schema::codes;
use opwright_schema::model::OpSet;

/// What the names of the reference library begin with.
pub const REFERENCE: &str = "ow";

/// What no library for C with this prefix can have: two functions or types of one name.
pub fn check(cx: &mut Diagnostics, prefix: &str, ops: &OpSet) {
    opwright_schema::c_names(cx, &ops.overloads);
    let fixed = fixed::prototypes().into_iter().map(|it| format!("{prefix}_{}", it.name));
    let mut taken: BTreeSet<String> = fixed.collect();
    let functions = model::functions(prefix, ops);
    for function in &functions {
        if !taken.contains(&function.name) {
            continue;
        }
        let schema = &function.overload.schema;
        let message = format!(
            "`{}` is `{}` in C, as a function of every library",
            schema.name, function.name
        );
        cx.error(codes::SAME_C_NAME, &schema.name_span, message)
            .help("say another base name in the entry: `c: {name: ...}`");
    }
    taken.extend(functions.into_iter().map(|it| it.name));
    taken.extend(types::FIXED.iter().map(|it| format!("{prefix}_{it}")));
    for (native, name) in structs::names(prefix, &ops.natives) {
        if taken.contains(&name) {
            let message =
                format!("`{name}` in C belongs to the type `{native}`, and is something else, too");
            cx.push(Diagnostic::global(codes::SAME_C_NAME, message)).help(
                "call the type or the operator otherwise, or leave the operator out: `c: skip`",
            );
        }
        taken.insert(name);
    }
}

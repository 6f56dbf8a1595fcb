//! Prints the library for C: a header, and the functions that it declares.
//!
//! Both come from one model of a C function, [`model::Function`]: those of operators from their
//! schemas, the fixed ones from the prototypes in [`fixed`].

pub mod calls;
pub mod fixed;
pub mod functions;
pub mod header;
pub mod model;
pub mod types;

use opwright_schema::diag::Diagnostics;
use opwright_schema::model::OpSet;

use opwright_schema::codes;

/// What the names of the reference library begin with.
pub const REFERENCE: &str = "ow";

/// What no library for C with this prefix can have: two functions of one name.
pub fn check(cx: &mut Diagnostics, prefix: &str, ops: &OpSet) {
    opwright_schema::c_names(cx, &ops.overloads);
    let fixed: Vec<_> =
        fixed::prototypes().iter().map(|it| format!("{prefix}_{}", it.name)).collect();
    for function in model::functions(prefix, ops) {
        if !fixed.contains(&function.name) {
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
}

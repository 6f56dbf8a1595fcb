//! Prints the functions of operators.
//!
//! ```text
//! func TopK(t Tensor, k int64, opts ...TopKOpts) (values, indices Tensor) {
//!     o := only(opts, "topk")
//!     var r0 *C.ow_tensor
//!     var r1 *C.ow_tensor
//!     err := C.ow_topk(t.c("topk", "self"), C.int64_t(k), C.int64_t(or(o.Dim, -1)), ..., &r0, &r1)
//!     t.T.done()
//!     must(err)
//!     return adopt(r0), adopt(r1)
//! }
//! ```

use std::collections::BTreeSet;
use std::fmt::Write;

use super::model::{GoFunction, PassingMode};
use super::package::Package;
use super::{call, doc};

/// The file's text behind its first line.
pub(super) fn print(package: &Package<'_>, functions: &[GoFunction<'_>]) -> String {
    let mut bodies = String::new();
    for function in functions {
        let _ = write!(
            bodies,
            "\n{}{} {{\n{}}}\n",
            doc::function(function),
            signature(function),
            call::print(package.prefix, function),
        );
    }
    let mut out = String::from("\n/*\n");
    let callees = functions.iter().flat_map(|it| [Some(&it.c), it.many.as_ref()]).flatten();
    // Results stay on the stack, and Go need not expect calls back.
    for callee in callees.map(|it| &it.name).collect::<BTreeSet<_>>() {
        let _ = writeln!(out, "#cgo noescape {callee}\n#cgo nocallback {callee}");
    }
    let _ = writeln!(out, "#include <{}>\n*/\nimport \"C\"", package.header);
    out += &imports(&bodies);
    out + &bodies
}

/// What such bodies need of other packages.
pub(super) fn imports(bodies: &str) -> String {
    let needed =
        [("cmp", "cmp.Or("), ("math", "math."), ("runtime", "runtime."), ("unsafe", "unsafe.")];
    let used = needed.iter().filter(|(_, name)| bodies.contains(name));
    let lines: String = used.map(|(path, _)| format!("\t{path:?}\n")).collect();
    if lines.is_empty() { lines } else { format!("\nimport (\n{lines})\n") }
}

/// Everything in front of the body.
pub(super) fn signature(function: &GoFunction<'_>) -> String {
    format!("func {}({}){}", function.name, parameters(function, None), results(function))
}

/// The parameters. In another package, which calls this one so, the options are left out.
pub(super) fn parameters(function: &GoFunction<'_>, other: Option<&str>) -> String {
    list(function, None, other)
}

/// The parameters but for one.
pub(super) fn parameters_without(function: &GoFunction<'_>, receiver: &str) -> String {
    list(function, Some(receiver), None)
}

fn list(function: &GoFunction<'_>, without: Option<&str>, other: Option<&str>) -> String {
    let mut parts: Vec<(String, String)> = Vec::new();
    for input in function.parameters().filter(|it| Some(it.name.as_str()) != without) {
        let ty = match (input.place, other) {
            (PassingMode::Variadic, _) => format!("...{}", input.ty.element()),
            (_, Some(package)) => input.ty.from(package),
            (_, None) => input.ty.to_string(),
        };
        parts.push((input.name.clone(), ty));
    }
    if let Some(options) = function.options().filter(|_| other.is_none()) {
        parts.push(("opts".to_owned(), format!("...{options}")));
    }
    grouped(&parts)
}

/// `values, indices Tensor`.
pub(super) fn grouped(parts: &[(String, String)]) -> String {
    let mut out = Vec::new();
    for (at, (name, ty)) in parts.iter().enumerate() {
        let same = parts.get(at + 1).is_some_and(|(_, next)| next == ty);
        out.push(if same { name.clone() } else { format!("{name} {ty}") });
    }
    out.join(", ")
}

/// What stands between the parameters and the body.
pub(super) fn results(function: &GoFunction<'_>) -> String {
    results_from(function, None)
}

/// The same in another package.
pub(super) fn results_from(function: &GoFunction<'_>, package: Option<&str>) -> String {
    let of = |ty: &super::value::GoType| package.map_or_else(|| ty.to_string(), |it| ty.from(it));
    match (&function.outputs[..], function.written()) {
        ([], Some(written)) => format!(" {}", of(&written.ty)),
        ([], None) => String::new(),
        ([only], _) => format!(" {}", of(&only.ty)),
        (several, _) => {
            let parts: Vec<_> = several.iter().map(|it| (it.name.clone(), of(&it.ty))).collect();
            format!(" ({})", grouped(&parts))
        }
    }
}

/// Whether it returns anything.
pub(super) fn returns(function: &GoFunction<'_>) -> bool {
    !results(function).is_empty()
}

//! Names that no operator may have, because every module or every tensor has
//! something else of that name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::dtypes;
use opwright_schema::model::{OpSet, Origin, PythonModule};

use crate::codes;
use crate::signature::{Home, OverloadCall, PythonFunction};

/// What has which name: `("tensor", "function")`.
type ReservedNames = BTreeMap<&'static str, &'static str>;

/// Reports functions and methods that would hide something else.
pub(crate) fn check(cx: &mut Diagnostics, ops: &OpSet, functions: &[PythonFunction]) {
    for function in functions {
        let names = std::iter::once(&function.name).chain(&function.aliases);
        match &function.home {
            Home::Module(PythonModule::Root) => {
                report(cx, ops, function, names, "module", &RESERVED.0);
            }
            Home::Method => report(cx, ops, function, names, "tensor", &RESERVED.1),
            Home::Module(PythonModule::Sub(_)) => {}
        }
        report(cx, ops, function, function.operators.iter(), "tensor", &RESERVED.1);
    }
}

fn report<'a>(
    cx: &mut Diagnostics,
    ops: &OpSet,
    function: &PythonFunction,
    names: impl Iterator<Item = &'a String>,
    owner: &str,
    reserved: &ReservedNames,
) {
    for name in names {
        if let Some(kind) = reserved.get(name.as_str()) {
            let article = if kind.starts_with(['a', 'i']) { "an" } else { "a" };
            taken(cx, ops, function, name, &format!("every {owner} has {article} {kind}"));
        }
    }
}

fn taken(cx: &mut Diagnostics, ops: &OpSet, function: &PythonFunction, name: &str, why: &str) {
    let calls = function.signatures.iter().flat_map(|it| it.base.iter().chain(&it.out));
    // Those behind the crate's own are taken in from elsewhere.
    let own = calls
        .filter_map(|it: &OverloadCall| ops.overloads.get(it.overload))
        .min_by_key(|it| it.line);
    let Some(overload) = own else { return };
    let message = format_args!("no operator may be called `{name}`");
    let error = cx.error(codes::RESERVED, &overload.schema.name_span, message);
    error
        .note(format_args!("{why} of this name, which nobody could reach any more"))
        .help("call it something else");
    if matches!(overload.origin, Origin::Yaml { .. }) {
        error.help("`python: {name: ...}` in its entry gives it another name in Python alone");
    }
}

/// Those of modules, and those of tensors.
static RESERVED: LazyLock<(ReservedNames, ReservedNames)> =
    LazyLock::new(|| read(include_str!("reserved.txt")));

fn read(text: &'static str) -> (ReservedNames, ReservedNames) {
    let (module, tensor) = text.split_once("[tensor]").unwrap_or((text, ""));
    let mut module = section(module);
    module.extend(dtypes::names_in_python().map(|it| (it, "dtype")));
    module.extend(dtypes::TENSOR_TYPES.iter().map(|it| (it.as_str(), "class")));
    module.extend(STORAGES.iter().map(|it| (it.as_str(), "class")));
    (module, section(tensor))
}

/// The classes of storages of each dtype.
static STORAGES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let classes = |title| [format!("{title}Storage"), format!("_{title}StorageBase")];
    dtypes::ROWS.iter().flat_map(|it| classes(it.title)).collect()
});

/// Lines such as `function: tensor as_tensor`.
fn section(text: &'static str) -> ReservedNames {
    let lines = text.lines().filter(|it| !it.starts_with('#'));
    let lines = lines.filter_map(|it| it.split_once(": "));
    lines.flat_map(|(kind, names)| names.split(' ').map(move |it| (it, kind))).collect()
}

#[cfg(test)]
mod tests {
    use super::RESERVED;

    #[test]
    fn the_table_has_both_sections() {
        let (module, tensor) = &*RESERVED;
        assert_eq!(module.get("float32"), Some(&"dtype"));
        assert_eq!(tensor.get("shape"), Some(&"attribute"));
        assert!(module.get("shape").is_none() && tensor.get("float32").is_none());
    }
}

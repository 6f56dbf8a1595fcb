//! Prints the package for Go over a library for C.
//!
//! ```text
//! opwright/functions_gen.go         a function for each operator
//! opwright/methods_gen.go           those that are methods, as methods of Tensor
//! opwright/options_gen.go           structures of what calls may leave out
//! opwright/constants_gen.go         dtypes, layouts, devices, formats, reductions, kinds of errors
//! opwright/structs_gen.go           the types of the crate, if it has any
//! opwright/examples_gen_test.go     what documentations show in Go
//! opwright/library_gen.c            functions of the library, which is looked for when a program starts
//! opwright/opwright.h               the header of the library
//! opwright/linalg/linalg_gen.go     functions of a submodule under their short names
//! opwright/nn/functional/functional_gen.go
//! ```
//!
//! What is printed calls what people wrote beside it: handles, errors, scalars. They wrote it over the
//! reference library; packages over other libraries have copies with its names, `handle_gen.go`.
//! Everything is printed from the model of C functions,
//! [`c::model::CFunction`](crate::print::c::model::CFunction).

mod call;
mod constants;
mod doc;
mod examples;
mod functions;
mod loaded;
mod methods;
mod model;
mod options;
mod package;
mod packages;
mod structs;
mod value;
pub mod written;

use std::collections::{BTreeMap, BTreeSet};

use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_schema::model::OpSet;

use self::package::HEADER;
pub use self::package::{
    File, MODULE_FILE, Package, is_printed, module_of, module_problem, name_problem,
};
use crate::codes;

/// All files that are printed from the operators.
pub fn print(package: &Package<'_>, ops: &OpSet) -> Vec<File> {
    let functions = model::functions(package.prefix, ops);
    let file = |name: &str, text: String| File {
        path: format!("{}/{name}_gen.go", package.name),
        text: format!("{HEADER}\npackage {}\n{text}", package.name),
    };
    let mut files = vec![
        file("functions", functions::print(package, &functions)),
        file("methods", methods::print(&functions)),
        file("options", options::print(&functions)),
    ];
    files.extend(structs::print(package, &ops.natives).map(|text| file("structs", text)));
    files.extend(examples::print(package, &functions));
    files.extend(packages::print(package, &functions));
    files
}

/// The constants, which are the same for all operators.
pub fn constants(package: &Package<'_>) -> File {
    File {
        path: format!("{}/constants_gen.go", package.name),
        text: format!("{HEADER}\npackage {}\n{}", package.name, constants::print(package)),
    }
}

/// The library as the package knows it: its header, and functions in C that call it once it is found.
pub fn library(package: &Package<'_>, ops: &OpSet) -> [File; 2] {
    loaded::print(package, ops)
}

/// All printed files, and copies of those that people wrote: a package that lacks nothing.
pub fn complete(package: &Package<'_>, ops: &OpSet) -> Vec<File> {
    let mut files = print(package, ops);
    files.push(constants(package));
    files.extend(library(package, ops));
    files.extend(written::copies(package, ops));
    files
}

/// What no package can have: two functions of one name, or a name with a meaning of its own.
pub fn check(cx: &mut Diagnostics, name: &str, ops: &OpSet) {
    if let Some(problem) = name_problem(name) {
        cx.push(Diagnostic::global(codes::C_LIBRARY, problem))
            .help("give the library for C another name");
    }
    opwright_schema::go_names(cx, &ops.overloads, &ops.groups);
    let functions = model::functions("", ops);
    let options = functions.iter().filter_map(model::GoFunction::options);
    let written = written::names().map(str::to_owned);
    let mut taken: BTreeSet<String> =
        functions.iter().map(|it| it.name.clone()).chain(options).chain(written).collect();
    for (native, name) in structs::names(&ops.natives) {
        if taken.contains(&name) {
            let message = format!(
                "`{name}` in Go belongs to the type `{native}`, and is something else, too"
            );
            cx.push(Diagnostic::global(opwright_schema::codes::SAME_GO_NAME, message)).help(
                "call the type or the operator otherwise, or leave the operator out: `go: skip`",
            );
        }
        taken.insert(name);
    }
}

/// The names of all printed functions, in order.
pub fn names(ops: &OpSet) -> Vec<String> {
    model::functions("", ops).into_iter().map(|it| it.name).collect()
}

/// How each overload's function is declared, by the overload's index, for reading:
/// `func MM(t, mat2 Tensor) Tensor`.
pub fn signatures(ops: &OpSet) -> BTreeMap<usize, String> {
    let functions = model::functions("", ops);
    functions.iter().map(|it| (it.index, functions::signature(it))).collect()
}

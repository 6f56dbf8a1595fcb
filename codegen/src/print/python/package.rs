//! The stubs of a module that stands alone: one native file that is a package
//! for the checker, as the reference module is.
//!
//! ```text
//! __init__.pyi           what the package `opwright` has in Python
//! _C/__init__.pyi        what is native
//! _C/_graph.pyi          graphs, as far as they are native
//! autograd/...           modes, passes, functions with gradients of their own
//! typed.pyi              classes of one dtype each
//! graph/..., types.pyi   graphs of calls, types of values, ...: the sources themselves
//! interop/...            the operators in other frameworks
//! linalg.pyi             functions of a submodule by the names that people know
//! return_types.pyi       classes of named results
//! ops.pyi                the operators as objects
//! my_ops.pyi             the native file, where maturin puts it: the same again
//! ```

use std::collections::BTreeSet;

use opwright_schema::dtypes;
use opwright_schema::model::{OpSet, PythonModule};

use crate::file;
use crate::module::Module;
use crate::overload::Overload;
use crate::print;
use crate::print::python::slots;
use crate::print::python::stub::{self, Package, Published, Stub};
use crate::print::rust::rows::Rows;
use crate::signature::{Home, PythonFunction};

/// What every native module has beside its operators.
pub fn module_members() -> String {
    let dtypes: String = dtypes::names_in_python().map(|it| format!("{it}: dtype\n")).collect();
    let types: String =
        dtypes::TENSOR_TYPES.iter().map(|it| format!("{it}: tensortype\n")).collect();
    let text = include_str!("package/module.pyi").replace("# The dtypes stand here.\n", &dtypes);
    text.replace("# The types of tensors stand here.\n", &types) + OPCHECK
}

/// What every tensor class has beside its operators.
pub const TENSOR_MEMBERS: &str = include_str!("package/tensor.pyi");

/// The stub of the module `ops`.
pub const OPS: &str = include_str!("package/ops.pyi");

/// The native half of graphs.
const GRAPH: &str = include_str!("package/graph.pyi");

/// How `module.pyi` mentions the operators.
const OPS_IMPORT: &str = "from opwright import ops as ops\n";

/// What else a module has with it: what checks operators.
const OPCHECK: &str = include_str!("package/opcheck.pyi");

const INIT: &str = include_str!("package/init.pyi");

/// The stubs of the packages `autograd` and `interop`.
const PACKAGES: [(&str, &str); 8] = [
    ("autograd/__init__", include_str!("package/autograd/init.pyi")),
    ("autograd/anomaly_mode", include_str!("package/autograd/anomaly_mode.pyi")),
    ("autograd/function", include_str!("package/autograd/function.pyi")),
    ("autograd/grad_mode", include_str!("package/autograd/grad_mode.pyi")),
    ("autograd/graph", include_str!("package/autograd/graph.pyi")),
    ("interop/__init__", include_str!("package/interop/init.pyi")),
    ("interop/jax", include_str!("package/interop/jax.pyi")),
    ("interop/torch", include_str!("package/interop/torch.pyi")),
];

macro_rules! sources {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!(env!("OPWRIGHT_PYTHON_SOURCES"), "/", $name, ".py")))),*]
    };
}

/// Modules that are written in Python, with all that a checker wants to know.
const WRITTEN: &[(&str, &str)] = sources![
    "_c_values" "_html" "_jit/__init__" "_jit/errors" "_jit/typeof" "_progress" "_types/__init__"
    "_types/abstract" "_types/array" "_types/base" "_types/dtypes" "_types/functions" "_types/hooks"
    "_types/interned" "_types/literal" "_types/methods" "_types/missing" "_types/names"
    "_types/native" "_types/number" "_types/objects" "_types/optional" "_types/ranges"
    "_types/signature" "_types/tuples" "c" "graph/__init__" "graph/_errors" "graph/_evaluation"
    "graph/_function_pickling" "graph/_function_spec" "graph/_function_text" "graph/_functions"
    "graph/_gradients" "graph/_modes" "graph/_ops" "graph/_pickling" "graph/_printing"
    "graph/_profiles" "graph/_rewrites" "graph/_shapes" "graph/_shared_variables"
    "graph/_spec_completion" "graph/_traversal" "graph/_variables" "types"
];

/// What pyright finds in the bodies that sources have: in a stub it follows no branch of them.
const BODIES: &str = "\
# pyright: basic, reportArgumentType=false, reportAssignmentType=false, reportCallIssue=false
# pyright: reportAttributeAccessIssue=false, reportFunctionMemberAccess=false
# pyright: reportGeneralTypeIssues=false, reportIndexIssue=false, reportOperatorIssue=false
# pyright: reportOptionalCall=false, reportOptionalIterable=false, reportOptionalOperand=false
# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportReturnType=false, reportUnboundVariable=false
";

/// The stub of the module `typed` of a package.
pub fn typed(package: &str) -> Stub {
    let storages = dtypes::STORAGES.iter().chain(dtypes::TENSOR_TYPES.iter());
    let names: BTreeSet<&String> = storages.collect();
    let imports = names.into_iter().map(|it| format!("from {package}._C import {it} as {it}\n"));
    Stub { path: "typed.pyi".to_owned(), text: file::python(&imports.collect::<String>()) }
}

/// The stub of the native half of graphs; variables have the operators of the language that
/// functions are.
pub fn graph(package: &str, functions: &[PythonFunction]) -> Stub {
    let text =
        without_missing(GRAPH, functions).replace("from opwright", &format!("from {package}"));
    Stub { path: "_C/_graph.pyi".to_owned(), text: file::python(&text) }
}

/// The stubs of a module with these operators.
pub fn stubs(
    ops: &OpSet,
    functions: &[PythonFunction],
    overloads: &[Overload],
    module: &Module,
) -> Vec<Stub> {
    let Module { name, arrays, .. } = module;
    let has_ops = module.rows == Rows::Always;
    let of_package = |text: &str| {
        let text = text.replace("from opwright", &format!("from {name}"));
        text.replace("opwright.", &format!("{name}."))
    };
    let mut members = module_members();
    if !has_ops {
        members = members.replace(OPS_IMPORT, "").replace(OPCHECK, "");
    }
    members.push_str(&print::python::overloads::overloads(overloads));
    let (members, tensor_members) = (of_package(&members), of_package(TENSOR_MEMBERS));
    let package =
        Package { name, members: &members, tensor_members: &tensor_members, arrays: *arrays };
    let submodules = submodules(functions);
    let mut stubs = stub::print(ops, functions, &package);
    for module in &submodules {
        let (path, prefix) = (format!("{module}.pyi"), format!("{module}_"));
        let module =
            Published { module, path: &path, prefix: &prefix, members: "", is_functional: false };
        stubs.push(stub::published(ops, functions, &package, &module));
    }
    stubs.push(graph(name, functions));
    stubs.push(typed(name));
    let imports = submodules.iter().map(|it| format!("from {name} import {it} as {it}\n"));
    let text = imports.collect::<String>() + &of_package(INIT);
    stubs.push(Stub { path: "__init__.pyi".to_owned(), text: file::python(&text) });
    for (module, text) in PACKAGES {
        let text = file::python(&of_package(text));
        stubs.push(Stub { path: format!("{module}.pyi"), text });
    }
    for (module, text) in WRITTEN {
        let text = file::python(&format!("{BODIES}\n{}", of_package(text)));
        stubs.push(Stub { path: format!("{module}.pyi"), text });
    }
    if has_ops {
        stubs.push(Stub { path: "ops.pyi".to_owned(), text: file::python(OPS) });
    }
    let text = file::python(&format!("from {name} import *\n"));
    stubs.push(Stub { path: format!("{name}.pyi"), text });
    stubs
}

/// Without the operators of the language that no function is: variables have those of tensors.
fn without_missing(text: &str, functions: &[PythonFunction]) -> String {
    let is_missing = |line: &str| {
        let name = line.trim_start().strip_prefix("def ").and_then(|it| it.split('(').next());
        line.ends_with("-> Variable: ...")
            && name.is_some_and(|it| slots::is_missing(functions, it))
    };
    text.split_inclusive('\n').filter(|line| !is_missing(line.trim_end())).collect()
}

fn submodules(functions: &[PythonFunction]) -> BTreeSet<String> {
    let modules = functions.iter().filter_map(|it| match &it.home {
        Home::Module(PythonModule::Sub(name)) => Some(name.clone()),
        Home::Module(PythonModule::Root) | Home::Method => None,
    });
    modules.collect()
}

//! Python files of the reference module that a module standing alone takes in.
//!
//! The classes `Tensor` and `Size`, how tensors are shown and what numpy does
//! with them are written in Python. The reference module has these files
//! beside it. A module of another crate is one file, which has them inside.

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList, PyModule};

use super::import::{begin, modules};
use super::init::fill;
use crate::args;
use crate::call::tables::Tables;
use crate::object::package::name;

/// How a module of its own differs from the reference module.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether arrays of other libraries are taken where tensors are expected.
    pub arrays: bool,
    /// The version of its crate.
    pub version: &'static str,
    /// What its crate says of itself: the documentation of the module.
    pub doc: &'static str,
}

/// The parts in the order in which they need each other.
const PARTS: [(&str, &str); 15] = [
    ("_kinds", include_str!("../../python/opwright/_kinds.py")),
    ("_functions", include_str!("../../python/opwright/_functions.py")),
    ("_overloads", include_str!("../../python/opwright/_overloads.py")),
    ("_explain", include_str!("../../python/opwright/_explain.py")),
    ("_size", include_str!("../../python/opwright/_size.py")),
    ("_numpy", include_str!("../../python/opwright/_numpy.py")),
    ("_pickle", include_str!("../../python/opwright/_pickle.py")),
    ("_repr", include_str!("../../python/opwright/_repr.py")),
    ("_default_dtype", include_str!("../../python/opwright/_default_dtype.py")),
    ("_storage", include_str!("../../python/opwright/_storage.py")),
    ("_tensor", include_str!("../../python/opwright/_tensor.py")),
    ("return_types", include_str!("../../python/opwright/return_types.py")),
    ("autograd.grad_mode", include_str!("../../python/opwright/autograd/grad_mode.py")),
    ("autograd", include_str!("../../python/opwright/autograd/__init__.py")),
    ("_alone", include_str!("package_alone.py")),
];

/// Parts that few programs need, which are made when one is imported.
const LATER: [(&str, &str); 81] = [
    ("_format", include_str!("../../python/opwright/_format.py")),
    ("_html", include_str!("../../python/opwright/_html.py")),
    ("_progress", include_str!("../../python/opwright/_progress.py")),
    ("_c_values", include_str!("../../python/opwright/_c_values.py")),
    ("c", include_str!("../../python/opwright/c.py")),
    ("graph", include_str!("../../python/opwright/graph/__init__.py")),
    ("graph._errors", include_str!("../../python/opwright/graph/_errors.py")),
    ("graph._evaluation", include_str!("../../python/opwright/graph/_evaluation.py")),
    ("graph._function_pickling", include_str!("../../python/opwright/graph/_function_pickling.py")),
    ("graph._function_spec", include_str!("../../python/opwright/graph/_function_spec.py")),
    ("graph._function_text", include_str!("../../python/opwright/graph/_function_text.py")),
    ("graph._functions", include_str!("../../python/opwright/graph/_functions.py")),
    ("graph._gradients", include_str!("../../python/opwright/graph/_gradients.py")),
    ("graph._modes", include_str!("../../python/opwright/graph/_modes.py")),
    ("graph._ops", include_str!("../../python/opwright/graph/_ops.py")),
    ("graph._pickling", include_str!("../../python/opwright/graph/_pickling.py")),
    ("graph._printing", include_str!("../../python/opwright/graph/_printing.py")),
    ("graph._profiles", include_str!("../../python/opwright/graph/_profiles.py")),
    ("graph._rewrites", include_str!("../../python/opwright/graph/_rewrites.py")),
    ("graph._shapes", include_str!("../../python/opwright/graph/_shapes.py")),
    ("graph._shared_variables", include_str!("../../python/opwright/graph/_shared_variables.py")),
    ("graph._spec_completion", include_str!("../../python/opwright/graph/_spec_completion.py")),
    ("graph._traversal", include_str!("../../python/opwright/graph/_traversal.py")),
    ("graph._variables", include_str!("../../python/opwright/graph/_variables.py")),
    ("interop", include_str!("../../python/opwright/interop/__init__.py")),
    ("interop.jax", include_str!("../../python/opwright/interop/jax/__init__.py")),
    ("interop.jax._arguments", include_str!("../../python/opwright/interop/jax/_arguments.py")),
    ("interop.jax._batching", include_str!("../../python/opwright/interop/jax/_batching.py")),
    ("interop.jax._calls", include_str!("../../python/opwright/interop/jax/_calls.py")),
    ("interop.jax._eager", include_str!("../../python/opwright/interop/jax/_eager.py")),
    ("interop.jax._evaluation", include_str!("../../python/opwright/interop/jax/_evaluation.py")),
    ("interop.jax._formulas", include_str!("../../python/opwright/interop/jax/_formulas.py")),
    ("interop.jax._manual_axes", include_str!("../../python/opwright/interop/jax/_manual_axes.py")),
    ("interop.jax._memory", include_str!("../../python/opwright/interop/jax/_memory.py")),
    ("interop.jax._out", include_str!("../../python/opwright/interop/jax/_out.py")),
    ("interop.jax._primitive", include_str!("../../python/opwright/interop/jax/_primitive.py")),
    ("interop.jax._randomness", include_str!("../../python/opwright/interop/jax/_randomness.py")),
    ("interop.jax._results", include_str!("../../python/opwright/interop/jax/_results.py")),
    ("interop.jax._version", include_str!("../../python/opwright/interop/jax/_version.py")),
    ("interop.jax._wrapping", include_str!("../../python/opwright/interop/jax/_wrapping.py")),
    ("interop.jax._xla", include_str!("../../python/opwright/interop/jax/_xla.py")),
    ("interop.torch", include_str!("../../python/opwright/interop/torch/__init__.py")),
    ("interop.torch._batching", include_str!("../../python/opwright/interop/torch/_batching.py")),
    ("interop.torch._fake", include_str!("../../python/opwright/interop/torch/_fake.py")),
    ("interop.torch._gradients", include_str!("../../python/opwright/interop/torch/_gradients.py")),
    ("interop.torch._kernels", include_str!("../../python/opwright/interop/torch/_kernels.py")),
    ("interop.torch._library", include_str!("../../python/opwright/interop/torch/_library.py")),
    (
        "interop.torch._polynomials",
        include_str!("../../python/opwright/interop/torch/_polynomials.py"),
    ),
    ("interop.torch._private", include_str!("../../python/opwright/interop/torch/_private.py")),
    ("interop.torch._schema", include_str!("../../python/opwright/interop/torch/_schema.py")),
    ("interop.torch._sizes", include_str!("../../python/opwright/interop/torch/_sizes.py")),
    ("interop.torch._straight", include_str!("../../python/opwright/interop/torch/_straight.py")),
    ("interop.torch._values", include_str!("../../python/opwright/interop/torch/_values.py")),
    ("interop.torch._views", include_str!("../../python/opwright/interop/torch/_views.py")),
    ("interop.torch._writes", include_str!("../../python/opwright/interop/torch/_writes.py")),
    ("_jit", include_str!("../../python/opwright/_jit/__init__.py")),
    ("_jit.errors", include_str!("../../python/opwright/_jit/errors.py")),
    ("_jit.typeof", include_str!("../../python/opwright/_jit/typeof.py")),
    ("_types", include_str!("../../python/opwright/_types/__init__.py")),
    ("_types.abstract", include_str!("../../python/opwright/_types/abstract.py")),
    ("_types.array", include_str!("../../python/opwright/_types/array.py")),
    ("_types.base", include_str!("../../python/opwright/_types/base.py")),
    ("_types.dtypes", include_str!("../../python/opwright/_types/dtypes.py")),
    ("_types.functions", include_str!("../../python/opwright/_types/functions.py")),
    ("_types.hooks", include_str!("../../python/opwright/_types/hooks.py")),
    ("_types.interned", include_str!("../../python/opwright/_types/interned.py")),
    ("_types.literal", include_str!("../../python/opwright/_types/literal.py")),
    ("_types.methods", include_str!("../../python/opwright/_types/methods.py")),
    ("_types.missing", include_str!("../../python/opwright/_types/missing.py")),
    ("_types.names", include_str!("../../python/opwright/_types/names.py")),
    ("_types.native", include_str!("../../python/opwright/_types/native.py")),
    ("_types.number", include_str!("../../python/opwright/_types/number.py")),
    ("_types.objects", include_str!("../../python/opwright/_types/objects.py")),
    ("_types.optional", include_str!("../../python/opwright/_types/optional.py")),
    ("_types.ranges", include_str!("../../python/opwright/_types/ranges.py")),
    ("_types.signature", include_str!("../../python/opwright/_types/signature.py")),
    ("_types.tuples", include_str!("../../python/opwright/_types/tuples.py")),
    ("types", include_str!("../../python/opwright/types.py")),
    ("autograd.anomaly_mode", include_str!("../../python/opwright/autograd/anomaly_mode.py")),
    ("autograd.function", include_str!("../../python/opwright/autograd/function.py")),
    ("autograd.graph", include_str!("../../python/opwright/autograd/graph.py")),
];

/// Parts that have others below them.
const PACKAGES: [&str; 1] = ["autograd"];

/// Fills a module that has no package around it: with what its tables say, and
/// with what the package of the reference module has.
///
/// # Errors
///
/// Whatever making a class or a module raises.
pub fn init(
    module: &Bound<'_, PyModule>,
    tables: &'static Tables,
    settings: Settings,
) -> PyResult<()> {
    if !begin(module)? {
        return Ok(());
    }
    fill(module, tables)?;
    module.setattr("__version__", settings.version)?;
    if !settings.doc.is_empty() {
        module.setattr("__doc__", settings.doc)?;
    }
    let loaded = modules(module.py())?;
    // A wheel has a package around the module, which takes in what has no underscore.
    let own: String = module.getattr("__name__")?.extract()?;
    if let Some((around, _)) = own.rsplit_once('.')
        && let Some(around) = loaded.get_item(around)?
        && !around.hasattr("__version__")?
    {
        around.setattr("__version__", settings.version)?;
    }
    let package = name();
    // The parts say `from . import _C`, as they do in the package.
    loaded.set_item(format!("{package}._C"), module)?;
    module.setattr("_later_parts", LATER.into_py_dict(module.py())?)?;
    let is_loaded = loaded.contains(package)?;
    if !is_loaded {
        loaded.set_item(package, module)?;
    }
    let filled = PARTS.iter().try_for_each(|(name, text)| part(&loaded, package, name, text));
    if !is_loaded {
        loaded.del_item(package)?;
    }
    args::accept_arrays(settings.arrays);
    filled
}

/// Runs a part as the module `package.name`.
fn part(loaded: &Bound<'_, PyDict>, package: &str, name: &str, text: &str) -> PyResult<()> {
    let py = loaded.py();
    let path = format!("{package}.{name}");
    let module = PyModule::new(py, &path)?;
    match name.rsplit_once('.') {
        _ if PACKAGES.contains(&name) => {
            module.setattr("__package__", &path)?;
            module.setattr("__path__", PyList::empty(py))?;
        }
        Some((above, _)) => module.setattr("__package__", format!("{package}.{above}"))?,
        None => module.setattr("__package__", package)?,
    }
    loaded.set_item(&path, &module)?;
    let builtins = py.import("builtins")?;
    let code = builtins.call_method1("compile", (text, format!("<{path}>"), "exec"))?;
    builtins.call_method1("exec", (code, module.dict()))?;
    Ok(())
}

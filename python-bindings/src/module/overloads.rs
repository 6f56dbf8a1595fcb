//! Functions of Rust with `#[overload]`: as functions of the module, and for compiled functions of
//! Python, which may belong to another module and find them by an attribute.

use std::collections::BTreeMap;

use opwright_jit::native::{NativeOverload, run};
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyModule, PyTuple};

use crate::object::failure::exception;
use crate::object::type_name;

/// Adds functions of Rust to a module, those of one name as one.
///
/// # Errors
///
/// `ImportError` if something else has the name; `MemoryError`.
pub fn overloads(module: &Bound<'_, PyModule>, rows: &[NativeOverload]) -> PyResult<()> {
    let mut named: BTreeMap<&'static str, Vec<NativeOverload>> = BTreeMap::new();
    for row in rows {
        named.entry(row.name).or_default().push(*row);
    }
    for (name, rows) in named {
        let taken = module.dict().get_item(name)?;
        // A second import finds what the first one left.
        if taken.as_ref().is_some_and(|it| it.cast::<PyRustFunction>().is_err()) {
            let text = format!("an overload has the name of something else in the module: {name}");
            return Err(PyImportError::new_err(text));
        }
        if taken.is_none() {
            let home = module.name()?.to_string();
            module.setattr(name, Bound::new(module.py(), PyRustFunction { name, home, rows })?)?;
        }
    }
    Ok(())
}

/// What compiled functions know of an overload.
type OverloadRow = (String, Vec<&'static str>, usize, usize, &'static str);

#[pyclass(frozen, name = "RustFunction")]
struct PyRustFunction {
    name: &'static str,
    home: String,
    rows: Vec<NativeOverload>,
}

#[pymethods]
impl PyRustFunction {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let bound = self.rows.iter().filter_map(|row| Some((row, words(row, args, kwargs)?)));
        let Some((row, (_, words))) = bound.min_by_key(|(_, (far, _))| *far) else {
            return Err(self.refused(args));
        };
        let mut results = vec![0; row.results.len()];
        // SAFETY: the row says how many arguments the function takes, which `words` has counted, and
        // how many results it has.
        let done = unsafe { run(row.call, &words, &mut results) };
        done.map_err(|it| exception(&it.in_op(self.name)))?;
        let pairs = row.results.iter().zip(&results);
        let mut values = pairs.map(|(ty, word)| object(args.py(), ty, *word));
        match (row.is_tuple, values.len()) {
            (false, 1) => {
                values.next().unwrap_or_else(|| Ok(args.py().None().into_bound(args.py())))
            }
            _ => Ok(PyTuple::new(args.py(), values.collect::<PyResult<Vec<_>>>()?)?.into_any()),
        }
    }

    /// For compiled functions: of each overload the signature, the names of parameters, what is
    /// called with words and with registers, and where it stands.
    #[getter]
    fn _opwright_overloads_(&self) -> Vec<OverloadRow> {
        let row = |it: &NativeOverload| {
            let words = (it.call as *const ()).expose_provenance();
            let direct = (it.direct as *const ()).expose_provenance();
            (it.signature(), it.names.to_vec(), words, direct, it.place)
        };
        self.rows.iter().map(row).collect()
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.name
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.name
    }

    #[getter]
    fn __module__(&self) -> &str {
        &self.home
    }

    #[getter]
    fn __doc__(&self) -> String {
        let listed = self.rows.iter().map(|row| match row.doc {
            "" => row.signature(),
            doc => format!("{}\n\n{doc}", row.signature()),
        });
        listed.collect::<Vec<_>>().join("\n\n")
    }

    fn __repr__(&self) -> String {
        format!("<function of Rust {}>", self.name)
    }

    /// Pickled and copied by name, so that there is one object.
    fn __reduce__(&self) -> &'static str {
        self.name
    }
}

impl PyRustFunction {
    #[cold]
    fn refused(&self, args: &Bound<'_, PyTuple>) -> PyErr {
        let given: Vec<String> = args.iter().map(|it| type_name(&it)).collect();
        let mut text = format!("{}() takes no ({})", self.name, given.join(", "));
        for row in &self.rows {
            text.push_str(&format!("\n  {} of ({})", row.signature(), row.names.join(", ")));
        }
        PyTypeError::new_err(text)
    }
}

/// The words of a call, and how far the arguments are from the types that an overload has; nothing if
/// it does not take them.
fn words(
    row: &NativeOverload,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> Option<(u32, Vec<u64>)> {
    let given = args.len() + kwargs.map_or(0, PyDictMethods::len);
    if given != row.params.len() {
        return None;
    }
    let mut far = 0;
    let mut words = Vec::with_capacity(given);
    for (at, (name, ty)) in row.names.iter().zip(row.params).enumerate() {
        let named = || kwargs.and_then(|it| it.get_item(name).ok().flatten());
        let object = args.get_item(at).ok().or_else(named)?;
        let (distance, word) = word(&object, ty)?;
        far += distance;
        words.push(word);
    }
    Some((far, words))
}

/// The word of an object as a number of a type, and how far it is from it.
fn word(object: &Bound<'_, PyAny>, ty: &str) -> Option<(u32, u64)> {
    if object.is_instance_of::<PyBool>() {
        let word = u64::from(object.is_truthy().ok()?);
        return match ty {
            "boolean" => Some((0, word)),
            "float64" => Some((3, (word as f64).to_bits())),
            "float32" => None,
            _ => Some((1, word)),
        };
    }
    if object.is_instance_of::<PyFloat>() {
        let number: f64 = object.extract().ok()?;
        return match ty {
            "float64" => Some((0, number.to_bits())),
            "float32" => Some((1, u64::from((number as f32).to_bits()))),
            _ => None,
        };
    }
    if !object.is_instance_of::<PyInt>() {
        return None;
    }
    let signed = |it: i64| it.cast_unsigned();
    Some(match ty {
        "int64" => (0, signed(object.extract().ok()?)),
        "int32" => (1, signed(object.extract::<i32>().ok()?.into())),
        "int16" => (1, signed(object.extract::<i16>().ok()?.into())),
        "int8" => (1, signed(object.extract::<i8>().ok()?.into())),
        "uint64" => (1, object.extract().ok()?),
        "uint32" => (1, object.extract::<u32>().ok()?.into()),
        "uint16" => (1, object.extract::<u16>().ok()?.into()),
        "uint8" => (1, object.extract::<u8>().ok()?.into()),
        "float64" => (2, object.extract::<f64>().ok()?.to_bits()),
        _ => return None,
    })
}

/// The number of a word.
fn object<'py>(py: Python<'py>, ty: &str, word: u64) -> PyResult<Bound<'py, PyAny>> {
    Ok(match ty {
        "boolean" => PyBool::new(py, word & 1 != 0).to_owned().into_any(),
        "float64" => PyFloat::new(py, f64::from_bits(word)).into_any(),
        "float32" => PyFloat::new(py, f32::from_bits(word as u32).into()).into_any(),
        "uint64" | "uint32" | "uint16" | "uint8" => word.into_pyobject(py)?.into_any(),
        _ => word.cast_signed().into_pyobject(py)?.into_any(),
    })
}

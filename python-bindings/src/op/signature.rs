//! Signatures of overloads that are data, for the resolver and `inspect`.

use std::collections::BTreeMap;

use opwright_runtime::lock::Lock;
use opwright_runtime::op::{Operator, Param, Type};
use opwright_runtime::resolve::{Kind, MAX_PARAMS, OverloadSet, Parameter, Signature};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::values;
use crate::object::Failure;

/// The function whose signatures are those of these rows, made once for each name and kept for the
/// rest of the process, as generated ones are.
pub(super) fn function(name: &'static str, rows: &'static [Operator]) -> &'static OverloadSet {
    static MADE: Lock<BTreeMap<(&str, usize), &OverloadSet>> = Lock::new(BTreeMap::new());
    let mut made = MADE.lock();
    made.entry((name, rows.len())).or_insert_with(|| self::made(name, rows))
}

/// The same, made anew.
pub(super) fn made(name: &'static str, rows: &'static [Operator]) -> &'static OverloadSet {
    let signatures: Vec<Signature> = rows.iter().map(signature).collect();
    Box::leak(Box::new(OverloadSet::new(name, signatures.leak())))
}

/// As the schema has it, with its own names.
fn signature(row: &'static Operator) -> Signature {
    assert!(row.params.len() <= MAX_PARAMS, "{} has too many parameters", row.name);
    let params: Vec<Parameter> = row.params.iter().map(param).collect();
    let positional = row.params.iter().filter(|it| !it.is_keyword).count();
    Signature {
        text: row.schema,
        params: params.leak(),
        positional: positional as u8,
        variadic: false,
        deprecated: false,
    }
}

fn param(param: &Param) -> Parameter {
    let slot = &param.slot;
    let kind = match slot.ty.kind() {
        Kind::Tensor if !slot.writes && slot.ty == Type::Tensor => Kind::TensorOrNumber,
        kind => kind,
    };
    Parameter {
        name: slot.name,
        kind,
        nullable: matches!(slot.ty, Type::Optional(_)),
        required: param.default.is_none(),
        size: repeats(&slot.ty),
        aliases: &[],
    }
}

/// To how many elements a single value is repeated.
fn repeats(ty: &Type) -> u8 {
    match ty {
        Type::Optional(inner) => repeats(inner),
        Type::List(_, size) => size.unwrap_or(0) as u8,
        _ => 0,
    }
}

/// Python cannot spell its own keywords as names of parameters.
fn spelt(py: Python<'_>, name: &str) -> PyResult<String> {
    let is_keyword = py.import("keyword")?.call_method1("iskeyword", (name,))?.is_truthy()?;
    Ok(if is_keyword { format!("{name}_") } else { name.to_owned() })
}

/// The `inspect.Signature` of a row.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn inspected<'py>(
    py: Python<'py>,
    row: &'static Operator,
) -> Result<Bound<'py, PyAny>, Failure> {
    let inspect = py.import("inspect")?;
    let class = inspect.getattr("Parameter")?;
    let params = PyList::empty(py);
    for param in row.params {
        let kind = if param.is_keyword { "KEYWORD_ONLY" } else { "POSITIONAL_OR_KEYWORD" };
        let settings = PyDict::new(py);
        settings.set_item("annotation", param.slot.to_string())?;
        if let Some(default) = param.default {
            settings.set_item("default", values::object(py, default.value())?)?;
        }
        let name = spelt(py, param.slot.name)?;
        params.append(class.call((name, class.getattr(kind)?), Some(&settings))?)?;
    }
    Ok(inspect.getattr("Signature")?.call1((params,))?)
}

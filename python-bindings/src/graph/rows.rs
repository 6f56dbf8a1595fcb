//! The rows of the module's operators.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use opwright_graph::Rows;
use opwright_runtime::op::Operator;

use crate::shim::Target;
use crate::tables::Tables;

static TABLES: OnceLock<&'static Tables> = OnceLock::new();

/// Says what the module is made from.
pub(super) fn set(tables: &'static Tables) {
    TABLES.get_or_init(|| tables);
}

/// What the module is made from.
pub(super) fn tables() -> Option<&'static Tables> {
    TABLES.get().copied()
}

/// All rows.
pub(super) fn all() -> Rows {
    Rows::new(tables().map_or(&[], |it| it.operators.tables()))
}

/// The row of an overload.
pub(super) fn find(name: &str) -> Option<&'static Operator> {
    all().find(name)
}

/// The row of an overload, or of a helper that formulas of gradients call.
pub(super) fn find_called(name: &str) -> Option<&'static Operator> {
    static CALLED: OnceLock<BTreeMap<&'static str, &'static Operator>> = OnceLock::new();
    find(name).or_else(|| CALLED.get_or_init(|| all().called_by_formulas()).get(name).copied())
}

/// The row of a schema.
pub(crate) fn of_schema(schema: &str) -> Option<&'static Operator> {
    find(schema.split_once('(').map_or(schema, |(name, _)| name))
}

/// The method of this name.
pub(super) fn method(name: &str) -> Option<&'static Target> {
    let name = format!("Tensor.{name}");
    tables()?.target(&name).or_else(|| crate::tensor::target(&name))
}

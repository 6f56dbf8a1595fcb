//! The rows of the module's operators.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use opwright_graph::OperatorTables;
use opwright_runtime::op::Operator;

use crate::call::tables::of_module;
use crate::call::target::Target;
use crate::op;

/// All rows.
pub(super) fn all() -> OperatorTables {
    OperatorTables::new(of_module().map_or(&[], |it| it.operators.tables()))
}

/// The row of an overload.
pub(super) fn find(name: &str) -> Option<&'static Operator> {
    all().find(name).or_else(|| op::find_defined(name))
}

/// The row of an overload, or of a helper that formulas of gradients call.
pub(super) fn find_called(name: &str) -> Option<&'static Operator> {
    static CALLED: OnceLock<BTreeMap<&'static str, &'static Operator>> = OnceLock::new();
    find(name).or_else(|| CALLED.get_or_init(|| all().called_by_formulas()).get(name).copied())
}

/// The method of this name.
pub(super) fn method(name: &str) -> Option<&'static Target> {
    let name = format!("Tensor.{name}");
    of_module()?.target(&name).or_else(|| crate::tensor::target(&name))
}

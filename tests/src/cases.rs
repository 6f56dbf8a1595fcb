//! The cases of operators, `[[case]]` of `ops/src/**/*.toml`; `ops/src/README.md` describes them.

mod arguments;
mod case;
mod compare;
mod reading;

use opwright_ops::OPERATORS;
use opwright_runtime::op::{Operator, Value};

use crate::rows::rows;

pub use arguments::{arguments, written};
pub use case::{Case, Expected, NamedValues};
pub use compare::{Closeness, compare};

/// The calls of cases that are no mistakes.
pub fn calls() -> Vec<(String, Vec<Value>)> {
    let cases = rows::<Case>("case").into_iter().map(|(_, case)| case);
    let good = cases.filter(|it| !matches!(it.expected(), Ok(Expected::Error { .. }) | Err(_)));
    let values = |case: &Case| arguments(find(&case.op).ok()?, case, false).ok();
    let is_on_meta = |it: &Value| it.tensor().is_ok_and(|it| it.device().is_meta());
    good.filter_map(|case| Some((case.op.clone(), values(&case)?)))
        .filter(|(_, values)| !values.iter().any(is_on_meta))
        .collect()
}

/// The row of an overload.
///
/// # Errors
///
/// There is none.
pub fn find(name: &str) -> Result<&'static Operator, String> {
    let found = OPERATORS.iter().find(|it| it.name == name);
    found.ok_or_else(|| format!("there is no overload `{name}`"))
}

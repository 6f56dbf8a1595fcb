//! The classes of named results.

use std::collections::BTreeMap;

use opwright_schema::model::Type;

use crate::signature::{CallResult, Function};

/// Fields and their types, by the name of the class.
pub fn named_tuples(functions: &[Function]) -> BTreeMap<String, Vec<(String, Type)>> {
    let signatures = functions.iter().flat_map(|it| &it.signatures);
    let calls = signatures.flat_map(|it| it.base.iter().chain(&it.out));
    calls
        .filter_map(|call| match &call.result {
            CallResult::Named { class, fields } => Some((class.clone(), fields.clone())),
            CallResult::Nothing
            | CallResult::Same(_)
            | CallResult::Value(_)
            | CallResult::Tuple(_)
            | CallResult::SameTuple { .. } => None,
        })
        .collect()
}

//! A case as it is written.

use std::collections::BTreeMap;

use opwright_runtime::op::Value;
use serde::Deserialize;

use super::reading::read;

/// A file of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) case: Vec<Case>,
}

/// One call and what comes of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) op: String,
    #[serde(default)]
    pub(super) args: Vec<toml::Value>,
    #[serde(default)]
    pub(super) kwargs: BTreeMap<String, toml::Value>,
    result: Option<toml::Value>,
    error: Option<Error>,
    #[serde(default)]
    writes: BTreeMap<String, toml::Value>,
    pub(super) tolerance: Option<f64>,
    #[serde(default)]
    pub(super) contiguous: bool,
    #[serde(rename = "about")]
    _about: Option<String>,
    #[serde(rename = "unbound", default)]
    _unbound: bool,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Error {
    kind: String,
    message: String,
}

/// What comes of a call.
pub(super) enum Expected {
    Result { result: Vec<Value>, writes: Vec<(String, Value)> },
    Error { kind: String, message: String },
}

impl Case {
    pub(super) fn expected(&self) -> Result<Expected, String> {
        match (&self.result, &self.error) {
            (Some(result), None) => {
                let result = match read(result, false)? {
                    Value::List(several) => several,
                    one => vec![one],
                };
                let named = |(name, value): (&String, _)| {
                    read(value, false).map(|value| (name.clone(), value))
                };
                let writes = self.writes.iter().map(named).collect::<Result<_, String>>()?;
                Ok(Expected::Result { result, writes })
            }
            (None, Some(Error { kind, message })) => {
                Ok(Expected::Error { kind: kind.clone(), message: message.clone() })
            }
            (Some(_), Some(_)) | (None, None) => Err("either a result or an error".to_owned()),
        }
    }
}

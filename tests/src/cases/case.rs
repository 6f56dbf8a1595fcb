//! A case as it is written.

use std::collections::BTreeMap;

use opwright_runtime::op::Value;
use serde::Deserialize;

use super::compare::Closeness;
use super::reading::read;

/// One call and what comes of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The overload.
    pub op: String,
    /// Arguments by position.
    #[serde(default)]
    pub args: Vec<toml::Value>,
    /// Arguments by name.
    #[serde(default)]
    pub kwargs: BTreeMap<String, toml::Value>,
    result: Option<toml::Value>,
    error: Option<Error>,
    #[serde(default)]
    writes: BTreeMap<String, toml::Value>,
    #[serde(default)]
    gradients: BTreeMap<String, toml::Value>,
    #[serde(default)]
    second_gradients: BTreeMap<String, toml::Value>,
    tolerance: Option<f64>,
    absolute: Option<f64>,
    #[serde(default)]
    signs: bool,
    /// Whether it holds for elements in the order of rows alone.
    #[serde(default)]
    pub contiguous: bool,
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

/// Values, each with the name of its parameter.
pub type NamedValues = Vec<(String, Value)>;

/// What comes of a call.
pub enum Expected {
    /// It succeeds.
    Result {
        /// What it returns, if that is said.
        result: Option<Vec<Value>>,
        /// What is in arguments afterwards.
        writes: NamedValues,
        /// The gradients of arguments.
        gradients: NamedValues,
        /// The gradients of the sum of gradients.
        second_gradients: NamedValues,
    },
    /// It fails.
    Error {
        /// The class of Python that is raised.
        kind: String,
        /// A part of the message.
        message: String,
    },
}

impl Case {
    /// What comes of the call.
    ///
    /// # Errors
    ///
    /// What is wrong with the row.
    pub fn expected(&self) -> Result<Expected, String> {
        let has_gradients = !self.gradients.is_empty() || !self.second_gradients.is_empty();
        match (&self.result, &self.error) {
            (Some(_), Some(_)) => Err("either a result or an error".to_owned()),
            (None, Some(Error { kind, message })) if !has_gradients => {
                Ok(Expected::Error { kind: kind.clone(), message: message.clone() })
            }
            (None, None) if !has_gradients => Err("neither a result nor an error".to_owned()),
            (None, Some(_)) => Err("an error has no gradients".to_owned()),
            (result, None) => {
                let result = match result.as_ref().map(|it| read(it, false)).transpose()? {
                    Some(Value::List(several)) => Some(several),
                    one => one.map(|it| vec![it]),
                };
                let [writes, gradients, second_gradients] =
                    [&self.writes, &self.gradients, &self.second_gradients].map(named);
                Ok(Expected::Result {
                    result,
                    writes: writes?,
                    gradients: gradients?,
                    second_gradients: second_gradients?,
                })
            }
        }
    }

    /// How close results must be.
    pub fn closeness(&self) -> Closeness {
        Closeness { relative: self.tolerance, absolute: self.absolute, signs: self.signs }
    }

    /// The parameters of which gradients are asked for.
    pub fn differentiated(&self) -> Vec<&str> {
        let first = self.gradients.keys();
        let second = self.second_gradients.keys().filter(|it| !self.gradients.contains_key(*it));
        first.chain(second).map(String::as_str).collect()
    }
}

fn named(values: &BTreeMap<String, toml::Value>) -> Result<NamedValues, String> {
    values.iter().map(|(name, value)| Ok((name.clone(), read(value, false)?))).collect()
}

//! A row of the printed table: an overload that is called with values.

use opwright_runtime::Result;

use super::case::Case;
use super::value::Value;

/// An overload.
pub(super) struct Operator {
    /// `add.Tensor`.
    pub(super) name: &'static str,
    /// Its parameters, in order.
    pub(super) params: &'static [Param],
    /// Calls it with a value for each parameter.
    pub(super) call: fn(&mut [Value]) -> Result<Vec<Value>>,
}

/// A parameter of an overload.
pub(super) struct Param {
    /// Its name in the schema.
    pub(super) name: &'static str,
    /// Its default.
    pub(super) default: Option<fn() -> Value>,
    /// Whether it is a tensor, so that a number stands for one.
    pub(super) tensor: bool,
    /// Whether it is written to.
    pub(super) written: bool,
}

impl Operator {
    /// The values of a case's arguments, in the order of the parameters.
    pub(super) fn arguments(
        &self,
        case: &Case,
        reverse_memory: bool,
    ) -> std::result::Result<Vec<Value>, String> {
        if let Some(name) = case.kwargs.keys().find(|it| self.params.iter().all(|p| p.name != **it))
        {
            return Err(format!("no parameter `{name}`"));
        }
        if case.args.len() > self.params.len() {
            return Err("too many arguments".to_owned());
        }
        let mut values = Vec::new();
        for (idx, param) in self.params.iter().enumerate() {
            let given = case.args.get(idx).or_else(|| case.kwargs.get(param.name));
            let value = match (given, param.default) {
                (Some(given), _) => Value::read(given, reverse_memory)?,
                (None, Some(default)) => default(),
                (None, None) => return Err(format!("no argument for `{}`", param.name)),
            };
            values.push(if param.tensor { value.into_tensor() } else { value });
        }
        Ok(values)
    }

    /// What is in the arguments that were written to.
    pub(super) fn written(&self, values: &[Value]) -> Vec<Value> {
        let written = self.params.iter().zip(values).filter(|(param, _)| param.written);
        written.map(|(_, value)| value.clone()).collect()
    }
}

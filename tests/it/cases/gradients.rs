//! Gradients of what a case calls.

use opwright_ops::gradient::ARITHMETIC;
use opwright_ops::ops;
use opwright_runtime::autograd::Pass;
use opwright_runtime::op::{Operator, Value};
use opwright_runtime::{Result, Tensor};
use opwright_tests::cases::{Case, Closeness, NamedValues, compare};

/// The arguments of which gradients are asked for, by name.
pub(super) struct Gradients(Vec<(String, Tensor)>);

impl Gradients {
    /// Makes the arguments require gradients.
    pub(super) fn wanted(
        operator: &Operator,
        case: &Case,
        values: &[Value],
    ) -> std::result::Result<Gradients, String> {
        let mut wanted = Vec::new();
        for name in case.differentiated() {
            let idx = operator.params.iter().position(|it| it.slot.name == name);
            let idx = idx.ok_or_else(|| format!("no parameter `{name}`"))?;
            let tensor = values[idx].tensor().map_err(|it| it.to_string())?;
            tensor.set_requires_grad(true).map_err(|it| it.to_string())?;
            wanted.push((name.to_owned(), tensor.clone()));
        }
        Ok(Gradients(wanted))
    }

    /// Compares gradients of the sum of what was returned, and those of the sum of all of them.
    pub(super) fn compare(
        &self,
        returned: &[Value],
        first: &NamedValues,
        second: &NamedValues,
        closeness: Closeness,
    ) -> std::result::Result<(), String> {
        if self.0.is_empty() {
            return Ok(());
        }
        let returned: Vec<&Tensor> = returned.iter().flat_map(Value::tensors).collect();
        let gradients = self.of(&returned).map_err(|it| format!("gradients: {it}"))?;
        self.compare_with(&gradients, first, closeness)
            .map_err(|it| format!("gradient of {it}"))?;
        if second.is_empty() {
            return Ok(());
        }
        let gradients: Vec<&Tensor> = gradients.iter().collect();
        let gradients = self.of(&gradients).map_err(|it| format!("second gradients: {it}"))?;
        self.compare_with(&gradients, second, closeness)
            .map_err(|it| format!("second gradient of {it}"))
    }

    /// What no gradient comes to has zeros.
    fn of(&self, outputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        let ones = |it: &Tensor| ops::ones_like::Default_::call(it, None, None, None, None, None);
        let mut roots = Vec::new();
        for output in outputs {
            if let Some(edge) = output.gradient_edge() {
                roots.push((edge, ones(output)?));
            }
        }
        let inputs: Vec<_> = self.0.iter().filter_map(|(_, it)| it.gradient_edge()).collect();
        let pass = Pass {
            roots,
            keeps_graph: true,
            is_recorded: true,
            inputs: Some(&inputs),
            accumulates: false,
            arithmetic: ARITHMETIC,
        };
        let found = pass.run()?.into_iter().zip(&self.0);
        found
            .map(|(gradient, (_, input))| match gradient {
                Some(gradient) => Ok(gradient),
                None => ops::zeros_like::Default_::call(input, None, None, None, None, None),
            })
            .collect()
    }

    fn compare_with(
        &self,
        gradients: &[Tensor],
        expected: &NamedValues,
        closeness: Closeness,
    ) -> std::result::Result<(), String> {
        for (name, expected) in expected {
            let found = self.0.iter().zip(gradients).find(|((it, _), _)| it == name);
            let (_, gradient) = found.ok_or_else(|| format!("no gradient of `{name}`"))?;
            compare(&[Value::Tensor(gradient.clone())], std::slice::from_ref(expected), closeness)
                .map_err(|it| format!("`{name}`: {it}"))?;
        }
        Ok(())
    }
}

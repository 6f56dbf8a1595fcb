//! Names in formulas.

use crate::model::derivative::OutputDifferentiability;
use crate::model::{Schema, Type};

/// The index of an element in formulas that are about lists of tensors.
const ELEMENT: &str = "i";

fn is_tensor_list(ty: &Type) -> bool {
    ty.is_tensor_like() && matches!(ty, Type::List(..))
}

/// The names around one operator.
pub(super) struct Names<'s> {
    pub(super) schema: &'s Schema,
    outputs: &'s OutputDifferentiability,
}

impl<'s> Names<'s> {
    pub(super) fn new(schema: &'s Schema, outputs: &'s OutputDifferentiability) -> Self {
        Names { schema, outputs }
    }

    /// The output of this name: the declared one, `result`, `result0`.
    /// An in-place operator's output is called `self`, too.
    pub(super) fn output(&self, word: &str) -> Option<usize> {
        let returns = &self.schema.returns;
        let declared =
            returns.iter().position(|it| it.name.as_ref().is_some_and(|it| it.value == word));
        if declared.is_some() {
            return declared;
        }
        match word.strip_prefix("result")? {
            "" if returns.len() == 1 => Some(0),
            digits => digits.parse().ok().filter(|idx| *idx < returns.len()),
        }
    }

    /// `grad_values`: the gradient of a named output that can have one.
    pub(super) fn named_gradients(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (idx, ret) in self.schema.returns.iter().enumerate() {
            let differentiable = match self.outputs {
                OutputDifferentiability::Unstated | OutputDifferentiability::If(_) => true,
                OutputDifferentiability::Stated(values) => {
                    values.get(idx).copied().unwrap_or_default()
                }
            };
            let name =
                ret.name.as_ref().filter(|_| differentiable && ret.ty.value.is_tensor_like());
            names.extend(name.map(|it| format!("grad_{}", it.value)));
        }
        names
    }

    /// Whether a word means something in a backward formula.
    pub(super) fn in_backward(&self, word: &str) -> bool {
        const ALWAYS: [&str; 4] = ["grad", "grads", "grad_input_mask", "retain_variables"];
        ALWAYS.contains(&word)
            || self.is_value(word)
            || self.named_gradients().iter().any(|it| it == word)
    }

    /// Whether a word means something in a forward formula: an input, an
    /// output, its primal value `_p` or its tangent `_t`.
    pub(super) fn in_forward(&self, word: &str) -> bool {
        let word = word.strip_prefix("original_").unwrap_or(word);
        let plain = word.strip_suffix("_p").or_else(|| word.strip_suffix("_t"));
        self.is_value(word) || plain.is_some_and(|it| self.is_value(it))
    }

    fn is_value(&self, word: &str) -> bool {
        let element =
            word == ELEMENT && self.schema.params.iter().any(|it| is_tensor_list(&it.ty.value));
        element || self.schema.param(word).is_some() || self.output(word).is_some()
    }

    /// Every name that a key of an entry can be.
    pub(super) fn inputs_and_outputs(&self) -> Vec<String> {
        let inputs = self.schema.params.iter().map(|it| it.name.value.clone());
        let declared = self.schema.returns.iter().filter_map(|it| it.name.as_ref());
        let declared = declared.map(|it| it.value.clone());
        let numbered = (0..self.schema.returns.len()).map(|it| format!("result{it}"));
        inputs.chain(declared).chain(numbered).chain(["result".to_owned()]).collect()
    }
}

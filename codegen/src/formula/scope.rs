//! Name resolution in the formulas of an operator.

use std::collections::{BTreeMap, BTreeSet};

use opwright_schema::model::{Return, Schema, Type};
use opwright_schema::tables::Reduction;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::property::Property;
use super::saved::{Kept, SavedSlot, Source, output_number};
use super::tree::Tree;
use super::value::FormulaValue;
use crate::ty::Ty;

/// The names around the formulas of one operator, and what they made its nodes save.
pub(super) struct Scope<'a> {
    schema: &'a Schema,
    /// The parameters that have gradients.
    params: &'a [usize],
    outputs: &'a [bool],
    slots: Vec<SavedSlot>,
    by_name: BTreeMap<String, usize>,
}

/// What the formula at hand is for, and what it has read so far.
pub(super) struct Current {
    /// Inputs, by their numbers among those with gradients.
    pub(super) inputs: Vec<usize>,
    pub(super) reads: BTreeSet<usize>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(schema: &'a Schema, params: &'a [usize], outputs: &'a [bool]) -> Scope<'a> {
        Scope { schema, params, outputs, slots: Vec::new(), by_name: BTreeMap::new() }
    }

    pub(super) fn into_slots(self) -> Vec<SavedSlot> {
        self.slots
    }

    /// The formula of the gradients of these parameters.
    pub(super) fn current(&self, params: &[usize]) -> Current {
        let number = |param: &usize| self.params.iter().position(|it| it == param);
        Current { inputs: params.iter().filter_map(number).collect(), reads: BTreeSet::new() }
    }

    pub(super) fn is_list(&self, param: usize) -> bool {
        matches!(self.schema.params[param].ty.value, Type::List(..))
    }

    /// The value of a name; nothing if it has none.
    pub(super) fn name(&mut self, name: &str, current: &mut Current) -> Option<FormulaValue> {
        // An input may be called like a gradient.
        if let Some((source, ty)) = self.source(name) {
            let kept = match &ty {
                it if it.is_tensor() => Kept::Tensor,
                it if it.is_optional_tensor() => Kept::Optional,
                it if *it == Ty::list(Ty::TENSOR) => Kept::Tensors,
                it if it.element().is_some_and(|it| it.is_optional_tensor()) => Kept::Optionals,
                Ty::Of(ty) => Kept::Value(ty.clone()),
                _ => return None,
            };
            let saved = self.slot(name.to_owned(), source, kept, current);
            let tree = match source {
                Source::Param(at) => Tree::numbered("Param", at),
                Source::Output(at) => Tree::numbered("Result", at),
            };
            return Some(FormulaValue::lent(ty, saved).with(tree));
        }
        match name {
            "grad" => {
                let output = self.outputs.iter().position(|it| *it)?;
                let tree = Tree::numbered("Grad", output);
                let output = output_number(self.schema, output);
                Some(
                    FormulaValue::lent(Ty::TENSOR, quote!(rt::ok(__call.grad(#output)))).with(tree),
                )
            }
            "grads" => {
                let ty = Ty::list(Ty::optional(Ty::TENSOR));
                Some(FormulaValue::lent(ty, quote!(&*__call.grads())))
            }
            "grad_input_mask" => {
                let inputs = &current.inputs;
                let wanted = quote!(&[#(__call.wants(#inputs)),*]);
                let params = inputs.iter().map(|it| self.wanted(*it));
                let tree = Tree::list(params);
                Some(FormulaValue::lent(Ty::list(Ty::BOOL), wanted).with(tree))
            }
            _ => {
                let output = name.strip_prefix("grad_")?;
                Some(self.gradient_of(self.declared(output)?))
            }
        }
    }

    /// Whether the gradient of an input is wanted, as data.
    pub(super) fn wanted(&self, input: usize) -> Option<Tree> {
        Tree::numbered("Wanted", self.params[input])
    }

    /// What the names are that mean something.
    pub(super) fn names(&self) -> Vec<String> {
        let params = self.schema.params.iter().map(|it| it.name.value.clone());
        let results = match self.schema.returns.len() {
            1 => vec!["result".to_owned()],
            several => (0..several).map(|it| format!("result{it}")).collect(),
        };
        let words = ["grad", "grads", "grad_input_mask"].map(str::to_owned);
        words.into_iter().chain(params).chain(results).collect()
    }

    /// The gradient of an output by its number.
    pub(super) fn gradient_of(&self, output: usize) -> FormulaValue {
        let tree = Tree::numbered("Grad", output);
        let output = output_number(self.schema, output);
        let found = match self.schema.returns.len() {
            // Without the gradient of the only output there is no pass.
            1 => FormulaValue::lent(Ty::TENSOR, quote!(rt::ok(__call.grad(#output)))),
            _ => FormulaValue::lent(Ty::optional(Ty::TENSOR), quote!(__call.grad_of(#output))),
        };
        found.with(tree)
    }

    /// The answer to a question about a tensor, which is saved in the place of that.
    pub(super) fn property(
        &mut self,
        name: &str,
        property: &Property,
        current: &mut Current,
    ) -> Option<FormulaValue> {
        let (source, ty) = self.source(name)?;
        if !ty.is_tensor() {
            return None;
        }
        let slot = format!("{name}_{}", property.suffix);
        let saved = self.slot(slot, source, property.kept(), current);
        let tree = match source {
            Source::Param(at) => Tree::numbered("Param", at),
            Source::Output(at) => Tree::numbered("Result", at),
        };
        Some(property.answered(&saved).with(property.tree(tree)))
    }

    /// The same of a list of tensors.
    pub(super) fn of_list(
        &mut self,
        name: &str,
        (suffix, kept, ty): (&str, Kept, Ty),
        current: &mut Current,
    ) -> Option<FormulaValue> {
        let (source, _) = self.source(name)?;
        let saved = self.slot(format!("{name}_{suffix}"), source, kept, current);
        Some(FormulaValue::lent(ty, saved))
    }

    /// The output that is declared with this name.
    fn declared(&self, name: &str) -> Option<usize> {
        let is_called = |it: &Return| it.name.as_ref().is_some_and(|it| it.value == name);
        self.schema.returns.iter().position(is_called)
    }

    /// What of a call a name of the schema stands for.
    pub(super) fn source_of(&self, name: &str) -> Option<Source> {
        self.source(name).map(|(source, _)| source)
    }

    /// What a name of the schema stands for.
    fn source(&self, name: &str) -> Option<(Source, Ty)> {
        if let Some((idx, param)) = self.schema.param(name) {
            return Some((Source::Param(idx), Ty::of(&param.ty.value)));
        }
        let returns = &self.schema.returns;
        let output = self.declared(name).or_else(|| match name.strip_prefix("result")? {
            "" if returns.len() == 1 => Some(0),
            digits => digits.parse().ok().filter(|it| *it < returns.len()),
        })?;
        Some((Source::Output(output), Ty::of(&returns[output].ty.value)))
    }

    /// The name in generated code of what is saved.
    fn slot(
        &mut self,
        name: String,
        source: Source,
        kept: Kept,
        current: &mut Current,
    ) -> TokenStream {
        let number = *self.by_name.entry(name.clone()).or_insert_with(|| {
            self.slots.push(SavedSlot { name, source, kept, inputs: Vec::new() });
            self.slots.len() - 1
        });
        let slot = &mut self.slots[number];
        for input in &current.inputs {
            if !slot.inputs.contains(input) {
                slot.inputs.push(*input);
            }
        }
        current.reads.insert(number);
        let name = saved_name(number);
        quote!(#name)
    }
}

/// What generated code calls a slot.
pub fn saved_name(slot: usize) -> Ident {
    format_ident!("__saved{slot}")
}

/// The value of a word of the language.
pub(super) fn constant(word: &str) -> Option<FormulaValue> {
    let float = |tokens: TokenStream| {
        let tree = Tree::constant(quote!(Float(#tokens)));
        Some(FormulaValue::owned(Ty::FLOAT, tokens).with(tree))
    };
    let truth = |it: bool| {
        let tree = Tree::constant(quote!(Bool(#it)));
        Some(FormulaValue::owned(Ty::BOOL, quote!(#it)).with(tree))
    };
    match word {
        "true" => truth(true),
        "false" => truth(false),
        "nullopt" => {
            let tree = Tree::constant(quote!(None));
            Some(FormulaValue::owned(Ty::Nothing, quote!()).with(tree))
        }
        "M_PI" => float(quote!(::core::f64::consts::PI)),
        "M_LN2" => float(quote!(::core::f64::consts::LN_2)),
        "M_LN10" => float(quote!(::core::f64::consts::LN_10)),
        "M_SQRT2" => float(quote!(::core::f64::consts::SQRT_2)),
        "M_2_SQRTPI" => float(quote!(::core::f64::consts::FRAC_2_SQRT_PI)),
        name => Reduction::from_variant(name).map(|it| FormulaValue::literal(it.number().into())),
    }
}

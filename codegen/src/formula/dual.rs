//! Gradients of kernels of single elements without formulas: they follow from the kernels, which
//! are called with duals.
//!
//! A call of the operator is recorded as any other. Its gradient is calculated by the function
//! `derivative` beside the kernel, whose calls are recorded in their turn, with `second_derivative`
//! for their gradients; those of a third order nobody has written.

use opwright_schema::derivatives::assign;
use opwright_schema::model::{
    BaseType, Default, DispatchKey, Kind, OpSet, Overload, Param, Return, Role, Schema, Spanned,
    Type,
};
use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Derived, DifferentiableInput, Gradient, GradientFormula, Hidden, Place};
use super::node_names::{camel, count_of};
use super::saved::output_number;
use super::scope::Scope;
use crate::fn_path::FnPath;
use crate::form::{ElementParam, ElementResult, Elementwise, Form};
use crate::kernels::{Kernel, Kernels, is_transparent};
use crate::print::rust::path::{hidden_path, module_path};
use crate::scan::AnnotatedFunction;

/// The kernel that the gradient of an overload follows from.
pub(super) struct DualSource<'a> {
    function: &'a AnnotatedFunction,
    form: &'a Elementwise,
    /// The overload of its group beside which the derivatives stand.
    owner: usize,
}

/// The kernels that gradients follow from, by overload.
pub(super) fn sources<'a>(
    ops: &OpSet,
    kernels: &[Kernels],
    functions: &'a [AnnotatedFunction],
) -> Vec<Option<DualSource<'a>>> {
    let assigned = assign(ops);
    let of = |idx: usize| {
        let overload = &ops.overloads[idx];
        let is_recorded = assigned[idx].is_none() && !is_transparent(ops, kernels, idx);
        let can = matches!(overload.schema.kind(), Kind::Functional | Kind::Inplace);
        (is_recorded && can).then(|| source(ops, kernels, functions, idx)).flatten()
    };
    (0..ops.overloads.len()).map(of).collect()
}

fn source<'a>(
    ops: &OpSet,
    kernels: &[Kernels],
    functions: &'a [AnnotatedFunction],
    idx: usize,
) -> Option<DualSource<'a>> {
    let from = match kernels[idx].by_key.get(&DispatchKey::Cpu)? {
        Kernel::Function(_) => idx,
        Kernel::Derived { from } => *from,
    };
    let paths = kernels[from].cpu().into_iter().chain(&kernels[from].further);
    let function = |path: &FnPath| functions.iter().find(|it| it.path == path.0);
    let found: Vec<&AnnotatedFunction> = paths.filter_map(function).collect();
    // One of them may say that nothing follows.
    if found.iter().any(|it| it.attribute.style.derivative.is_some()) {
        return None;
    }
    let group = ops.groups.iter().find(|it| [it.functional, it.inplace].contains(&Some(idx)));
    let owner = group.and_then(|it| it.functional).unwrap_or(idx);
    found.into_iter().find_map(|function| match &function.form {
        Form::Elementwise(form) if form.is_derivable => Some(DualSource { function, form, owner }),
        _ => None,
    })
}

impl DualSource<'_> {
    /// The mark of the annotation.
    pub(super) fn mark(&self) -> &str {
        &self.function.mark
    }

    /// How calls of an overload are recorded.
    pub(super) fn gradient(&self, ops: &OpSet, idx: usize) -> Option<Gradient> {
        let overload = &ops.overloads[idx];
        let schema = &overload.schema;
        let inputs = self.tensors();
        let first = hidden_path(&ops.overloads[self.owner], "first");
        let outputs: Vec<bool> = (0..schema.returns.len()).map(|at| self.is_derived(at)).collect();
        let grads = self.results().into_iter().map(|at| {
            let output = output_number(schema, at);
            match self.results().len() {
                1 => quote!(rt::ok(__call.grad(#output))),
                _ => quote!(&rt::ok(rt::autograd::or_zero(__call.grad_of(#output)))),
            }
        });
        let grads: Vec<TokenStream> = grads.collect();
        let call = |arguments: &[TokenStream], number: i64| quote!(rt::ok(#first::autograd(#(#grads,)* #(#arguments,)* #number)));
        let name = camel(schema.name.base.to_string().trim_matches('_'));
        let node = format!("{name}Backward{}", count_of(ops, overload));
        let derived = match idx == self.owner {
            true => Some(Box::new(self.derived(overload, &name)?)),
            false => None,
        };
        let parts = self.taken();
        let gradient = recorded(schema, node, &inputs, &parts, outputs, &call)?;
        Some(Gradient { derived, ..gradient })
    }

    /// The derivatives, and how their calls are recorded.
    fn derived(&self, overload: &Overload, name: &str) -> Option<Derived> {
        let first = self.first(overload);
        let second = self.second(&first);
        let path = module_path(&self.function.path);
        let count = self.results().len();
        let own = |schema: &Schema, from: usize| -> Vec<TokenStream> {
            let params = schema.params.iter().skip(from).zip(&self.form.params);
            params.map(|(param, form)| argument(param, form)).collect()
        };
        let grads = |schema: &Schema, from: usize| -> Vec<TokenStream> {
            schema.params.iter().skip(from).take(count).map(name_of).collect()
        };
        let (outer, inner) = (own(&first.schema, count), grads(&first.schema, 0));
        let taken = name_of(first.schema.params.last()?);
        let below_first = quote!(#path::derivative(#taken, [#(#inner),*], #(#outer),*));
        let (outer, inner) = (own(&second.schema, count + 1), grads(&second.schema, 1));
        let [.., taken, by] = second.schema.params.as_slice() else { return None };
        let grad = name_of(second.schema.params.first()?);
        let (taken, by) = (name_of(taken), name_of(by));
        let below_second =
            quote!(#path::second_derivative(#taken, #by, #grad, [#(#inner),*], #(#outer),*));
        let hidden = hidden_path(overload, "second");
        let call = |arguments: &[TokenStream], number: i64| quote!(rt::ok(#hidden::autograd(rt::ok(__call.grad(0)), #(#arguments,)* #number)));
        let inputs: Vec<usize> =
            (0..count).chain(self.tensors().into_iter().map(|it| it + count)).collect();
        let parts: Vec<usize> =
            (0..count).chain(self.taken().into_iter().map(|it| it + count)).collect();
        let node = format!("{name}BackwardBackward0");
        let gradient = recorded(&first.schema, node, &inputs, &parts, vec![true], &call)?;
        let last = unwritten(&second.schema);
        Some(Derived {
            first: Hidden { overload: first, gradient, below: below_first },
            second: Hidden { overload: second, gradient: last, below: below_second },
        })
    }

    /// `hypot_backward(Tensor grad, Tensor x, Tensor y, int taken) -> Tensor`
    fn first(&self, overload: &Overload) -> Overload {
        let mut schema = overload.schema.clone();
        let count = self.results().len();
        let grads = (0..count).map(|at| {
            let name = if count == 1 { "grad".to_owned() } else { format!("grad{at}") };
            param(&overload.schema, &name, BaseType::Tensor)
        });
        schema.params = grads.chain(plain(&overload.schema)).collect();
        schema.params.push(param(&schema, "taken", BaseType::Int));
        returning(overload, schema)
    }

    /// `hypot_backward_backward(Tensor grad_grad, Tensor grad, Tensor x, .., int by) -> Tensor`
    fn second(&self, first: &Overload) -> Overload {
        let mut schema = first.schema.clone();
        schema.params.insert(0, param(&first.schema, "grad_grad", BaseType::Tensor));
        schema.params.push(param(&schema, "by", BaseType::Int));
        returning(first, schema)
    }

    /// The parameters that are tensors.
    fn tensors(&self) -> Vec<usize> {
        let params = self.form.params.iter().enumerate();
        let tensors = params.filter(|(_, it)| matches!(it, ElementParam::Element(_)));
        tensors.map(|(idx, _)| idx).collect()
    }

    /// Those whose elements are derived by.
    fn taken(&self) -> Vec<usize> {
        let params = self.form.params.iter().enumerate();
        let taken = params
            .filter(|(_, it)| matches!(it, ElementParam::Element(ty) if self.form.elements.is(ty)));
        taken.map(|(idx, _)| idx).collect()
    }

    fn is_derived(&self, result: usize) -> bool {
        matches!(self.form.results.get(result), Some(ElementResult::Element))
    }

    /// The results that have gradients.
    fn results(&self) -> Vec<usize> {
        (0..self.form.results.len()).filter(|it| self.is_derived(*it)).collect()
    }
}

/// How calls of an operator are recorded, the gradients of whose inputs `parts` are calculated by a
/// call with all of its arguments.
fn recorded(
    schema: &Schema,
    node: String,
    tensors: &[usize],
    parts: &[usize],
    outputs: Vec<bool>,
    call: &dyn Fn(&[TokenStream], i64) -> TokenStream,
) -> Option<Gradient> {
    let mut scope = Scope::new(schema, tensors, &outputs);
    let mut current = scope.current(parts);
    let mut arguments = Vec::new();
    for param in &schema.params {
        arguments.push(scope.name(&param.name.value, &mut current)?.argument());
    }
    let reads: Vec<usize> = current.reads.into_iter().collect();
    let part = |(number, param): (usize, &usize)| {
        let at = parts.iter().position(|it| it == param);
        let value = at.map(|at| {
            let call = call(&arguments, at as i64);
            quote!(::core::option::Option::Some(#call))
        });
        let reads = if value.is_some() { reads.clone() } else { Vec::new() };
        GradientFormula { inputs: vec![number], reads, value, tree: None, place: Place::One }
    };
    let parts = tensors.iter().enumerate().map(part).collect();
    let inputs =
        tensors.iter().map(|&param| DifferentiableInput { param, is_list: false }).collect();
    let slots = scope.into_slots();
    Some(Gradient { node, inputs, outputs, slots, parts, derived: None })
}

/// That of a derivative whose own gradient nobody has written.
fn unwritten(schema: &Schema) -> Gradient {
    let tensors = schema.params.iter().enumerate().filter(|(_, it)| it.ty.value.is_tensor());
    let inputs: Vec<DifferentiableInput> =
        tensors.map(|(param, _)| DifferentiableInput { param, is_list: false }).collect();
    let part = GradientFormula::unwritten(inputs.len());
    Gradient {
        node: "NotImplemented".to_owned(),
        inputs,
        outputs: vec![true],
        slots: Vec::new(),
        parts: vec![part],
        derived: None,
    }
}

/// The parameters without what says that they are written to.
fn plain(schema: &Schema) -> Vec<Param> {
    let plain = |it: &Param| Param { annotation: None, default: None, ..it.clone() };
    schema.params.iter().map(plain).collect()
}

/// A parameter of this name, or of one like it that is free.
fn param(schema: &Schema, name: &str, ty: BaseType) -> Param {
    let mut name = name.to_owned();
    while schema.param(&name).is_some() {
        name.push('_');
    }
    let at = |name| Spanned::new(name, schema.name_span.clone());
    Param {
        name: at(name),
        ty: Spanned::new(Type::Base(ty), schema.name_span.clone()),
        annotation: None,
        default: None::<Spanned<Default>>,
        role: Role::Positional,
    }
}

/// The same operator with another schema, which returns one tensor.
fn returning(overload: &Overload, mut schema: Schema) -> Overload {
    let ty = Spanned::new(Type::Base(BaseType::Tensor), schema.name_span.clone());
    schema.returns = vec![Return { name: None, ty, annotation: None }];
    schema.name.base.inplace = false;
    schema.name.base.root.push_str("_backward");
    Overload { schema, ..overload.clone() }
}

fn name_of(param: &Param) -> TokenStream {
    let name = crate::print::rust::path::param_name(param);
    quote!(#name)
}

/// An argument of a derivative, as the function beside the kernel takes it.
fn argument(param: &Param, form: &ElementParam) -> TokenStream {
    let name = name_of(param);
    match form {
        ElementParam::Element(_) | ElementParam::Number => name,
        ElementParam::Value(_) => quote!(rt::typed::argument(#name)),
    }
}

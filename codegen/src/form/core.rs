//! Kernels of core dimensions: generalized ufuncs.

use opwright_schema::model::{Param, Schema};
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, Pat, Result, Type};

use super::elements::Elements;
use super::elementwise::{self, ElementParam, ElementResult, result};
use super::syntax;
use crate::attribute::{CoreOption, NativeOp, Subject};
use crate::codes;
use crate::core_dims::{CoreDim, CoreDims, shown};
use crate::mistake::{combined, mistake, mistake_in};
use crate::promote::Promote;

/// A function of views of core dimensions.
#[derive(Clone, Debug)]
pub struct Core {
    /// The type that elements of different dtypes are brought to.
    pub elements: Elements,
    /// What dtypes are brought to.
    pub promote: Promote,
    /// The core dimensions.
    pub dims: CoreDims,
    /// The parameters of the schema: views of tensors by the type of their elements.
    pub params: Vec<ElementParam>,
    /// The results, by the type of their elements.
    pub results: Vec<ElementResult>,
    /// Whether results are views to fill, behind the other parameters.
    pub fills: bool,
}

impl Core {
    pub(super) fn read(
        attribute: &NativeOp,
        func: &ItemFn,
        schema: &Schema,
        core: &CoreOption,
    ) -> Result<Core> {
        takes_tensors(attribute, schema)?;
        dims_fit(schema, core)?;
        let types: Vec<&Type> = syntax::param_types(func).collect();
        let fills = types.iter().any(|it| syntax::mutable_view(it).is_some());
        counts_fit(schema, func, fills)?;
        let (inputs, outs) = types.split_at(schema.params.len());
        let concrete = first_element(schema, inputs);
        let elements = Elements::read(attribute, func, concrete)?;
        let params = params(schema, inputs, &core.dims, &elements)?;
        elementwise::decides(&params, &elements, "an `ArrayView`")?;
        let results = match fills {
            true => filled(func, outs, &core.dims, &elements)?,
            false => returned(func, &core.dims, &elements)?,
        };
        let promote = attribute.style.promote.map(|(it, _)| it).unwrap_or_default();
        Ok(Core { elements, promote, dims: core.dims.clone(), params, results, fills })
    }

    /// How many parameters of the function are results.
    pub fn outs(&self) -> usize {
        if self.fills { self.results.len() } else { 0 }
    }
}

/// The schema's tensors are such that a loop can go over them.
fn takes_tensors(attribute: &NativeOp, schema: &Schema) -> Result<()> {
    let Subject::Inline { literal, .. } = &attribute.subject else { return Ok(()) };
    let refused = |message: &str| Err(mistake(codes::CORE_SCHEMA, literal.span(), message));
    if schema.params.iter().any(Param::writes) {
        return refused(
            "a kernel of core dimensions belongs to the operator that returns fresh tensors; those \
             with `out=` and in place follow from it",
        );
    }
    let odd = schema.params.iter().map(|it| &it.ty.value);
    if let Some(ty) = odd.clone().find(|it| it.is_tensor_like() && !it.is_tensor()) {
        return refused(&format!("a kernel of core dimensions takes plain tensors, and no `{ty}`"));
    }
    if schema.returns.is_empty() || schema.returns.iter().any(|it| !it.ty.value.is_tensor()) {
        return refused("an operator of core dimensions returns tensors, one for each result");
    }
    Ok(())
}

/// There are core dimensions for each tensor, and for each result.
fn dims_fit(schema: &Schema, core: &CoreOption) -> Result<()> {
    let tensors = schema.params.iter().filter(|it| it.ty.value.is_tensor()).count();
    for (what, expected, found) in [
        ("tensor", tensors, core.dims.inputs.len()),
        ("result", schema.returns.len(), core.dims.outputs.len()),
    ] {
        if expected != found {
            let plural = if expected == 1 { "" } else { "s" };
            let message = format!(
                "the schema has {expected} {what}{plural}, `core` has dimensions of {found}"
            );
            return Err(mistake(codes::CORE_SCHEMA, core.span, message));
        }
    }
    Ok(())
}

/// The parameters of the schema, and behind them the results that the function fills.
fn counts_fit(schema: &Schema, func: &ItemFn, fills: bool) -> Result<()> {
    let (inputs, found) = (schema.params.len(), func.sig.inputs.len());
    let expected = if fills { inputs + schema.returns.len() } else { inputs };
    if expected == found {
        return Ok(());
    }
    let plural = if inputs == 1 { "" } else { "s" };
    let message = match fills {
        true => format!(
            "the schema has {inputs} parameter{plural}, and there is an `ArrayViewMut` for each \
             result behind them, {expected} in all; this function has {found}"
        ),
        false => format!("the schema has {inputs} parameter{plural}, this function {found}"),
    };
    Err(mistake(codes::PARAMETER_COUNT, func.sig.paren_token.span.join(), message))
}

/// The type of the first tensor's elements.
fn first_element(schema: &Schema, types: &[&Type]) -> Option<Type> {
    let mut tensors = schema.params.iter().zip(types).filter(|(it, _)| it.ty.value.is_tensor());
    tensors.next().map(|(_, ty)| syntax::view_elements(ty).unwrap_or(ty).clone())
}

fn params(
    schema: &Schema,
    types: &[&Type],
    dims: &CoreDims,
    elements: &Elements,
) -> Result<Vec<ElementParam>> {
    let (mut errors, mut params) = (Vec::new(), Vec::new());
    let mut tensors = dims.inputs.iter();
    for (schema, ty) in schema.params.iter().zip(types) {
        let dims = if schema.ty.value.is_tensor() { tensors.next() } else { None };
        let param = match dims {
            Some(dims) => view(&schema.name.value, ty, dims),
            None => elementwise::value(schema, ty, elements),
        };
        match param {
            Ok(param) => params.push(param),
            Err(error) => errors.push(error),
        }
    }
    combined(errors)?;
    Ok(params)
}

/// A tensor: a view of its core dimensions, or an element if it has none.
fn view(name: &str, ty: &Type, dims: &[CoreDim]) -> Result<ElementParam> {
    let element = match syntax::view_elements(ty) {
        Some(element) => element,
        None if dims.is_empty() && !is_array_like(ty) => ty,
        None => return Err(wrong_rank(&format!("`{name}`"), ty, dims, "ArrayView")),
    };
    if syntax::rank(ty, "ArrayView").is_some_and(|it| it != dims.len()) {
        return Err(wrong_rank(&format!("`{name}`"), ty, dims, "ArrayView"));
    }
    Ok(ElementParam::Element(Box::new(element.clone())))
}

fn is_array_like(ty: &Type) -> bool {
    syntax::is_array(ty) || syntax::mutable_view(ty).is_some() || matches!(ty, Type::Reference(_))
}

fn wrong_rank(what: &str, ty: &Type, dims: &[CoreDim], array: &str) -> syn::Error {
    let (count, shown) = (dims.len(), shown(dims));
    let message = match count {
        0 => format!(
            "{what} has no core dimensions, `()`: write the type of an element, such as `T`"
        ),
        1 => format!("{what} has one core dimension, `{shown}`: write an `{array}1`"),
        7.. => format!("{what} has {count} core dimensions, `{shown}`: write an `{array}D`"),
        _ => format!("{what} has {count} core dimensions, `{shown}`: write an `{array}{count}`"),
    };
    mistake_in(codes::CORE_RANK, ty, message)
}

/// Results that the function fills.
fn filled(
    func: &ItemFn,
    types: &[&Type],
    dims: &CoreDims,
    elements: &Elements,
) -> Result<Vec<ElementResult>> {
    let (mut errors, mut results) = (Vec::new(), Vec::new());
    let names = names(func).skip(func.sig.inputs.len() - types.len());
    for ((ty, dims), what) in types.iter().zip(&dims.outputs).zip(names) {
        let rank = syntax::rank(ty, "ArrayViewMut");
        match syntax::mutable_view(ty) {
            Some(element) if rank.is_none_or(|it| it == dims.len()) => {
                results.push(result(element, elements));
            }
            _ if dims.is_empty() => {
                let message =
                    format!("{what} has no core dimensions, `()`: write an `ArrayViewMut0`");
                errors.push(mistake_in(codes::CORE_RANK, ty, message));
            }
            _ => errors.push(wrong_rank(&what, ty, dims, "ArrayViewMut")),
        }
    }
    combined(errors)?;
    if let Some(ty) = syntax::return_type(func) {
        let result = syntax::argument_of(ty, "Result").unwrap_or(ty);
        if !matches!(result, Type::Tuple(it) if it.elems.is_empty()) {
            let message = "a kernel that fills its results returns nothing, or `Result<()>`";
            return Err(mistake_in(codes::NO_RESULT, ty, message));
        }
    }
    Ok(results)
}

/// What the parameters of a function are called, as far as they have names.
fn names(func: &ItemFn) -> impl DoubleEndedIterator<Item = String> {
    func.sig.inputs.iter().map(|it| match it {
        FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(it) => format!("`{}`", it.ident),
            _ => "the result".to_owned(),
        },
        FnArg::Receiver(_) => "the result".to_owned(),
    })
}

/// Results that the function returns.
fn returned(func: &ItemFn, dims: &CoreDims, elements: &Elements) -> Result<Vec<ElementResult>> {
    let Some(ty) = syntax::return_type(func) else {
        let message = "a kernel of core dimensions returns its results, or takes an \
                       `ArrayViewMut` for each";
        return Err(mistake(codes::NO_RESULT, func.sig.paren_token.span.close(), message));
    };
    let inner = syntax::argument_of(ty, "Result").unwrap_or(ty);
    let parts = syntax::parts(inner);
    let expected = dims.outputs.len();
    if parts.len() != expected {
        let message = match expected {
            1 => "the schema has one result".to_owned(),
            several => format!("the schema has {several} results: return a tuple of {several}"),
        };
        return Err(mistake(codes::PARAMETER_COUNT, ty.span(), message));
    }
    let mut errors = Vec::new();
    let mut results = Vec::new();
    for (part, dims) in parts.iter().zip(&dims.outputs) {
        let element = match syntax::array_elements(part) {
            Some(element) => element,
            None if dims.is_empty() && !is_array_like(part) => *part,
            None => {
                errors.push(wrong_rank("the result", part, dims, "Array"));
                continue;
            }
        };
        match syntax::rank(part, "Array") {
            Some(rank) if rank != dims.len() => {
                errors.push(wrong_rank("the result", part, dims, "Array"));
            }
            _ => results.push(result(element, elements)),
        }
    }
    combined(errors)?;
    Ok(results)
}

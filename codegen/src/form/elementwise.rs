//! Kernels of single elements.

use opwright_schema::model::{BaseType, Param, Schema, Type as SchemaType};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, Result, Type};

use super::derivable;
use super::elements::{Elements, counts_fit};
use super::syntax;
use crate::attribute::{NativeOp, Subject};
use crate::codes;
use crate::dtypes;
use crate::mistake::{combined, mistake, mistake_in};
use crate::promote::Promote;

/// A function from elements to elements.
#[derive(Clone, Debug)]
pub struct Elementwise {
    /// The type that elements of different dtypes are brought to.
    pub elements: Elements,
    /// What dtypes are brought to; if it is not said, the rule of an entry
    /// decides.
    pub promote: Option<Promote>,
    /// Whether elements are calculated in a type that holds several dtypes.
    pub wide: bool,
    /// Whether the function is called for each element, and not once, with an `Each` for its
    /// tensors, to choose the function of an element.
    pub is_direct: bool,
    /// Whether its gradient follows from the function itself, called with duals.
    pub is_derivable: bool,
    /// The parameters, those that an `Each` stands for among them.
    pub params: Vec<ElementParam>,
    /// The results.
    pub results: Vec<ElementResult>,
}

/// A parameter of a function of elements.
#[derive(Clone, Debug)]
pub enum ElementParam {
    /// An element of a tensor, cast to this type.
    Element(Box<Type>),
    /// A number, brought to the type of the elements.
    Number,
    /// A value of this type, the same for all elements.
    Value(Box<Type>),
}

/// A result of a function of elements.
#[derive(Clone, Debug)]
pub enum ElementResult {
    /// Of the type that elements are calculated in.
    Element,
    /// Of a type that belongs to that one: `T::Part`.
    Part,
    /// Of this type, whatever goes in.
    Other(Box<Type>),
}

/// What loops take and give.
const MOST_TENSORS: usize = 8;
const MOST_RESULTS: usize = 2;
/// What an `Each` takes.
const MOST_CHOSEN: usize = 3;

impl Elementwise {
    pub(super) fn read(
        attribute: &NativeOp,
        func: &ItemFn,
        schema: Option<&Schema>,
        flag: Span,
    ) -> Result<Elementwise> {
        if let Some(schema) = schema {
            counts_fit(schema, func)?;
            takes_tensors(schema, attribute)?;
        }
        let concrete = schema.and_then(|it| first_element(it, func));
        let generic = syntax::type_param(func)?.is_some();
        let is_entry = matches!(attribute.subject, Subject::Entry { .. });
        let each = syntax::each(func);
        let first = each.as_ref().map(|(tensors, _)| tensors.first().copied());
        let concrete = match first.unwrap_or_else(|| syntax::param_types(func).next()) {
            Some(ty) if is_entry && !generic => Some(ty.clone()),
            _ => concrete,
        };
        if !generic && !is_entry && schema.is_none() && attribute.style.dtypes.is_none() {
            return Err(mistake(codes::UNDECIDED, func.sig.ident.span(), AMBIGUOUS));
        }
        let elements = Elements::read(attribute, func, concrete)?;
        let params = match &each {
            Some((tensors, _)) => chosen_params(attribute, func, schema, &elements, tensors)?,
            None => params(func, schema, &elements, &attribute.style.numbers)?,
        };
        decides(&params, &elements, "an element")?;
        let results = match &each {
            Some((_, results)) => chosen_results(func, schema, &elements, results)?,
            None => results(func, schema, &elements)?,
        };
        let tensors = params.iter().filter(|it| matches!(it, ElementParam::Element(_))).count();
        let most = if each.is_some() { MOST_CHOSEN } else { MOST_TENSORS };
        fits_loops(tensors, most, results.len(), flag)?;
        let said = attribute.style.promote.map(|(it, _)| it);
        let wide = attribute.style.wide.is_some();
        let is_derivable = each.is_none() && attribute.style.derivative.is_none() && {
            let own = |it: &&ElementResult| matches!(it, ElementResult::Element);
            let count = results.iter().filter(own).count();
            derivable::is_derivable(func, &elements, count, said, tensors)
        };
        Ok(Elementwise {
            is_derivable,
            promote: said,
            wide,
            is_direct: each.is_none(),
            elements,
            params,
            results,
        })
    }

    /// Whether the dtype to calculate in is that of the first result.
    pub fn calculates_in_result(&self) -> bool {
        let promote = self.promote.unwrap_or_default();
        let plain = matches!(promote, Promote::Default | Promote::Float | Promote::Keep);
        plain && matches!(self.results.first(), Some(ElementResult::Element))
    }
}

/// The type of the first tensor's elements that is more than a condition.
fn first_element(schema: &Schema, func: &ItemFn) -> Option<Type> {
    let tensors = schema.params.iter().zip(syntax::param_types(func));
    let types: Vec<&Type> =
        tensors.filter(|(it, _)| it.ty.value.is_tensor()).map(|(_, ty)| ty).collect();
    let more = types.iter().find(|it| !syntax::is_called(it, "bool"));
    more.or(types.first()).map(|it| (*it).clone())
}

/// Without a schema the type parameter tells elements and numbers apart.
const AMBIGUOUS: &str = "an element-wise kernel without a schema is generic, \
                         `fn name<T: Float>(x: T, by: f64) -> T` with `dtypes = ...`: what is \
                         `T` comes from tensors";

/// The schema's tensors are such that a loop can go over them.
fn takes_tensors(schema: &Schema, attribute: &NativeOp) -> Result<()> {
    let Subject::Inline { literal, .. } = &attribute.subject else { return Ok(()) };
    if schema.params.iter().any(Param::writes) {
        let message = "an element-wise kernel belongs to the operator that returns fresh tensors; \
                       those with `out=` and in place follow from it";
        return Err(mistake(codes::NOT_ELEMENTWISE, literal.span(), message));
    }
    let odd = schema.params.iter().map(|it| &it.ty.value);
    if let Some(ty) = odd.clone().find(|it| it.is_tensor_like() && !it.is_tensor()) {
        let message = format!("an element-wise kernel takes plain tensors, and no `{ty}`");
        return Err(mistake(codes::NOT_ELEMENTWISE, literal.span(), message));
    }
    if schema.returns.iter().any(|it| !it.ty.value.is_tensor()) || schema.returns.is_empty() {
        let message = "an element-wise operator returns tensors, one for each result";
        return Err(mistake(codes::NOT_ELEMENTWISE, literal.span(), message));
    }
    Ok(())
}

fn params(
    func: &ItemFn,
    schema: Option<&Schema>,
    elements: &Elements,
    numbers: &[Ident],
) -> Result<Vec<ElementParam>> {
    let mut errors = Vec::new();
    let mut params = Vec::new();
    for (idx, arg) in func.sig.inputs.iter().enumerate() {
        let FnArg::Typed(arg) = arg else { continue };
        let is_number = numbers.iter().any(|it| syntax::is_named(arg, it));
        match param(&arg.ty, schema.map(|it| &it.params[idx]), elements) {
            Ok(_) if is_number => params.push(ElementParam::Number),
            Ok(param) => params.push(param),
            Err(error) => errors.push(error),
        }
    }
    combined(errors)?;
    Ok(params)
}

/// The parameters of a function that chooses: tensors first.
fn chosen_params(
    attribute: &NativeOp,
    func: &ItemFn,
    schema: Option<&Schema>,
    elements: &Elements,
    tensors: &[&Type],
) -> Result<Vec<ElementParam>> {
    let mut types = syntax::param_types(func);
    let Some(each) = types.next() else { return Ok(Vec::new()) };
    if matches!(attribute.subject, Subject::Signature(_)) {
        let message = "an `Each` does not name the tensors that it stands for: write the schema";
        return Err(mistake_in(codes::UNDECIDED, each, message));
    }
    let of_schema = schema.map_or(&[][..], |it| &it.params);
    let is_tensor = |at: usize| of_schema.get(at).is_none_or(|it| it.ty.value.is_tensor());
    let is_value = |at: usize| of_schema.get(at).is_none_or(|it| !it.ty.value.is_tensor());
    let count = tensors.len();
    if !(0..count).all(is_tensor) || !(count..of_schema.len()).all(is_value) {
        let message = format!(
            "an `Each` stands for the tensors of the schema, which come first: here it has {count}"
        );
        return Err(mistake_in(codes::PARAMETER_COUNT, each, message));
    }
    let mut params = Vec::new();
    for ty in tensors {
        not_a_tensor(ty)?;
        is_stored(ty)?;
        params.push(ElementParam::Element(Box::new((*ty).clone())));
    }
    params.extend(types.map(|ty| match elements.is(ty) {
        true => ElementParam::Number,
        false => ElementParam::Value(Box::new(ty.clone())),
    }));
    Ok(params)
}

fn param(ty: &Type, schema: Option<&Param>, elements: &Elements) -> Result<ElementParam> {
    let Some(schema) = schema else {
        // Without a schema, whatever is `T` is an element.
        return match elements.is(ty) {
            true => Ok(ElementParam::Element(Box::new(ty.clone()))),
            false => not_a_tensor(ty).map(|()| ElementParam::Value(Box::new(ty.clone()))),
        };
    };
    if schema.ty.value.is_tensor() {
        not_a_tensor(ty)?;
        is_stored(ty)?;
        return Ok(ElementParam::Element(Box::new(ty.clone())));
    }
    value(schema, ty, elements)
}

/// What is the same for all elements: a number of their type, or a value.
pub(super) fn value(schema: &Param, ty: &Type, elements: &Elements) -> Result<ElementParam> {
    let generic = matches!(elements, Elements::Generic(..)) && elements.is(ty);
    if !generic {
        return Ok(ElementParam::Value(Box::new(ty.clone())));
    }
    match &schema.ty.value {
        SchemaType::Base(
            BaseType::Scalar | BaseType::Float | BaseType::Int | BaseType::SymInt | BaseType::Bool,
        ) => Ok(ElementParam::Number),
        other => {
            let message = format!(
                "`{other} {}` is no number that could be brought to `{}`: write its own type",
                schema.name.value,
                elements.ty()
            );
            Err(mistake_in(codes::NOT_A_NUMBER, ty, message))
        }
    }
}

fn not_a_tensor(ty: &Type) -> Result<()> {
    let inner = match ty {
        Type::Reference(it) => &*it.elem,
        other => other,
    };
    match syntax::is_called(inner, "Tensor") || syntax::view_elements(inner).is_some() {
        true => Err(mistake_in(
            codes::NOT_AN_ELEMENT,
            ty,
            "an element-wise kernel takes single elements: write the type of one, such as `T`",
        )),
        false => Ok(()),
    }
}

/// A type parameter is that of some tensor's elements.
pub(super) fn decides(params: &[ElementParam], elements: &Elements, what: &str) -> Result<()> {
    let Elements::Generic(param, _) = elements else { return Ok(()) };
    let decides = |it: &ElementParam| match it {
        ElementParam::Element(ty) => elements.is(ty),
        ElementParam::Number | ElementParam::Value(_) => false,
    };
    if params.iter().any(decides) {
        return Ok(());
    }
    let message = format!("no tensor decides what `{param}` is: take {what} of type `{param}`");
    Err(mistake(codes::UNDECIDED, param.span(), message))
}

/// Numbers of Rust that no tensor has are known by their names.
fn is_stored(ty: &Type) -> Result<()> {
    const NUMBERS: [&str; 9] =
        ["u16", "u32", "u64", "u128", "usize", "i128", "isize", "char", "String"];
    match NUMBERS.iter().find(|it| syntax::is_called(ty, it) && !dtypes::is_word(it)) {
        Some(word) => Err(mistake_in(
            codes::NOT_AN_ELEMENT,
            ty,
            format!("no tensor has elements of type `{word}`; there are `{}`", dtypes::words()),
        )),
        None => Ok(()),
    }
}

fn results(
    func: &ItemFn,
    schema: Option<&Schema>,
    elements: &Elements,
) -> Result<Vec<ElementResult>> {
    let Some(ty) = syntax::return_type(func) else {
        let message = "an element-wise kernel returns an element, as in `-> T`";
        return Err(mistake(codes::NO_RESULT, func.sig.paren_token.span.close(), message));
    };
    if syntax::argument_of(ty, "Result").is_some() {
        let message = "an element-wise kernel cannot fail, since it is called for each element: \
                       return the element itself";
        return Err(mistake_in(codes::NOT_AN_ELEMENT, ty, message));
    }
    element_results(ty, &syntax::parts(ty), schema, elements)
}

/// The results of a function that chooses, which returns what its `Each` returns.
fn chosen_results(
    func: &ItemFn,
    schema: Option<&Schema>,
    elements: &Elements,
    results: &[&Type],
) -> Result<Vec<ElementResult>> {
    let message = "a kernel that takes an `Each` returns what that returns, `Result<()>`";
    match syntax::return_type(func) {
        Some(ty) if syntax::argument_of(ty, "Result").is_some() => {
            element_results(ty, results, schema, elements)
        }
        Some(ty) => Err(mistake_in(codes::NO_RESULT, ty, message)),
        None => Err(mistake(codes::NO_RESULT, func.sig.paren_token.span.close(), message)),
    }
}

fn element_results(
    ty: &Type,
    parts: &[&Type],
    schema: Option<&Schema>,
    elements: &Elements,
) -> Result<Vec<ElementResult>> {
    for part in parts {
        is_stored(part)?;
        if not_a_tensor(part).is_err() || syntax::is_array(part) {
            let message = "an element-wise kernel returns single elements";
            return Err(mistake_in(codes::NOT_AN_ELEMENT, part, message));
        }
    }
    let expected = schema.map_or(parts.len(), |it| it.returns.len());
    if expected != parts.len() {
        let message = match expected {
            1 => "the schema has one result".to_owned(),
            several => format!("the schema has {several} results: return a tuple of {several}"),
        };
        return Err(mistake_in(codes::PARAMETER_COUNT, ty, message));
    }
    Ok(parts.iter().map(|it| result(it, elements)).collect())
}

pub(super) fn result(ty: &Type, elements: &Elements) -> ElementResult {
    if let (Type::Path(path), Elements::Generic(param, _)) = (ty, elements) {
        let first = path.path.segments.first();
        if path.path.segments.len() > 1 && first.is_some_and(|it| it.ident == *param) {
            return ElementResult::Part;
        }
    }
    match elements.is(ty) {
        true => ElementResult::Element,
        false => ElementResult::Other(Box::new(ty.clone())),
    }
}

fn fits_loops(tensors: usize, most: usize, results: usize, span: Span) -> Result<()> {
    let message = match (tensors, results) {
        (0, _) => "an element-wise kernel takes an element of a tensor at least".to_owned(),
        _ if tensors > most && most == MOST_CHOSEN => {
            format!("an `Each` stands for {most} tensors at most, not {tensors}")
        }
        _ if tensors > most => {
            format!(
                "an element-wise kernel takes {most} tensors at most, not {tensors}: take views of arrays, or whole tensors"
            )
        }
        _ if results > MOST_RESULTS => {
            format!("an element-wise kernel has {MOST_RESULTS} results at most, not {results}")
        }
        _ => return Ok(()),
    };
    Err(mistake(codes::LOOP, span.span(), message))
}

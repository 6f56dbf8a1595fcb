//! Kernels over views of arrays.

use opwright_schema::model::{BaseType, Schema, Type as SchemaType};
use syn::{ItemFn, Result, Type};

use super::elements::{Elements, counts_fit};
use super::syntax;
use crate::attribute::NativeOp;
use crate::codes;
use crate::mistake::{combined, mistake, mistake_in};
use crate::promote::Promote;
use crate::types;

/// A function from views to arrays.
#[derive(Clone, Debug)]
pub struct Arrays {
    /// The type of the elements that dtypes are brought to.
    pub elements: Elements,
    /// What dtypes are brought to.
    pub promote: Promote,
    /// The parameters.
    pub params: Vec<ArrayParam>,
}

/// A parameter of a function over views.
#[derive(Clone, Debug)]
pub enum ArrayParam {
    /// A view with elements of this type.
    View {
        /// The type of the elements.
        element: Box<Type>,
        /// The tensor may be missing.
        optional: bool,
    },
    /// A number of the schema's type, brought to that of the elements.
    Number(proc_macro2::TokenStream),
    /// A value of this type.
    Value(Box<Type>),
}

impl Arrays {
    pub(super) fn read(
        attribute: &NativeOp,
        func: &ItemFn,
        schema: Option<&Schema>,
    ) -> Result<Arrays> {
        if let Some(schema) = schema {
            counts_fit(schema, func)?;
        }
        let concrete = syntax::param_types(func).find_map(syntax::view_elements).cloned();
        let elements = Elements::read(attribute, func, concrete)?;
        let params = params(func, schema, &elements)?;
        returns_fresh(func)?;
        let decides = params.iter().any(|it| match it {
            ArrayParam::View { element, optional: false } => elements.is(element),
            ArrayParam::View { .. } | ArrayParam::Number(_) => false,
            ArrayParam::Value(ty) => is_tensor(ty),
        });
        if let (false, Elements::Generic(param, _)) = (decides, &elements) {
            let message = format!(
                "no tensor decides what `{param}` is: take an `ArrayView` of `{param}`, a \
                 `&Tensor`, or, with `elementwise`, a `{param}`"
            );
            return Err(mistake(codes::UNDECIDED, param.span(), message));
        }
        let promote = attribute.style.promote.map(|(it, _)| it).unwrap_or_default();
        Ok(Arrays { elements, promote, params })
    }
}

/// What no operator can return is known by its name.
fn returns_fresh(func: &ItemFn) -> Result<()> {
    let Some(ty) = syntax::return_type(func) else { return Ok(()) };
    for part in syntax::parts(syntax::argument_of(ty, "Result").unwrap_or(ty)) {
        let missing = syntax::argument_of(part, "Option").is_some();
        if missing || syntax::view_elements(part).is_some() || matches!(part, Type::Reference(_)) {
            let message = "a kernel over views returns what is its own: an `Array`, an element, a \
                           `Tensor`, or a `Result` of these";
            return Err(mistake_in(codes::NO_RESULT, part, message));
        }
    }
    Ok(())
}

/// Whether a type is `&Tensor`.
pub fn is_tensor(ty: &Type) -> bool {
    matches!(ty, Type::Reference(it) if syntax::is_called(&it.elem, "Tensor"))
}

fn params(func: &ItemFn, schema: Option<&Schema>, elements: &Elements) -> Result<Vec<ArrayParam>> {
    let mut errors = Vec::new();
    let mut params = Vec::new();
    for (idx, ty) in syntax::param_types(func).enumerate() {
        match param(ty, schema.map(|it| &it.params[idx]), elements) {
            Ok(param) => params.push(param),
            Err(error) => errors.push(error),
        }
    }
    combined(errors)?;
    Ok(params)
}

fn param(
    ty: &Type,
    schema: Option<&opwright_schema::model::Param>,
    elements: &Elements,
) -> Result<ArrayParam> {
    if syntax::is_mutable_view(ty) {
        let message = "a kernel over views returns its results; `out=` follows from that";
        return Err(mistake_in(codes::MUTABLE_VIEW, ty, message));
    }
    let (inner, optional) = match syntax::argument_of(ty, "Option") {
        Some(inner) => (inner, true),
        None => (ty, false),
    };
    if let Some(element) = syntax::view_elements(inner) {
        return Ok(ArrayParam::View { element: Box::new(element.clone()), optional });
    }
    let generic = matches!(elements, Elements::Generic(..)) && elements.is(ty);
    match schema.filter(|_| generic) {
        Some(schema) if is_number(&schema.ty.value) => {
            Ok(ArrayParam::Number(types::parameter(schema)))
        }
        Some(schema) => {
            let message = format!(
                "`{} {}` is no number: take an `ArrayView` of `{}`",
                schema.ty.value,
                schema.name.value,
                elements.ty()
            );
            Err(mistake_in(codes::NOT_A_NUMBER, ty, message))
        }
        None if generic => {
            let message = "a number has its own type here, such as `f64`";
            Err(mistake_in(codes::NOT_A_NUMBER, ty, message))
        }
        None => Ok(ArrayParam::Value(Box::new(ty.clone()))),
    }
}

fn is_number(ty: &SchemaType) -> bool {
    let numbers =
        [BaseType::Scalar, BaseType::Float, BaseType::Int, BaseType::SymInt, BaseType::Bool];
    matches!(ty, SchemaType::Base(base) if numbers.contains(base))
}

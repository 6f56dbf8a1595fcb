//! Signatures that kernels of elements and kernels of arrays share: the type of
//! the elements, and as many parameters as their schema.

use opwright_schema::model::Schema;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{ItemFn, Result, Type, TypeParam};

use super::syntax;
use crate::attribute::NativeOp;
use crate::codes;
use crate::dtypes::{self, Dtypes};
use crate::mistake::{mistake, mistake_in};

/// The element types that a kernel is there for.
#[derive(Clone, Debug)]
pub enum Elements {
    /// A type parameter, for these dtypes.
    Generic(Ident, Dtypes),
    /// One type.
    Concrete(Box<Type>),
}

impl Elements {
    /// Of a function that is generic and says for which dtypes, or neither.
    pub(super) fn read(
        attribute: &NativeOp,
        func: &ItemFn,
        concrete: Option<Type>,
    ) -> Result<Elements> {
        let param = syntax::type_param(func)?;
        match (param, &attribute.style.dtypes, concrete) {
            (Some(param), None, _) => Err(mistake_in(codes::NO_DTYPES, param, without_dtypes())),
            (None, Some(dtypes), _) => {
                Err(mistake(codes::NOT_GENERIC, dtypes.span, without_parameter(func)))
            }
            (Some(param), Some(dtypes), _) => {
                bounds_fit(func, param, dtypes)?;
                Ok(Elements::Generic(param.ident.clone(), dtypes.clone()))
            }
            (None, None, Some(concrete)) => Ok(Elements::Concrete(Box::new(concrete))),
            (None, None, None) => {
                let message = "no parameter has elements";
                Err(mistake(codes::UNDECIDED, func.sig.ident.span(), message))
            }
        }
    }

    /// Whether this type is that of the elements.
    pub fn is(&self, ty: &Type) -> bool {
        match self {
            Elements::Generic(param, _) => syntax::is_ident(ty, param),
            Elements::Concrete(element) => **element == *ty,
        }
    }

    /// The type of the elements inside of a function with the same parameter.
    pub fn ty(&self) -> TokenStream {
        match self {
            Elements::Generic(param, _) => quote!(#param),
            Elements::Concrete(ty) => quote!(#ty),
        }
    }
}

pub(super) fn without_dtypes() -> String {
    format!("a generic kernel says for which dtypes it is there: {}", dtypes::examples())
}

fn without_parameter(func: &ItemFn) -> String {
    format!(
        "`dtypes` is for a generic kernel, `fn {}<T: ...>(...)`; one that is not has the dtype of \
         its own types",
        func.sig.ident
    )
}

/// A bound that is a trait of the runtime says more than `dtypes` if it leaves
/// one of them out.
fn bounds_fit(func: &ItemFn, param: &TypeParam, dtypes: &Dtypes) -> Result<()> {
    for bound in syntax::bounds(func, param) {
        let Some(name) = bound.path.segments.last().map(|it| it.ident.to_string()) else {
            continue;
        };
        if let (Some(dtype), Some(word)) = (dtypes.beyond(&name), dtypes::word_of(&name)) {
            let message = format!(
                "`dtypes` has `{}`, which is no `{name}`: say `dtypes = {word}`, or take another \
                 trait",
                dtype.word
            );
            return Err(mistake_in(codes::NARROW_TRAIT, &bound.path, message));
        }
    }
    Ok(())
}

/// Whether the schema has as many parameters as the function, one of which may stand for several.
pub(super) fn counts_fit(schema: &Schema, func: &ItemFn) -> Result<()> {
    let more = syntax::each(func).map_or(0, |(tensors, _)| tensors.len() - 1);
    let (expected, found) = (schema.params.len(), func.sig.inputs.len() + more);
    if expected == found {
        return Ok(());
    }
    let plural = if expected == 1 { "" } else { "s" };
    let message = format!("the schema has {expected} parameter{plural}, this function {found}");
    Err(mistake(codes::PARAMETER_COUNT, func.sig.paren_token.span.join(), message))
}

//! Functions that formulas call: those with `#[gradient_helper]`.

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::Type as SchemaType;
use opwright_schema::types::Natives;
use syn::{FnArg, ItemFn, Type, Visibility};

use super::home::Home;
use crate::attribute::ends_in;
use crate::codes;
use crate::fn_path::FnPath;
use crate::form::syntax;
use crate::helper::Helper;
use crate::schema_of::{borrowed, owned};
use crate::ty::Ty;

/// Whether formulas may call a function.
pub(super) fn is_helper(func: &ItemFn) -> bool {
    func.attrs.iter().any(|it| ends_in(&it.meta, "gradient_helper"))
}

/// The helper of a function; a type that no formula has is reported.
pub(super) fn helper(
    cx: &mut Diagnostics,
    natives: Natives<'_>,
    func: &ItemFn,
    home: &Home,
) -> Option<Helper> {
    let span = home.place(func.sig.ident.span());
    if matches!(func.vis, Visibility::Inherited) {
        let name = &func.sig.ident;
        cx.error(codes::HELPER, &span, "generated code cannot reach this helper")
            .help(format_args!("declare it as `pub(crate) fn {name}`"));
    }
    let mut wrong = |ty: &Type, what: &str| {
        let place = home.place(syn::spanned::Spanned::span(ty));
        cx.error(codes::HELPER, &place, format_args!("formulas have no {what} of this type"))
            .help("see the table of types in the guide's chapter on gradients");
    };
    let mut params = Vec::new();
    for arg in &func.sig.inputs {
        let FnArg::Typed(arg) = arg else { return None };
        match param(&arg.ty, natives) {
            Some(ty) => params.push(ty),
            None => wrong(&arg.ty, "values"),
        }
    }
    let Some(returned) = syntax::return_type(func) else {
        cx.error(codes::HELPER, &span, "a helper returns a `Result`").help("as operators do");
        return None;
    };
    let inner = syntax::argument_of(returned, "Result");
    let Some(returns) = inner.and_then(|it| result(it, natives)) else {
        wrong(returned, "results");
        return None;
    };
    let path = home.module.iter().cloned().chain([func.sig.ident.to_string()]).collect();
    (params.len() == func.sig.inputs.len()).then_some(Helper {
        path: FnPath(path),
        params,
        returns,
    })
}

pub(super) fn param(ty: &Type, natives: Natives<'_>) -> Option<Ty> {
    if let Type::Reference(it) = ty {
        let word = |it: &Type| syntax::last_segment(it).map(|it| it.ident.to_string());
        let known = match &*it.elem {
            Type::Slice(slice) if word(&slice.elem).as_deref() == Some("Dims") => Some(Ty::Shapes),
            Type::Slice(_) => None,
            elem => match word(elem).as_deref() {
                Some("Metadata") => Some(Ty::Metadata),
                Some("Geometry") => Some(Ty::Geometry),
                _ => None,
            },
        };
        if known.is_some() {
            return known;
        }
    }
    borrowed(ty, natives).map(|it| Ty::of(&it))
}

pub(super) fn result(ty: &Type, natives: Natives<'_>) -> Option<Ty> {
    let one = |ty: &Type| -> Option<SchemaType> {
        let gradient =
            |it: &Type| syntax::argument_of(it, "Option").and_then(|it| owned(it, natives));
        let optional = |it| SchemaType::Optional(Box::new(it));
        if let Some(inner) = syntax::argument_of(ty, "Vec").and_then(gradient) {
            return Some(SchemaType::List(Box::new(optional(inner)), None));
        }
        gradient(ty).map(optional).or_else(|| owned(ty, natives))
    };
    let parts: Option<Vec<SchemaType>> = syntax::parts(ty).into_iter().map(one).collect();
    Some(match parts?.as_slice() {
        [only] => Ty::of(only),
        several => Ty::Tuple(several.to_vec()),
    })
}

//! Automatic differentiation of functions of elements: those that it can derive.

use syn::{GenericParam, ItemFn, WherePredicate};

use super::elements::Elements;
use super::syntax;
use crate::promote::Promote;

/// Traits of numbers, one of which the elements have.
const NUMBERS: [&str; 3] = ["Float", "Real", "Number"];

/// Further traits that duals have.
const FURTHER: [&str; 19] = [
    "Add",
    "Clone",
    "Copy",
    "Debug",
    "Div",
    "FloatConst",
    "Mul",
    "Neg",
    "Num",
    "NumCast",
    "One",
    "Ordered",
    "PartialEq",
    "PartialOrd",
    "Rem",
    "Send",
    "Sub",
    "Sync",
    "Zero",
];

/// The most tensors for which there are loops: of the second derivative, with two gradients more.
const MOST_TENSORS: usize = 11;

/// Whether a function can be called with duals: it is generic over nothing but numbers, and returns
/// some of them.
pub(super) fn is_derivable(
    func: &ItemFn,
    elements: &Elements,
    results: usize,
    promote: Option<Promote>,
    tensors: usize,
) -> bool {
    let Elements::Generic(_, dtypes) = elements else { return false };
    let Ok(Some(param)) = syntax::type_param(func) else { return false };
    let bounds = syntax::bounds(func, param);
    let words: Vec<String> = bounds
        .iter()
        .filter_map(|it| it.path.segments.last().map(|it| it.ident.to_string()))
        .collect();
    let is_number = words.iter().any(|it| NUMBERS.contains(&it.as_str()));
    let is_known = |it: &String| NUMBERS.contains(&it.as_str()) || FURTHER.contains(&it.as_str());
    let is_plain = words.iter().all(is_known) && all_about(func, param);
    is_number
        && is_plain
        && results > 0
        && !matches!(promote, Some(Promote::Bool | Promote::Compare))
        && tensors + results < MOST_TENSORS
        && dtypes.all.iter().any(|it| it.is_floating())
}

/// Whether nothing is asked of other types than this parameter.
fn all_about(func: &ItemFn, param: &syn::TypeParam) -> bool {
    let generics = &func.sig.generics;
    let is_only = |it: &GenericParam| match it {
        GenericParam::Type(it) => it.ident == param.ident,
        GenericParam::Lifetime(_) => true,
        GenericParam::Const(_) => false,
    };
    let clauses = generics.where_clause.iter().flat_map(|it| &it.predicates);
    let mut others = clauses.filter(|it| match it {
        WherePredicate::Type(it) => !syntax::is_ident(&it.bounded_ty, &param.ident),
        _ => false,
    });
    generics.params.iter().all(is_only) && others.next().is_none()
}

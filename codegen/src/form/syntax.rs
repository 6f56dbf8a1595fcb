//! Questions about the tokens of a signature.

use proc_macro2::Ident;
use syn::{
    FnArg, GenericArgument, GenericParam, ItemFn, PathArguments, PathSegment, Result, ReturnType,
    Signature, TraitBound, Type, TypeParam, TypeParamBound, WherePredicate,
};

use crate::codes;
use crate::mistake::mistake_in;

/// The one type parameter of a kernel, if it is generic.
///
/// # Errors
///
/// If there are more, or a parameter that is a constant.
pub fn type_param(func: &ItemFn) -> Result<Option<&TypeParam>> {
    for param in &func.sig.generics.params {
        if let GenericParam::Const(param) = param {
            let message = "a kernel cannot be generic over a constant, since nobody says which: take a parameter";
            return Err(mistake_in(codes::GENERICS, param, message));
        }
    }
    let mut params = type_params(func);
    let first = params.next();
    match params.next() {
        Some(second) => {
            let message = "a kernel has one type parameter at most, that of its elements: write the other type out";
            Err(mistake_in(codes::GENERICS, second, message))
        }
        None => Ok(first),
    }
}

/// Whether the first parameter is a `Source`: elements that are reduced, wherever they come from.
pub fn takes_source(signature: &Signature) -> bool {
    let Some(FnArg::Typed(first)) = signature.inputs.first() else { return false };
    last_segment(&first.ty).is_some_and(|it| it.ident == "Source")
}

/// The type parameters of a function.
fn type_params(func: &ItemFn) -> impl Iterator<Item = &TypeParam> {
    func.sig.generics.params.iter().filter_map(|it| match it {
        GenericParam::Type(param) => Some(param),
        GenericParam::Lifetime(_) | GenericParam::Const(_) => None,
    })
}

/// The traits that a type parameter has, wherever the function says so.
pub fn bounds<'a>(func: &'a ItemFn, param: &'a TypeParam) -> Vec<&'a TraitBound> {
    let clauses = func.sig.generics.where_clause.iter().flat_map(|it| &it.predicates);
    let in_clauses = clauses.filter_map(|it| match it {
        WherePredicate::Type(it) if is_ident(&it.bounded_ty, &param.ident) => Some(&it.bounds),
        _ => None,
    });
    let all = std::iter::once(&param.bounds).chain(in_clauses).flatten();
    all.filter_map(|it| match it {
        TypeParamBound::Trait(bound) => Some(bound),
        _ => None,
    })
    .collect()
}

/// Whether a parameter has this name.
pub fn is_named(param: &syn::PatType, name: &Ident) -> bool {
    matches!(&*param.pat, syn::Pat::Ident(it) if it.ident == *name)
}

/// The types of the parameters; a receiver has none.
pub fn param_types(func: &ItemFn) -> impl Iterator<Item = &Type> {
    func.sig.inputs.iter().filter_map(|it| match it {
        FnArg::Typed(arg) => Some(&*arg.ty),
        FnArg::Receiver(_) => None,
    })
}

/// The type behind the arrow.
pub fn return_type(func: &ItemFn) -> Option<&Type> {
    match &func.sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(ty),
    }
}

/// Whether a type is this word.
pub fn is_ident(ty: &Type, word: &Ident) -> bool {
    matches!(ty, Type::Path(it) if it.qself.is_none() && it.path.is_ident(word))
}

/// The last segment of a type that is a path.
pub fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(it) => it.path.segments.last(),
        _ => None,
    }
}

/// The `A` of `Name<A>`, if the type has that name.
pub fn argument_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let segment = last_segment(ty).filter(|it| it.ident == name)?;
    type_arguments(segment).next()
}

/// The types among the arguments of a segment.
pub fn type_arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(it) => Some(&it.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|it| match it {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Whether the last segment of a type is this word.
pub fn is_called(ty: &Type, name: &str) -> bool {
    last_segment(ty).is_some_and(|it| it.ident == name)
}

/// The elements of a view of an array: the `A` of `ArrayView2<'_, A>`.
pub fn view_elements(ty: &Type) -> Option<&Type> {
    elements_of(ty, "ArrayView")
}

/// The elements of a view to write to: the `A` of `ArrayViewMut2<'_, A>`.
pub fn mutable_view(ty: &Type) -> Option<&Type> {
    elements_of(ty, "ArrayViewMut")
}

/// The elements of an array that owns them: the `A` of `Array2<A>`.
pub(super) fn array_elements(ty: &Type) -> Option<&Type> {
    elements_of(ty, "Array")
}

fn elements_of<'a>(ty: &'a Type, array: &str) -> Option<&'a Type> {
    let segment = last_segment(ty)?;
    let name = segment.ident.to_string();
    is_dimension(name.strip_prefix(array)?).then(|| type_arguments(segment).next()).flatten()
}

/// How many dimensions a type such as `Array2` has, if its name tells.
pub(super) fn rank(ty: &Type, array: &str) -> Option<usize> {
    last_segment(ty)?.ident.to_string().strip_prefix(array)?.parse().ok()
}

/// Whether a type is an array that owns its elements: `Array1<A>`.
pub fn is_array(ty: &Type) -> bool {
    let name = last_segment(ty).map(|it| it.ident.to_string()).unwrap_or_default();
    name.strip_prefix("Array").is_some_and(is_dimension)
}

/// What stands behind `Array`: nothing, a number of dimensions, or `D`.
fn is_dimension(text: &str) -> bool {
    matches!(text, "" | "D" | "0" | "1" | "2" | "3" | "4" | "5" | "6")
}

/// Whether views go in or arrays come out.
pub(super) fn has_arrays(func: &ItemFn) -> bool {
    let is_view = |ty: &Type| {
        view_elements(argument_of(ty, "Option").unwrap_or(ty)).is_some() || is_mutable_view(ty)
    };
    let result = return_type(func).map(|it| argument_of(it, "Result").unwrap_or(it));
    param_types(func).any(is_view)
        || result.is_some_and(|it| parts(it).iter().any(|it| is_array(it)))
}

/// Whether a type is a view to write to.
pub(super) fn is_mutable_view(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|it| it.ident.to_string().starts_with("ArrayViewMut"))
}

/// The elements that an `Each` stands for: those of the tensors, and those of the results.
pub fn each(func: &ItemFn) -> Option<(Vec<&Type>, Vec<&Type>)> {
    let segment = last_segment(param_types(func).next()?).filter(|it| it.ident == "Each")?;
    let mut types = type_arguments(segment);
    Some((parts(types.next()?), parts(types.next()?)))
}

/// The parts of a tuple; another type is its only part.
pub fn parts(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Tuple(it) => it.elems.iter().collect(),
        Type::Paren(it) => parts(&it.elem),
        other => vec![other],
    }
}

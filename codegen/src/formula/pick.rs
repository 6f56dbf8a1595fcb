//! Overload resolution of calls in formulas.

use opwright_schema::model::{BaseType, Overload, Param, Role, Type};
use proc_macro2::TokenStream;
use quote::quote;

use super::callables::{Callables, returned};
use super::tree::{Called, Tree};
use super::value::{Cost, FormulaValue};
use crate::literal;
use crate::ty::Ty;

/// What is passed, and the same as data.
type FormulaArgument = (TokenStream, Option<Tree>);

/// The call of the overload that fits these arguments best; nothing if none does. Arguments come in
/// the order of the schema, as in upstream's language, but for the object of a method.
pub(super) fn pick(
    callables: &Callables<'_>,
    name: &str,
    object: Option<&FormulaValue>,
    args: &[FormulaValue],
) -> Option<FormulaValue> {
    let overloads = callables.overloads(name).iter();
    let fits = overloads.filter_map(|it| Some((it, arguments(it.overload, object, args)?)));
    let (callable, (arguments, _)) = fits.min_by_key(|(_, (_, cost))| *cost)?;
    let (overload, path) = (callable.overload, callable.path());
    let (arguments, trees): (Vec<_>, Vec<_>) = arguments.into_iter().unzip();
    let tree = Tree::call(Called::overload(overload, path.clone()), trees);
    let types: Vec<Type> = overload.schema.returns.iter().map(|it| it.ty.value.clone()).collect();
    Some(
        FormulaValue::owned(returned(&types), quote!(rt::ok(#path::call(#(#arguments),*))))
            .with(tree),
    )
}

/// The arguments for an overload, and what it costs to make them; nothing if they do not fit.
fn arguments(
    overload: &Overload,
    object: Option<&FormulaValue>,
    args: &[FormulaValue],
) -> Option<(Vec<FormulaArgument>, Cost)> {
    let params = &overload.schema.params;
    let place = object.map(|_| params.iter().position(|it| it.name.value == "self").unwrap_or(0));
    let (mut arguments, mut cost) = (Vec::new(), 0);
    let mut rest = args.iter().peekable();
    let mut like: Option<&FormulaValue> = None;
    for (at, param) in params.iter().enumerate() {
        let value = if Some(at) == place { object } else { None };
        if value.is_none() && param.role == Role::Option {
            if rest.peek().is_some_and(|it| it.ty == Ty::Metadata) {
                like = rest.next();
            }
            if let Some(like) = like {
                arguments.push(option(param, like)?);
                continue;
            }
        }
        let value = value.or_else(|| rest.next());
        match value {
            Some(value) => {
                let (tokens, paid) = value.pass(&Ty::of(&param.ty.value))?;
                arguments.push((tokens, value.tree.clone()));
                cost += paid;
            }
            None => {
                let tokens = literal::rust(&param.default.as_ref()?.value, &param.ty.value)?;
                arguments.push((tokens, Tree::default()));
            }
        }
    }
    rest.next().is_none().then_some((arguments, cost))
}

/// The option of a tensor that is to be like another one.
fn option(param: &Param, like: &FormulaValue) -> Option<FormulaArgument> {
    let Type::Optional(inner) = &param.ty.value else { return None };
    let (tree, like) = (like.tree.clone(), like.argument());
    Some(match &**inner {
        Type::Base(BaseType::ScalarType) => {
            (quote!(::core::option::Option::Some((#like).dtype)), Tree::asked(quote!(DType), tree))
        }
        Type::Base(BaseType::Device) => (
            quote!(::core::option::Option::Some((#like).device)),
            Tree::asked(quote!(Device), tree),
        ),
        _ => (quote!(::core::option::Option::None), Tree::constant(quote!(None))),
    })
}

//! Numbers in formulas, with which Rust calculates.

use opwright_formula::BinaryOperator;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::tree::Tree;
use super::value::FormulaValue;
use crate::ty::Ty;

/// The one that has the values of both.
pub(super) fn wider(one: &Ty, other: &Ty) -> Ty {
    let order = [Ty::SCALAR, Ty::FLOAT, Ty::INT];
    order.into_iter().find(|it| it == one || it == other).unwrap_or(Ty::INT)
}

/// The type in which numbers are added: truth values count as integers.
pub(super) fn arithmetic(one: &Ty, other: &Ty) -> Ty {
    if one == other && *one != Ty::BOOL { one.clone() } else { wider(one, other) }
}

/// A sign between numbers, if it can stand there.
pub(super) fn numbers(
    operator: BinaryOperator,
    left: &FormulaValue,
    right: &FormulaValue,
) -> Option<FormulaValue> {
    let both = |ty: Ty| left.ty == ty && right.ty == ty;
    let wider = arithmetic(&left.ty, &right.ty);
    let ty = match operator {
        BinaryOperator::And | BinaryOperator::Or => both(Ty::BOOL).then_some(Ty::BOOL)?,
        BinaryOperator::BitAnd | BinaryOperator::BitOr if both(Ty::BOOL) => Ty::BOOL,
        BinaryOperator::BitAnd | BinaryOperator::BitOr => both(Ty::INT).then_some(Ty::INT)?,
        BinaryOperator::Rem => (wider != Ty::SCALAR).then_some(wider)?,
        _ if operator.is_question() && both(Ty::BOOL) => Ty::BOOL,
        _ if operator.is_question() && wider == Ty::SCALAR => Ty::FLOAT,
        _ => wider,
    };
    let result = if operator.is_question() { Ty::BOOL } else { ty.clone() };
    let tree = Tree::binary(operator, left.tree.clone(), right.tree.clone());
    let [left, right] = [left, right].map(|it| as_number(it, &ty));
    let whole = match operator {
        BinaryOperator::Div => Some(quote!(checked_div)),
        BinaryOperator::Rem => Some(quote!(checked_rem)),
        _ => None,
    };
    let tokens = match whole.filter(|_| ty == Ty::INT) {
        Some(divide) => {
            let zero = quote!(rt::Error::runtime("a formula divides by zero"));
            quote!(::core::primitive::i64::#divide(#left, #right).ok_or_else(|| #zero)?)
        }
        None => {
            let sign = rust_sign(operator);
            quote!((#left #sign #right))
        }
    };
    Some(FormulaValue::owned(result, tokens).with(tree))
}

/// A number as one of another type.
pub(super) fn as_number(value: &FormulaValue, ty: &Ty) -> TokenStream {
    let tokens = value.argument();
    match (&value.ty, ty) {
        (from, to) if from == to => tokens,
        (_, to) if *to == Ty::SCALAR => value.scalar(),
        (from, to) if *from == Ty::SCALAR && *to == Ty::FLOAT => quote!(rt::ok(#tokens.to_f64())),
        (from, to) if *from == Ty::BOOL && *to == Ty::FLOAT => quote!(f64::from(#tokens)),
        (_, to) if *to == Ty::FLOAT => quote!((#tokens as f64)),
        _ => quote!((#tokens as i64)),
    }
}

fn rust_sign(operator: BinaryOperator) -> TokenStream {
    operator.sign().parse().unwrap_or_default()
}

/// A function of a number, which Rust has.
pub(super) fn of_number(name: &str, number: &FormulaValue) -> Option<FormulaValue> {
    if !number.ty.is_number() {
        return None;
    }
    let float = as_number(number, &Ty::FLOAT);
    let of = |sign| Tree::number(sign, [number.tree.clone()]);
    let (function, tree): (Ident, _) = match name {
        "log" => (format_ident!("ln"), of("Log")),
        "exp" => (format_ident!("exp"), of("Exp")),
        "sqrt" => (format_ident!("sqrt"), of("Sqrt")),
        "abs" => (format_ident!("abs"), None),
        _ => return None,
    };
    Some(FormulaValue::owned(Ty::FLOAT, quote!(#float.#function())).with(tree))
}

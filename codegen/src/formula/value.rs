//! Values of a formula: what is printed for a part of it, and how it becomes what is wanted.

use opwright_schema::model::{BaseType, Type};
use opwright_schema::types::Values;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::tree::Tree;
use crate::ty::Ty;

/// What is printed for a part of a formula.
#[derive(Clone, Debug)]
pub(super) struct FormulaValue {
    tokens: TokenStream,
    pub(super) ty: Ty,
    is_owned: bool,
    /// Those of `{a, b}`.
    parts: Vec<FormulaValue>,
    /// The same as data, if it can be said so.
    pub(super) tree: Option<Tree>,
}

/// What it costs to make something else of a value; the overload that costs least is picked.
pub(super) type Cost = u32;

/// An optional of it.
const OPTIONAL: Cost = 1;
/// A number of another type.
const NUMBER: Cost = 2;
/// One for a list.
const ALONE: Cost = 4;
/// A tensor of a number.
const TENSOR: Cost = 8;
/// A tensor that may be absent, where one is needed.
const PRESENT: Cost = 3;

impl FormulaValue {
    pub(super) fn owned(ty: Ty, tokens: TokenStream) -> FormulaValue {
        FormulaValue { tokens, ty, is_owned: true, parts: Vec::new(), tree: None }
    }

    pub(super) fn lent(ty: Ty, tokens: TokenStream) -> FormulaValue {
        FormulaValue { tokens, ty, is_owned: false, parts: Vec::new(), tree: None }
    }

    pub(super) fn braces(parts: Vec<FormulaValue>) -> FormulaValue {
        let tree = Tree::list(parts.iter().map(|it| it.tree.clone()));
        FormulaValue { tokens: TokenStream::new(), ty: Ty::Braces, is_owned: true, parts, tree }
    }

    pub(super) fn literal(number: i64) -> FormulaValue {
        let tokens = if number < 0 { quote!((#number)) } else { quote!(#number) };
        FormulaValue::owned(Ty::INT, tokens).with(Tree::int(number))
    }

    /// The same, which is this as data.
    pub(super) fn with(self, tree: Option<Tree>) -> FormulaValue {
        FormulaValue { tree, ..self }
    }

    /// As an argument of its own type.
    pub(super) fn argument(&self) -> TokenStream {
        if self.is_owned { self.ty.lend(&self.tokens) } else { self.tokens.clone() }
    }

    /// As a value that stays.
    pub(super) fn into_owned(self) -> TokenStream {
        if self.is_owned { self.tokens } else { self.ty.own(&self.tokens) }
    }

    /// As an argument of this type, and what that costs; nothing if there is no way.
    pub(super) fn pass(&self, to: &Ty) -> Option<(TokenStream, Cost)> {
        if self.ty == *to {
            return Some((self.argument(), 0));
        }
        if let Some(inner) = to.inner() {
            return self.pass_optional(&inner);
        }
        if let Some(element) = to.element() {
            return self.pass_list(&element);
        }
        let tokens = match (&self.ty, to) {
            (from, to) if from.is_number() && *to == Ty::SCALAR => (self.scalar(), NUMBER),
            (from, to) if *from == Ty::INT && *to == Ty::FLOAT => {
                let tokens = &self.tokens;
                (quote!((#tokens as f64)), NUMBER)
            }
            (from, Ty::Of(Type::Base(to))) if *from == Ty::STR => (self.variant(to)?, 0),
            (from, to) if from.is_number() && to.is_tensor() => {
                let number = self.scalar();
                (quote!(&rt::ok(rt::Tensor::wrapped_number(#number))), TENSOR)
            }
            (from, to) if from.is_optional_tensor() && to.is_tensor() => {
                let lent = self.argument();
                (quote!(rt::autograd::present(#lent)?), PRESENT)
            }
            _ => return None,
        };
        Some(tokens)
    }

    fn pass_optional(&self, inner: &Ty) -> Option<(TokenStream, Cost)> {
        match self.ty {
            Ty::Nothing | Ty::Absent => Some((quote!(::core::option::Option::None), 0)),
            _ => {
                let (inner, cost) = self.pass(inner)?;
                Some((quote!(::core::option::Option::Some(#inner)), cost + OPTIONAL))
            }
        }
    }

    fn pass_list(&self, element: &Ty) -> Option<(TokenStream, Cost)> {
        if self.ty == Ty::Braces {
            let parts: Option<Vec<_>> = self.parts.iter().map(|it| it.pass(element)).collect();
            let (parts, costs): (Vec<_>, Vec<_>) = parts?.into_iter().unzip();
            return Some((quote!(&[#(#parts),*]), costs.iter().sum()));
        }
        if element.is_optional_tensor() && self.ty == Ty::list(Ty::TENSOR) {
            let lent = self.argument();
            return Some((quote!(&*rt::autograd::some(#lent)), OPTIONAL));
        }
        let is_alone = self.ty == *element && self.ty == Ty::INT;
        let tokens = &self.tokens;
        is_alone.then(|| (quote!(&[#tokens]), ALONE))
    }

    /// As a value of this type that stays.
    pub(super) fn convert(self, to: &Ty) -> Option<TokenStream> {
        if self.ty == *to {
            return Some(self.into_owned());
        }
        if let Some(inner) = to.inner() {
            if matches!(self.ty, Ty::Nothing | Ty::Absent) {
                return Some(quote!(::core::option::Option::None));
            }
            let inner = self.convert(&inner)?;
            return Some(quote!(::core::option::Option::Some(#inner)));
        }
        if let (Ty::Braces, Some(element)) = (&self.ty, to.element()) {
            let parts: Option<Vec<_>> =
                self.parts.into_iter().map(|it| it.convert(&element)).collect();
            let parts = parts?;
            return Some(quote!(::std::vec![#(#parts),*]));
        }
        if let Ty::Tuple(wanted) = to {
            return self.convert_tuple(wanted);
        }
        let (lent, _) = self.pass(to)?;
        Some(to.own(&lent))
    }

    /// As a tuple of values of these types.
    fn convert_tuple(self, wanted: &[Type]) -> Option<TokenStream> {
        if self.ty == Ty::Absent {
            let absent = wanted.iter().map(|_| quote!(::core::option::Option::None));
            return Some(quote!((#(#absent),*)));
        }
        let parts: Vec<FormulaValue> = match &self.ty {
            Ty::Braces => self.parts,
            Ty::Tuple(types) => {
                let values = types.iter().enumerate().map(|(at, ty)| {
                    let name = part(at);
                    FormulaValue::owned(Ty::Of(ty.clone()), quote!(#name))
                });
                values.collect()
            }
            _ => return None,
        };
        let is_tuple = self.ty != Ty::Braces;
        let names = (0..parts.len()).map(part).collect::<Vec<_>>();
        let converted = parts.into_iter().zip(wanted);
        let converted = converted.map(|(value, ty)| value.convert(&Ty::Of(ty.clone())));
        let converted = converted.collect::<Option<Vec<_>>>()?;
        if converted.len() != wanted.len() {
            return None;
        }
        let tokens = self.tokens;
        Some(match is_tuple {
            true => quote!({ let (#(#names),*) = #tokens; (#(#converted),*) }),
            false => quote!((#(#converted),*)),
        })
    }

    /// A literal as the variant of an enumeration of texts.
    fn variant(&self, of: &BaseType) -> Option<TokenStream> {
        let Values::StrEnum(row) = of.row().values else { return None };
        let word = syn::parse2::<syn::LitStr>(self.tokens.clone()).ok()?.value();
        let (of, variant) =
            (format_ident!("{}", row.name), format_ident!("{}", row.variant(&word)?));
        Some(quote!(rt::#of::#variant))
    }

    /// A number as one of any kind.
    pub(super) fn scalar(&self) -> TokenStream {
        let tokens = &self.tokens;
        if self.ty == Ty::SCALAR { quote!(#tokens) } else { quote!(rt::Scalar::from(#tokens)) }
    }
}

/// What generated code calls a part of a tuple.
fn part(at: usize) -> Ident {
    format_ident!("__part{at}")
}

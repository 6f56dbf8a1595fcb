//! Questions about tensors whose answers are saved in their place.

use opwright_formula::{Expr, ExprKind, Prefix};
use opwright_schema::model::BaseType;
use proc_macro2::TokenStream;
use quote::quote;

use super::saved::Kept;
use super::tree::Tree;
use super::value::FormulaValue;
use crate::ty::Ty;

/// A question about a tensor.
pub(super) struct Property {
    /// What is saved for it is called so, behind the name of the tensor.
    pub(super) suffix: String,
    ask: fn(&TokenStream, Option<i64>) -> TokenStream,
    number: Option<i64>,
    ty: Ty,
}

impl Property {
    /// That of a method, if it is one.
    pub(super) fn of_method(name: &str, args: &[Expr]) -> Option<Property> {
        let number = args.first().and_then(integer);
        let name = name.strip_prefix("sym_").unwrap_or(name);
        let plain =
            |suffix: &str, ty, ask| Property { suffix: suffix.to_owned(), ask, number: None, ty };
        let found = match (name, args.len()) {
            ("sizes", 0) => plain("sym_sizes", Ty::list(Ty::INT), |it, _| quote!(#it.shape())),
            ("strides", 0) => {
                plain("sym_strides", Ty::list(Ty::INT), |it, _| quote!(#it.strides()))
            }
            ("numel", 0) => plain("sym_numel", Ty::INT, |it, _| quote!((#it.numel() as i64))),
            ("dim", 0) => plain("dim", Ty::INT, |it, _| quote!((#it.ndim() as i64))),
            ("scalar_type", 0) => plain("scalar_type", Ty::DTYPE, |it, _| quote!(#it.dtype())),
            ("layout", 0) => {
                plain("layout", Ty::base(BaseType::Layout), |it, _| quote!(#it.layout()))
            }
            ("options", 0) => {
                plain("options", Ty::Metadata, |it, _| quote!(&rt::autograd::Metadata::of(#it)))
            }
            ("size", 1) => {
                let number = number?;
                let sign = if number < 0 { "minus_" } else { "" };
                let suffix = format!("sym_size_{sign}{}", number.unsigned_abs());
                let ask = |it: &TokenStream, number| quote!(rt::ok(#it.size_of(#number)));
                Property { suffix, ask, number: Some(number), ty: Ty::INT }
            }
            _ => return None,
        };
        Some(found)
    }

    /// That of a call with the tensor in parentheses.
    pub(super) fn of_call(name: &str) -> Option<Property> {
        let plain = |suffix: &str, ty, ask| {
            Some(Property { suffix: suffix.to_owned(), ask, number: None, ty })
        };
        match name {
            "TensorGeometry" => {
                plain("geometry", Ty::Geometry, |it, _| quote!(&rt::autograd::Geometry::of(#it)))
            }
            "zeros_like" => plain(
                "info",
                Ty::TENSOR,
                |it, _| quote!(&rt::ok(rt::autograd::Metadata::of(#it).zeros())),
            ),
            _ => None,
        }
    }

    /// Those of a list of tensors, which are called.
    pub(super) fn of_list(name: &str) -> Option<(&'static str, Kept, Ty)> {
        match name.strip_suffix("_symint").unwrap_or(name) {
            "to_args_sizes" => Some(("args_sizes", Kept::Shapes, Ty::Shapes)),
            "to_args_scalartypes" => Some(("args_scalartypes", Kept::Dtypes, Ty::list(Ty::DTYPE))),
            _ => None,
        }
    }

    /// The answer, if the tensor is there.
    pub(super) fn asked(&self, tensor: &TokenStream) -> FormulaValue {
        let number = self.number;
        FormulaValue::lent(self.ty.clone(), (self.ask)(tensor, number))
    }

    /// The answer as data, of a tensor that is this.
    pub(super) fn tree(&self, tensor: Option<Tree>) -> Option<Tree> {
        let question = match (self.suffix.as_str(), self.number) {
            ("sym_sizes", _) => quote!(Sizes),
            ("sym_numel", _) => quote!(Numel),
            ("dim", _) => quote!(Dim),
            ("scalar_type", _) => quote!(DType),
            ("info", _) => quote!(Zeros),
            (_, Some(number)) => quote!(Size(#number)),
            ("sym_strides", _) => quote!(Strides),
            ("layout", _) => return Tree::constant(quote!(Layout(rt::Layout::Strided))),
            // What is like a tensor is asked for its dtype and its device, each apart.
            ("options", _) => return tensor,
            _ => return None,
        };
        Tree::asked(question, tensor)
    }

    /// What is saved for it.
    pub(super) fn kept(&self) -> Kept {
        let this = (self.ask)(&quote!(__it), self.number);
        match &self.ty {
            Ty::Geometry => Kept::Geometry,
            // Zeros are made of what the tensor is like.
            Ty::Metadata => Kept::Metadata,
            it if it.is_tensor() => Kept::Metadata,
            it if *it == Ty::list(Ty::INT) => Kept::Dims(this),
            it => Kept::Answer(this, it.clone()),
        }
    }

    /// The answer out of what was saved under a name of generated code.
    pub(super) fn answered(&self, saved: &TokenStream) -> FormulaValue {
        match self.ty.is_tensor() {
            true => FormulaValue::owned(Ty::TENSOR, quote!(rt::ok(#saved.zeros()))),
            false => FormulaValue::lent(self.ty.clone(), saved.clone()),
        }
    }
}

/// The name that an expression asks a property of, if it does.
pub(super) fn asks(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Method { object, name, args } => {
            Property::of_method(&name.text, args)?;
            Some(&object.name()?.text)
        }
        ExprKind::Call { function, args, .. } => {
            let name = &function.last().text;
            let [only] = args.as_slice() else { return None };
            (Property::of_call(name).is_some() || Property::of_list(name).is_some())
                .then_some(&only.name()?.text)
        }
        _ => None,
    }
}

/// The integer that is written out there.
pub(super) fn integer(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(it) => Some(*it),
        ExprKind::Prefix { prefix: Prefix::Neg, operand } => integer(operand).map(|it| -it),
        _ => None,
    }
}

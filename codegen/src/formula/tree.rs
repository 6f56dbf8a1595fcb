//! Formulas as data: what is printed for who has the calls of a graph and not their values.
//!
//! It is made beside the tokens of each part of a formula, which decide what is called.

use opwright_formula::BinaryOperator;
use opwright_schema::model::Overload;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::helper::Helper;

/// A part of a formula.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A part without parts, as the runtime's `Tree` has it.
    Leaf(TokenStream),
    /// A question about a tensor.
    Asked(TokenStream, Box<Tree>),
    /// Calculated with numbers.
    Number(&'static str, Vec<Tree>),
    /// One of two, by a condition.
    If(Vec<Tree>),
    /// Several.
    List(Vec<Tree>),
    /// A call.
    Call(Called, Vec<Tree>),
}

/// What a formula calls.
#[derive(Clone, Debug)]
pub enum Called {
    /// An overload, whose marker has this path.
    Overload(TokenStream),
    /// A helper.
    Helper(Helper),
}

impl Called {
    /// An overload, if it has a row.
    pub(super) fn overload(overload: &Overload, path: TokenStream) -> Option<Called> {
        let schema = &overload.schema;
        let params = schema.params.iter().map(|it| &it.ty);
        let mut types = params.chain(schema.returns.iter().map(|it| &it.ty));
        let all = types.all(|it| it.value.base().has_values());
        all.then_some(Called::Overload(path))
    }

    /// What tells it from others.
    pub fn key(&self) -> String {
        match self {
            Called::Overload(path) => path.to_string(),
            Called::Helper(helper) => helper.path.0.join("::"),
        }
    }
}

impl Tree {
    pub(super) fn leaf(tokens: TokenStream) -> Option<Tree> {
        Some(Tree::Leaf(tokens))
    }

    pub(super) fn constant(tokens: TokenStream) -> Option<Tree> {
        Tree::leaf(quote!(Tree::Constant(Constant::#tokens)))
    }

    pub(super) fn int(number: i64) -> Option<Tree> {
        Tree::constant(quote!(Int(#number)))
    }

    pub(super) fn float(number: f64) -> Option<Tree> {
        let number = Literal::f64_suffixed(number);
        Tree::constant(quote!(Float(#number)))
    }

    pub(super) fn string(text: &str) -> Option<Tree> {
        Tree::constant(quote!(Str(#text)))
    }

    /// What the schema says where nothing is passed.
    pub(super) fn default() -> Option<Tree> {
        Tree::leaf(quote!(Tree::Default))
    }

    pub(super) fn numbered(what: &str, number: usize) -> Option<Tree> {
        let (what, number) = (format_ident!("{what}"), Literal::usize_unsuffixed(number));
        Tree::leaf(quote!(Tree::#what(#number)))
    }

    pub(super) fn asked(question: TokenStream, of: Option<Tree>) -> Option<Tree> {
        Some(Tree::Asked(question, Box::new(of?)))
    }

    pub(super) fn list(parts: impl IntoIterator<Item = Option<Tree>>) -> Option<Tree> {
        parts.into_iter().collect::<Option<Vec<_>>>().map(Tree::List)
    }

    pub(super) fn number(
        sign: &'static str,
        parts: impl IntoIterator<Item = Option<Tree>>,
    ) -> Option<Tree> {
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Tree::Number(sign, parts))
    }

    pub(super) fn binary(
        operator: BinaryOperator,
        left: Option<Tree>,
        right: Option<Tree>,
    ) -> Option<Tree> {
        let sign = match operator {
            BinaryOperator::Add => "Add",
            BinaryOperator::Sub => "Sub",
            BinaryOperator::Mul => "Mul",
            BinaryOperator::Div => "Div",
            BinaryOperator::Eq => "Eq",
            BinaryOperator::Ne => "Ne",
            BinaryOperator::Lt => "Lt",
            BinaryOperator::Gt => "Gt",
            BinaryOperator::Le => "Le",
            BinaryOperator::Ge => "Ge",
            BinaryOperator::And => "And",
            BinaryOperator::Or => "Or",
            BinaryOperator::Rem | BinaryOperator::BitAnd | BinaryOperator::BitOr => return None,
        };
        Tree::number(sign, [left, right])
    }

    pub(super) fn call(
        called: Option<Called>,
        args: impl IntoIterator<Item = Option<Tree>>,
    ) -> Option<Tree> {
        Some(Tree::Call(called?, args.into_iter().collect::<Option<Vec<_>>>()?))
    }
}

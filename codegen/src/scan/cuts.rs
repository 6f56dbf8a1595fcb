//! Calls in the body of a kernel that touch tensors without an operator.
//!
//! In a kernel of a backend they are what it is made of. In a composite kernel, which is recorded by the
//! operators that it calls, the history of what goes through them ends.

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, ExprPath, ItemFn, Macro, Token};

/// A call of that kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// What was called, as it is written.
    pub(crate) called: String,
    /// The operator that does the same.
    pub(crate) operator: &'static str,
}

/// Methods of tensors, which are functions of `Tensor` as well, and the operators that do the same.
const METHODS: [(&str, &str); 6] = [
    ("copy", "clone"),
    ("to_dtype", "_to_copy"),
    ("to_device", "_to_copy"),
    ("without_history", "detach"),
    ("copy_from", "copy_"),
    ("fill", "fill_"),
];

/// Functions of the module `view` that are not called as the operator is.
const VIEWS: [(&str, &str); 10] = [
    ("alias", "alias"),
    ("apart", "detach"),
    ("counted_apart", "detach"),
    ("narrow", "narrow"),
    ("select", "select.int"),
    ("slice", "slice.Tensor"),
    ("squeeze", "squeeze.dim"),
    ("transpose", "transpose.int"),
    ("unsqueeze", "unsqueeze"),
    ("with_shape", "view"),
];

/// Views that are called as their operators are.
const ALIKE: [&str; 8] =
    ["as_strided", "diagonal", "expand", "flip", "imag", "permute", "real", "reshape"];

/// Modules of loops over elements.
const LOOPS: [&str; 3] = ["iterate", "lanes", "reduce"];

/// Those of a function, with their places in the file.
pub(super) fn of(func: &ItemFn) -> Vec<(Cut, Span)> {
    let mut search = Search::default();
    search.visit_block(&func.block);
    search.0
}

#[derive(Default)]
struct Search(Vec<(Cut, Span)>);

impl Search {
    fn note(&mut self, called: String, operator: &'static str, place: Span) {
        self.0.push((Cut { called, operator }, place));
    }

    /// Arguments of macros, as far as they are expressions.
    fn tokens(&mut self, tokens: TokenStream) {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(arguments) = arguments.parse2(tokens) {
            arguments.iter().for_each(|it| self.visit_expr(it));
        }
    }
}

fn method(name: &str) -> Option<&'static str> {
    METHODS.iter().find(|it| it.0 == name).map(|it| it.1)
}

fn view(name: &str) -> Option<&'static str> {
    let other = VIEWS.iter().find(|it| it.0 == name).map(|it| it.1);
    other.or_else(|| ALIKE.into_iter().find(|it| *it == name))
}

impl<'ast> Visit<'ast> for Search {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let name = call.method.to_string();
        if let Some(operator) = method(&name) {
            self.note(format!("{name}()"), operator, call.method.span());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        let words: Vec<String> = path.path.segments.iter().map(|it| it.ident.to_string()).collect();
        if let [.., module, name] = words.as_slice() {
            let operator = match module.as_str() {
                "view" => view(name),
                "Tensor" => method(name),
                it if LOOPS.contains(&it) => Some(""),
                _ => None,
            };
            if let Some(operator) = operator {
                self.note(format!("{module}::{name}"), operator, path.span());
            }
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.tokens(item.tokens.clone());
    }
}

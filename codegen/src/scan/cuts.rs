//! Calls in the body of a kernel that touch tensors without an operator.
//!
//! In a kernel of a backend they are what it is made of. In a composite kernel, which is recorded by the
//! operators that it calls, the history of what goes through them ends.

use std::sync::LazyLock;

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

/// What goes around operators: the type or the module, the name of the function there, and the
/// operator. Names of operators stand in data alone.
static CUTS: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| {
    let lines = include_str!("cuts.txt").lines().filter(|it| !it.starts_with('#'));
    lines.filter_map(|it| it.split(' ').collect::<Vec<_>>().try_into().ok()).collect()
});

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

/// The operator that does what a function of a type or a module does.
fn operator_of(owner: &str, name: &str) -> Option<&'static str> {
    CUTS.iter().find(|it| it[..2] == [owner, name]).map(|it| it[2])
}

impl<'ast> Visit<'ast> for Search {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let name = call.method.to_string();
        if let Some(operator) = operator_of("Tensor", &name) {
            self.note(format!("{name}()"), operator, call.method.span());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        let words: Vec<String> = path.path.segments.iter().map(|it| it.ident.to_string()).collect();
        if let [.., module, name] = words.as_slice() {
            let is_loop = LOOPS.contains(&module.as_str());
            let operator = if is_loop { Some("") } else { operator_of(module, name) };
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

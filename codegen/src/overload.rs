//! Functions with `#[overload]`, which the module of the crate shows to Python.

use syn::ext::IdentExt;
use syn::{Attribute, FnArg, Ident, ItemFn, Meta, Pat, ReturnType, Type};

use crate::attribute::ends_in;
use crate::doc_comment::doc_comment;

/// A function of Rust that Python calls by a name that it may share with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overload {
    /// Its module and its own name: `["compiled", "mean_of_integers"]`.
    pub path: Vec<String>,
    /// The name in Python: `mean_of`.
    pub name: String,
    /// Its doc comment.
    pub doc: String,
    /// Its parameters, with their types.
    pub params: Vec<(String, Type)>,
    /// What it returns, if that is said.
    pub result: Option<Type>,
}

impl Overload {
    /// What a function is, if it has the attribute; `module` is where it stands. What is wrong with it
    /// the attribute itself reports.
    pub(crate) fn of(func: &ItemFn, module: &[String]) -> Option<Overload> {
        let attribute = func.attrs.iter().find(|it| ends_in(&it.meta, "overload"))?;
        let ident = &func.sig.ident;
        let params = func.sig.inputs.iter().filter_map(|it| match it {
            FnArg::Typed(it) => match &*it.pat {
                Pat::Ident(pat) => Some((unraw(&pat.ident), (*it.ty).clone())),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        let result = match &func.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some((**ty).clone()),
        };
        Some(Overload {
            path: module.iter().cloned().chain([unraw(ident)]).collect(),
            name: named(attribute).unwrap_or_else(|| unraw(ident)),
            doc: doc_comment(&func.attrs),
            params: params.collect(),
            result,
        })
    }

    /// Whether it is meant by a path of `module!(.., overloads = [compiled::mean_of])`, which may begin
    /// where an import leads to.
    pub(crate) fn is_at(&self, path: &[String]) -> bool {
        self.path.ends_with(path)
    }
}

/// `#[overload(mean_of)]`
fn named(attribute: &Attribute) -> Option<String> {
    let Meta::List(list) = &attribute.meta else { return None };
    syn::parse2::<Ident>(list.tokens.clone()).ok().map(|it| unraw(&it))
}

fn unraw(ident: &Ident) -> String {
    ident.unraw().to_string()
}

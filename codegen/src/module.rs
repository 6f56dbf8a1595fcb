//! The Python module that a crate becomes, as the crate declares it.

use std::ops::Range;

use opwright_schema::model::{SourceId, Span};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Ident, Item, ItemMacro, LitBool, Path, Token, bracketed};

use crate::print::rust::rows::Rows;

/// The Python module of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its import name.
    pub name: String,
    /// Whether it takes arrays of other libraries where it expects tensors.
    pub arrays: bool,
    /// For which builds there are operators as data, of which Python's `ops` is made.
    pub rows: Rows,
    /// The operators of `opwright-ops` that it has, too.
    pub operators: Vec<Wanted>,
    /// The functions with `#[overload]` that it shows, by their paths.
    pub overloads: Vec<Vec<String>>,
}

/// An operator of `opwright-ops` by its base name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// `add` stands for `add_`, too.
    pub name: String,
    /// Where the name stands in the crate's root file.
    pub place: Range<usize>,
}

impl Wanted {
    /// Where its name stands, in the root file among the sources.
    pub(crate) fn at(&self, root: SourceId) -> Span {
        Span::new(root, self.place.clone())
    }
}

impl Module {
    /// What `opwright::module!(...)` in the crate's root file says; nothing if
    /// it is not there or does not parse, which rustc reports.
    pub fn declared(root: &str) -> Option<Module> {
        let file = syn::parse_file(root).ok()?;
        file.items.into_iter().find_map(|item| {
            let Item::Macro(item) = item else { return None };
            if is_module(&item) { item.mac.parse_body().ok() } else { None }
        })
    }

    /// Where a root file has `module!(...)` once more.
    pub fn declared_again(root: &str) -> Option<Range<usize>> {
        let file = syn::parse_file(root).ok()?;
        let mut own = file.items.iter().filter_map(|it| match it {
            Item::Macro(it) if is_module(it) => Some(it.mac.path.span().byte_range()),
            _ => None,
        });
        own.nth(1)
    }

    /// Whether a root file has `module!(...)` at all, whatever it says.
    pub fn is_declared(root: &str) -> bool {
        let Ok(file) = syn::parse_file(root) else { return false };
        file.items.iter().any(|it| matches!(it, Item::Macro(it) if is_module(it)))
    }

    /// The module that cargo and maturin name after a package.
    pub fn of_package(package: &str) -> Module {
        Module {
            name: package.replace('-', "_"),
            arrays: true,
            rows: Rows::Always,
            operators: Vec::new(),
            overloads: Vec::new(),
        }
    }
}

fn is_module(item: &ItemMacro) -> bool {
    item.mac.path.segments.last().is_some_and(|it| it.ident == "module")
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        let mut module = Module::of_package(&name.to_string());
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let option: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            match option.to_string().as_str() {
                "arrays" => module.arrays = input.parse::<LitBool>()?.value,
                "ops" => module.rows = Rows::where_wanted(input.parse::<LitBool>()?.value),
                "operators" => module.operators = wanted(input)?,
                "overloads" => module.overloads = paths(input)?,
                // They belong to classes, which show none of them.
                "casts" => drop(paths(input)?),
                _ => {
                    return Err(Error::new(
                        option.span(),
                        "expected `arrays`, `ops`, `operators`, `overloads` or `casts`",
                    ));
                }
            }
        }
        Ok(module)
    }
}

/// `[add, mul]`.
fn wanted(input: ParseStream<'_>) -> syn::Result<Vec<Wanted>> {
    let list;
    bracketed!(list in input);
    let names = Punctuated::<Ident, Token![,]>::parse_terminated_with(&list, Ident::parse_any)?;
    let wanted = |it: Ident| Wanted { name: it.to_string(), place: it.span().byte_range() };
    Ok(names.into_iter().map(wanted).collect())
}

/// `[compiled::mean_of, split]`.
fn paths(input: ParseStream<'_>) -> syn::Result<Vec<Vec<String>>> {
    let list;
    bracketed!(list in input);
    let paths = Punctuated::<Path, Token![,]>::parse_terminated(&list)?;
    let path = |it: Path| it.segments.iter().map(|it| it.ident.unraw().to_string()).collect();
    Ok(paths.into_iter().map(path).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_declaration() {
        let module = |name: &str, arrays| Some(Module { arrays, ..Module::of_package(name) });
        assert_eq!(Module::declared("opwright::module!(my_ops);"), module("my_ops", true));
        let alone = "use a::b;\nmodule!(m, arrays = false);\nfn f() {}";
        assert_eq!(Module::declared(alone), module("m", false));
        let without = Module::declared("module!(m, ops = false);").expect("a module");
        assert_eq!(without.rows, Rows::InTests);
        let taking = Module::declared("module!(m, operators = [add, where]);").expect("a module");
        let names: Vec<&str> = taking.operators.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["add", "where"]);
        assert_eq!(taking.operators[1].place, 29..34);
        let text = "module!(m, arrays = false, overloads = [a::b, c,], casts = [d::e]);";
        let showing = Module::declared(text).expect("a module");
        assert_eq!(showing.overloads, [vec!["a", "b"], vec!["c"]]);
        assert!(!showing.arrays);
        assert_eq!(Module::declared("fn f() {}"), None);
        assert_eq!(Module::declared("fn f( {}"), None);
    }
}

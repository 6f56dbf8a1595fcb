//! What a crate says of the Python module that it becomes.

use syn::parse::{Parse, ParseStream};
use syn::{Ident, Item, LitBool, Token};

/// The Python module of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its import name.
    pub name: String,
    /// Whether it takes arrays of other libraries where it expects tensors.
    pub arrays: bool,
}

impl Module {
    /// What `opwright::module!(...)` in the crate's root file says; nothing if
    /// it is not there or does not parse, which rustc reports.
    pub fn declared(root: &str) -> Option<Module> {
        let file = syn::parse_file(root).ok()?;
        file.items.into_iter().find_map(|item| {
            let Item::Macro(item) = item else { return None };
            let is_module = item.mac.path.segments.last().is_some_and(|it| it.ident == "module");
            if is_module { item.mac.parse_body().ok() } else { None }
        })
    }

    /// The module that cargo and maturin name after a package.
    pub fn of_package(package: &str) -> Module {
        Module { name: package.replace('-', "_"), arrays: true }
    }
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        let mut module = Module { name: name.to_string(), arrays: true };
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            input.parse::<Ident>()?;
            input.parse::<Token![=]>()?;
            module.arrays = input.parse::<LitBool>()?.value;
        }
        Ok(module)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_declaration() {
        let module = |name: &str, arrays| Some(Module { name: name.to_owned(), arrays });
        assert_eq!(Module::declared("opwright::module!(my_ops);"), module("my_ops", true));
        let alone = "use a::b;\nmodule!(m, arrays = false);\nfn f() {}";
        assert_eq!(Module::declared(alone), module("m", false));
        assert_eq!(Module::declared("fn f() {}"), None);
        assert_eq!(Module::declared("fn f( {}"), None);
    }
}

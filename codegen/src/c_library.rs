//! The library for C that a crate becomes, as the crate declares it.

use std::ops::Range;

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{SourceId, Span};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Ident, Item, ItemMacro, LitStr, Token};

use crate::codes;
use crate::print::c::REFERENCE;
use crate::print::c::header::Header;

/// The library for C of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CLibrary {
    /// What it is called.
    pub name: String,
    /// What its names begin with.
    pub prefix: String,
}

/// What the reference library is called.
const REFERENCE_NAME: &str = "opwright";

impl CLibrary {
    /// What `opwright::c_library!(...)` in the crate's root file says; nothing if it is not there, or
    /// says what no library can be, which is reported.
    pub fn declared(cx: &mut Diagnostics, root: SourceId, text: &str) -> Option<CLibrary> {
        let file = syn::parse_file(text).ok()?;
        let said = file.items.into_iter().find_map(|item| match item {
            Item::Macro(item) if is_c_library(&item) => Some(item.mac),
            _ => None,
        })?;
        let empty = said.tokens.is_empty().then(|| said.span());
        let found = said.parse_body::<CLibrary>();
        found.map_err(|error| report(cx, root, empty, &error)).ok()
    }

    /// The library of a crate that says nothing of it.
    pub fn of_package(package: &str) -> CLibrary {
        let name = package.replace('-', "_");
        CLibrary { prefix: name.clone(), name }
    }

    /// A library of this prefix: the reference library, or one that is called so, too.
    pub fn of_prefix(prefix: &str) -> CLibrary {
        let name = if prefix == REFERENCE { REFERENCE_NAME } else { prefix };
        CLibrary { name: name.to_owned(), prefix: prefix.to_owned() }
    }

    /// What its header is of.
    pub fn header(&self) -> Header<'_> {
        Header { prefix: &self.prefix, library: &self.name }
    }
}

fn is_c_library(item: &ItemMacro) -> bool {
    item.mac.path.segments.last().is_some_and(|it| it.ident == "c_library")
}

/// `whole` is where the macro stands, if nothing stands in it.
fn report(cx: &mut Diagnostics, root: SourceId, whole: Option<proc_macro2::Span>, error: &Error) {
    let place: Range<usize> = whole.unwrap_or(error.span()).byte_range();
    cx.error(codes::C_LIBRARY, &Span::new(root, place), error)
        .help("write `c_library!(my_ops)`, or `c_library!(my_ops, prefix = \"mo\")`");
}

impl Parse for CLibrary {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = input.parse().map_err(|it| Error::new(it.span(), "a name is missing"))?;
        let mut library = CLibrary::of_package(&name.to_string());
        let mut place = name.span();
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let option: Ident = input.parse()?;
            if option != "prefix" {
                return Err(Error::new(option.span(), "expected `prefix`"));
            }
            input.parse::<Token![=]>()?;
            let prefix: LitStr = input.parse()?;
            (library.prefix, place) = (prefix.value(), prefix.span());
        }
        let reserved = (library.prefix == REFERENCE).then(|| {
            format!(
                "`{REFERENCE}` begins the names of the reference library, which programs use beside \
                 this one"
            )
        });
        match problem(&library.prefix).or(reserved) {
            Some(problem) => Err(Error::new(place, problem)),
            None => Ok(library),
        }
    }
}

/// Why names in C cannot begin with this.
pub fn problem(prefix: &str) -> Option<String> {
    let is_word = prefix.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    let begins = prefix.starts_with(|it: char| it.is_ascii_lowercase());
    if !is_word || !begins || prefix.ends_with('_') || prefix.contains("__") {
        return Some(format!(
            "`{prefix}` cannot begin names in C: it has to consist of lower case letters, digits and \
             single `_`, and to begin with a letter"
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use opwright_diagnostics::Sources;

    use super::*;

    /// The library that a root file declares, or what is said of it and where.
    fn declared(text: &str) -> Result<Option<CLibrary>, String> {
        let mut cx = Diagnostics::new();
        let mut sources = Sources::new();
        let root = sources.add("src/lib.rs".to_owned(), text.to_owned());
        let library = CLibrary::declared(&mut cx, root, text);
        match cx.finish() {
            Ok(_) => Ok(library),
            Err(findings) => {
                let span = findings[0].span.as_ref().expect("a place");
                Err(format!("{}: {}", &text[span.range.clone()], findings[0].message))
            }
        }
    }

    #[test]
    fn reads_the_declaration() {
        let library = |name: &str, prefix: &str| {
            Ok(Some(CLibrary { name: name.to_owned(), prefix: prefix.to_owned() }))
        };
        assert_eq!(declared("opwright::c_library!(my_ops);"), library("my_ops", "my_ops"));
        let short = "#[cfg(feature = \"c\")]\nc_library!(my_ops, prefix = \"mo\",);";
        assert_eq!(declared(short), library("my_ops", "mo"));
        assert_eq!(declared("fn f() {}"), Ok(None));
    }

    #[test]
    fn mistakes_have_a_place() {
        for (said, place, message) in [
            ("c_library!();", "c_library!()", "a name is missing"),
            ("c_library!(a, prefx = \"b\");", "prefx", "expected `prefix`"),
            ("c_library!(a, prefix = b);", "b", "expected string literal"),
            ("c_library!(a, prefix = \"My\");", "\"My\"", "`My` cannot begin names"),
            ("c_library!(a, prefix = \"ow\");", "\"ow\"", "the reference library"),
            ("c_library!(A);", "A", "`A` cannot begin names"),
        ] {
            let found = declared(said).expect_err(said);
            let (at, words) = found.split_once(": ").expect("a place");
            assert_eq!(at, place, "{said}");
            assert!(words.contains(message), "{said}: {words}");
        }
    }
}

//! Annotations where the scan does not take them up: they are told so, because
//! the operator would be missing without a word.

use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, File, ImplItemFn, Item, ItemFn, Macro, TraitItemFn};

use crate::attribute::{ends_in, is_native_op};
use crate::cfg::Config;
use crate::reading::LibrarySource;

/// What surrounds an annotation that is not taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    Method,
    Body,
    Macro,
    Condition,
    Included,
}

impl Around {
    pub(super) fn message(self) -> &'static str {
        match self {
            Around::Method => "a method cannot be a kernel: the operator tables reach functions",
            Around::Body => "the operator tables cannot reach a kernel inside of a function",
            Around::Macro => "an annotation inside of a macro is not read",
            Around::Condition => "an annotation behind `cfg_attr` is not read",
            Around::Included => "an annotation in a file for `include!` is not read",
        }
    }

    pub(super) fn help(self) -> &'static str {
        match self {
            Around::Method => "move it out of the `impl` or `trait`, into a module",
            Around::Body => "move it out, into a module",
            Around::Macro => {
                "the build script reads files as they are written, without expanding macros: \
                 write the annotated function out, and let it call what the macro makes"
            }
            Around::Condition => {
                "put the condition on the function: `#[cfg(...)]` above `#[native_op(...)]`"
            }
            Around::Included => "make the file a module: `mod name;`",
        }
    }
}

/// The annotations of an item that are not its own.
pub(super) fn in_item(item: &Item, config: &Config) -> Vec<(Span, Around)> {
    let mut search = Search { config, around: Around::Body, found: Vec::new() };
    match item {
        // Its own annotation is taken up.
        Item::Fn(func) => {
            search.conditions(&func.attrs);
            search.visit_block(&func.block);
        }
        other => search.visit_item(other),
    }
    search.found
}

/// All annotations of a file, and those of its macros.
pub(super) fn in_file(file: &File, config: &Config, around: Around) -> Vec<(Span, Around)> {
    let mut search = Search { config, around, found: Vec::new() };
    search.visit_file(file);
    search.found
}

/// The files that an item brings in by `include!`.
pub(super) fn included(item: &Item) -> Option<String> {
    let Item::Macro(item) = item else { return None };
    let is_include = item.mac.path.segments.last().is_some_and(|it| it.ident == "include");
    let text = is_include.then(|| item.mac.parse_body::<syn::LitStr>().ok())?;
    text.map(|it| it.value())
}

/// The name of the module that a file would be, and the file that would have to declare it.
pub(super) fn declaration(file: &Path, reading: &LibrarySource) -> (String, PathBuf) {
    let folder = file.parent().unwrap_or(Path::new(""));
    let module = if file.ends_with("mod.rs") { folder } else { file };
    let name = module.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let outer = module.parent().unwrap_or(Path::new(""));
    if reading.crate_root.parent() == Some(outer) {
        return (name, reading.crate_root.clone());
    }
    let beside = outer.with_extension("rs");
    let is_there = reading.files.contains(&beside);
    (name, if is_there { beside } else { outer.join("mod.rs") })
}

struct Search<'a> {
    config: &'a Config,
    around: Around,
    found: Vec<(Span, Around)>,
}

impl Search<'_> {
    fn annotated(&mut self, attrs: &[Attribute]) {
        self.conditions(attrs);
        let own = attrs.iter().filter(|it| is_native_op(&it.meta));
        self.found.extend(own.map(|it| (it.span(), self.around)));
    }

    /// `#[cfg_attr(predicate, native_op(...))]`.
    fn conditions(&mut self, attrs: &[Attribute]) {
        for attr in attrs.iter().filter(|it| it.path().is_ident("cfg_attr")) {
            if self.config.applied(attr).iter().any(|it| ends_in(it, "native_op")) {
                self.found.push((attr.span(), Around::Condition));
            }
        }
    }

    fn within(&mut self, around: Around, attrs: &[Attribute], visit: impl FnOnce(&mut Self)) {
        if !self.config.compiles(attrs) {
            return;
        }
        let outer = std::mem::replace(&mut self.around, around);
        visit(self);
        self.around = outer;
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut hash = None;
        for token in tokens {
            let span = token.span();
            let is_hash = matches!(&token, TokenTree::Punct(it) if it.as_char() == '#');
            if let TokenTree::Group(group) = token {
                let is_attribute = group.delimiter() == Delimiter::Bracket;
                match hash {
                    Some(hash) if is_attribute && names(group.stream()) => {
                        self.found.push((Span::join(&hash, span).unwrap_or(span), Around::Macro));
                    }
                    _ => self.tokens(group.stream()),
                }
            }
            hash = is_hash.then_some(span);
        }
    }
}

/// Whether the tokens of an attribute are a path to `native_op`, and what
/// stands behind it.
fn names(tokens: TokenStream) -> bool {
    let path = tokens.into_iter().take_while(|it| match it {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(it) => it.as_char() == ':' || it.as_char() == '$',
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    });
    path.last().is_some_and(|it| it.to_string() == "native_op")
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attrs = match item {
            Item::Impl(it) => &it.attrs,
            Item::Trait(it) => &it.attrs,
            Item::Mod(it) => &it.attrs,
            Item::Macro(it) => &it.attrs,
            _ => return visit::visit_item(self, item),
        };
        self.within(self.around, attrs, |it| visit::visit_item(it, item));
    }

    fn visit_item_fn(&mut self, func: &'ast ItemFn) {
        self.within(self.around, &func.attrs, |it| {
            it.annotated(&func.attrs);
            it.visit_block(&func.block);
        });
    }

    fn visit_impl_item_fn(&mut self, func: &'ast ImplItemFn) {
        self.within(Around::Method, &func.attrs, |it| it.annotated(&func.attrs));
        self.within(Around::Body, &func.attrs, |it| it.visit_block(&func.block));
    }

    fn visit_trait_item_fn(&mut self, func: &'ast TraitItemFn) {
        self.within(Around::Method, &func.attrs, |it| it.annotated(&func.attrs));
        if let Some(block) = &func.default {
            self.within(Around::Body, &func.attrs, |it| it.visit_block(block));
        }
    }

    fn visit_macro(&mut self, it: &'ast Macro) {
        self.tokens(it.tokens.clone());
    }
}

#[test]
fn files_are_declared_by_the_one_above() {
    let reading = LibrarySource {
        crate_root: PathBuf::from("src/lib.rs"),
        files: vec![PathBuf::from("src/b.rs")],
        ..LibrarySource::default()
    };
    for (file, name, expected) in [
        ("src/a.rs", "a", "src/lib.rs"),
        ("src/a/mod.rs", "a", "src/lib.rs"),
        ("src/a/c.rs", "c", "src/a/mod.rs"),
        ("src/b/c.rs", "c", "src/b.rs"),
    ] {
        let found = declaration(Path::new(file), &reading);
        assert_eq!(found, (name.to_owned(), PathBuf::from(expected)));
    }
}

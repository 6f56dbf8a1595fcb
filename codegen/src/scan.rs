//! Finds the annotated functions of a crate in its sources.
//!
//! Follows `mod` declarations from the crate's root file, as rustc does, so
//! that a file counts if and only if it is compiled, and every function has
//! the path under which the generated tables reach it. Annotations where it
//! does not take them up, and files that belong to no module, are reported;
//! what a macro of another crate expands to is for `#[native_op]` to find.

pub(crate) mod cuts;
pub(crate) mod gradients;
mod helpers;
mod home;
mod natives;
mod unread;

use std::collections::BTreeSet;
use std::mem;
use std::path::{Path, PathBuf};

use opwright_diagnostics::diag::Diagnostics;
use opwright_diagnostics::source::{Sources, shown_path};
use opwright_schema::model::{SourceId, Span, Spanned as Located};
use opwright_schema::parse::{Parsed, parse_schema};
use opwright_schema::types::{NativeType, Natives};
use proc_macro2::{Span as Place, TokenStream};
use syn::spanned::Spanned;
use syn::{Attribute, Item, ItemFn, ItemMod, Meta, Signature, Visibility};

use crate::attribute::{self, FunctionRole, NativeOp, Subject};
use crate::cfg::Config;
use crate::codes;
use crate::doc_comment::{doc_comment, string_value};
use crate::form::Form;
use crate::helper::{GradientFunction, Helper};
use crate::mark::mark;
use crate::mistake;
use crate::overload::Overload;
use crate::reading::{LibrarySource, ReadFile};
use crate::schema_of::schema_of;
use crate::structure;

use self::cuts::Cut;
use self::home::Home;
use self::unread::Around;

/// A function with `#[native_op(...)]`.
#[derive(Clone, Debug)]
pub struct AnnotatedFunction {
    /// What the attribute says.
    pub attribute: NativeOp,
    /// In which form the function is written.
    pub form: Form,
    /// The schema that the attribute or the signature says, and its place.
    pub schema: Option<Located<Parsed>>,
    /// Its module and its name: `["kernels", "binary", "add_tensor"]`.
    pub path: Vec<String>,
    /// Its doc comment.
    pub doc: String,
    /// The file, for places.
    pub source: SourceId,
    /// The file's shown name.
    pub file: String,
    /// The function's name in the file.
    pub span: Span,
    /// Its parameters and its result.
    pub signature: Signature,
    /// The line of the attribute, counted from one.
    pub line: usize,
    /// The name by which the macro asks for what is generated for the function.
    pub mark: String,
    /// Calls that touch tensors without an operator, with their places.
    pub(crate) cuts: Vec<(Cut, Span)>,
    /// The functions that the attribute names as gradients, in its order, as far as they are there.
    pub gradients: Vec<Option<GradientFunction>>,
}

impl AnnotatedFunction {
    /// Whether there is a rule beside the kernel, or instead of one.
    pub fn has_rule(&self) -> bool {
        self.attribute.part == FunctionRole::Rule || (self.schema.is_some() && self.form.fills())
    }

    /// The function's name.
    pub fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// The place of something in the function's file.
    pub fn place(&self, place: Place) -> Span {
        Span::new(self.source, place.byte_range())
    }
}

/// What a scan found.
#[derive(Clone, Debug, Default)]
pub struct Scanned {
    /// The annotated functions, in the order of their modules.
    pub functions: Vec<AnnotatedFunction>,
    /// Operators whose kernel's attribute has been reported.
    pub claimed: Vec<String>,
    /// The marks of all annotations that were read, sorted.
    pub marks: BTreeSet<String>,
    /// Types that schemas may name.
    pub natives: Vec<NativeType>,
    /// Functions that formulas may call.
    pub helpers: Vec<Helper>,
    /// Functions with `#[overload]`.
    pub overloads: Vec<Overload>,
    /// All functions, by their names and places.
    pub plain: Vec<(String, Span)>,
    /// A file does not parse, and may have more functions.
    pub incomplete: bool,
}

impl Scanned {
    /// Whether a missing kernel of this operator may just not have been understood.
    pub fn may_have(&self, operator: &str) -> bool {
        self.incomplete || self.claimed.iter().any(|it| it == operator)
    }
}

/// All annotated functions that are compiled into the crate.
pub fn scan(
    cx: &mut Diagnostics,
    sources: &mut Sources,
    reading: &LibrarySource,
    read: &ReadFile<'_>,
) -> Scanned {
    let mut scan = Scan {
        cx,
        sources,
        config: &reading.config,
        read,
        found: Scanned::default(),
        natives: natives::Found::default(),
        classed: Vec::new(),
        functions: Vec::new(),
        helpers: Vec::new(),
        all: Vec::new(),
        cloned: BTreeSet::new(),
        uncloned: Vec::new(),
        reached: BTreeSet::new(),
        is_compiled: true,
    };
    scan.root(&reading.crate_root);
    scan.uncloned();
    // Which types schemas may name is known now.
    scan.found.natives = mem::take(&mut scan.natives).types(&scan.classed);
    let all = mem::take(&mut scan.all);
    let place = |(func, home): &(ItemFn, Home)| {
        let ident = &func.sig.ident;
        (unraw(&ident.to_string()), Span::new(home.source, ident.span().byte_range()))
    };
    scan.found.plain = all.iter().map(place).collect();
    for (func, home, cuts) in mem::take(&mut scan.functions) {
        scan.function(&func, &home, cuts, &all);
    }
    for (func, home) in mem::take(&mut scan.helpers) {
        scan.helper(&func, &home);
    }
    scan.unreached(reading);
    scan.found
}

/// Where a composite kernel goes around the operators.
type Cuts = Vec<(Cut, Place)>;

struct Scan<'a> {
    cx: &'a mut Diagnostics,
    sources: &'a mut Sources,
    config: &'a Config,
    read: &'a ReadFile<'a>,
    found: Scanned,
    natives: natives::Found,
    /// Types of which `impl Native` names the class, by their names.
    classed: Vec<String>,
    /// Functions with annotations, without their bodies, of which this is left.
    functions: Vec<(ItemFn, Home, Cuts)>,
    /// Those that formulas may call.
    helpers: Vec<(ItemFn, Home)>,
    /// All functions, without their bodies.
    all: gradients::Functions,
    /// Types that implement `Clone` by hand.
    cloned: BTreeSet<String>,
    /// Types with `#[derive(NativeType)]` that do not derive it.
    uncloned: Vec<(String, Span)>,
    /// Files that belong to a module, be it one that is not compiled.
    reached: BTreeSet<PathBuf>,
    /// What is at hand is compiled into the library.
    is_compiled: bool,
}

/// Where in the crate a list of items stands.
struct Scope {
    home: Home,
    /// Where the files of child modules are looked for.
    directory: PathBuf,
    /// The items stand in an inline module of the file.
    inline: bool,
}

impl Scan<'_> {
    /// The file of a crate's root.
    fn root(&mut self, file: &Path) {
        let directory = file.parent().unwrap_or(Path::new("")).to_path_buf();
        self.file_in(file, directory, Vec::new(), None);
    }

    fn file_in(
        &mut self,
        file: &Path,
        directory: PathBuf,
        module: Vec<String>,
        private: Option<String>,
    ) {
        // A missing or unreadable file is rustc's to report, at its `mod`.
        let Ok(text) = (self.read)(file) else { return };
        let parsed = syn::parse_file(&text);
        self.reached.insert(file.to_path_buf());
        let source = self.sources.add(file.display().to_string(), text);
        match parsed {
            Ok(parsed) => {
                let home = Home { source, file: file.to_path_buf(), module, private };
                let scope = Scope { home, directory, inline: false };
                self.items(&parsed.items, &scope);
            }
            // rustc does not read it.
            Err(_) if !self.is_compiled => {}
            Err(error) => {
                self.found.incomplete = true;
                let span = Span::new(source, error.span().byte_range());
                let message = format_args!("this file does not parse: {error}");
                self.cx.error(codes::FILE_SYNTAX, &span, message);
            }
        }
    }

    fn items(&mut self, items: &[Item], scope: &Scope) {
        for item in items {
            if let Item::Mod(module) = item {
                let outer = self.is_compiled;
                self.is_compiled &= self.config.compiles(&module.attrs);
                self.module(module, scope);
                self.is_compiled = outer;
                continue;
            }
            if let (Item::Fn(func), true) = (item, self.is_compiled)
                && self.config.compiles(&func.attrs)
            {
                self.all.push((without_body(func), scope.home.clone()));
                self.found.overloads.extend(Overload::of(func, &scope.home.module));
            }
            match item {
                Item::Fn(func) if !self.config.compiles(&func.attrs) => continue,
                Item::Fn(func) if self.is_compiled && is_annotated(func) => {
                    self.functions.push((without_body(func), scope.home.clone(), cuts::of(func)));
                }
                Item::Fn(func) if self.is_compiled && helpers::is_helper(func) => {
                    self.helpers.push((without_body(func), scope.home.clone()));
                }
                _ => {}
            }
            self.include(item, scope);
            if self.is_compiled {
                self.native(item, &scope.home);
                self.unread(unread::in_item(item, self.config), scope.home.source);
            }
        }
    }

    /// A file that is included is part of no module that the scan knows.
    fn include(&mut self, item: &Item, scope: &Scope) {
        let Some(path) = unread::included(item) else { return };
        let file = scope.home.file.parent().unwrap_or(Path::new("")).join(path);
        let Ok(text) = (self.read)(&file) else { return };
        let parsed = syn::parse_file(&text);
        self.reached.insert(file.clone());
        if let (Ok(parsed), true) = (parsed, self.is_compiled) {
            let source = self.sources.add(file.display().to_string(), text);
            self.unread(unread::in_file(&parsed, self.config, Around::Included), source);
        }
    }

    fn unread(&mut self, found: Vec<(Place, Around)>, source: SourceId) {
        for (place, around) in found {
            let span = Span::new(source, place.byte_range());
            self.cx.error(codes::UNREAD, &span, around.message()).help(around.help());
        }
    }

    /// Reports annotations in files that nothing leads to.
    fn unreached(&mut self, reading: &LibrarySource) {
        if self.found.incomplete {
            return;
        }
        self.is_compiled = false;
        let root = &reading.crate_root;
        for file in reading.files.iter().filter(|it| is_program(root, it)) {
            self.root(file);
        }
        let left: Vec<&PathBuf> =
            reading.files.iter().filter(|it| !self.reached.contains(*it)).collect();
        for file in left {
            let Ok(text) = (self.read)(file) else { continue };
            let Ok(parsed) = syn::parse_file(&text) else { continue };
            let found = unread::in_file(&parsed, self.config, Around::Included);
            let Some((place, _)) = found.first() else { continue };
            let source = self.sources.add(file.display().to_string(), text);
            let span = Span::new(source, place.byte_range());
            let (module, declaring) = unread::declaration(file, reading);
            self.cx
                .error(
                    codes::UNREACHED,
                    &span,
                    "no `mod` leads to this file, so nobody compiles it",
                )
                .help(format_args!(
                    "declare it in `{}` as `mod {module};`, or move it out of the crate's `src`",
                    shown_path(&declaring)
                ));
        }
    }

    fn module(&mut self, module: &ItemMod, scope: &Scope) {
        let name = unraw(&module.ident.to_string());
        let mut path = scope.home.module.clone();
        path.push(module.ident.to_string());
        // A module of the root is seen by the whole crate, whatever it says.
        let hidden = matches!(module.vis, Visibility::Inherited) && !scope.home.module.is_empty();
        let private = if hidden { Some(name.clone()) } else { scope.home.private.clone() };
        let explicit = path_attribute(&module.attrs);
        if let Some((_, items)) = &module.content {
            let directory = scope.directory.join(explicit.as_deref().unwrap_or(&name));
            let home = Home { module: path, private, ..scope.home.clone() };
            let inner = Scope { home, directory, inline: true };
            return self.items(items, &inner);
        }
        if let Some(explicit) = explicit {
            let beside = scope.home.file.parent().unwrap_or(Path::new(""));
            let base = if scope.inline { &scope.directory } else { beside };
            let file = base.join(explicit);
            let directory = file.parent().unwrap_or(Path::new("")).to_path_buf();
            return self.file_in(&file, directory, path, private);
        }
        let directory = scope.directory.join(&name);
        for file in [scope.directory.join(format!("{name}.rs")), directory.join("mod.rs")] {
            self.file_in(&file, directory.clone(), path.clone(), private.clone());
        }
    }

    /// Reports derived types that cannot be copied: their objects hand out copies.
    fn uncloned(&mut self) {
        for (name, span) in mem::take(&mut self.uncloned) {
            if !self.cloned.contains(&name) {
                let message = format_args!("`{name}` does not implement `Clone`");
                self.cx
                    .error(codes::NATIVE_TYPE, &span, message)
                    .help(format_args!("write `#[derive(Clone, NativeType)]` above it"));
            }
        }
    }

    /// Takes in a type that schemas may name.
    fn native(&mut self, item: &Item, home: &Home) {
        self.cloned.extend(natives::cloned(item));
        self.classed.extend(natives::classed(item));
        let Some((ident, attrs, said, wrong)) = natives::declared(item) else { return };
        if self.config.compiles(attrs) {
            let span = Span::new(home.source, ident.span().byte_range());
            for error in wrong.into_iter().flatten() {
                let place = Span::new(home.source, error.span().byte_range());
                self.cx.error(codes::NATIVE_TYPE, &place, error);
            }
            if natives::lacks_clone(attrs) {
                self.uncloned.push((ident.to_string(), span.clone()));
            }
            self.reachable(home, &span, "a type");
            self.found.marks.insert(structure::mark(ident).to_string());
            self.natives.add(self.cx, ident, said, &home.module, span);
        }
    }

    /// Takes in a function that formulas may call.
    fn helper(&mut self, func: &ItemFn, home: &Home) {
        self.reachable(home, &home.place(func.sig.ident.span()), "a helper");
        let natives = Natives::Of(&self.found.natives);
        let found = helpers::helper(self.cx, natives, func, home);
        self.found.helpers.extend(found);
    }

    /// Reports what generated code could not name.
    fn reachable(&mut self, home: &Home, span: &Span, what: &str) {
        let Some(private) = &home.private else { return };
        let message = format_args!(
            "the operator tables cannot reach {what} in the private module `{private}`"
        );
        self.cx
            .error(codes::PRIVATE_MODULE, span, message)
            .help(format_args!("declare it as `pub(crate) mod {private}`"));
    }

    fn function(&mut self, func: &ItemFn, home: &Home, cuts: Cuts, all: &gradients::Functions) {
        for attr in func.attrs.iter().filter(|it| attribute::is_native_op(&it.meta)) {
            let args = match &attr.meta {
                Meta::List(list) => list.tokens.clone(),
                Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
            };
            let read = attribute::parse(args.clone()).and_then(|parsed| {
                let form = Form::read(&parsed, func)?;
                let schema = self.schema(&parsed, &form, func, home.source)?;
                Ok((parsed, form, schema))
            });
            match read {
                Ok(read) => {
                    let mark = mark(&args, &func.sig).to_string();
                    self.found.marks.insert(mark.clone());
                    let mut function = self.annotated(read, attr, func, home, mark);
                    let placed = |(cut, at): &(Cut, Place)| (cut.clone(), home.place(*at));
                    function.cuts = cuts.iter().map(placed).collect();
                    self.gradients(&mut function, home, all);
                    self.found.functions.push(function);
                }
                Err(errors) => {
                    self.found.claimed.extend(attribute::entry_name(args));
                    self.report(errors, attr, home);
                }
            }
        }
    }

    /// The schema of a function that does not belong to an entry.
    fn schema(
        &mut self,
        attribute: &NativeOp,
        form: &Form,
        func: &ItemFn,
        source: SourceId,
    ) -> syn::Result<Option<Located<Parsed>>> {
        let natives = Natives::Of(&self.found.natives);
        Ok(match &attribute.subject {
            Subject::Entry { .. } => None,
            Subject::Inline { literal, prefix } => {
                let start = literal.span().byte_range().start + prefix;
                let span = Span::new(source, start..start + literal.value().len());
                Some(Located::new(parse_schema(self.cx, natives, &literal.value(), &span), span))
            }
            Subject::Signature(items) => {
                let mut place = |it: Place| Span::new(source, it.byte_range());
                let schema = schema_of(items, &attribute.style, form, func, natives, &mut place)?;
                let span = schema.span.clone();
                Some(Located::new(Parsed::Sound(schema), span))
            }
        })
    }

    fn annotated(
        &mut self,
        (attribute, form, schema): (NativeOp, Form, Option<Located<Parsed>>),
        attr: &Attribute,
        func: &ItemFn,
        home: &Home,
        mark: String,
    ) -> AnnotatedFunction {
        let mut path = home.module.clone();
        path.push(func.sig.ident.to_string());
        let span = Span::new(home.source, func.sig.ident.span().byte_range());
        self.reachable(home, &span, "a kernel");
        AnnotatedFunction {
            attribute,
            form,
            schema,
            path,
            doc: doc_comment(&func.attrs),
            source: home.source,
            file: self.sources.file(home.source).name().to_owned(),
            span,
            signature: func.sig.clone(),
            line: attr.span().start().line,
            mark,
            cuts: Vec::new(),
            gradients: Vec::new(),
        }
    }

    /// Looks up the functions that an attribute names as gradients.
    fn gradients(
        &mut self,
        function: &mut AnnotatedFunction,
        home: &Home,
        all: &gradients::Functions,
    ) {
        let Some((derivative, _)) = &function.attribute.style.derivative else { return };
        let natives = Natives::Of(&self.found.natives);
        let kernel = (function.path.as_slice(), home);
        let found = derivative
            .functions()
            .enumerate()
            .map(|numbered| gradients::function(self.cx, natives, all, kernel, numbered));
        function.gradients = found.collect();
    }

    fn report(&mut self, errors: syn::Error, attr: &Attribute, home: &Home) {
        for error in errors {
            let place = error.span().byte_range();
            // Nothing to point at: the arguments are missing.
            let range = if place.is_empty() { attr.path().span().byte_range() } else { place };
            let text = error.to_string();
            let (code, message) = mistake::split(&text);
            self.cx.error(code, &Span::new(home.source, range), message);
        }
    }
}

fn without_body(func: &ItemFn) -> ItemFn {
    ItemFn {
        attrs: func.attrs.clone(),
        vis: func.vis.clone(),
        modifiers: func.modifiers.clone(),
        sig: func.sig.clone(),
        block: Box::new(syn::parse_quote!({})),
    }
}

fn is_annotated(func: &ItemFn) -> bool {
    func.attrs.iter().any(|it| attribute::is_native_op(&it.meta))
}

/// Whether a file is the root of a program beside the library.
fn is_program(root: &Path, file: &Path) -> bool {
    let source = root.parent().unwrap_or(Path::new(""));
    let Ok(below) = file.strip_prefix(source) else { return false };
    let parts: Vec<_> = below.iter().map(|it| it.to_string_lossy()).collect();
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    matches!(parts[..], ["main.rs"] | ["bin", _] | ["bin", _, "main.rs"])
}

fn unraw(name: &str) -> String {
    name.strip_prefix("r#").unwrap_or(name).to_owned()
}

/// `#[path = "..."]`.
fn path_attribute(attrs: &[Attribute]) -> Option<String> {
    attrs.iter().filter(|it| it.path().is_ident("path")).find_map(string_value)
}

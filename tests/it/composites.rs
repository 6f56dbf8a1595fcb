//! Nothing happens to tensors behind the dispatcher's back: a composite kernel calls operators, and
//! asks tensors about themselves; so does the syntax of Python, in one file.
//!
//! What a composite kernel calls of this crate is looked at, too, with the functions that these call.
//! What macros make is not, but for what stands in their arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::build::rust_files;
use opwright_codegen::kernels::Kernel;
use opwright_codegen::library::{self, Library, LibrarySource};
use opwright_diagnostics::Sources;
use opwright_schema::model::DispatchKey;
use opwright_schema::names;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprMethodCall, ExprPath, ImplItem, ImplItemFn, Item, ItemFn, ItemUse, Macro,
    PatIdent, Signature, Token, UseTree, Visibility,
};

/// Modules of the runtime whose functions make views, or read and write elements.
const RAW_MODULES: [&str; 6] = ["view", "iterate", "reduce", "typed", "lanes", "ndarray"];

/// Functions that make constants from numbers, and touch no tensor that is there.
const CONSTANTS: [&str; 5] =
    ["from_slice", "from_vec", "from_scalar", "wrapped_number", "with_wrapped_number"];

/// Methods of tensors that other types have as well: they are told by the type that is written with
/// them.
const WITH_TYPE: [&str; 2] = ["first", "to_vec"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn composite_kernels_touch_tensors_through_operators() {
    let composites = composites();
    assert!(composites.len() > 100, "only {} composite kernels were found", composites.len());
    let code = Code::read(&root().join("ops/src"));
    let raw = raw_methods();
    let mut found = Vec::new();
    for kernel in &composites {
        for wrong in code.wrong(kernel, &raw) {
            found.push(format!("{}: {wrong}", kernel.join("::")));
        }
    }
    assert!(
        found.is_empty(),
        "{} uses of tensors behind the dispatcher's back; call an operator, or say that the kernel \
         is for `CPU, Meta`:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn it_sees_what_goes_behind_the_dispatcher() {
    let raw = BTreeSet::from(["copy".to_owned(), "first".to_owned(), "allocate".to_owned()]);
    let wrong = |text: &str| {
        let mut code = Code::default();
        let text = format!(
            "use opwright_runtime::{{Tensor, view as views}}; use crate::ops; use super::b::help; {text}"
        );
        code.file(&vec!["a".to_owned()], syn::parse_file(&text).expect("Rust").items);
        let help = "pub fn help(x: &Tensor) { opwright_runtime::iterate::unary(x) }";
        code.file(&vec!["b".to_owned()], syn::parse_file(help).expect("Rust").items);
        code.wrong(&vec!["a".to_owned(), "f".to_owned()], &raw)
    };
    let none: [&str; 0] = [];
    assert_eq!(wrong("fn f(x: &Tensor) { ops::select::int::call(x, 0, x.shape().first()) }"), none);
    assert_eq!(wrong("fn f(x: &Tensor, k: K) { ops::add::Tensor::call(x, k(x)) }"), none);
    assert_eq!(wrong("fn f(x: &Tensor) { views::select(x, 0, 1) }"), ["views::select"]);
    assert_eq!(wrong("fn f(x: &Tensor) { ensure!(x.copy().is_ok(), Runtime) }"), [".copy()"]);
    assert_eq!(wrong("fn f(x: &Tensor) { x.first::<f32>() }"), [".first()"]);
    assert_eq!(wrong("fn f(x: &Tensor) { g(x) } fn g(x: &Tensor) { x.copy() }"), ["g: .copy()"]);
    assert_eq!(wrong("fn f(x: &Tensor) { Tensor::allocate(x) }"), ["Tensor::allocate"]);
    assert_eq!(
        wrong("fn f(x: &Tensor) { x.map(help) }"),
        ["help: opwright_runtime::iterate::unary"]
    );
    let kernel = "fn f(x: &Tensor) { g(x) } #[native_op(g)] fn g(x: &Tensor) {}";
    assert_eq!(wrong(kernel), ["the kernel g"]);
}

/// A method of tensors would win over an operator's method of the same name.
#[test]
fn no_method_of_tensors_is_named_like_that_of_an_operator() {
    let library = library();
    let methods: BTreeSet<String> = names::methods(&library.ops).into_iter().flatten().collect();
    assert!(methods.len() > 100, "only {} methods were found", methods.len());
    let both: Vec<_> = raw_methods().into_iter().filter(|it| methods.contains(it)).collect();
    assert!(both.is_empty(), "{both:?}");
}

#[test]
fn one_file_looks_at_tensors_for_python() {
    let source = root().join("python-bindings/src");
    let allowed = source.join("object/operators.rs");
    let mut found = Vec::new();
    let mut files = rust_files(&source);
    files.retain(|it| *it != allowed);
    assert!(files.len() > 50, "only {} files were found", files.len());
    for path in files {
        let mut paths = Paths::default();
        paths.visit_file(&parsed(&path));
        let is_raw = |it: &Words| it.starts_with(&["opwright_runtime".into(), "view".into()]);
        if paths.0.iter().any(is_raw) {
            found.push(path.display().to_string());
        }
    }
    assert!(
        found.is_empty(),
        "these use `runtime::view`; object/operators.rs has operators: {found:?}"
    );
}

/// All paths of a file.
#[derive(Default)]
struct Paths(Vec<Words>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut found = Vec::new();
        imported(&item.tree, &[], &mut found);
        self.0.extend(found.into_iter().map(|(_, path)| path));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.push(words(path));
        visit::visit_path(self, path);
    }
}

/// The reference module's operators.
pub(super) fn library() -> Library {
    let reading = LibrarySource {
        yaml: vec![PathBuf::from("native_functions.yaml")],
        crate_root: PathBuf::from("ops/src/lib.rs"),
        ..LibrarySource::default()
    };
    let read = |path: &Path| fs::read_to_string(root().join(path));
    library::read(&mut Sources::new(), &reading, &read).expect("operators without mistakes")
}

/// The functions that serve a composite key.
fn composites() -> BTreeSet<Vec<String>> {
    let library = library();
    let kernels = library.kernels.iter().flat_map(|it| &it.by_key);
    let functions = kernels.filter_map(|(key, kernel)| match (key, kernel) {
        (
            DispatchKey::CompositeExplicit | DispatchKey::CompositeImplicit,
            Kernel::Function(path),
        ) => Some(path.0.clone()),
        _ => None,
    });
    functions.collect()
}

/// The methods of tensors that are no questions: those that return tensors, elements or memory, or
/// change something.
fn raw_methods() -> BTreeSet<String> {
    let mut raw = BTreeSet::new();
    for path in rust_files(&root().join("runtime/src/tensor")) {
        for item in parsed(&path).items {
            let Item::Impl(block) = item else { continue };
            if block.trait_.is_some() || block.self_ty.to_token_stream().to_string() != "Tensor" {
                continue;
            }
            let functions = block.items.iter().filter_map(|it| match it {
                ImplItem::Fn(it) if matches!(it.vis, Visibility::Public(_)) => Some(it),
                _ => None,
            });
            raw.extend(functions.filter(|it| !is_question(it)).map(|it| it.sig.ident.to_string()));
        }
    }
    assert!(raw.contains("copy_from") && !raw.contains("shape"), "{raw:?}");
    raw
}

fn is_question(function: &ImplItemFn) -> bool {
    let sig = &function.sig;
    let result = sig.output.to_token_stream().to_string();
    let mut words = result.split(|it: char| !it.is_alphanumeric());
    let touches = ["Tensor", "Scalar", "Storage", "Self", "T", "mut", "const"];
    let is_plain = sig.receiver().is_some_and(|it| it.to_token_stream().to_string() == "& self");
    let is_constant = CONSTANTS.contains(&sig.ident.to_string().as_str());
    is_constant
        || is_plain
            && !sig.to_token_stream().to_string().starts_with("unsafe")
            && !words.any(|it| touches.contains(&it))
            && !result.is_empty()
}

fn parsed(path: &Path) -> syn::File {
    let text = fs::read_to_string(path).expect("a file that can be read");
    syn::parse_file(&text).expect("a file of Rust")
}

type Words = Vec<String>;

fn words(path: &syn::Path) -> Words {
    path.segments.iter().map(|it| it.ident.to_string()).collect()
}

/// The functions of a crate, by their paths, and what names stand for in its modules.
#[derive(Default)]
struct Code {
    functions: BTreeMap<Words, Function>,
    /// The paths of the methods of a name.
    methods: BTreeMap<String, Vec<Words>>,
    names: BTreeMap<Words, BTreeMap<String, Words>>,
}

struct Function {
    module: Words,
    body: syn::Block,
    is_kernel: bool,
    /// All words in it.
    words: BTreeSet<String>,
    /// Those that it gives to values.
    bound: Bound,
}

/// The names that parameters and variables of a function have.
#[derive(Default)]
struct Bound(BTreeSet<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.0.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }
}

impl Function {
    fn new(module: &Words, sig: &Signature, body: Block, is_kernel: bool) -> Function {
        let mut bound = Bound::default();
        bound.visit_signature(sig);
        bound.visit_block(&body);
        let text = format!("{} {}", sig.to_token_stream(), body.to_token_stream());
        let words = text.split(|it: char| !it.is_alphanumeric() && it != '_').map(str::to_owned);
        Function { module: module.clone(), words: words.collect(), body, is_kernel, bound }
    }
}

impl Code {
    fn read(source: &Path) -> Code {
        let mut code = Code::default();
        for path in rust_files(source) {
            let below = path.strip_prefix(source).expect("a file below the root");
            code.file(&module(&below.with_extension("")), parsed(&path).items);
        }
        code
    }

    fn file(&mut self, module: &Words, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Fn(ItemFn { attrs, sig, block, .. }) => {
                    let is_kernel = attrs.iter().any(|it| it.path().is_ident("native_op"));
                    let path = [module.as_slice(), &[sig.ident.to_string()]].concat();
                    let function = Function::new(module, &sig, *block, is_kernel);
                    self.functions.insert(path, function);
                }
                Item::Impl(block) if block.trait_.is_none() => {
                    let syn::Type::Path(ty) = &*block.self_ty else { continue };
                    let owner = [module.as_slice(), &words(&ty.path)].concat();
                    for item in block.items {
                        let ImplItem::Fn(ImplItemFn { sig, block: body, .. }) = item else {
                            continue;
                        };
                        let path = [owner.as_slice(), &[sig.ident.to_string()]].concat();
                        self.methods.entry(sig.ident.to_string()).or_default().push(path.clone());
                        let mut function = Function::new(module, &sig, body, false);
                        function.words.extend(owner.last().cloned());
                        self.functions.insert(path, function);
                    }
                }
                Item::Use(ItemUse { tree, .. }) => {
                    let mut found = Vec::new();
                    imported(&tree, &[], &mut found);
                    let names = self.names.entry(module.clone()).or_default();
                    names.extend(found.into_iter().map(|(name, path)| (name, whole(module, path))));
                }
                _ => {}
            }
        }
    }

    /// What a path of a module leads to: `views::view::view`, or `opwright_runtime::view::select`.
    fn resolved(&self, module: &Words, path: &[String]) -> Words {
        let local = [module.as_slice(), path].concat();
        if self.functions.contains_key(&local) {
            return local;
        }
        let known = self.names.get(module).and_then(|it| it.get(path.first()?));
        match known {
            Some(start) => [start.as_slice(), &path[1..]].concat(),
            None => whole(module, path.to_vec()),
        }
    }

    /// What a composite kernel does that it must not.
    fn wrong(&self, kernel: &Words, raw: &BTreeSet<String>) -> Vec<String> {
        let mut seen = BTreeSet::from([kernel.clone()]);
        let mut left = vec![kernel.clone()];
        let mut found = Vec::new();
        while let Some(path) = left.pop() {
            let Some(function) = self.functions.get(&path) else { continue };
            let name = path.last().cloned().unwrap_or_default();
            let mut uses =
                Uses { code: self, function, raw, wrong: Vec::new(), called: Vec::new() };
            uses.visit_block(&function.body);
            let at = if path == *kernel { String::new() } else { format!("{name}: ") };
            found.extend(uses.wrong.iter().map(|it| format!("{at}{it}")));
            left.extend(uses.called.into_iter().filter(|it| seen.insert(it.clone())));
        }
        found
    }
}

/// What the body of a function uses.
struct Uses<'a> {
    code: &'a Code,
    function: &'a Function,
    raw: &'a BTreeSet<String>,
    wrong: Vec<String>,
    /// Functions of the crate that are no kernels.
    called: Vec<Words>,
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        let shown = words(&path.path);
        if let [name] = &shown[..]
            && self.function.bound.0.contains(name)
        {
            return;
        }
        let resolved = self.code.resolved(&self.function.module, &shown);
        let resolved_words: Vec<&str> = resolved.iter().map(String::as_str).collect();
        match resolved_words[..] {
            ["opwright_runtime", module, _, ..] if RAW_MODULES.contains(&module) => {
                self.wrong.push(shown.join("::"));
            }
            ["opwright_runtime", "Tensor", name] if self.raw.contains(name) => {
                self.wrong.push(shown.join("::"));
            }
            _ => match self.code.functions.get(&resolved) {
                Some(function) if function.is_kernel => {
                    self.wrong.push(format!("the kernel {}", shown.join("::")));
                }
                Some(_) => self.called.push(resolved),
                None => {}
            },
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let name = call.method.to_string();
        let is_told = !WITH_TYPE.contains(&name.as_str()) || call.turbofish.is_some();
        // Types are not known; a method of one that is not named anywhere near is another's.
        let own = self.code.methods.get(&name).into_iter().flatten();
        let own = own.filter(|path| self.function.words.contains(&path[path.len() - 2]));
        let own: Vec<Words> = own.cloned().collect();
        if own.is_empty() && self.raw.contains(&name) && is_told {
            self.wrong.push(format!(".{name}()"));
        }
        self.called.extend(own);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
        for argument in arguments.parse2(item.tokens.clone()).into_iter().flatten() {
            Uses::visit_expr(self, &argument);
        }
    }
}

/// The names that an import makes, and what they stand for.
fn imported(tree: &UseTree, before: &[String], found: &mut Vec<(String, Words)>) {
    let with = |word: &syn::Ident| [before, &[word.to_string()]].concat();
    match tree {
        UseTree::Path(it) => imported(&it.tree, &with(&it.ident), found),
        UseTree::Name(it) if it.ident == "self" => {
            found.extend(before.last().map(|last| (last.clone(), before.to_vec())));
        }
        UseTree::Name(it) => found.push((it.ident.to_string(), with(&it.ident))),
        UseTree::Rename(it) if it.ident == "self" => {
            found.push((it.rename.to_string(), before.to_vec()));
        }
        UseTree::Rename(it) => found.push((it.rename.to_string(), with(&it.ident))),
        UseTree::Glob(_) => {}
        UseTree::Group(it) => it.items.iter().for_each(|it| imported(it, before, found)),
    }
}

/// A path of a module, from the root of the crate on.
fn whole(module: &Words, path: Words) -> Words {
    let mut at = module.clone();
    match path.first().map(String::as_str) {
        Some("crate") => path[1..].to_vec(),
        Some("self") => [at.as_slice(), &path[1..]].concat(),
        Some("super") => {
            let mut rest = &path[..];
            while let [first, behind @ ..] = rest
                && first == "super"
            {
                at.pop();
                rest = behind;
            }
            [at.as_slice(), rest].concat()
        }
        _ => path,
    }
}

/// The module of a file without its extension.
fn module(path: &Path) -> Words {
    let mut words: Words = path.iter().map(|it| it.to_string_lossy().into_owned()).collect();
    words.pop_if(|it| ["lib", "mod"].contains(&it.as_str()));
    words
}

//! Kernels that do nothing but hand on to another function: a word in the entry
//! or the annotation says that.

use std::fs;
use std::path::{Path, PathBuf};

use syn::{Expr, ExprCall, ItemFn, Pat, Stmt};

/// As many as there may be. What remains calls a function with what is no
/// parameter and no literal.
const MOST: usize = 40;

#[test]
fn few_kernels_hand_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ops/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut found = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a source file");
        let file = syn::parse_file(&text).expect("a file of Rust");
        let functions = file.items.iter().filter_map(|it| match it {
            syn::Item::Fn(func) => Some(func),
            _ => None,
        });
        let shown = path.strip_prefix(&root).unwrap_or(&path).display();
        let forwarding = functions.filter(|it| is_kernel(it) && hands_on(it));
        found.extend(forwarding.map(|it| format!("{shown}: {}", it.sig.ident)));
    }
    assert!(
        found.len() <= MOST,
        "{} kernels do nothing but hand on; say `alias_of` or `out` instead:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn it_sees_what_hands_on() {
    let hands_on = |text: &str| hands_on(&syn::parse_str(text).expect("a function"));
    assert!(hands_on("fn f(a: &Tensor, b: Scalar) -> Result<Tensor> { g(a, &wrapped(b)?, 1) }"));
    assert!(hands_on(
        "fn f(a: &Tensor, out: &mut Tensor) -> Result<()> { copy_to_out(&g(a)?, out) }"
    ));
    assert!(hands_on("fn f(a: &mut Tensor) -> Result<()> { a.replace(g(a)?) }"));
    assert!(hands_on("fn f(a: &Tensor) -> Result<Tensor> { g(a, &[], None) }"));
    assert!(!hands_on("fn f(a: &Tensor) -> Result<Tensor> { g(a, |x| x + 1) }"));
    assert!(!hands_on("fn f(a: &Tensor) -> Result<Tensor> { g(a, a.dim()) }"));
    assert!(!hands_on("fn f(a: &Tensor) -> Result<Tensor> { g(\"f\", a)?.h() }"));
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

fn is_kernel(func: &ItemFn) -> bool {
    func.attrs.iter().any(|it| it.path().is_ident("native_op"))
}

/// Whether the body is one call, of which every argument is a parameter or a
/// literal, or a conversion of one.
fn hands_on(func: &ItemFn) -> bool {
    let params: Vec<String> = func.sig.inputs.iter().filter_map(name).collect();
    let [Stmt::Expr(body, None)] = func.block.stmts.as_slice() else { return false };
    match body {
        Expr::Call(call) => call.args.iter().all(|it| is_passed(it, &params)),
        Expr::MethodCall(call) => {
            call.method == "replace" && call.args.iter().all(|it| is_passed(it, &params))
        }
        _ => false,
    }
}

fn name(param: &syn::FnArg) -> Option<String> {
    let syn::FnArg::Typed(param) = param else { return None };
    match &*param.pat {
        Pat::Ident(it) => Some(it.ident.to_string()),
        _ => None,
    }
}

fn is_passed(argument: &Expr, params: &[String]) -> bool {
    match argument {
        Expr::Path(it) => match it.path.get_ident() {
            Some(name) => name == "None" || params.contains(&name.to_string()),
            None => false,
        },
        Expr::Lit(_) => true,
        Expr::Unary(it) => is_passed(&it.expr, params),
        Expr::Reference(it) => is_passed(&it.expr, params),
        Expr::Try(it) => is_passed(&it.expr, params),
        Expr::Array(it) => it.elems.iter().all(|it| is_passed(it, params)),
        Expr::Call(ExprCall { args, .. }) => args.iter().all(|it| is_passed(it, params)),
        Expr::MethodCall(it) => it.method == "into" && is_passed(&it.receiver, params),
        _ => false,
    }
}

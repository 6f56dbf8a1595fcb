//! The typed program as C: each function one of C, each block a label, each value a variable.
//!
//! Nothing that differs between processes is in the text: addresses are rows of a table that the entry
//! takes, and names of functions and files are left out, so that equal programs are one text. Results
//! have the bits that the machine gives: whole numbers wrap, real ones are neither contracted nor
//! reassociated, and functions of them are the rows of [`crate::ir::MATH`].

mod access;
mod addresses;
mod call;
mod counted;
mod function;
mod indices;
mod inspect;
mod math;
mod number;
mod rounds;
mod words;

use std::fmt::Write as _;

use self::addresses::Addresses;
use self::function::FunctionPrinter;
use self::words::{converted, params, type_of};
use crate::ir::{CallGraph, Function, Program};
use crate::types::Prim;

/// A program as C.
pub(super) struct Text {
    /// The text.
    pub(super) text: String,
    /// What its entry takes: the addresses that it names by number.
    pub(super) addresses: Vec<u64>,
    /// How much stack its largest function takes, if functions may nest without a limit that is known
    /// before they run.
    pub(super) margin: Option<usize>,
}

const PRELUDE: &str = include_str!("prelude.c");

/// Prints a program.
///
/// # Errors
///
/// It has an instruction that has no form in C.
pub(super) fn print(program: &Program) -> Result<Text, String> {
    let graph = CallGraph::new(program);
    let mut addresses = Addresses::new();
    let mut text = PRELUDE.to_owned();
    let mut bodies = String::new();
    for (at, function) in program.functions.iter().enumerate() {
        let (result, signature) = (result_type(at, function), signature(at, function, &graph));
        text += &format!("\n{result}\n{signature};\n");
        let body = FunctionPrinter::run(program, &graph, &mut addresses, at)?;
        bodies += &format!("\n{signature}\n{{\n{body}}}\n");
    }
    let (vectors, known) = math::vectors(&mut addresses);
    text += &vectors;
    if !vectors.is_empty() {
        // A call of a function that is known to the entry alone must not go before that knows it.
        let signature = signature(0, &program.functions[0], &graph);
        text += &format!("__attribute__((noipa)) {signature};\n");
    }
    text += &bodies;
    text += &entry(&program.functions[0], &known);
    let largest = program.functions.iter().map(stack_of).max().unwrap_or_default();
    let margin = graph.is_deep.contains(&true).then_some(largest);
    Ok(Text { text, addresses: addresses.into_rows(), margin })
}

/// What a function returns: whether it failed, and its words.
fn result_type(at: usize, function: &Function) -> String {
    let mut out = "typedef struct { u32 failed; ".to_owned();
    for (word, prim) in function.result.prims().iter().enumerate() {
        let _ = write!(out, "{} r{word}; ", type_of(*prim));
    }
    format!("{out}}} result{at};")
}

fn signature(at: usize, function: &Function, graph: &CallGraph) -> String {
    // Inlined into itself, a function would take more stack than is left for it.
    let kept = if graph.is_deep[at] { "__attribute__((noinline, noclone)) " } else { "" };
    let mut out = format!("static {kept}result{at} f{at}(frame *frame, const u64 *t, u64 depth");
    for (word, prim) in params(function).iter().enumerate() {
        let _ = write!(out, ", {} p{word}", type_of(*prim));
    }
    out + ")"
}

/// What is called from outside: it takes its words from memory.
fn entry(first: &Function, known: &str) -> String {
    let mut out = "\n__attribute__((visibility(\"default\")))\n\
                   u32 opw_entry_1(frame *frame, const u64 *args, u64 *results, const u64 *t)\n{\n"
        .to_owned();
    out += known;
    let words = params(first);
    let args: Vec<String> = words
        .iter()
        .enumerate()
        .map(|(at, prim)| converted(&format!("(i64)args[{at}]"), Prim::Int, *prim))
        .collect();
    let args: String = args.iter().map(|it| format!(", {it}")).collect();
    let _ = writeln!(out, "    result0 it = f0(frame, t, 0{args});\n    if (it.failed) return 1;");
    for (at, prim) in first.result.prims().iter().enumerate() {
        let word = converted(&format!("it.r{at}"), *prim, Prim::Int);
        let _ = writeln!(out, "    results[{at}] = {word};");
    }
    out + "    return 0;\n}\n"
}

/// At most so much stack does a function take: each of its values may be kept there, in a register as
/// wide as there are, and so may the words of its calls.
fn stack_of(function: &Function) -> usize {
    let words: usize = function.insts.iter().map(|it| it.args.len() + it.results.len()).sum();
    64 * function.values.len() + 8 * words + 8192
}

//! Formulas of gradients of operators that are defined at run time: the language of
//! `derivatives.yaml`, as expressions of Python, which run on tensors.

use std::collections::BTreeSet;

use opwright_diagnostics::{Diagnostics, SourceId, Sources, Span};
use opwright_formula::{BinaryOperator as Sign, Expr, ExprKind, Name, Path, Prefix, parse};
use opwright_runtime::op::{Operator, Type};
use opwright_schema::codes;
use pyo3::prelude::*;

use super::declared::shown;
use crate::object::package;

/// What messages call the text of a formula.
const SOURCE: &str = "<formula>";

/// A formula that was read.
pub(super) struct ParsedFormula {
    /// The inputs whose gradients it gives.
    pub(super) inputs: Vec<String>,
    /// What was written for them.
    pub(super) text: String,
    /// The same as an expression of Python.
    pub(super) python: String,
}

/// Reads formulas, `x: grad * k`, of an operator.
///
/// # Errors
///
/// Every mistake at its place, as text.
pub(super) fn read(
    py: Python<'_>,
    row: &Operator,
    texts: &[String],
) -> Result<Vec<ParsedFormula>, String> {
    if texts.is_empty() {
        return Err(
            "there is none; write what is the gradient of each input: `x: grad * k`".to_owned()
        );
    }
    let mut sources = Sources::new();
    let mut cx = Diagnostics::new();
    let mut known = BTreeSet::new();
    let mut formulas = Vec::with_capacity(texts.len());
    for text in texts {
        let source = sources.add(SOURCE, text.as_str());
        let mut reader = FormulaReader { py, row, source, start: 0, cx: &mut cx };
        formulas.extend(reader.formula(text, &mut known));
    }
    match cx.finish() {
        Ok(_) => Ok(formulas),
        Err(mistakes) => Err(shown(&sources, &mistakes)),
    }
}

/// What reads a formula: each of its methods returns nothing after a mistake, which it has reported.
struct FormulaReader<'a, 'py> {
    py: Python<'py>,
    row: &'a Operator,
    source: SourceId,
    /// Where the expression starts in its text.
    start: usize,
    cx: &'a mut Diagnostics,
}

impl FormulaReader<'_, '_> {
    fn formula(&mut self, text: &str, known: &mut BTreeSet<String>) -> Option<ParsedFormula> {
        let Some((names, written)) = text.split_once(':') else {
            let place = Span::new(self.source, 0..text.len());
            self.cx
                .error(codes::DERIVATIVE_FORMULA, &place, "no input is named")
                .help("write `x: grad * k`, where `x` is the input whose gradient this is");
            return None;
        };
        let inputs = self.inputs(names, known)?;
        self.start = names.len() + 1;
        let expr = match parse(written) {
            Ok(expr) => expr,
            Err(wrong) => {
                let place = self.place(&wrong.range);
                self.cx.error(codes::DERIVATIVE_FORMULA, &place, wrong.message);
                return None;
            }
        };
        let python = self.python(&expr)?;
        Some(ParsedFormula { inputs, text: written.trim().to_owned(), python })
    }

    fn inputs(&mut self, names: &str, known: &mut BTreeSet<String>) -> Option<Vec<String>> {
        let mut inputs = Vec::new();
        let mut at = 0;
        for part in names.split(',') {
            let name = part.trim();
            let start = at + (part.len() - part.trim_start().len());
            at += part.len() + 1;
            let place = Span::new(self.source, start..start + name.len());
            let params = self.row.params.iter().filter(|it| is_tensor(&it.slot.ty));
            let tensors: Vec<&str> = params.map(|it| it.slot.name).collect();
            if !tensors.contains(&name) {
                let message = format_args!("`{name}` is no tensor that `{}` takes", self.row.name);
                self.cx.error(codes::DERIVATIVE_INPUT, &place, message).choose(name, &tensors);
                return None;
            }
            if !known.insert(name.to_owned()) {
                let message = format_args!("there are two formulas for `{name}`");
                self.cx.error(codes::DERIVATIVE_TWICE, &place, message).help("remove one of them");
                return None;
            }
            inputs.push(name.to_owned());
        }
        Some(inputs)
    }

    fn place(&self, range: &std::ops::Range<usize>) -> Span {
        Span::new(self.source, self.start + range.start..self.start + range.end)
    }

    /// The expression in Python, in parentheses where it needs some.
    fn python(&mut self, expr: &Expr) -> Option<String> {
        Some(match &expr.kind {
            ExprKind::Int(it) => it.to_string(),
            ExprKind::Float(it) => format!("{it:?}"),
            ExprKind::Str(it) => format!("{it:?}"),
            ExprKind::Name(path) => self.name(path, expr)?,
            ExprKind::Call { function, template: None, args } => {
                let function = self.function(function, expr)?;
                format!("{function}({})", self.list(args)?)
            }
            ExprKind::Method { object, name, args } => self.method(object, name, args)?,
            ExprKind::Index { object, index } => {
                format!("{}[{}]", self.python(object)?, self.python(index)?)
            }
            ExprKind::Prefix { prefix, operand } => {
                let operand = self.python(operand)?;
                match prefix {
                    Prefix::Neg => format!("(-{operand})"),
                    Prefix::Not => format!("(not {operand})"),
                    Prefix::Deref => operand,
                }
            }
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (self.python(left)?, self.python(right)?);
                let sign = match operator {
                    Sign::Or => "or",
                    Sign::And => "and",
                    other => other.sign(),
                };
                format!("({left} {sign} {right})")
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (condition, then) = (self.python(condition)?, self.python(then)?);
                format!("({then} if {condition} else {})", self.python(otherwise)?)
            }
            ExprKind::List(items) => format!("[{}]", self.list(items)?),
            ExprKind::Call { template: Some(_), .. }
            | ExprKind::Keyword { .. }
            | ExprKind::Lambda { .. } => {
                let place = self.place(&expr.range);
                self.cx
                    .error(codes::DERIVATIVE_FORMULA, &place, "this has no meaning in Python")
                    .help("write the gradient as a function: `derivative(f)`");
                return None;
            }
        })
    }

    fn list(&mut self, items: &[Expr]) -> Option<String> {
        let items: Option<Vec<String>> = items.iter().map(|it| self.python(it)).collect();
        Some(items?.join(", "))
    }

    /// What stands for a value: an argument, a gradient, a result.
    fn name(&mut self, path: &Path, expr: &Expr) -> Option<String> {
        let word = path.to_string();
        let words = self.words();
        if words.contains(&word) {
            return Some(word);
        }
        let place = self.place(&expr.range);
        let message = format_args!("`{word}` is unknown here");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.cx.error(codes::DERIVATIVE_NAME, &place, message).choose(&word, &words);
        None
    }

    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> =
            self.row.params.iter().map(|it| it.slot.name.to_owned()).collect();
        words.extend(["grad", "grads"].map(str::to_owned));
        match self.row.results {
            [_] => words.push("result".to_owned()),
            results => words.extend((0..results.len()).map(|it| format!("result{it}"))),
        }
        words.extend(self.row.results.iter().map(|it| it.name.to_owned()));
        words.retain(|it| !it.is_empty());
        words
    }

    /// The function of an operator: `where`, `at::where`, `my::name`.
    fn function(&mut self, path: &Path, expr: &Expr) -> Option<String> {
        let name = path.last();
        let outer: Vec<&str> =
            path.names[..path.names.len() - 1].iter().map(|it| it.text.as_str()).collect();
        let (home, prefix) = match outer.as_slice() {
            [] | ["at"] => (package(self.py), "opwright".to_owned()),
            [namespace] => {
                let ops = package::native(self.py).and_then(|it| it.getattr("ops"));
                let found = ops.and_then(|it| it.getattr(*namespace));
                (found.and_then(|it| Ok(it.cast_into()?)), format!("opwright.ops.{namespace}"))
            }
            _ => (package(self.py), String::new()),
        };
        if let Ok(home) = &home
            && !prefix.is_empty()
            && home.getattr(name.text.as_str()).is_ok_and(|it| it.is_callable())
        {
            return Some(format!("{prefix}.{}", name.text));
        }
        let known: Vec<String> = home.and_then(|it| it.dict().keys().extract()).unwrap_or_default();
        let place = self.place(&expr.range);
        let message = format_args!("there is no function `{path}`");
        self.cx
            .error(codes::DERIVATIVE_NAME, &place, message)
            .suggest(&name.text, known.iter().map(String::as_str));
        None
    }

    fn method(&mut self, object: &Expr, name: &Name, args: &[Expr]) -> Option<String> {
        let object = self.python(object)?;
        let args = self.list(args)?;
        Some(match name.text.as_str() {
            "sizes" | "sym_sizes" => format!("{object}.shape"),
            "size" | "sym_size" => format!("{object}.shape[{args}]"),
            "sym_numel" => format!("{object}.numel()"),
            "scalar_type" => format!("{object}.dtype"),
            // Of a number, too.
            "conj" => format!("conj({object})"),
            method => {
                let class = package(self.py).and_then(|it| it.getattr("Tensor"));
                let Ok(class) = class else { return None };
                if !class.hasattr(method).unwrap_or(false) {
                    let known: Vec<String> =
                        class.dir().and_then(|it| it.extract()).unwrap_or_default();
                    let place = self.place(&name.range);
                    let message = format_args!("tensors have no method `{method}`");
                    self.cx
                        .error(codes::DERIVATIVE_NAME, &place, message)
                        .suggest(method, known.iter().map(String::as_str));
                    return None;
                }
                format!("{object}.{method}({args})")
            }
        })
    }
}

/// Whether there are gradients of such an input.
fn is_tensor(ty: &Type) -> bool {
    matches!(ty, Type::Tensor | Type::Optional(Type::Tensor))
}

/// The package, which has the functions that people call.
fn package(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(package::name())
}

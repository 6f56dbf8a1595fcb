//! What a rule looks for, and what it puts in its place.

use std::sync::Arc;

use opwright_formula::{Expr, ExprKind, Prefix};
use opwright_runtime::op::{Operator, Param, Type, Value};
use opwright_runtime::types::{Plain, TensorType};
use opwright_runtime::{Error, Result, Scalar};

use crate::apply::Apply;
use crate::argument::Argument;
use crate::build;
use crate::failure::Failure;
use crate::op::Op;
use crate::rows::Rows;
use crate::same;
use crate::variable::Variable;

/// The variables that stand for the names of a pattern.
pub type Bindings = Vec<(String, Variable)>;

/// A part of a graph: calls, names and numbers.
///
/// ```
/// use opwright_graph::rewrite::Pattern;
///
/// let twice = Pattern::parse("add.Tensor(a, a)")?;
/// assert_eq!(twice.names(), ["a"]);
/// assert!(Pattern::parse("add(a").is_err());
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `_`
    Any,
    /// A name: the same variable wherever it stands.
    Name(String),
    /// A number: a constant.
    Number(Scalar),
    /// A call: `add(a, b)` of any overload, `add.Tensor(a, b)` of this one.
    Call(String, Vec<Pattern>),
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// `Value`, with what was expected where.
    pub fn parse(text: &str) -> Result<Pattern> {
        let formula = opwright_formula::parse(text);
        let formula = formula.map_err(|it| {
            let before = &text[..it.range.start];
            Error::value(format_args!("the pattern `{text}`: {} behind `{before}`", it.message))
        })?;
        Pattern::of(&formula).ok_or_else(|| {
            Error::value(format_args!(
                "the pattern `{text}` is more than calls of operators, names and numbers"
            ))
        })
    }

    fn of(formula: &Expr) -> Option<Pattern> {
        let of_all = |args: &[Expr]| args.iter().map(Pattern::of).collect::<Option<Vec<_>>>();
        Some(match &formula.kind {
            ExprKind::Int(it) => Pattern::Number(Scalar::Int(*it)),
            ExprKind::Float(it) => Pattern::Number(Scalar::Float(*it)),
            ExprKind::Prefix { prefix: Prefix::Neg, operand } => match Pattern::of(operand)? {
                Pattern::Number(Scalar::Int(it)) => Pattern::Number(Scalar::Int(-it)),
                Pattern::Number(Scalar::Float(it)) => Pattern::Number(Scalar::Float(-it)),
                _ => return None,
            },
            ExprKind::Name(path) => match path.plain()?.text.as_str() {
                "_" => Pattern::Any,
                name => Pattern::Name(name.to_owned()),
            },
            ExprKind::Call { function, template: None, args } => {
                Pattern::Call(function.plain()?.text.clone(), of_all(args)?)
            }
            ExprKind::Method { object, name, args } => {
                let base = &object.name()?.text;
                Pattern::Call(format!("{base}.{}", name.text), of_all(args)?)
            }
            _ => return None,
        })
    }

    /// The names in it, each once.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Pattern::Any | Pattern::Number(_) => Vec::new(),
            Pattern::Name(name) => vec![name],
            Pattern::Call(_, args) => {
                let mut found = Vec::new();
                for name in args.iter().flat_map(Pattern::names) {
                    if !found.contains(&name) {
                        found.push(name);
                    }
                }
                found
            }
        }
    }

    /// The operators in it.
    pub fn calls(&self) -> Vec<&str> {
        match self {
            Pattern::Any | Pattern::Number(_) | Pattern::Name(_) => Vec::new(),
            Pattern::Call(name, args) => {
                std::iter::once(&**name).chain(args.iter().flat_map(Pattern::calls)).collect()
            }
        }
    }

    /// Whether a variable is computed like this.
    pub fn matches(&self, variable: &Variable, bound: &mut Bindings) -> bool {
        match self {
            Pattern::Any => true,
            Pattern::Number(number) => is_number(variable, *number),
            Pattern::Name(name) => match bound.iter().find(|(it, _)| it == name) {
                Some((_, known)) => is_same(known, variable),
                None => {
                    bound.push((name.clone(), variable.clone()));
                    true
                }
            },
            Pattern::Call(name, args) => variable
                .owner()
                .is_some_and(|(node, index)| index == 0 && is_call(node, name, args, bound)),
        }
    }

    /// What it stands for, of these variables.
    ///
    /// # Errors
    ///
    /// What the calls in it report; an operator or a name that does not exist.
    pub fn build(&self, bound: &Bindings, rows: &Rows) -> Result<Variable, Failure> {
        match self {
            Pattern::Any => Err(Error::value("`_` stands for nothing in a replacement").into()),
            Pattern::Number(number) => Ok(constant(*number)),
            Pattern::Name(name) => {
                let known = bound.iter().find(|(it, _)| it == name);
                let known = known.ok_or_else(|| {
                    Error::value(format_args!(
                        "the replacement names `{name}`, the pattern does not"
                    ))
                })?;
                Ok(known.1.clone())
            }
            Pattern::Call(name, args) => {
                let row = rows.find(name);
                let row = row.ok_or_else(|| {
                    Error::value(format_args!(
                        "the replacement calls `{name}`, which is no overload"
                    ))
                })?;
                let args = args.iter().map(|it| it.build(bound, rows));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                call(row, args)
            }
        }
    }
}

/// Whether a node calls this operator with arguments like these; others have their defaults.
fn is_call(node: &Apply, name: &str, args: &[Pattern], bound: &mut Bindings) -> bool {
    match node.op() {
        Op::Row(row) => {
            let (base, _) = row.parts();
            if (row.name != name && base != name) || args.len() > row.params.len() {
                return false;
            }
            let (given, rest) = node.arguments().split_at(args.len());
            let rest = rest.iter().zip(&row.params[args.len()..]);
            rest.clone().all(|(argument, param)| is_default(argument, param))
                && given.iter().zip(args).all(|(argument, pattern)| match argument {
                    Argument::Input(at) => pattern.matches(&node.inputs()[*at], bound),
                    Argument::Value(value) => is_value(pattern, value),
                    Argument::List(_) => *pattern == Pattern::Any,
                })
        }
        Op::Custom(op) => {
            op.to_string() == name
                && args.len() == node.inputs().len()
                && node.inputs().iter().zip(args).all(|(it, pattern)| pattern.matches(it, bound))
        }
    }
}

fn is_default(argument: &Argument, param: &Param) -> bool {
    let default = param.default.map_or(Value::None, |it| it.value());
    matches!(argument, Argument::Value(it) if same::values(it, &default))
}

fn is_value(pattern: &Pattern, value: &Value) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Number(number) => value.scalar().is_ok_and(|it| is_equal(it, *number)),
        Pattern::Name(_) | Pattern::Call(..) => false,
    }
}

/// One variable, or two constants of one number.
fn is_same(a: &Variable, b: &Variable) -> bool {
    let constants = || Some(same::values(a.as_constant()?, b.as_constant()?));
    a == b || constants() == Some(true)
}

fn is_number(variable: &Variable, number: Scalar) -> bool {
    let value = match variable.as_constant() {
        Some(Value::Tensor(it)) if it.ndim() == 0 => it.to_scalar().ok(),
        Some(value) => value.scalar().ok(),
        None => None,
    };
    value.is_some_and(|it| is_equal(it, number))
}

fn is_equal(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => a == b,
        (Scalar::Int(int), Scalar::Float(float)) | (Scalar::Float(float), Scalar::Int(int)) => {
            float == int as f64
        }
        (Scalar::Float(a), Scalar::Float(b)) => a == b,
        _ => false,
    }
}

fn constant(number: Scalar) -> Variable {
    let plain = match number {
        Scalar::Bool(_) => Plain::Boolean,
        Scalar::Int(_) => Plain::Int64,
        Scalar::Float(_) => Plain::Double,
        Scalar::Complex(_) => Plain::Complex128,
    };
    Variable::constant(Arc::new(plain), number.into(), None)
}

/// A call with these for the first parameters.
fn call(row: &'static Operator, args: Vec<Variable>) -> Result<Variable, Failure> {
    let mut inputs: Vec<Variable> = Vec::new();
    let mut arguments = Vec::with_capacity(row.params.len());
    let mut args = args.into_iter();
    for param in row.params {
        arguments.push(match args.next() {
            None => Argument::Value(param.default.map_or(Value::None, |it| it.value())),
            Some(variable) => match variable.as_constant() {
                // What is no tensor stays a value.
                Some(value) if param.slot.ty != Type::Tensor && !is_tensor(&variable) => {
                    Argument::Value(value.clone())
                }
                _ => {
                    let known = inputs.iter().position(|it| *it == variable);
                    Argument::Input(known.unwrap_or_else(|| {
                        inputs.push(variable);
                        inputs.len() - 1
                    }))
                }
            },
        });
    }
    let built = build::row(row, inputs, arguments, None)?;
    Ok(Variable::output(built.node, 0))
}

fn is_tensor(variable: &Variable) -> bool {
    variable.ty().downcast::<TensorType>().is_some()
}

//! Patterns of graphs: calls, names and numbers.

use std::fmt;
use std::ops::Range;

use crate::{Expr, ExprKind, Prefix, SyntaxError, parse};

/// What a rewrite looks for, or puts in its place.
///
/// ```
/// use opwright_formula::Pattern;
///
/// let twice = Pattern::parse("add.Tensor(a, mul(a, 2))").unwrap();
/// assert_eq!(twice.names(), ["a"]);
/// assert_eq!(twice.calls().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["add.Tensor", "mul"]);
/// assert_eq!(twice.to_string(), "add.Tensor(a, mul(a, 2))");
///
/// let wrong = Pattern::parse("a + 1").unwrap_err();
/// assert_eq!(wrong.message, "expected the call of an operator, a name or a number");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `_`
    Any,
    /// A name: the same variable wherever it stands.
    Name(String, Range<usize>),
    /// `2`
    Int(i64),
    /// `0.5`
    Float(f64),
    /// `add(a, b)` of any overload, `add.Tensor(a, b)` of this one.
    Call(String, Range<usize>, Vec<Pattern>),
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// The first place that does not fit, with what was expected there.
    pub fn parse(text: &str) -> Result<Pattern, SyntaxError> {
        Pattern::of(&parse(text)?)
    }

    fn of(formula: &Expr) -> Result<Pattern, SyntaxError> {
        let other = || SyntaxError {
            range: formula.range.clone(),
            message: "expected the call of an operator, a name or a number".to_owned(),
        };
        let all = |args: &[Expr]| args.iter().map(Pattern::of).collect::<Result<Vec<_>, _>>();
        match &formula.kind {
            ExprKind::Int(it) => Ok(Pattern::Int(*it)),
            ExprKind::Float(it) => Ok(Pattern::Float(*it)),
            ExprKind::Prefix { prefix: Prefix::Neg, operand } => match Pattern::of(operand)? {
                Pattern::Int(it) => Ok(Pattern::Int(-it)),
                Pattern::Float(it) => Ok(Pattern::Float(-it)),
                Pattern::Any | Pattern::Name(..) | Pattern::Call(..) => Err(other()),
            },
            ExprKind::Name(path) => match path.plain().ok_or_else(other)? {
                name if name.text == "_" => Ok(Pattern::Any),
                name => Ok(Pattern::Name(name.text.clone(), name.range.clone())),
            },
            ExprKind::Call { function, template: None, args } => {
                let name = function.plain().ok_or_else(other)?;
                Ok(Pattern::Call(name.text.clone(), name.range.clone(), all(args)?))
            }
            ExprKind::Method { object, name, args } => {
                let base = object.name().ok_or_else(other)?;
                let range = base.range.start..name.range.end;
                Ok(Pattern::Call(format!("{}.{}", base.text, name.text), range, all(args)?))
            }
            _ => Err(other()),
        }
    }

    /// The names in it, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.walk(&mut |it| {
            if let Pattern::Name(name, _) = it
                && !found.contains(&&**name)
            {
                found.push(&**name);
            }
        });
        found
    }

    /// The operators in it, and where they stand.
    pub fn calls(&self) -> Vec<(&str, Range<usize>)> {
        let mut found = Vec::new();
        self.walk(&mut |it| {
            if let Pattern::Call(name, range, _) = it {
                found.push((&**name, range.clone()));
            }
        });
        found
    }

    /// Calls `see` with this pattern and all that it is made of, outer ones first.
    pub fn walk<'p>(&'p self, see: &mut impl FnMut(&'p Pattern)) {
        see(self);
        if let Pattern::Call(.., args) = self {
            args.iter().for_each(|it| it.walk(see));
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Any => f.write_str("_"),
            Pattern::Name(name, _) => f.write_str(name),
            Pattern::Int(it) => it.fmt(f),
            Pattern::Float(it) => write!(f, "{it:?}"),
            Pattern::Call(name, _, args) => {
                write!(f, "{name}(")?;
                for (at, arg) in args.iter().enumerate() {
                    write!(f, "{}{arg}", if at > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

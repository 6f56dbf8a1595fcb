//! Patterns of graphs: calls, names and numbers.

use std::fmt;
use std::ops::Range;

use crate::parse::parse_with_keywords;
use crate::{Expr, ExprKind, Name, Prefix, SyntaxError};

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
/// let scaled = Pattern::parse("add(a, b, alpha=2)").unwrap();
/// assert_eq!(scaled.to_string(), "add(a, b, alpha=2)");
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
    /// `True`
    Bool(bool),
    /// `"mean"`
    Str(String),
    /// `add(a, b)` of any overload, `add.Tensor(a, b)` of this one.
    Call(String, Range<usize>, Vec<Arg>),
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The parameter that it is for, if it is given by name.
    pub keyword: Option<Name>,
    /// What is given.
    pub value: Pattern,
}

impl Arg {
    /// The argument for the parameter of this name, which is the `at`th.
    pub fn of<'a>(args: &'a [Arg], at: usize, name: &str) -> Option<&'a Pattern> {
        let by_place = args.get(at).filter(|it| it.keyword.is_none());
        let is_named = |it: &&Arg| it.keyword.as_ref().is_some_and(|it| it.text == name);
        by_place.or_else(|| args.iter().find(is_named)).map(|it| &it.value)
    }

    /// How many are given by their place.
    pub fn positional(args: &[Arg]) -> usize {
        args.iter().take_while(|it| it.keyword.is_none()).count()
    }
}

impl Pattern {
    /// What a call is called that is of no operator: the shape of a variable.
    pub const SHAPE: &'static str = "shape";

    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// The first place that does not fit, with what was expected there.
    pub fn parse(text: &str) -> Result<Pattern, SyntaxError> {
        Pattern::of(&parse_with_keywords(text)?)
    }

    fn of(formula: &Expr) -> Result<Pattern, SyntaxError> {
        let other = || SyntaxError {
            range: formula.range.clone(),
            message: "expected the call of an operator, a name or a number".to_owned(),
        };
        match &formula.kind {
            ExprKind::Int(it) => Ok(Pattern::Int(*it)),
            ExprKind::Float(it) => Ok(Pattern::Float(*it)),
            ExprKind::Prefix { prefix: Prefix::Neg, operand } => match Pattern::of(operand)? {
                Pattern::Int(it) => Ok(Pattern::Int(-it)),
                Pattern::Float(it) => Ok(Pattern::Float(-it)),
                _ => Err(other()),
            },
            ExprKind::Str(text) => Ok(Pattern::Str(text.clone())),
            ExprKind::Name(path) => match path.plain().ok_or_else(other)? {
                name if name.text == "_" => Ok(Pattern::Any),
                name if name.text == "True" => Ok(Pattern::Bool(true)),
                name if name.text == "False" => Ok(Pattern::Bool(false)),
                name => Ok(Pattern::Name(name.text.clone(), name.range.clone())),
            },
            ExprKind::Call { function, template: None, args } => {
                let name = function.plain().ok_or_else(other)?;
                Ok(Pattern::Call(name.text.clone(), name.range.clone(), arguments(args)?))
            }
            ExprKind::Method { object, name, args } => {
                let base = object.name().ok_or_else(other)?;
                let range = base.range.start..name.range.end;
                Ok(Pattern::Call(format!("{}.{}", base.text, name.text), range, arguments(args)?))
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
            args.iter().for_each(|it| it.value.walk(see));
        }
    }
}

/// Arguments: those that are given by name stand last, and each once.
fn arguments(args: &[Expr]) -> Result<Vec<Arg>, SyntaxError> {
    let mut found: Vec<Arg> = Vec::with_capacity(args.len());
    for arg in args {
        let wrong = |message: String| SyntaxError { range: arg.range.clone(), message };
        let (keyword, value) = match &arg.kind {
            ExprKind::Keyword { name, value } => (Some(name), Pattern::of(value)?),
            _ => (None, Pattern::of(arg)?),
        };
        let names = || found.iter().filter_map(|it| it.keyword.as_ref());
        match keyword {
            Some(name) if names().any(|it| it.text == name.text) => {
                return Err(wrong(format!("`{}` is given twice", name.text)));
            }
            None if names().next().is_some() => {
                return Err(wrong("arguments without a name come first".to_owned()));
            }
            _ => found.push(Arg { keyword: keyword.cloned(), value }),
        }
    }
    Ok(found)
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(keyword) = &self.keyword {
            write!(f, "{}=", keyword.text)?;
        }
        self.value.fmt(f)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Any => f.write_str("_"),
            Pattern::Name(name, _) => f.write_str(name),
            Pattern::Int(it) => it.fmt(f),
            Pattern::Float(it) => write!(f, "{it:?}"),
            Pattern::Bool(true) => f.write_str("True"),
            Pattern::Bool(false) => f.write_str("False"),
            Pattern::Str(text) => write!(f, "\"{text}\""),
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

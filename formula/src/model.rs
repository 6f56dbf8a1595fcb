//! The tree of a formula.

use std::fmt;
use std::ops::Range;

/// An expression, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The bytes of the text that it takes.
    pub range: Range<usize>,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `2`
    Int(i64),
    /// `0.5`
    Float(f64),
    /// `"tanh"`, without its quotes
    Str(String),
    /// `grad`, `at::Reduction::None`
    Name(Path),
    /// `f(a, b)`, `std::tuple<Tensor, Tensor>()`
    Call {
        /// The function.
        function: Path,
        /// What stands in `<` and `>`.
        template: Option<Name>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `alpha = 2`, as an argument in a pattern
    Keyword {
        /// The parameter.
        name: Name,
        /// What it gets.
        value: Box<Expr>,
    },
    /// `x.f(a)`, `x->f(a)`
    Method {
        /// What stands before the dot.
        object: Box<Expr>,
        /// The function.
        name: Name,
        /// The arguments in parentheses.
        args: Vec<Expr>,
    },
    /// `grads[1]`
    Index {
        /// The list.
        object: Box<Expr>,
        /// The place.
        index: Box<Expr>,
    },
    /// `-x`
    Prefix {
        /// The sign.
        prefix: Prefix,
        /// What stands behind it.
        operand: Box<Expr>,
    },
    /// `a * b`
    Binary {
        /// The sign.
        operator: BinaryOperator,
        /// What stands before it.
        left: Box<Expr>,
        /// What stands behind it.
        right: Box<Expr>,
    },
    /// `condition ? a : b`
    Conditional {
        /// The condition.
        condition: Box<Expr>,
        /// The value if it holds.
        then: Box<Expr>,
        /// The value if not.
        otherwise: Box<Expr>,
    },
    /// `{a, b}`
    List(Vec<Expr>),
    /// `[](SymInt i) { return -i; }`
    Lambda {
        /// The parameter.
        param: Name,
        /// What is returned.
        body: Box<Expr>,
    },
}

/// A word, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Its bytes.
    pub range: Range<usize>,
}

/// A name with those of the namespaces around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The names, the outermost namespace first; never empty.
    pub names: Vec<Name>,
}

/// A sign before an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `*`
    Deref,
}

macro_rules! operators {
    ($($operator:ident $sign:literal $level:literal;)*) => {
        /// A sign between two expressions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum BinaryOperator {
            $(
                #[doc = concat!("`", $sign, "`")]
                $operator,
            )*
        }

        impl BinaryOperator {
            /// All of them.
            pub const ALL: &'static [BinaryOperator] = &[$(BinaryOperator::$operator),*];

            /// How it is written.
            pub fn sign(self) -> &'static str {
                match self {
                    $(BinaryOperator::$operator => $sign,)*
                }
            }

            /// Whether it asks something, so that the answer is yes or no.
            pub fn is_question(self) -> bool {
                !matches!(self.level(), LEVEL_OF_BITS | LEVEL_OF_SUMS..)
            }

            /// How strongly it binds: more than those of a smaller number.
            pub(crate) fn level(self) -> u8 {
                match self {
                    $(BinaryOperator::$operator => $level,)*
                }
            }
        }
    };
}

/// Bits are compared before sums are made.
const LEVEL_OF_BITS: u8 = 2;
const LEVEL_OF_SUMS: u8 = 5;

operators! {
    Or "||" 0;
    And "&&" 1;
    BitAnd "&" 2;
    BitOr "|" 2;
    Eq "==" 3;
    Ne "!=" 3;
    Lt "<" 4;
    Gt ">" 4;
    Le "<=" 4;
    Ge ">=" 4;
    Add "+" 5;
    Sub "-" 5;
    Mul "*" 6;
    Div "/" 6;
    Rem "%" 6;
}

/// A text that is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The bytes that do not fit.
    pub range: Range<usize>,
    /// What was expected, and what was found.
    pub message: String,
}

impl Expr {
    /// The expressions that this one is made of, in the order of the text.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Name(_) => vec![],
            ExprKind::Call { args, .. } | ExprKind::List(args) => args.iter().collect(),
            ExprKind::Method { object, args, .. } => {
                std::iter::once(&**object).chain(args).collect()
            }
            ExprKind::Index { object, index } => vec![object, index],
            ExprKind::Prefix { operand, .. } | ExprKind::Keyword { value: operand, .. } => {
                vec![operand]
            }
            ExprKind::Binary { left, right, .. } => vec![left, right],
            ExprKind::Conditional { condition, then, otherwise } => {
                vec![condition, then, otherwise]
            }
            ExprKind::Lambda { body, .. } => vec![body],
        }
    }

    /// Calls `see` with this expression and all that it is made of, outer ones first.
    pub fn walk<'e>(&'e self, see: &mut impl FnMut(&'e Expr)) {
        see(self);
        for part in self.parts() {
            part.walk(see);
        }
    }

    /// The name, if it is nothing but that.
    pub fn name(&self) -> Option<&Name> {
        match &self.kind {
            ExprKind::Name(path) => path.plain(),
            _ => None,
        }
    }
}

impl Path {
    /// The name without namespaces.
    ///
    /// # Panics
    ///
    /// If there is no name.
    pub fn last(&self) -> &Name {
        self.names.last().expect("a path has a name")
    }

    /// The name, if no namespace stands before it.
    pub fn plain(&self) -> Option<&Name> {
        match self.names.as_slice() {
            [name] => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, name) in self.names.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { "::" }, name.text)?;
        }
        Ok(())
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

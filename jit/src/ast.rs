//! Syntax trees of functions: nodes in arenas, each with its place in the source.
//!
//! Names are resolved when a tree is finished: what a function assigns is a local with a number,
//! all else is free. What the language does not have never gets here, see [`crate::error`].

use std::collections::HashMap;
use std::sync::Arc;

/// Where a node stands: lines count from 1, columns from 0 in characters, the end is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The line of the first character.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The line of the last character.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

/// An expression in the arena of its [`Ast`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExprId(pub u32);

/// A function or lambda in its [`Ast`]; the first is the outermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);

/// The functions of a source: one that is compiled, and those within it.
#[derive(Debug, Default)]
pub struct Ast {
    /// The file, as tracebacks name it.
    pub file: String,
    /// The lines of the outermost function.
    pub lines: Vec<String>,
    /// The number of the first of `lines` in the file.
    pub first_line: u32,
    expressions: Vec<(Expr, Span)>,
    functions: Vec<FunctionDef>,
}

/// A constant of the language.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A whole number; those beyond are refused.
    Int(i128),
    /// A real number.
    Float(f64),
    /// The imaginary part of a complex number.
    Imaginary(f64),
    /// `True` or `False`.
    Bool(bool),
    /// `None`.
    None,
    /// Text.
    Text(Arc<str>),
    /// `...`, in an index.
    Ellipsis,
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as the operators of Python's syntax tree")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    MatMul,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// An operator of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as the operators of Python's syntax tree")]
pub enum Unary {
    Neg,
    Pos,
    Invert,
    Not,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as the operators of Python's syntax tree")]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Is,
    IsNot,
    In,
    NotIn,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A constant.
    Literal(Literal),
    /// A name, see [`Name`].
    Name(Name),
    /// `a, b`.
    Tuple(Vec<ExprId>),
    /// `-a`.
    Unary(Unary, ExprId),
    /// `a + b`.
    Binary(Binary, ExprId, ExprId),
    /// `a and b`; true for `and`.
    Logical(bool, Vec<ExprId>),
    /// `a < b < c`.
    Compare(ExprId, Vec<(Compare, ExprId)>),
    /// `a if test else b`: test, then, otherwise.
    Conditional(ExprId, ExprId, ExprId),
    /// `name := value`.
    Named(Name, ExprId),
    /// `f(a, *b, c=d)`.
    Call(CallExpr),
    /// `a.name`.
    Attribute(ExprId, Arc<str>),
    /// `a[index]`.
    Subscript(ExprId, ExprId),
    /// `a:b:c`, in an index.
    Slice([Option<ExprId>; 3]),
    /// A lambda.
    Lambda(FunctionId),
    /// `f"…"`, where something is raised: text and values in turn.
    Formatted(Vec<ExprId>),
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallExpr {
    /// What is called.
    pub callee: ExprId,
    /// The arguments without a name; `true` for `*a`.
    pub positional: Vec<(ExprId, bool)>,
    /// The arguments with a name.
    pub keywords: Vec<(Arc<str>, ExprId)>,
}

/// What a name refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// A local of the function around it.
    Local(u32),
    /// A local of a function so many levels further out.
    Outer(u32, u32),
    /// What its module or the builtins have under this name.
    Free(Arc<str>),
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub enum AssignTarget {
    /// A local.
    Name(u32),
    /// `a, b = …`.
    Tuple(Vec<AssignTarget>),
    /// `a[index] = …`.
    Subscript(ExprId, ExprId),
    /// `a.name = …`.
    Attribute(ExprId, Arc<str>),
}

/// A statement and its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `return value`.
    Return(Option<ExprId>),
    /// `a = b = value`.
    Assign(Vec<AssignTarget>, ExprId),
    /// `a += value`.
    Augment(AssignTarget, Binary, ExprId),
    /// `a: annotation = value`.
    Annotate(AssignTarget, ExprId, Option<ExprId>),
    /// `for target in iterable`, its body, and what follows `else`.
    For(AssignTarget, ExprId, Vec<Stmt>, Vec<Stmt>),
    /// `while test`, its body, and what follows `else`.
    While(ExprId, Vec<Stmt>, Vec<Stmt>),
    /// `if test`, and both branches.
    If(ExprId, Vec<Stmt>, Vec<Stmt>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `pass`.
    Pass,
    /// `raise exception`.
    Raise(ExprId),
    /// `assert test, message`.
    Assert(ExprId, Option<ExprId>),
    /// An expression whose value nobody takes.
    Expr(ExprId),
    /// `del a.name`.
    Delete(ExprId, Arc<str>),
    /// A function within: the local that it is bound to.
    Def(u32, FunctionId),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct FunctionParam {
    /// Its name.
    pub name: Arc<str>,
    /// The local that holds it.
    pub local: u32,
    /// How it is passed.
    pub kind: ParamKind,
    /// Its default, for functions within the one that is compiled.
    pub default: Option<ExprId>,
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// By its place.
    Positional,
    /// By its place or name.
    Either,
    /// By its name.
    Keyword,
    /// `*args`.
    Rest,
}

/// A function or lambda.
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// Its name, `<lambda>` if it has none.
    pub name: Arc<str>,
    /// Its parameters in order.
    pub params: Vec<FunctionParam>,
    /// The names of its locals, parameters first.
    pub locals: Vec<Arc<str>>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Where it stands.
    pub span: Span,
}

impl Ast {
    /// A tree without nodes, of a part of a file.
    pub fn new(file: impl Into<String>, first_line: u32, text: &str) -> Ast {
        Ast {
            file: file.into(),
            lines: text.lines().map(str::to_owned).collect(),
            first_line,
            ..Ast::default()
        }
    }

    /// Adds an expression.
    pub fn add(&mut self, expression: Expr, span: Span) -> ExprId {
        self.expressions.push((expression, span));
        ExprId(u32::try_from(self.expressions.len() - 1).unwrap_or(u32::MAX))
    }

    /// Keeps room for a function, which [`Ast::set_function`] fills.
    pub fn reserve_function(&mut self) -> FunctionId {
        self.functions.push(FunctionDef {
            name: Arc::from(""),
            params: Vec::new(),
            locals: Vec::new(),
            body: Vec::new(),
            span: Span::default(),
        });
        FunctionId(u32::try_from(self.functions.len() - 1).unwrap_or(u32::MAX))
    }

    /// Fills the room of a function.
    pub fn set_function(&mut self, id: FunctionId, function: FunctionDef) {
        self.functions[id.0 as usize] = function;
    }

    /// The expression of a number.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.expressions[id.0 as usize].0
    }

    /// Where an expression stands.
    pub fn span(&self, id: ExprId) -> Span {
        self.expressions[id.0 as usize].1
    }

    /// The function of a number.
    pub fn function(&self, id: FunctionId) -> &FunctionDef {
        &self.functions[id.0 as usize]
    }

    /// A line of the source, if it belongs to the outermost function.
    pub fn line(&self, number: u32) -> Option<&str> {
        let at = number.checked_sub(self.first_line)?;
        self.lines.get(at as usize).map(String::as_str)
    }
}

/// The names of a function that is read, while it is read.
#[derive(Debug, Default)]
pub struct Locals {
    names: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Locals {
    /// The number of a local of this name, which is added if it is new.
    pub fn declare(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let name: Arc<str> = Arc::from(name);
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// The number of a local of this name, if there is one.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The names in order.
    pub fn into_names(self) -> Vec<Arc<str>> {
        self.names
    }
}

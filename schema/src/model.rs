//! The operator model: the only description of an operator
//! that the printers, the macro and the command ever see.
//!
//! Knows nothing of YAML, Rust tokens, tensors or Python. Every name, type,
//! default and annotation keeps the place that it was read from.
//! `Display` prints a schema back in canonical form.

pub mod derivative;

use std::fmt;

use opwright_diagnostics::Diagnostic;
pub use opwright_diagnostics::{SourceId, Span, Spanned};
use opwright_formula::{Condition, Pattern};

use self::derivative::Derivative;
pub use crate::types::BaseType;
use crate::types::NativeType;

/// All operators of a library, from all of its sources, in file order.
#[derive(Clone, Debug, Default)]
pub struct OpSet {
    /// The overloads, YAML entries first, then annotated functions by path.
    pub overloads: Vec<Overload>,
    /// Which overloads are variants of each other. Every overload is in
    /// exactly one group, if need be alone.
    pub groups: Vec<Group>,
    /// Older signatures that still work and warn.
    pub deprecated: Vec<Deprecated>,
    /// Gradients; empty if no file of them was read.
    pub derivatives: Vec<Derivative>,
    /// What graphs of them can be replaced by.
    pub rewrites: Vec<Rewrite>,
    /// Types of the crate that schemas name.
    pub natives: Vec<NativeType>,
    /// Findings that do not stop a build.
    pub warnings: Vec<Diagnostic>,
}

/// Indices into [`OpSet::overloads`] of operators that differ only in what
/// they write to: `add.Tensor`, `add_.Tensor`, `add.out`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Group {
    /// Returns fresh tensors.
    pub functional: Option<usize>,
    /// Writes to `self`.
    pub inplace: Option<usize>,
    /// Writes to its out parameters.
    pub out: Option<usize>,
    /// Writes to other positional parameters.
    pub mutable: Option<usize>,
    /// Writes to out parameters, some of which are for intermediate results.
    pub scratch: Option<usize>,
}

/// One overload: a schema and everything that its entry says beside it.
#[derive(Clone, Debug)]
pub struct Overload {
    /// Name, parameters, returns.
    pub schema: Schema,
    /// The schema's text in its file.
    pub span: Span,
    /// The line of the entry, counted from one.
    pub line: usize,
    /// The file's name as it is shown in generated code, and what kind it is.
    pub origin: Origin,
    /// Has a function surface.
    pub function: bool,
    /// Has a method surface.
    pub method: bool,
    /// Kernels by dispatch key, in file order; one entry per single key.
    pub dispatch: Vec<Dispatch>,
    /// There is a dispatch table, be it empty; without one, the operator has
    /// one composite implicit kernel, unless it is structured.
    pub has_dispatch: bool,
    /// How it takes part in a structured group.
    pub structured: Structured,
    /// The call that does its work, as it is written (`alias_of`).
    pub alias_of: Option<AliasCall>,
    /// The same, compared with the operator that is called.
    pub forward: Option<Forward>,
    /// The submodule of its Python binding.
    pub python_module: PythonModule,
    /// Which tensor-options parameters its Python binding has.
    pub options: OptionsCategory,
    /// Its tags.
    pub tags: Vec<Spanned<String>>,
    /// Markdown; empty if there is none.
    pub doc: String,
    /// What the documentation shows in Go.
    pub go_examples: Vec<String>,
    /// What its Python binding says beside the schema.
    pub python: Python,
    /// What its function in C is called, and whether there is one.
    pub c: Foreign,
    /// The same in Go.
    pub go: Foreign,
    /// When the GIL is released.
    pub gil: Gil,
    /// First version that has it.
    pub since: Option<String>,
    /// Of what types its results are, as a pattern of those of its arguments.
    pub types: Option<Spanned<String>>,
    /// Between which numbers its parameters are.
    pub ranges: Vec<ParamRange>,
    /// Names of companion variants (`autogen`).
    pub autogen: Vec<Spanned<OpName>>,
    /// Parameters without a default in typed languages (`cpp_no_default_args`).
    pub no_default: Vec<Spanned<String>>,
    /// `device_check: NoCheck` makes this false.
    pub device_check: bool,
    /// `device_guard`.
    pub device_guard: bool,
    /// `manual_kernel_registration`: nobody asks for a kernel.
    pub manual_kernel: bool,
    /// `manual_cpp_binding`: takes no part in the generation of companions.
    pub manual_binding: bool,
}

/// Where an overload was described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An entry of a YAML file.
    Yaml {
        /// The file's shown name.
        file: String,
        /// The title of the section that it stands in, if the file has any.
        section: Option<String>,
    },
    /// An annotated Rust function.
    Annotation {
        /// The file's shown name.
        file: String,
    },
}

/// One kernel of an overload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// The dispatch key as written: `CPU`, `Meta`, `CompositeImplicitAutograd`, ...
    pub key: Spanned<DispatchKey>,
    /// The kernel's name, `::`-separated if it has a path.
    pub kernel: Spanned<String>,
}

/// A dispatch key that opwright acts on, or one of upstream's others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DispatchKey {
    /// Tensors in memory.
    Cpu,
    /// Shapes and dtypes only.
    Meta,
    /// Written with other operators; may be decomposed.
    CompositeImplicit,
    /// Works for every backend, but is an operator of its own.
    CompositeExplicit,
    /// A backend or layer that opwright does not have: kept and ignored.
    Other(String),
}

/// How an overload takes part in a structured group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structured {
    /// Not at all.
    No,
    /// `structured: True` on an out overload: the rule is a Rust function.
    Function(Span),
    /// `structured: <rule>` on an out overload: a rule of the runtime, by name.
    Rule(Spanned<String>),
    /// `structured: <name.out>` on an out overload: the rule is that of this one.
    As(Spanned<OpName>),
    /// `structured_delegate: <name>` on its functional and in-place variants.
    Delegate(Spanned<OpName>),
    /// An out overload that copies the result of this functional one.
    Copy(Spanned<OpName>),
}

/// The submodule of a Python binding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PythonModule {
    /// The module itself.
    Root,
    /// `nn`, `fft`, `linalg`, `special`, `sparse`, `nested`, ...
    Sub(String),
}

/// Which tensor-options parameters (`dtype`, `layout`, `device`, `pin_memory`,
/// `requires_grad`) a Python binding has, and what they default to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionsCategory {
    /// None.
    None,
    /// Makes a tensor from nothing.
    Factory,
    /// `..._like`: the options of `self` are the defaults.
    Like,
    /// `new_...`: the same, as a method.
    New,
}

/// The `python` key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Python {
    /// No Python binding.
    pub skip: bool,
    /// Another name than the operator's.
    pub name: Option<Spanned<String>>,
    /// Operators and protocol methods that this operator implements: `__add__`, `__radd__`.
    pub operators: Vec<Spanned<String>>,
    /// Further names of the same binding.
    pub aliases: Vec<Spanned<String>>,
    /// Further keyword names of parameters: parameter, alias.
    pub keyword_aliases: Vec<(Spanned<String>, Vec<Spanned<String>>)>,
    /// Tensor parameters also accept numbers.
    pub numbers: bool,
    /// The function of `nn.functional` that calls it.
    pub functional: Option<Functional>,
}

/// A function of `nn.functional`; it calls the operator whose entry has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Functional {
    /// What it is called.
    pub name: Spanned<String>,
    /// Its parameters, in order.
    pub params: Vec<FunctionalParam>,
}

/// A parameter of a [`Functional`], as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionalParam {
    /// A parameter of the operator by its name in Python, or a
    /// [`Word`](crate::functional::Word).
    pub of: Spanned<String>,
    /// Another name of it: what follows `as`.
    pub renamed: Option<Spanned<String>>,
    /// Another default than the operator's.
    pub default: Option<Spanned<Default>>,
}

impl FunctionalParam {
    /// What it is called.
    pub fn name(&self) -> &Spanned<String> {
        self.renamed.as_ref().unwrap_or(&self.of)
    }
}

/// The keys `c` and `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreign {
    /// No function.
    pub skip: bool,
    /// Another base name than the operator's.
    pub name: Option<Spanned<String>>,
    /// Another overload name; in Go alone.
    pub overload: Option<Spanned<String>>,
}

/// The `gil` key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gil {
    /// Released when the estimated work passes a threshold.
    #[default]
    Auto,
    /// Always released.
    Release,
    /// Never released.
    Hold,
}

/// An older signature (`deprecated.yaml`, or the key `deprecated`).
#[derive(Clone, Debug)]
pub struct Deprecated {
    /// The old schema.
    pub schema: Schema,
    /// Its text in the file.
    pub span: Span,
    /// Index of the overload that a call goes to.
    pub target: usize,
    /// For each of the target's parameters, in order, where its value comes from.
    pub arguments: Vec<Passed>,
}

/// A call of another operator as the key `alias_of` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasCall {
    /// The operator.
    pub target: Spanned<OpName>,
    /// What stands between the parentheses, if there are any.
    pub arguments: Option<Vec<Spanned<String>>>,
    /// The alias is a variant that follows from another alias, and calls the variant of its own
    /// kind of what that one calls.
    pub of_variant: bool,
}

/// A call of another operator that does all the work (`alias_of`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forward {
    /// Index of the other operator.
    pub target: usize,
    /// For each of its parameters, in order, where its value comes from.
    pub arguments: Vec<Passed>,
}

/// A value for a parameter of an operator that another signature stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// The signature's parameter of this index.
    Param(usize),
    /// This literal.
    Literal(Default),
    /// The target's own default.
    TargetDefault,
}

/// What is found in a graph, and what takes its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewrite {
    /// What it is called.
    pub name: Spanned<String>,
    /// What is found.
    pub pattern: Pattern,
    /// What takes its place.
    pub with: Pattern,
    /// What names have to stand for.
    pub when: Vec<Condition>,
    /// Whether results are rounded otherwise.
    pub approximate: bool,
}

/// A function schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Namespace, base name, overload name.
    pub name: OpName,
    /// All parameters in order; keyword-only ones follow the positional ones,
    /// out parameters come last.
    pub params: Vec<Param>,
    /// What it returns.
    pub returns: Vec<Return>,
    /// Where it stands, from its name to its last return.
    pub span: Span,
    /// Where its name stands, with namespace and overload.
    pub name_span: Span,
}

/// `aten::add_.Tensor`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpName {
    /// `aten` if it was written.
    pub namespace: Option<String>,
    /// `add_`, `__iadd__`.
    pub base: BaseName,
    /// `Tensor`; empty for the default overload.
    pub overload: String,
}

/// The name without the overload.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BaseName {
    /// Without the trailing underscore, the dunders and the `i` of `__iadd__`,
    /// and without a trailing `_functional`.
    pub root: String,
    /// Writes to `self`.
    pub inplace: bool,
    /// `__and__`.
    pub dunder: bool,
    /// The root was followed by `_functional`.
    pub functional: bool,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name, as the schema has it (`self`, `from`).
    pub name: Spanned<String>,
    /// Its type, without the annotation.
    pub ty: Spanned<Type>,
    /// `(a!)`.
    pub annotation: Option<Spanned<Annotation>>,
    /// Its default.
    pub default: Option<Spanned<Default>>,
    /// Where it stands.
    pub role: Role,
}

/// What part a parameter plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Before `*`.
    Positional,
    /// After `*`.
    Keyword,
    /// After `*`, one of the four tensor options `dtype`, `layout`, `device`, `pin_memory`.
    Option,
    /// After `*` and written to.
    Out,
}

/// A return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Return {
    /// Its name, if it has one.
    pub name: Option<Spanned<String>>,
    /// Its type, without the annotation.
    pub ty: Spanned<Type>,
    /// `(a!)`.
    pub annotation: Option<Spanned<Annotation>>,
}

/// A schema type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A base type.
    Base(BaseType),
    /// `T?`.
    Optional(Box<Type>),
    /// `T[]`, `T[2]`: a list, and to how many elements a single value is repeated.
    List(Box<Type>, Option<u32>),
}

/// `(a! -> *)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Annotation {
    /// Letters before the arrow.
    pub before: Vec<char>,
    /// `!`.
    pub write: bool,
    /// After the arrow, if there is one.
    pub after: Option<AliasTarget>,
}

/// What follows an annotation's arrow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AliasTarget {
    /// `*`.
    Wildcard,
    /// Letters.
    Sets(Vec<char>),
}

/// A default, as written.
#[derive(Clone, Debug)]
pub enum Default {
    /// `None`.
    None,
    /// `True`, `False`.
    Bool(bool),
    /// `-1`.
    Int(i64),
    /// `1e-05`, with its spelling, which printing keeps.
    Float(f64, String),
    /// `2j`, `1-2j`: the real and the imaginary part, and the spelling.
    Complex(f64, f64, String),
    /// `[0,1]`, `[]`.
    IntList(Vec<i64>),
    /// `[0.5,inf]`, `[True]`, `['a']`: a list of others than integers alone.
    List(Vec<Default>),
    /// `'linear'`, `"L"`: the text between the quotes as written, and the quote.
    Str(String, char),
    /// `Mean`, `long`, `contiguous_format`.
    Name(String),
}

/// Between which numbers a parameter is; both ends belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamRange {
    /// The parameter's name, at the place of the range.
    pub param: Spanned<String>,
    /// The least.
    pub low: Default,
    /// The greatest.
    pub high: Default,
}

/// As written: a default that is not a number is the same as itself.
impl PartialEq for Default {
    fn eq(&self, other: &Default) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && self.to_string() == other.to_string()
    }
}

impl Eq for Default {}

/// What an overload writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: it returns fresh tensors or views.
    Functional,
    /// `self`; the name ends in an underscore.
    Inplace,
    /// Its out parameters.
    Out,
    /// Out parameters called `_scratch_...`.
    Scratch,
    /// Positional parameters other than `self`.
    Mutable,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Functional => "functional",
            Kind::Inplace => "inplace",
            Kind::Out => "out",
            Kind::Scratch => "scratch",
            Kind::Mutable => "mutable",
        })
    }
}

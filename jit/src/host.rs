//! The host language trait: sources, what names refer to, overloads.

use std::sync::Arc;

use crate::ast::Ast;
use crate::error::Result;
use crate::native::NativeEntry;
use crate::operator::OperatorCall;
use crate::types::{Obj, Ty};

/// What the compiler needs of the language whose functions it compiles.
pub trait Host {
    /// The source of a function.
    ///
    /// # Errors
    ///
    /// `Unsupported` if it has none, or is outside of the language.
    fn source(&self, function: Obj) -> Result<Arc<Code>>;

    /// What a free name of a function refers to.
    ///
    /// # Errors
    ///
    /// `Typing` if it is nothing that can be compiled.
    fn global(&self, function: Obj, name: &str) -> Result<Option<Frozen>>;

    /// An attribute of a module or class.
    ///
    /// # Errors
    ///
    /// `Typing` if it is nothing that can be compiled.
    fn attribute(&self, object: Obj, name: &str) -> Result<Option<Frozen>>;

    /// What a call of an object runs.
    ///
    /// # Errors
    ///
    /// Whatever the host raises.
    fn callee(&self, object: Obj) -> Result<CallTarget>;

    /// The class of what `assert` raises.
    fn assertion_error(&self) -> Obj;

    /// What is registered for an operation, with the answers to arguments of these types.
    ///
    /// # Errors
    ///
    /// Whatever an overload raises, but that it is not for these types.
    fn ask(
        &self,
        op: Operation<'_>,
        args: &[ArgumentQuery],
        keywords: &[(Arc<str>, ArgumentQuery)],
    ) -> Result<Vec<Candidate>>;

    /// The types that values of a type are cast to by what is registered, the nearest first.
    ///
    /// # Errors
    ///
    /// Whatever the host raises.
    fn castable(&self, from: Ty) -> Result<Vec<Ty>>;

    /// The steps of a lowering.
    ///
    /// # Errors
    ///
    /// Whatever the lowering raises.
    fn steps(&self, lowering: Obj) -> Result<LoweringSteps>;

    /// The lowering of a cast that is registered for two types.
    ///
    /// # Errors
    ///
    /// `Ambiguous` if several fit equally well.
    fn cast(&self, from: Ty, to: Ty) -> Result<Option<Obj>>;

    /// The lowering that sets an attribute, if one is registered.
    ///
    /// # Errors
    ///
    /// `Typing` if values of the type are copies.
    fn setting(&self, of: Ty, name: &str, value: Ty) -> Result<Option<Obj>>;

    /// The type that calls of a class of structs make, if it is one.
    ///
    /// # Errors
    ///
    /// Whatever the host raises.
    fn struct_of(&self, class: Obj) -> Result<Option<Ty>>;

    /// The defaults of the members of such a class.
    ///
    /// # Errors
    ///
    /// Whatever the host raises.
    fn struct_defaults(&self, class: Obj) -> Result<Vec<(Arc<str>, Frozen)>>;

    /// A function of the host's library, which does in the language what is not built in.
    ///
    /// # Errors
    ///
    /// Whatever the host raises.
    fn library(&self, name: &str) -> Result<Option<Obj>>;

    /// Whether a method of this name is registered for a type.
    ///
    /// # Errors
    ///
    /// Whatever the host raises.
    fn has_method(&self, of: Ty, name: &str) -> Result<bool>;

    /// Whether a method of this name is registered for a class or type that is called on itself.
    ///
    /// # Errors
    ///
    /// Whatever the host raises.
    fn has_class_method(&self, of: Obj, name: &str) -> Result<bool>;

    /// A builtin of the host, if something is registered for it.
    ///
    /// # Errors
    ///
    /// Whatever the host raises.
    fn builtin(&self, name: &str) -> Result<Option<Obj>>;

    /// What a function of arrays is, with what it is passed.
    ///
    /// # Errors
    ///
    /// `Typing` if the arguments do not fit.
    fn plan(&self, name: &str, args: &[OperatorOperand]) -> Result<Option<ArrayPlan>>;

    /// Whether values of a type are instances of a class.
    ///
    /// # Errors
    ///
    /// `Typing` if it is no class.
    fn is_instance(&self, ty: Ty, class: Obj) -> Result<bool>;

    /// What an object is called in messages.
    fn describe(&self, object: Obj) -> String;

    /// What the class of an object is called.
    fn class_name(&self, object: Obj) -> String;
}

/// A function of the host: its tree, and the defaults of its parameters.
#[derive(Debug)]
pub struct Code {
    /// The tree; its first function is this one.
    pub ast: Ast,
    /// The defaults by the names of parameters.
    pub defaults: Vec<(Arc<str>, Frozen)>,
    /// The name that tracebacks show.
    pub name: Arc<str>,
    /// Whether it is written where it is called.
    pub inline: Inline,
}

/// What a name refers to while a function is compiled.
#[derive(Clone, Debug, PartialEq)]
pub enum Frozen {
    /// A number: its type and the bits of its words.
    Number(Ty, [u64; 2]),
    /// `None`.
    None,
    /// Several of these.
    Tuple(Vec<Frozen>),
    /// A value without words, whose type says all: text, a function, a module, a class, a dtype.
    Fact(Ty),
    /// An array that lives as long as what is compiled: its type, the object, its address, extents
    /// and strides in bytes.
    Array(Ty, Obj, u64, Vec<i64>),
    /// A value of a user's type, by its members.
    Struct(Ty, Vec<Frozen>),
    /// A value of a user's type that a lowering makes.
    Lowered(Ty, Obj),
    /// A native struct that lives as long as what is compiled: its type, the object, and the words
    /// behind that of its owner.
    Object(Ty, Obj, Vec<u64>),
}

/// An argument as candidates are asked for it.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentQuery {
    /// Its type.
    pub ty: Ty,
    /// The bits of its value, if it is a whole number or a bool that is known.
    pub known: Option<u64>,
}

/// Whether the body of a function or of an overload is written where it is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inline {
    /// If it is small.
    #[default]
    Auto,
    /// Wherever that is possible.
    Always,
    /// Only if it takes a nested function.
    Never,
}

/// What a call runs.
#[derive(Clone, Debug, PartialEq)]
pub enum CallTarget {
    /// Something that the compiler knows by this name.
    Builtin(Arc<str>),
    /// A function with a source.
    Function,
    /// A function of numbers over all elements of arrays: that function.
    Elementwise(Obj),
    /// The derivative of a function of numbers with respect to an argument.
    Derivative(Obj, usize),
    /// Nothing that can be compiled: what it is.
    Unknown(String),
}

/// What a function of arrays is.
#[derive(Clone)]
pub enum ArrayPlan {
    /// A call of an operator.
    Operator(OperatorCall),
    /// A call of a function with a source, with these of the arguments, by number.
    Function(Obj, Vec<usize>),
}

/// An argument of a function of arrays.
#[derive(Clone, Debug)]
pub struct OperatorOperand {
    /// Its name, if it is passed by name.
    pub name: Option<Arc<str>>,
    /// Its type.
    pub ty: Ty,
    /// Its first word among the words of all arguments.
    pub word: usize,
    /// Its value, if that is known.
    pub known: Option<Frozen>,
}

/// What candidates are registered for.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'a> {
    /// What an object does when it is called.
    Object(Obj),
    /// An operator of the language, by its name in `operator`.
    Operator(&'a str),
    /// A member of a type: what is done with it, and its name.
    Member(Ty, MemberRole, &'a str),
    /// A method that is called on a class or type itself, by its name.
    Class(Obj, &'a str),
    /// A method that a candidate answered with.
    Bound(Obj),
}

/// What is done with a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberRole {
    /// It is called.
    Method,
    /// It is read.
    Get,
    /// It is written.
    Set,
    /// It is deleted.
    Delete,
}

/// Something that is registered for an operation.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is called, and where it stands.
    pub place: String,
    /// The greater is preferred.
    pub priority: i64,
    /// How well declared types fit: the lesser is better.
    pub rank: i64,
    /// What it says to the types.
    pub answer: Resolution,
}

/// What a candidate says to the types of arguments.
#[derive(Clone, Debug)]
pub enum Resolution {
    /// A function to be compiled, the defaults of its parameters, and whether it is written in place.
    Body(Obj, Vec<(Arc<str>, Frozen)>, Inline),
    /// Steps over arguments of these types, with a result of this one.
    Lowered(Obj, Vec<Ty>, Ty),
    /// A function of numbers over all elements of these of the arguments, by number.
    Elementwise(Obj, Vec<usize>),
    /// A call of another object with the same arguments.
    Forward(Obj),
    /// A member of a struct.
    Field(Arc<str>),
    /// A method, which is typed when it is called.
    Method(Obj),
    /// Nothing: why.
    Declined(String),
}

/// What a lowering does: steps whose results are numbered after the arguments.
#[derive(Clone, Debug)]
pub struct LoweringSteps {
    /// The steps in order.
    pub steps: Vec<LoweringStep>,
    /// The number of the result.
    pub result: usize,
}

/// A step of a lowering.
#[derive(Clone, Debug)]
pub struct LoweringStep {
    /// Its name, as the builder has it.
    pub name: Arc<str>,
    /// The numbers of its operands.
    pub args: Vec<usize>,
    /// What else it needs.
    pub extra: Extra,
}

/// What a step needs beside its operands.
#[derive(Clone, Debug)]
pub enum Extra {
    /// Nothing.
    None,
    /// A type.
    Type(Ty),
    /// A name or a comparison.
    Name(Arc<str>),
    /// A number of a member.
    Index(usize),
    /// A constant, of a type.
    Constant(Ty, Frozen),
    /// The type of what a function of another library returns, and where it is entered.
    Native(Ty, NativeEntry),
    /// What is called, or raised with a text.
    Object(Obj, Arc<str>),
}

//! Formulas of gradients, as data for who has the calls of a graph and not their values.

use super::constant::Constant;
use super::operator::Operator;

/// The formulas of an overload whose gradients are all made by calls of rows.
#[derive(Clone, Copy, Debug)]
pub struct Formulas(pub &'static [Formula]);

/// The formula of the gradients of some inputs.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// The inputs, by the numbers of their parameters.
    pub params: &'static [usize],
    /// What gives the gradient, or as many as there are inputs.
    pub tree: Tree,
}

/// A part of a formula.
#[derive(Clone, Copy, Debug)]
pub enum Tree {
    /// The argument of a parameter, by its number.
    Param(usize),
    /// A result, by its number.
    Result(usize),
    /// The gradient of a result, which may be absent.
    Grad(usize),
    /// Whether gradients of a parameter are wanted.
    Wanted(usize),
    /// A value that is written out.
    Constant(Constant),
    /// What the parameter that it is passed for has as its default.
    Default,
    /// No gradient at all.
    Absent,
    /// The answer to a question about a tensor.
    Asked(Question, &'static Tree),
    /// Calculated with numbers that are known.
    Number(Sign, &'static [Tree]),
    /// One of two, by a condition.
    If(&'static [Tree; 3]),
    /// Several.
    List(&'static [Tree]),
    /// The call of a row.
    Call(&'static Operator, &'static [Tree]),
}

/// What a formula asks a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Its extents.
    Sizes,
    /// Its strides, which are those of a tensor without gaps.
    Strides,
    /// One of its extents.
    Size(i64),
    /// How many elements it has.
    Numel,
    /// How many dimensions it has.
    Dim,
    /// Its dtype.
    DType,
    /// Its device.
    Device,
    /// Zeros like it.
    Zeros,
    /// Whether its elements are complex numbers.
    IsComplex,
}

/// What a formula calculates with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a > b`
    Gt,
    /// `a <= b`
    Le,
    /// `a >= b`
    Ge,
    /// `a && b`
    And,
    /// `a || b`
    Or,
    /// `!a`
    Not,
    /// The conjugate.
    Conj,
    /// Whether it is complex.
    IsComplex,
    /// The root.
    Sqrt,
    /// The natural logarithm.
    Log,
    /// The exponential.
    Exp,
}

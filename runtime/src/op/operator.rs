//! A row of a crate's table of operators: what is declared of an overload, and a way to call it.

use std::fmt;

use super::constant::Constant;
use super::formula::Formulas;
use super::returned::Results;
use super::sets::Sets;
use super::types::Type;
use super::value::Value;
use crate::iterate::inner_loop::Then;
use crate::reduce::Source;
use crate::{DType, Result, Tensor};

/// An overload of an operator, as the build script describes it.
///
/// ```
/// use opwright_runtime::op::{Gradient, Operator, Param, Returned, Slot, Type, Value, find};
/// use opwright_runtime::Tensor;
///
/// const OPERATORS: &[Operator] = &[Operator {
///     name: "twin",
///     schema: "twin(Tensor x) -> Tensor",
///     params: &[Param::new(Slot::new("x", Type::Tensor))],
///     results: &[Slot::new("", Type::Tensor)],
///     tags: &[],
///     functional: None,
///     in_place: None,
///     out: None,
///     call: |values| {
///         let x = values[0].tensor()?;
///         x.copy()?.values()
///     },
///     types: None,
///     inner_loop: None,
///     reduction: None,
///     gradient: Gradient::NotImplemented,
///     formulas: None,
/// }];
///
/// let twin = find(OPERATORS, "twin").expect("a row");
/// let x = Tensor::from_slice(&[2], &[0.5, 2.0])?;
/// let returned = (twin.call)(&mut [Value::Tensor(x)])?;
/// assert_eq!(returned[0].tensor()?.to_vec::<f64>()?, [0.5, 2.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// Its name with that of the overload: `add.Tensor`.
    pub name: &'static str,
    /// Its schema.
    pub schema: &'static str,
    /// What it takes, in order.
    pub params: &'static [Param],
    /// What it returns; what is also written to is not returned again in Rust.
    pub results: &'static [Slot],
    /// The words that its entry says of it.
    pub tags: &'static [&'static str],
    /// The overload that returns new tensors instead of writing to these, if there is one.
    pub functional: Option<&'static str>,
    /// The overload that writes the same to its first tensor, if there is one.
    pub in_place: Option<&'static str>,
    /// The overload that writes the same to tensors that are passed for that, if there is one.
    pub out: Option<&'static str>,
    /// Calls it with a value for each parameter.
    pub call: fn(&mut [Value]) -> Result<Results>,
    /// Of what types its results are, as a pattern of those of its arguments, if its entry says it.
    pub types: Option<&'static str>,
    /// The loop that it runs over elements, if it has one.
    pub inner_loop: Option<&'static ElementLoop>,
    /// What it does with elements that are made while it reads them, if it can.
    pub reduction: Option<Reduction>,
    /// What becomes of its gradients.
    pub gradient: Gradient,
    /// The formulas of its gradients, if they are data.
    pub formulas: Option<fn() -> &'static Formulas>,
}

/// What becomes of the gradients of an overload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gradient {
    /// Its calls are recorded, with formulas to go back through them: inputs and what is written for
    /// them, for people; nothing if the formulas follow from the kernel.
    Formula(&'static [(&'static str, &'static str)]),
    /// It calls other operators, which are recorded in its place.
    Composed,
    /// Its calls are recorded, and going back through them is an error.
    NotImplemented,
    /// Its results never require gradients.
    None,
}

impl Gradient {
    /// The same in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Gradient::Formula(_) => "formula",
            Gradient::Composed => "composed",
            Gradient::NotImplemented => "not implemented",
            Gradient::None => "none",
        }
    }
}

/// The loop of an element-wise operator, for who runs it over elements of their own.
#[derive(Clone, Copy, Debug)]
pub struct ElementLoop {
    /// From what the dtype follows that is passed to `make`.
    pub calculates: Calculates,
    /// Makes the loop.
    pub make: MakeLoop,
}

/// Makes a loop for a dtype, with a value for each parameter that neither is a tensor nor receives
/// a result; it fails where the operator would.
///
/// The loop may read other dtypes, see [`InnerLoop::inputs`](crate::iterate::InnerLoop::inputs).
/// Integers are brought to that dtype before those, so that they wrap in it.
pub type MakeLoop = fn(DType, &mut [Value], Then<'_>) -> Result<()>;

/// Reduces elements, with a value for each parameter that neither is a tensor nor receives a result,
/// to a tensor of the shape and the dtype that the operator gives.
pub type Reduction = fn(Source<'_>, &mut [Value], &mut Tensor) -> Result<()>;

/// In which dtype an element-wise operator calculates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calculates {
    /// In that of its first result.
    InResult,
    /// In that which these parameters have in common.
    InCommon(&'static [usize]),
    /// In the same; for integers and truth values in the default floating dtype.
    InFloating(&'static [usize]),
    /// In one that holds each of these, numbers among them.
    Compared(&'static [usize]),
}

/// An overload, a type without values, that has a row.
pub trait Described {
    /// What is declared of it.
    const ROW: Operator;
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// What is declared of it.
    pub slot: Slot,
    /// Its default.
    pub default: Option<Constant>,
    /// Whether it only receives results.
    pub is_out: bool,
    /// Whether it is given by its name alone.
    pub is_keyword: bool,
    /// The least and the greatest number that it takes, if they are declared.
    pub range: Option<(Constant, Constant)>,
}

/// What is declared of a parameter or of a result.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its name; empty for a result without one.
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
    /// Its alias sets.
    pub sets: Sets,
    /// Whether it is written to.
    pub writes: bool,
}

/// The overloads of an operator in the order of their declaration, from a table that is sorted by
/// base names, as the build script prints it.
pub fn overloads<'a>(operators: &'a [Operator], base: &str) -> &'a [Operator] {
    let start = operators.partition_point(|it| it.parts().0 < base);
    let count = operators[start..].partition_point(|it| it.parts().0 == base);
    &operators[start..start + count]
}

/// The overload of this name, `add.Tensor` or `relu`, from a table that is sorted by base names.
pub fn find<'a>(operators: &'a [Operator], name: &str) -> Option<&'a Operator> {
    let base = name.split_once('.').map_or(name, |(base, _)| base);
    overloads(operators, base).iter().find(|it| it.name == name)
}

impl Operator {
    /// The name of the operator and that of the overload, which may be empty.
    pub fn parts(&self) -> (&'static str, &'static str) {
        self.name.split_once('.').unwrap_or((self.name, ""))
    }

    /// The name without that of the overload, and without the underscore of an in-place operator.
    pub fn base_name(&self) -> &'static str {
        let (base, _) = self.parts();
        if base.ends_with("__") { base } else { base.strip_suffix('_').unwrap_or(base) }
    }

    /// Whether a result shares the memory of an argument without having been written to.
    pub fn is_view(&self) -> bool {
        self.results.iter().any(|it| !it.writes && !it.sets.is_empty())
    }

    /// Whether it draws random numbers, so that two calls give different results.
    pub fn is_random(&self) -> bool {
        self.tags.contains(&"nondeterministic_seeded")
    }

    /// Whether it writes to an argument.
    pub fn mutates(&self) -> bool {
        self.params.iter().any(|it| it.slot.writes)
    }

    /// Whether there are values for all of its parameters.
    pub fn is_callable(&self) -> bool {
        self.params.iter().all(|it| it.slot.ty.has_values())
    }

    /// The results that are returned in Rust.
    pub(crate) fn returned(&self) -> impl Iterator<Item = &'static Slot> {
        self.results.iter().filter(|it| !it.writes)
    }
}

impl Param {
    /// A parameter that has to be given, by position or by its name.
    pub const fn new(slot: Slot) -> Param {
        Param { slot, default: None, is_out: false, is_keyword: false, range: None }
    }

    /// The same with a default.
    #[must_use]
    pub const fn or(self, default: Constant) -> Param {
        Param { default: Some(default), ..self }
    }

    /// The same, given by its name alone.
    #[must_use]
    pub const fn keyword(self) -> Param {
        Param { is_keyword: true, ..self }
    }

    /// The same with the least and the greatest number that it takes.
    #[must_use]
    pub const fn within(self, least: Constant, greatest: Constant) -> Param {
        Param { range: Some((least, greatest)), ..self }
    }

    /// The same, given by its name alone to receive a result.
    #[must_use]
    pub const fn out(self) -> Param {
        Param { is_out: true, is_keyword: true, ..self }
    }
}

impl Slot {
    /// A parameter or a result that shares its memory with no other.
    pub const fn new(name: &'static str, ty: Type) -> Slot {
        Slot { name, ty, sets: Sets::NONE, writes: false }
    }

    /// The same in these alias sets.
    #[must_use]
    pub const fn sharing(self, sets: &str) -> Slot {
        Slot { sets: Sets::new(sets), ..self }
    }

    /// The same in these alias sets, and written to.
    #[must_use]
    pub const fn written(self, sets: &str) -> Slot {
        Slot { sets: Sets::new(sets), writes: true, ..self }
    }

    /// Whether a result of this kind may be part of what was passed for `param`.
    pub(crate) fn may_be_part_of(&self, param: &Slot) -> bool {
        self.sets.meet(param.sets)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = if self.writes { "!" } else { "" };
        match self.sets {
            Sets::NONE => self.ty.fmt(f),
            sets => write!(f, "{}({sets}{write})", self.ty),
        }
    }
}

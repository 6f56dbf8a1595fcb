//! The row of a function with `#[overload]`.

use super::answer::NativeResult;
use super::entry::{DirectFn, NativeFn};
use super::function::NativeFunction;

/// A function of Rust that compiled functions of Python call, as `#[overload]` describes it.
#[derive(Clone, Copy, Debug)]
pub struct NativeOverload {
    /// The name that Python knows it by.
    pub name: &'static str,
    /// The names of its parameters.
    pub names: &'static [&'static str],
    /// Their types.
    pub params: &'static [&'static str],
    /// The types of its results.
    pub results: &'static [&'static str],
    /// Whether they are a tuple.
    pub is_tuple: bool,
    /// What is called with words.
    pub call: NativeFn,
    /// What machine code calls.
    pub direct: DirectFn,
    /// Where it stands.
    pub place: &'static str,
    /// What is said of it.
    pub doc: &'static str,
}

impl NativeOverload {
    /// That of a function.
    pub const fn new<Args, F: NativeFunction<Args>>(
        _: &F,
        name: &'static str,
        names: &'static [&'static str],
        call: NativeFn,
        place: &'static str,
        doc: &'static str,
    ) -> NativeOverload {
        NativeOverload {
            name,
            names,
            params: F::PARAMS,
            results: <F::Answer as NativeResult>::TYPES,
            is_tuple: <F::Answer as NativeResult>::IS_TUPLE,
            call,
            direct: F::DIRECT,
            place,
            doc,
        }
    }

    /// The signature: `float64(float64, float64)`.
    pub fn signature(&self) -> String {
        let result = match (self.is_tuple, self.results) {
            (false, [one]) => (*one).to_owned(),
            (_, several) => format!("Tuple(({}))", several.join(", ")),
        };
        format!("{result}({})", self.params.join(", "))
    }
}

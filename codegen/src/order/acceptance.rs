//! What a parameter accepts, and how gladly: the ground on which overloads
//! are ordered.
//!
//! Python objects fall into classes that no parameter tells apart any
//! further. A parameter's type gives each class a cost: none if the object is
//! what the type is for, more the further it is from that, and nothing at all
//! if the object is refused.

use opwright_schema::model::{BaseType, Type};

use crate::signature::model::Param;

/// A class of Python objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// `None`.
    Nothing,
    /// `True` and `False`.
    Bool,
    /// A Python integer, or numpy's.
    Int,
    /// A Python float, or numpy's.
    Float,
    /// A Python complex number, or numpy's.
    Complex,
    /// Something else with `__index__`.
    Index,
    /// A string.
    Str,
    /// A zero-dimensional tensor of integers.
    IntTensor,
    /// A zero-dimensional tensor of another dtype.
    NumberTensor,
    /// A one-element tensor with dimensions, of integers.
    LongTensor,
    /// Any other tensor.
    Tensor,
    /// An empty list.
    Empty,
    /// A list of integers.
    Ints,
    /// A list of bools.
    Bools,
    /// A list that starts with a real number.
    Floats,
    /// A list with complex numbers.
    Complexes,
    /// A list of tensors.
    Tensors,
    /// A list of tensors and `None`s.
    OptionalTensors,
    /// A list of strings.
    Strs,
    /// A dtype.
    Dtype,
    /// A Python type that stands for a dtype.
    PythonType,
    /// A layout.
    Layout,
    /// A device.
    Device,
    /// A memory format.
    MemoryFormat,
    /// A random number generator.
    Generator,
    /// A storage.
    Storage,
    /// A stream.
    Stream,
    /// A quantization scheme.
    QScheme,
    /// An object of a class that only one schema type knows.
    Foreign,
}

impl Class {
    /// All classes.
    const ALL: [Class; 29] = [
        Class::Nothing,
        Class::Bool,
        Class::Int,
        Class::Float,
        Class::Complex,
        Class::Index,
        Class::Str,
        Class::IntTensor,
        Class::NumberTensor,
        Class::LongTensor,
        Class::Tensor,
        Class::Empty,
        Class::Ints,
        Class::Bools,
        Class::Floats,
        Class::Complexes,
        Class::Tensors,
        Class::OptionalTensors,
        Class::Strs,
        Class::Dtype,
        Class::PythonType,
        Class::Layout,
        Class::Device,
        Class::MemoryFormat,
        Class::Generator,
        Class::Storage,
        Class::Stream,
        Class::QScheme,
        Class::Foreign,
    ];
}

/// What a parameter accepts: a cost for each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Acceptance([Option<u8>; Class::ALL.len()]);

impl Acceptance {
    /// Of a parameter. The only positional one may take its elements one by
    /// one, which makes a single integer a list of one.
    pub(super) fn of(param: &Param, varargs: bool) -> Self {
        let mut costs = Class::ALL.map(|class| cost(&param.ty, class));
        for (cost, class) in costs.iter_mut().zip(Class::ALL) {
            let extra = match class {
                Class::Nothing if param.nullable => Some(0),
                Class::Bool | Class::Int | Class::Float | Class::Complex if param.numbers => {
                    Some(NUMBER_AS_TENSOR)
                }
                Class::Int | Class::Index | Class::IntTensor if varargs => Some(VARARGS),
                _ => None,
            };
            *cost = cost.or(extra);
        }
        Acceptance(costs)
    }

    /// Whether everything that `other` accepts is accepted.
    pub(super) fn covers(&self, other: &Acceptance) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own.is_some() || other.is_none())
    }

    /// Whether some object is accepted by both.
    pub(super) fn overlaps(&self, other: &Acceptance) -> bool {
        self.shared(other).next().is_some()
    }

    /// Whether some object that both accept is nearer to this one, and whether
    /// some is nearer to the other.
    pub(super) fn nearer(&self, other: &Acceptance) -> (bool, bool) {
        let own = self.shared(other).any(|(own, other)| own < other);
        let others = self.shared(other).any(|(own, other)| other < own);
        (own, others)
    }

    fn shared<'a>(&'a self, other: &'a Acceptance) -> impl Iterator<Item = (u8, u8)> + 'a {
        self.0.iter().zip(&other.0).filter_map(|(own, other)| own.zip(*other))
    }
}

/// What a scalar parameter pays for a number: more than one of that very kind.
const ANY_NUMBER: u8 = 1;
/// For a value of another kind that is converted.
const CONVERTED: u8 = 2;
/// For an integer that is repeated.
const REPEATED: u8 = 3;
/// For an integer that is a list of one.
const VARARGS: u8 = 4;
/// For a number that becomes a tensor.
const NUMBER_AS_TENSOR: u8 = 5;

fn cost(ty: &Type, class: Class) -> Option<u8> {
    match ty {
        Type::Base(base) => base_cost(base, class),
        Type::Optional(inner) => match class {
            Class::Nothing => Some(0),
            _ => cost(inner, class),
        },
        Type::List(element, size) => match list_cost(element, class) {
            None if size.is_some() => repeated_cost(element, class),
            cost => cost,
        },
    }
}

fn base_cost(base: &BaseType, class: Class) -> Option<u8> {
    use Class as C;
    match (base, class) {
        (BaseType::Tensor, C::IntTensor | C::NumberTensor | C::LongTensor | C::Tensor) => Some(0),
        (BaseType::Scalar, C::Bool | C::Int | C::Float | C::Complex) => Some(ANY_NUMBER),
        (BaseType::Scalar, C::IntTensor | C::NumberTensor) => Some(CONVERTED),
        (BaseType::Int | BaseType::DeviceIndex, C::Int) => Some(0),
        (BaseType::Int | BaseType::DeviceIndex, C::IntTensor) => Some(CONVERTED),
        (BaseType::SymInt, C::Int) => Some(0),
        (BaseType::SymInt, C::Index | C::IntTensor | C::LongTensor) => Some(CONVERTED),
        (BaseType::Float, C::Float) => Some(0),
        (BaseType::Float, C::Bool | C::Int | C::IntTensor | C::NumberTensor) => Some(CONVERTED),
        (BaseType::Bool | BaseType::SymBool, C::Bool) => Some(0),
        (BaseType::Str | BaseType::Dimname, C::Str) => Some(0),
        // A dimension without a name.
        (BaseType::Dimname, C::Nothing) => Some(CONVERTED),
        (BaseType::ScalarType, C::Dtype) => Some(0),
        (BaseType::ScalarType, C::PythonType) => Some(CONVERTED),
        (BaseType::Device, C::Device) => Some(0),
        (BaseType::Device, C::Str | C::Int) => Some(CONVERTED),
        (BaseType::DimVector, _) => list_cost(&Type::Base(BaseType::Int), class),
        (BaseType::Layout, C::Layout)
        | (BaseType::MemoryFormat, C::MemoryFormat)
        | (BaseType::Generator, C::Generator)
        | (BaseType::Storage, C::Storage)
        | (BaseType::Stream, C::Stream)
        | (BaseType::QScheme, C::QScheme)
        | (BaseType::GraphModule | BaseType::Class(_), C::Foreign) => Some(0),
        _ => None,
    }
}

/// Every list may be empty; the empty list goes to the plainest of them.
fn list_cost(element: &Type, class: Class) -> Option<u8> {
    use Class as C;
    match (element, class) {
        (Type::Base(BaseType::Int | BaseType::DeviceIndex), C::Empty) => Some(0),
        (Type::Base(BaseType::Int | BaseType::SymInt | BaseType::DeviceIndex), C::Ints) => Some(0),
        (Type::Base(BaseType::SymInt), C::Empty) => Some(1),
        (Type::Base(BaseType::Float), C::Floats) => Some(0),
        (Type::Base(BaseType::Float), C::Empty | C::Ints | C::Bools) => Some(CONVERTED),
        (Type::Base(BaseType::Scalar), C::Ints | C::Bools | C::Floats | C::Complexes) => {
            Some(ANY_NUMBER)
        }
        (Type::Base(BaseType::Scalar), C::Empty) => Some(3),
        (Type::Base(BaseType::Bool), C::Bools | C::Empty) => Some(0),
        (Type::Base(BaseType::Str | BaseType::Dimname), C::Strs) => Some(0),
        (Type::Base(BaseType::Str | BaseType::Dimname), C::Empty) => Some(4),
        (Type::Base(BaseType::Tensor), C::Tensors) => Some(0),
        (Type::Base(BaseType::Tensor), C::Empty) => Some(5),
        (Type::Optional(inner), C::Tensors | C::OptionalTensors) if inner.is_tensor() => Some(1),
        (Type::Optional(inner), C::Empty) if inner.is_tensor() => Some(6),
        (Type::Optional(inner), _) if !inner.is_tensor() => list_cost(inner, class),
        _ => None,
    }
}

/// A sized list also takes one element and repeats it; integers as loosely as `SymInt`.
fn repeated_cost(element: &Type, class: Class) -> Option<u8> {
    let element = match element {
        Type::Base(BaseType::Int) => &Type::Base(BaseType::SymInt),
        other => other,
    };
    cost(element, class).map(|cost| cost + REPEATED)
}

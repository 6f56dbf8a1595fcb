//! What values consist of: each is a list of machine words, and a tuple the words of its items.
//!
//! Nothing compound exists below inference: a tuple is taken apart when it is typed, and an array
//! is an owner, an address, extents and strides. So no pass has to undo what was never built.

use smallvec::SmallVec;

use super::{Array, Form, Kind, Ty};

/// What a word holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prim {
    /// 0 or 1.
    Bool,
    /// A whole number, extended to 64 bits as its type says.
    Int,
    /// The bits of an `f32`.
    F32,
    /// The bits of an `f64`.
    F64,
    /// An address.
    Ptr,
    /// Who keeps memory: counted, see [`crate::entry`].
    Owner,
}

/// The words of a value.
pub type Prims = SmallVec<[Prim; 4]>;

impl Ty {
    /// The words of a value of this type.
    pub fn prims(&self) -> Prims {
        let mut found = Prims::new();
        self.collect(&mut found);
        found
    }

    /// How many words a value of this type has.
    pub fn width(&self) -> usize {
        match &**self {
            Kind::Bool | Kind::Int(_) | Kind::Float(_) => 1,
            _ => self.prims().len(),
        }
    }

    /// The words of the arrays that a value in memory refers to, which are not in that memory.
    pub fn referred(&self) -> Prims {
        let mut found = Prims::new();
        self.collect_referred(&mut found);
        found
    }

    fn collect_referred(&self, found: &mut Prims) {
        match &**self {
            Kind::Array(array) => collect_array(array, found),
            Kind::User(user) => user.members.iter().for_each(|(_, it)| it.collect_referred(found)),
            Kind::Tuple(items) | Kind::NamedTuple(_, _, items) => {
                items.iter().for_each(|it| it.collect_referred(found));
            }
            _ => {}
        }
    }

    fn collect(&self, found: &mut Prims) {
        match &**self {
            Kind::Bool => found.push(Prim::Bool),
            Kind::Int(_) => found.push(Prim::Int),
            Kind::Float(64) => found.push(Prim::F64),
            Kind::Float(_) => found.push(Prim::F32),
            Kind::Complex(64) => found.extend([Prim::F32; 2]),
            Kind::Complex(_) => found.extend([Prim::F64; 2]),
            Kind::Tuple(items)
            | Kind::NamedTuple(_, _, items)
            | Kind::Iter(_, items)
            | Kind::Slice(items)
            | Kind::Formatted(items)
            | Kind::Raised(_, items) => items.iter().for_each(|it| it.collect(found)),
            Kind::Optional(inner) => {
                found.push(Prim::Bool);
                inner.collect(found);
            }
            Kind::Array(array) => collect_array(array, found),
            Kind::Flat(inner) | Kind::Bound(inner, _) => inner.collect(found),
            Kind::Unicode => found.push(Prim::Owner),
            Kind::Range => found.extend([Prim::Int; 3]),
            Kind::User(user) => {
                match user.form {
                    Form::Reference => {
                        found.extend([Prim::Owner, Prim::Ptr]);
                        return found.extend(self.referred());
                    }
                    Form::Frozen => found.push(Prim::Owner),
                    Form::Value | Form::Unknown => {}
                }
                user.members.iter().for_each(|(_, it)| it.collect(found));
            }
            Kind::None
            | Kind::Text(_)
            | Kind::Ellipsis
            | Kind::Function(_)
            | Kind::Closure(_)
            | Kind::Lazy(_)
            | Kind::Module(_)
            | Kind::Class(_)
            | Kind::Exception(_)
            | Kind::DType(_) => {}
        }
    }
}

fn collect_array(array: &Array, found: &mut Prims) {
    found.extend([Prim::Owner, Prim::Ptr]);
    found.extend(std::iter::repeat_n(Prim::Int, 2 * array.ndim));
}

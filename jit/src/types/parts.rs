//! Flattening of types to machine words: a tuple has the words of its items.
//!
//! Nothing compound exists below inference: a tuple is taken apart when it is typed, and an array
//! is an owner, an address, extents and strides. So no pass has to undo what was never built.

use smallvec::SmallVec;

use super::{Array, Representation, Ty, TyKind};

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
            TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) => 1,
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
            TyKind::Array(array) => collect_array(array, found),
            TyKind::User(user) => {
                user.members.iter().for_each(|(_, it)| it.collect_referred(found))
            }
            TyKind::Tuple(items) | TyKind::NamedTuple(_, _, items) => {
                items.iter().for_each(|it| it.collect_referred(found));
            }
            _ => {}
        }
    }

    fn collect(&self, found: &mut Prims) {
        match &**self {
            TyKind::Bool => found.push(Prim::Bool),
            TyKind::Int(_) => found.push(Prim::Int),
            TyKind::Float(64) => found.push(Prim::F64),
            TyKind::Float(_) => found.push(Prim::F32),
            TyKind::Complex(64) => found.extend([Prim::F32; 2]),
            TyKind::Complex(_) => found.extend([Prim::F64; 2]),
            TyKind::Tuple(items)
            | TyKind::NamedTuple(_, _, items)
            | TyKind::Iter(_, items)
            | TyKind::Slice(items)
            | TyKind::Formatted(items)
            | TyKind::Raised(_, items) => items.iter().for_each(|it| it.collect(found)),
            TyKind::Optional(inner) => {
                found.push(Prim::Bool);
                inner.collect(found);
            }
            TyKind::Array(array) => collect_array(array, found),
            TyKind::Flat(inner) | TyKind::Bound(inner, _) => inner.collect(found),
            TyKind::Unicode => found.push(Prim::Owner),
            TyKind::Range => found.extend([Prim::Int; 3]),
            TyKind::User(user) => {
                match user.form {
                    Representation::Reference => {
                        found.extend([Prim::Owner, Prim::Ptr]);
                        return found.extend(self.referred());
                    }
                    Representation::Frozen => found.push(Prim::Owner),
                    Representation::Value | Representation::Unknown => {}
                }
                user.members.iter().for_each(|(_, it)| it.collect(found));
            }
            TyKind::None
            | TyKind::Text(_)
            | TyKind::Ellipsis
            | TyKind::Function(_)
            | TyKind::Closure(_)
            | TyKind::Lazy(_)
            | TyKind::Module(_)
            | TyKind::Class(_)
            | TyKind::Exception(_)
            | TyKind::DType(_) => {}
        }
    }
}

fn collect_array(array: &Array, found: &mut Prims) {
    found.extend([Prim::Owner, Prim::Ptr]);
    found.extend(std::iter::repeat_n(Prim::Int, 2 * array.ndim));
}

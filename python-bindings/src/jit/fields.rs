//! Members of native structs and scalars of numpy, read from where they lie in objects.

use opwright_jit::types::{Representation, Ty, TyKind, User};
use pyo3::prelude::*;

use super::objects;

/// A number in memory.
#[derive(Clone, Copy)]
pub(super) struct NumberField {
    offset: usize,
    load: Load,
}

#[derive(Clone, Copy)]
enum Load {
    Bool,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    Word,
}

impl NumberField {
    /// The numbers that a value of a type consists of, if its first lies there; none if numbers in
    /// memory are no words.
    fn of(ty: Ty, offset: usize) -> Option<Vec<NumberField>> {
        let load = match &*ty {
            TyKind::Bool => Load::Bool,
            TyKind::Int(int) => match (int.bits, int.is_signed) {
                (8, true) => Load::I8,
                (16, true) => Load::I16,
                (32, true) => Load::I32,
                (8, false) => Load::U8,
                (16, false) => Load::U16,
                (32, false) => Load::U32,
                _ => Load::Word,
            },
            TyKind::Float(32) | TyKind::Complex(64) => Load::U32,
            TyKind::Float(64) | TyKind::Complex(_) => Load::Word,
            _ => return None,
        };
        let size = ty.real_type().itemsize() as usize;
        Some((0..ty.width()).map(|at| NumberField { offset: offset + at * size, load }).collect())
    }

    /// The word of it behind an address.
    ///
    /// # Safety
    ///
    /// There is such a number at this offset.
    #[inline]
    unsafe fn read(self, start: *const u8) -> u64 {
        let place = start.wrapping_add(self.offset);
        // SAFETY: the caller says that the number is there; that it is aligned is not relied upon.
        unsafe {
            match self.load {
                Load::Bool => u64::from(place.read() != 0),
                Load::I8 => i64::from(place.cast::<i8>().read()).cast_unsigned(),
                Load::I16 => i64::from(place.cast::<i16>().read_unaligned()).cast_unsigned(),
                Load::I32 => i64::from(place.cast::<i32>().read_unaligned()).cast_unsigned(),
                Load::U8 => u64::from(place.read()),
                Load::U16 => u64::from(place.cast::<u16>().read_unaligned()),
                Load::U32 => u64::from(place.cast::<u32>().read_unaligned()),
                Load::Word => place.cast::<u64>().read_unaligned(),
            }
        }
    }
}

impl NumberField {
    /// Writes the number of a word behind an address.
    ///
    /// # Safety
    ///
    /// There is such a number at this offset.
    #[inline]
    unsafe fn write(self, start: *mut u8, word: u64) {
        let place = start.wrapping_add(self.offset);
        // SAFETY: the caller says that the number is there; that it is aligned is not relied upon.
        unsafe {
            match self.load {
                Load::Bool | Load::I8 | Load::U8 => place.write(word as u8),
                Load::I16 | Load::U16 => place.cast::<u16>().write_unaligned(word as u16),
                Load::I32 | Load::U32 => place.cast::<u32>().write_unaligned(word as u32),
                Load::Word => place.cast::<u64>().write_unaligned(word),
            }
        }
    }
}

/// Numbers that lie together.
pub(super) struct Fields(Box<[NumberField]>);

impl Fields {
    /// Those of one number or its parts.
    pub(super) fn of(ty: Ty) -> Option<Fields> {
        NumberField::of(ty, 0).map(|it| Fields(it.into()))
    }

    /// Writes the words of the numbers at an address.
    ///
    /// # Safety
    ///
    /// There are such numbers.
    #[inline]
    pub(super) unsafe fn read(&self, start: *const u8, words: &mut [u64]) {
        for (field, word) in self.0.iter().zip(words) {
            // SAFETY: the caller says that the numbers are there.
            *word = unsafe { field.read(start) };
        }
    }

    /// Writes the numbers of words at an address.
    ///
    /// # Safety
    ///
    /// There are such numbers.
    #[inline]
    pub(super) unsafe fn write(&self, start: *mut u8, words: &[u64]) {
        for (field, word) in self.0.iter().zip(words) {
            // SAFETY: the caller says that the numbers are there.
            unsafe { field.write(start, *word) };
        }
    }
}

/// The objects of a class of native structs.
pub(super) struct Members {
    /// The class, which its type keeps.
    pub(super) class: usize,
    /// How many bytes its members take.
    pub(super) size: usize,
    pub(super) shape: Shape,
}

/// What programs get of a struct beside its owner.
pub(super) enum Shape {
    /// The numbers that are its members.
    Numbers(Fields),
    /// Where they are.
    Place,
    /// What takes longer to find out: it refers to arrays, or has parts.
    Other,
}

impl Members {
    /// Those of a struct; none if the type is none.
    pub(super) fn of(py: Python<'_>, ty: Ty, user: &User) -> Option<Members> {
        let shape = match user.form {
            _ if !ty.referred().is_empty() => Shape::Other,
            Representation::Reference => Shape::Place,
            Representation::Frozen => numbers(user).map_or(Shape::Other, Shape::Numbers),
            Representation::Value | Representation::Unknown => return None,
        };
        // The type keeps its class, and is kept itself as long as the process lives.
        let class = objects::object(py, user.object).getattr("python_class").ok()?;
        let tys: Vec<Ty> = user.members.iter().map(|(_, it)| *it).collect();
        let size = opwright_jit::offset_of(&tys, tys.len()) as usize;
        Some(Members { class: class.as_ptr().expose_provenance(), size, shape })
    }
}

/// The members of a struct, if all are numbers.
fn numbers(user: &User) -> Option<Fields> {
    let tys: Vec<Ty> = user.members.iter().map(|(_, it)| *it).collect();
    let mut fields = Vec::new();
    for (at, ty) in tys.iter().enumerate() {
        fields.extend(NumberField::of(*ty, opwright_jit::offset_of(&tys, at) as usize)?);
    }
    Some(Fields(fields.into()))
}

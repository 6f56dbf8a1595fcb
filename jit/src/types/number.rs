//! Rules of numbers: which type results have, and which casts lose nothing.

use super::{Ty, TyKind};

/// Whole numbers of a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Int {
    /// 8, 16, 32 or 64.
    pub bits: u8,
    /// Whether there are negative ones.
    pub is_signed: bool,
}

impl Int {
    /// `int64`.
    pub const I64: Int = Int { bits: 64, is_signed: true };
}

/// How far a number reaches, in the order in which kinds give way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Bool,
    Int,
    Float,
    Complex,
}

impl Ty {
    fn rank(&self) -> Option<Rank> {
        Some(match **self {
            TyKind::Bool => Rank::Bool,
            TyKind::Int(_) => Rank::Int,
            TyKind::Float(_) => Rank::Float,
            TyKind::Complex(_) => Rank::Complex,
            _ => return None,
        })
    }

    /// Whether it is a number or a bool.
    pub fn is_number(&self) -> bool {
        self.rank().is_some()
    }

    /// Whether it is a bool or a whole number.
    pub fn is_integral(&self) -> bool {
        matches!(**self, TyKind::Bool | TyKind::Int(_))
    }

    /// Whether it is a real number with a fraction.
    pub fn is_float(&self) -> bool {
        matches!(**self, TyKind::Float(_))
    }

    /// Whether it is a complex number.
    pub fn is_complex(&self) -> bool {
        matches!(**self, TyKind::Complex(_))
    }

    /// The type of a part of a complex number, or of the number itself.
    pub fn real_type(self) -> Ty {
        match *self {
            TyKind::Complex(64) => Ty::float32(),
            TyKind::Complex(_) => Ty::float64(),
            _ => self,
        }
    }

    /// How many bits of a float hold it in arithmetic: those of small integers fit 32.
    fn float_bits(&self) -> u8 {
        match **self {
            TyKind::Bool => 32,
            TyKind::Int(int) if int.bits <= 16 => 32,
            TyKind::Float(bits) => bits,
            TyKind::Complex(bits) => bits / 2,
            _ => 64,
        }
    }

    /// The type in which two numbers are added, subtracted and multiplied.
    pub fn arithmetic(a: Ty, b: Ty) -> Option<Ty> {
        let rank = a.rank()?.max(b.rank()?);
        Some(match rank {
            Rank::Bool => Ty::int64(),
            Rank::Int => {
                let is_signed = a.is_signed() || b.is_signed();
                Ty::int(64, is_signed)
            }
            Rank::Float => Ty::new(TyKind::Float(a.float_bits().max(b.float_bits()))),
            Rank::Complex => complex_of(a.float_bits().max(b.float_bits())),
        })
    }

    /// Whether it has negative numbers, as far as arithmetic of integers asks: bools count as `int64`.
    fn is_signed(self) -> bool {
        match *self {
            TyKind::Int(int) => int.is_signed,
            _ => true,
        }
    }

    /// The smallest type that holds the numbers of both.
    pub fn smallest(a: Ty, b: Ty) -> Option<Ty> {
        if a == b {
            return Some(a);
        }
        let (low, high) = if a.rank()? <= b.rank()? { (a, b) } else { (b, a) };
        Some(match (&*low, &*high) {
            (TyKind::Bool, TyKind::Int(_)) => high,
            (TyKind::Int(a), TyKind::Int(b)) => smallest_int(*a, *b),
            (_, TyKind::Float(bits)) => Ty::new(TyKind::Float(low.float_bits().max(*bits))),
            (_, TyKind::Complex(bits)) => complex_of(low.float_bits().max(bits / 2)),
            _ => return None,
        })
    }

    /// The dtype that numpy promotes two dtypes of arrays to.
    pub fn promote(a: Ty, b: Ty) -> Option<Ty> {
        let both_wide = |x: Int, y: Int| x.bits == 64 && y.bits == 64 && x.is_signed != y.is_signed;
        match (&*a, &*b) {
            (TyKind::Int(x), TyKind::Int(y)) if both_wide(*x, *y) => Some(Ty::float64()),
            (TyKind::Float(16), _) if b.is_tiny() => Some(a),
            (_, TyKind::Float(16)) if a.is_tiny() => Some(b),
            _ => Ty::smallest(a, b),
        }
    }

    /// Whether numbers of 16 bits with a fraction hold all of it.
    fn is_tiny(self) -> bool {
        match *self {
            TyKind::Bool => true,
            TyKind::Int(int) => int.bits == 8,
            _ => false,
        }
    }

    /// The dtype of an array beside a number, which gives way if its kind is not higher.
    pub fn beside_number(array: Ty, number: Ty) -> Option<Ty> {
        let (of_array, of_number) = (array.rank()?, number.rank()?);
        Some(match of_number {
            _ if of_number <= of_array => array,
            Rank::Bool => array,
            Rank::Int => Ty::int64(),
            Rank::Float => Ty::float64(),
            Rank::Complex => {
                complex_of(array.float_bits().max(if of_array == Rank::Float { 0 } else { 64 }))
            }
        })
    }

    /// The dtype in which numpy computes an elementary function of an array.
    pub fn to_array_floating(self) -> Ty {
        match *self {
            TyKind::Bool => Ty::new(TyKind::Float(16)),
            TyKind::Int(int) => Ty::new(TyKind::Float(match int.bits {
                8 => 16,
                16 => 32,
                _ => 64,
            })),
            _ => self,
        }
    }

    /// The floating type in which a division or an elementary function of it is computed.
    pub fn to_floating(self) -> Ty {
        match *self {
            TyKind::Float(_) | TyKind::Complex(_) => self,
            _ => Ty::float64(),
        }
    }
}

fn complex_of(bits: u8) -> Ty {
    if bits <= 32 { Ty::complex64() } else { Ty::complex128() }
}

fn smallest_int(a: Int, b: Int) -> Ty {
    if a.is_signed == b.is_signed {
        return Ty::int(a.bits.max(b.bits), a.is_signed);
    }
    let (signed, unsigned) = if a.is_signed { (a, b) } else { (b, a) };
    let bits = if signed.bits > unsigned.bits {
        signed.bits
    } else {
        unsigned.bits.saturating_mul(2).min(64)
    };
    Ty::int(bits, true)
}

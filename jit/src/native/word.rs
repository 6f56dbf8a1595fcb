//! Numbers as compiled functions have them: words, or what is in a register.

/// A number as a word.
#[diagnostic::on_unimplemented(
    message = "compiled functions have no numbers of type `{Self}`",
    label = "not a number of theirs",
    note = "there are bool, i8 to i64, u8 to u64, f32 and f64"
)]
pub trait AsWord: Copy {
    /// Its type, as signatures have it.
    const TYPE: &'static str;

    /// What machine code passes it in: a float as it is, any other as its word, so that it does not
    /// matter who extends narrow numbers.
    type Register: Copy;

    /// The number of a word.
    fn read(word: u64) -> Self;

    /// The word of a number.
    fn word(self) -> u64;

    /// The number of a register.
    fn of_register(register: Self::Register) -> Self;
}

macro_rules! words {
    ($($ty:ty = $name:literal: $word:ident => $read:expr, $number:ident => $written:expr;)*) => {$(
        impl AsWord for $ty {
            const TYPE: &'static str = $name;
            type Register = u64;

            #[inline]
            fn read($word: u64) -> $ty {
                $read
            }

            #[inline]
            fn word(self) -> u64 {
                let $number = self;
                $written
            }

            #[inline]
            fn of_register(register: u64) -> $ty {
                <$ty>::read(register)
            }
        }
    )*};
}

words! {
    bool = "boolean": it => it & 1 != 0, it => u64::from(it);
    i8 = "int8": it => it as i8, it => i64::from(it).cast_unsigned();
    i16 = "int16": it => it as i16, it => i64::from(it).cast_unsigned();
    i32 = "int32": it => it as i32, it => i64::from(it).cast_unsigned();
    i64 = "int64": it => it.cast_signed(), it => it.cast_unsigned();
    u8 = "uint8": it => it as u8, it => u64::from(it);
    u16 = "uint16": it => it as u16, it => u64::from(it);
    u32 = "uint32": it => it as u32, it => u64::from(it);
    u64 = "uint64": it => it, it => it;
}

macro_rules! floats {
    ($($ty:ty = $name:literal: $word:ident => $read:expr, $number:ident => $written:expr;)*) => {$(
        impl AsWord for $ty {
            const TYPE: &'static str = $name;
            type Register = $ty;

            #[inline]
            fn read($word: u64) -> $ty {
                $read
            }

            #[inline]
            fn word(self) -> u64 {
                let $number = self;
                $written
            }

            #[inline]
            fn of_register(register: $ty) -> $ty {
                register
            }
        }
    )*};
}

floats! {
    f32 = "float32": it => f32::from_bits(it as u32), it => u64::from(it.to_bits());
    f64 = "float64": it => f64::from_bits(it), it => it.to_bits();
}

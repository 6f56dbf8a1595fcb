//! Powers: exponentials of `y` times the natural logarithm of `|x|`, both as sums of two.
//!
//! The logarithm of `1 + f` is `f - f² / 2`, of which nothing is lost, and a polynomial times `f³`,
//! of which a few roundings are lost.

/// If the third bit is set the first one, else the second one.
pub(crate) const EITHER: i32 = 0xe4;

/// Makes a function of numbers and exponents of one that raises a register to the power of another.
macro_rules! powers {
    ($ty:ident $count:literal $load:ident $store:ident $power:path) => {
        /// Raises each number to the power of its exponent, or to that of the only one; does
        /// nothing and says so if the processor lacks what it takes.
        pub(crate) fn pow(numbers: &mut [$ty], exponents: &[$ty]) -> bool {
            let has_registers = Isa::detect() >= Isa::Avx512;
            if has_registers {
                // SAFETY: the processor was asked for these instructions.
                unsafe { all(numbers, exponents) };
            }
            has_registers
        }

        #[target_feature(enable = "avx512f,avx512dq")]
        fn all(numbers: &mut [$ty], exponents: &[$ty]) {
            let (registers, rest) = numbers.as_chunks_mut::<$count>();
            if let [exponent] = exponents {
                let exponents = [[*exponent; $count]];
                each(registers, &exponents);
                last(rest, &[*exponent; $count][..rest.len()]);
            } else {
                let (exponents, rest_of_exponents) = exponents.as_chunks::<$count>();
                each(registers, exponents);
                last(rest, rest_of_exponents);
            }
        }

        /// The same of less than a register.
        #[target_feature(enable = "avx512f,avx512dq")]
        fn last(numbers: &mut [$ty], exponents: &[$ty]) {
            let (mut x, mut y) = ([1.0; $count], [1.0; $count]);
            x[..numbers.len()].copy_from_slice(numbers);
            y[..exponents.len()].copy_from_slice(exponents);
            each(std::slice::from_mut(&mut x), &[y]);
            numbers.copy_from_slice(&x[..numbers.len()]);
        }

        // The only caller of `$power`, which is too long to be compiled into more than one.
        /// Takes the first exponents where there are no more of them.
        #[target_feature(enable = "avx512f,avx512dq")]
        #[inline(never)]
        fn each(numbers: &mut [[$ty; $count]], exponents: &[[$ty; $count]]) {
            let Some(first) = exponents.first() else { return };
            for (i, x) in numbers.iter_mut().enumerate() {
                let y = exponents.get(i).unwrap_or(first);
                // SAFETY: the numbers are as many as a register has.
                unsafe { $store(x.as_mut_ptr(), $power($load(x.as_ptr()), $load(y.as_ptr()))) };
            }
        }
    };
}

pub(crate) use powers;

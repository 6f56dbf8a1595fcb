//! Functions of one number give the bits that operators give for an element, wherever it stands, with
//! each set of instructions.

use std::env;
use std::fmt::LowerExp;
use std::process::Command;

use opwright_ops::OPERATORS;
use opwright_runtime::op::{Operator, Value, find};
use opwright_runtime::{Element, Isa, Tensor, isa};
use opwright_vecmath::scalar::{BINARY, UNARY};

/// There is nothing to compare them with.
const WITHOUT_OPERATOR: [&str; 2] = ["cbrt", "gamma"];

/// So many numbers make a tensor, and each of so many is one of them: a call for each would take long.
/// SIMD functions do not fill the short ones.
const LENGTHS: [(usize, usize); 3] = [(1, 17), (7, 5), (usize::MAX, 1)];

trait Number: Element + LowerExp {
    /// How many exponents there are.
    const EXPONENTS: u64;
    /// The bits of a fraction.
    const FRACTION: u32;
    /// Where functions begin to do something else, with a positive sign.
    const INTERESTING: &'static [Self];

    /// Its bits; those of what is no number are all the same.
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
}

macro_rules! numbers {
    ($($ty:ident $bits:ident)*) => {$(
        impl Number for $ty {
            const FRACTION: u32 = $ty::MANTISSA_DIGITS - 1;
            const EXPONENTS: u64 = 2 * $ty::MAX_EXP as u64;
            const INTERESTING: &'static [$ty] = &[
                0.0, $ty::from_bits(1), $ty::MIN_POSITIVE.next_down(), $ty::MIN_POSITIVE, 1e-30, 1e-10,
                1e-5, 0.1, 0.25, 0.5, 0.625, 0.75, 1.0_f32.next_down() as $ty, (1.0 as $ty).next_down(), 1.0,
                (1.0 as $ty).next_up(), 1.5, 2.0, std::$ty::consts::E, 3.0, std::$ty::consts::PI, 5.0, 7.5,
                10.0, 24.0, 87.5, 88.75, 103.97, 126.0, 127.0, 128.0, 149.0, 170.6, 709.5, 709.79, 710.5,
                745.0, 1022.0, 1023.0, 1024.0, 1e5, 524_288.0, 524_289.0, 1e7, 16_777_217.0,
                9_007_199_254_740_992.0, 1e18, 1e30, $ty::MAX, $ty::INFINITY, $ty::NAN,
            ];

            fn bits(self) -> u64 {
                if self.is_nan() { u64::MAX } else { self.to_bits().into() }
            }
            fn of_bits(bits: u64) -> $ty {
                $ty::from_bits(bits as $bits)
            }
        }
    )*};
}

numbers! { f32 u32 f64 u64 }

/// Numbers without a pattern.
fn mixed(at: u64) -> u64 {
    let bits = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (bits ^ bits >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ bits >> 32
}

/// All that is interesting and its neighbours, and numbers of every exponent, with both signs.
fn grid<T: Number>() -> Vec<T> {
    let mut bits: Vec<u64> = Vec::new();
    for it in T::INTERESTING.iter().map(|it| it.bits()) {
        bits.extend([it.saturating_sub(1), it, it.saturating_add(1)]);
    }
    for exponent in 0..T::EXPONENTS {
        // Most functions do most between these.
        let count = if exponent.abs_diff(T::EXPONENTS / 2) < 12 { 400 } else { 8 };
        for at in 0..count {
            let fraction = mixed(exponent * 1000 + at) & ((1 << T::FRACTION) - 1);
            bits.push(exponent << T::FRACTION | fraction);
        }
    }
    let sign = T::EXPONENTS << T::FRACTION;
    bits.into_iter()
        .flat_map(|it| [it & (sign - 1), it & (sign - 1) | sign])
        .map(T::of_bits)
        .collect()
}

/// Each of what is interesting with each, and numbers of moderate size without a pattern.
fn pairs<T: Number>() -> (Vec<T>, Vec<T>) {
    let sign = T::EXPONENTS << T::FRACTION;
    let mut some: Vec<T> = Vec::new();
    for it in T::INTERESTING {
        some.extend([*it, T::of_bits(it.bits() & (sign - 1) | sign)]);
    }
    let every = some.iter().flat_map(|x| some.iter().map(move |y| (*x, *y)));
    let moderate = |at: u64| {
        let exponent = T::EXPONENTS / 2 - 6 + mixed(at) % 12;
        let fraction = mixed(at + 1) & ((1 << T::FRACTION) - 1);
        T::of_bits(exponent << T::FRACTION | fraction | if at % 6 < 4 { 0 } else { sign })
    };
    let others = (0..20_000).map(|at| (moderate(3 * at), moderate(5 * at + 1)));
    every.chain(others).unzip()
}

fn operator(name: &str) -> Option<&'static Operator> {
    let names = [name.to_owned(), format!("{name}.Tensor"), format!("{name}.Tensor_Tensor")];
    names.iter().find_map(|it| find(OPERATORS, it))
}

/// What an operator makes of lists that are tensors.
fn called<T: Number>(operator: &Operator, lists: &[&[T]]) -> Vec<T> {
    let tensor = |list: &&[T]| {
        Value::Tensor(Tensor::from_slice(&[list.len() as i64], list).expect("there is memory"))
    };
    let mut values: Vec<Value> = lists.iter().map(tensor).collect();
    let results = (operator.call)(&mut values).expect("a call that fits");
    results[0].tensor().expect("a tensor").to_vec().expect("a list of numbers")
}

/// Says how many elements differ, and which is the first.
fn compare<T: Number>(
    name: &str,
    function: impl Fn(&[T]) -> T,
    lists: &[&[T]],
    wrong: &mut Vec<String>,
) {
    let operator = operator(name).unwrap_or_else(|| panic!("no operator {name}"));
    for (length, step) in LENGTHS {
        let every = |list: &&[T]| list.iter().copied().step_by(step).collect();
        let lists: Vec<Vec<T>> = lists.iter().map(every).collect();
        let (mut count, mut first) = (0, String::new());
        for start in (0..lists[0].len()).step_by(length) {
            let end = start.saturating_add(length).min(lists[0].len());
            let parts: Vec<&[T]> = lists.iter().map(|it| &it[start..end]).collect();
            for (at, element) in called(operator, &parts).into_iter().enumerate() {
                let arguments: Vec<T> = parts.iter().map(|it| it[at]).collect();
                let number = function(&arguments);
                if number.bits() != element.bits() {
                    if count == 0 {
                        first = format!("{arguments:?}: {number:e} instead of {element:e}");
                    }
                    count += 1;
                }
            }
        }
        if count > 0 {
            let level = Isa::detect().name();
            wrong
                .push(format!("{level} {name} {:?}, {length} at once: {count}, {first}", T::DTYPE));
        }
    }
}

#[test]
fn functions_of_numbers_have_the_bits_of_operators() {
    let mut wrong = Vec::new();
    let (doubles, singles) = (grid::<f64>(), grid::<f32>());
    for row in UNARY {
        if WITHOUT_OPERATOR.contains(&row.name) {
            assert!(operator(row.name).is_none(), "{} is there to be compared", row.name);
            continue;
        }
        compare(row.name, |x| (row.f64)(x[0]), &[&doubles], &mut wrong);
        compare(row.name, |x| (row.f32)(x[0]), &[&singles], &mut wrong);
    }
    let (doubles, singles) = (pairs::<f64>(), pairs::<f32>());
    for row in BINARY {
        compare(row.name, |x| (row.f64)(x[0], x[1]), &[&doubles.0, &doubles.1], &mut wrong);
        compare(row.name, |x| (row.f32)(x[0], x[1]), &[&singles.0, &singles.1], &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same with fewer instructions than the processor at hand has.
#[test]
fn so_they_have_with_other_instructions() {
    let name = "functions_of_numbers_have_the_bits_of_operators";
    for it in Isa::ALL.into_iter().filter(|it| *it < Isa::detect()) {
        let test = env::current_exe().expect("this test");
        let output =
            Command::new(test).args([name, "--exact"]).env(isa::VARIABLE, it.name()).output();
        let output = output.expect("a test that runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{}: {text}", it.name());
    }
}

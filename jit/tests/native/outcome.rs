//! What a program does on each back end.

#[cfg(feature = "cc")]
use opwright_jit::cc::Compiled;
use opwright_jit::cranelift::NativeCode;
use opwright_jit::entry::Frame;
use opwright_jit::ir::{Builder, Function, PlaceId, Program, Terminator, Value};
use opwright_jit::types::{Prim, Ty};
use opwright_jit::vm::Machine;

/// The words that it returned and the back edges left, or what failed.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    Returned(Vec<u64>, u32),
    Failed { cause: String, trace: Vec<(u32, u32)>, words: Vec<u64> },
}

/// A program on the back ends that are compared with the machine.
pub(crate) struct Pair {
    machine: Machine,
    pub(crate) native: NativeCode,
    /// Where it is asked for, and there is a C compiler.
    #[cfg(feature = "cc")]
    compiled: Option<Compiled>,
}

impl Pair {
    /// Whoever makes the program makes it twice the same.
    pub(crate) fn new(make: impl Fn() -> Program) -> Pair {
        let machine = Machine::new(make()).expect("a program that is small enough");
        let native = NativeCode::new(make()).expect("a processor that is known");
        Pair {
            machine,
            native,
            #[cfg(feature = "cc")]
            compiled: None,
        }
    }

    /// As [`Pair::new`], also as C, which takes a hundred times as long to compile.
    pub(crate) fn with_c(make: impl Fn() -> Program) -> Pair {
        let pair = Pair::new(&make);
        #[cfg(feature = "cc")]
        let pair = Pair { compiled: by_compiler(make()), ..pair };
        pair
    }

    /// Runs all.
    #[track_caller]
    pub(crate) fn check(&self, args: &[u64]) -> Outcome {
        self.check_over(args, &mut []).0
    }

    /// Runs all over the same memory, which each finds as it is now; what they leave in it.
    #[track_caller]
    pub(crate) fn check_over(&self, args: &[u64], memory: &mut [u64]) -> (Outcome, Vec<u64>) {
        let (start, memory) = (memory.to_vec(), std::cell::RefCell::new(memory));
        let prims = self.machine.program().functions[0].result.prims();
        let outcome = |run: &dyn Fn(&mut Frame, &mut [u64]) -> bool| {
            memory.borrow_mut().copy_from_slice(&start);
            let outcome = one_outcome(run, &prims);
            (outcome, memory.borrow().to_vec())
        };
        // SAFETY: the tests pass as many words as their functions take.
        let expected = outcome(&|frame, results| unsafe { self.machine.run(frame, args, results) });
        // SAFETY: as above.
        let found = outcome(&|frame, results| unsafe { self.native.run(frame, args, results) });
        assert_eq!(
            found,
            expected,
            "of {args:x?} by\n{}\n{}",
            self.machine.program().to_text(),
            NativeCode::assembly(self.machine.program()).unwrap_or_default()
        );
        #[cfg(feature = "cc")]
        if let Some(compiled) = &self.compiled {
            // SAFETY: as above.
            let found = outcome(&|frame, results| unsafe { compiled.run(frame, args, results) });
            assert_eq!(
                found,
                expected,
                "of {args:x?} by\n{}\n{}",
                self.machine.program().to_text(),
                Compiled::text(self.machine.program()).unwrap_or_default()
            );
        }
        found
    }
}

/// What one run did.
fn one_outcome(run: &dyn Fn(&mut Frame, &mut [u64]) -> bool, prims: &[Prim]) -> Outcome {
    let (mut frame, mut results) = (Frame::new(), vec![0; prims.len()]);
    if run(&mut frame, &mut results) {
        assert!(frame.error.is_none());
        let results = results.iter().zip(prims).map(|(it, prim)| one_nan(*it, *prim));
        return Outcome::Returned(results.collect(), frame.budget);
    }
    let failed = frame.error.expect("what failed");
    Outcome::Failed {
        cause: format!("{:?}", failed.cause),
        trace: failed.trace.iter().map(|(function, site)| (function.0, site.0)).collect(),
        words: failed.words,
    }
}

/// A program as C; none on machines without a compiler.
#[cfg(feature = "cc")]
fn by_compiler(program: Program) -> Option<Compiled> {
    use opwright_jit::cc::{CompileError, Compiler};

    if matches!(Compiler::find(None, true), Err(CompileError::NoCompiler(_))) {
        return None;
    }
    Some(Compiled::once(program).expect("a text without mistakes"))
}

/// Numbers that are none are alike: which of two an operation hands on is not said.
fn one_nan(word: u64, prim: Prim) -> u64 {
    match prim {
        Prim::F64 if f64::from_bits(word).is_nan() => f64::NAN.to_bits(),
        Prim::F32 if f32::from_bits(word as u32).is_nan() => u64::from(f32::NAN.to_bits()),
        _ => word,
    }
}

/// A program of functions.
pub(crate) fn program(functions: Vec<Function>) -> Program {
    Program { functions, ..Program::default() }
}

/// A function that returns some values.
pub(crate) fn function(
    name: &str,
    params: &[Ty],
    result: Ty,
    body: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>,
) -> Function {
    let (mut builder, args) = Builder::new(name.into(), params.to_vec(), PlaceId(0));
    let results = body(&mut builder, &args);
    builder.end(Terminator::Return(results.into_iter().collect()));
    builder.function.result = result;
    builder.function
}

/// The type of a word.
pub(crate) fn type_of(prim: Prim) -> Ty {
    match prim {
        Prim::Bool => Ty::bool(),
        Prim::F32 => Ty::float32(),
        Prim::F64 => Ty::float64(),
        Prim::Int | Prim::Ptr | Prim::Owner => Ty::int64(),
    }
}

/// Words of a kind at which something might go wrong.
pub(crate) fn edges(prim: Prim) -> Vec<u64> {
    match prim {
        Prim::Bool => vec![0, 1],
        Prim::F64 => FLOATS.iter().map(|it| it.to_bits()).collect(),
        Prim::F32 => {
            let mut words: Vec<u64> =
                FLOATS.iter().map(|it| u64::from((*it as f32).to_bits())).collect();
            words.extend(
                [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1)].map(|it| u64::from(it.to_bits())),
            );
            words
        }
        Prim::Int | Prim::Ptr | Prim::Owner => INTS.iter().map(|it| it.cast_unsigned()).collect(),
    }
}

const INTS: &[i64] = &[
    0,
    1,
    2,
    3,
    7,
    8,
    10,
    31,
    32,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    32767,
    32768,
    65535,
    65536,
    -1,
    -2,
    -3,
    -7,
    -8,
    -10,
    -63,
    -64,
    -65,
    -128,
    -129,
    -32769,
    i64::MAX,
    i64::MAX - 1,
    i64::MIN,
    i64::MIN + 1,
    i32::MAX as i64,
    i32::MIN as i64,
    1 << 32,
    (1 << 53) + 1,
    (1 << 24) + 1,
    0x7fff_ff80_0000_0001,
    0x4000_0080_0000_0001,
    -0x4000_0080_0000_0001,
    1_000_000_007,
    0x0123_4567_89ab_cdef,
];

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    -1.5,
    2.5,
    0.1,
    -0.1,
    3.7,
    -3.7,
    1e-300,
    5e-324,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    f64::EPSILON,
    9_223_372_036_854_775_807.0,
    -9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_615.0,
    9_223_372_036_854_774_784.0,
    4_503_599_627_370_497.5,
    65504.0,
    65520.0,
    1e-7,
    6e-8,
    2048.5,
    1e10,
    -1e20,
    3.402_823_669_209_385e38,
    0.499_999_999_999_999_94,
    1.000_000_059_604_645,
];

//! `opcheck` notices operators that do not do what they declare, each by the check of its name.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use opwright_runtime::dtype::Number as _;
use opwright_runtime::iterate::Each;
use opwright_runtime::op::{
    Calculates, Constant, ElementLoop, Gradient, Operator, Param, Results, Returned, Sets, Slot,
    Type, Value,
};
use opwright_runtime::parallel::get_num_threads;
use opwright_runtime::testing::{Check, Opcheck, Report, opcheck};
use opwright_runtime::{DType, Device, Generator, Result, Tensor, dispatch, interrupt, view};

const READ: Slot = Slot { name: "x", ty: Type::Tensor, sets: Sets::NONE, writes: false };
const VIEW: Slot = Slot { sets: Sets::new("a"), ..READ };
const WRITTEN: Slot = Slot { writes: true, ..VIEW };
const OUT: Slot = Slot { name: "out", ..WRITTEN };

const fn param(slot: Slot) -> Param {
    Param::new(slot)
}

/// An honest operator, from which the others are made.
const COPY: Operator = Operator {
    name: "lie",
    schema: "lie(Tensor x) -> Tensor",
    params: &[param(READ)],
    results: &[READ],
    tags: &[],
    functional: None,
    in_place: None,
    out: None,
    call: |values| {
        let x = values[0].tensor()?;
        x.copy()?.values()
    },
    types: None,
    inner_loop: None,
    reduction: None,
    gradient: Gradient::None,
    formulas: None,
};

/// A loop that is that of another operator.
const TWICE: ElementLoop = ElementLoop {
    calculates: Calculates::InResult,
    make: |dtype, _, then| {
        dispatch!(dtype, "twice", number, |T| Each::<T, T>::new(dtype, then).run(|x| x.plus(x)))
    },
};

const COPY_IN_PLACE: Operator = Operator {
    name: "lie_",
    schema: "lie_(Tensor(a!) x) -> Tensor(a!)",
    params: &[param(WRITTEN)],
    results: &[WRITTEN],
    call: |values| values[0].tensor_mut().map(|_| Results::new()),
    ..COPY
};

const COPY_TO_OUT: Operator = Operator {
    name: "lie.out",
    schema: "lie.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
    params: &[param(READ), param(OUT).out()],
    results: &[OUT],
    call: |values| {
        let x = values[0].tensor()?.clone();
        let out = values[1].tensor_mut()?;
        out.set_shape(x.shape())?;
        out.copy_from(&x)?.values()
    },
    ..COPY
};

#[track_caller]
fn check(operators: &[Operator], expected: Check, text: &str) {
    let report = Opcheck::new(operators).report();
    let found = report.problems.iter().any(|it| it.check == expected && it.text.contains(text));
    assert!(found, "no {expected}: {text} in\n{report}");
    let others: Vec<_> = report.problems.iter().filter(|it| it.check != expected).collect();
    assert!(others.is_empty(), "{report}");
    let report = Opcheck::new(operators).skip(expected).report();
    assert!(report.is_ok(), "{report}");
}

#[test]
fn a_loop_that_is_another_operators() {
    let liar = Operator { inner_loop: Some(&TWICE), ..COPY };
    check(&[liar], Check::InnerLoop, "its inner loop gives something else for float32");
}

#[test]
fn honest_operators_pass() {
    let copy = Operator { in_place: Some("lie_"), out: Some("lie.out"), ..COPY };
    let report = opcheck(&[copy, COPY_IN_PLACE, COPY_TO_OUT]).unwrap();
    assert_eq!(report.operators, 3);
    assert!(report.uncalled.is_empty());
    for kind in ["small", "bool", "bfloat16", "stepped", "reversed", "no elements", "large"] {
        assert!(report.calls.contains_key(kind), "{report}");
    }
}

#[test]
fn a_panic_is_no_error() {
    let panicking = |values: &mut [Value]| {
        let x = values[0].tensor()?;
        assert!(x.ndim() > 0, "there is no last dimension");
        x.copy()?.values()
    };
    let liar = Operator { call: panicking, ..COPY };
    check(&[liar], Check::WrongArguments, "panics: there is no last dimension");
}

#[test]
fn calls_that_are_wrong_on_purpose_are_made() {
    let liar = Operator {
        params: const { &[param(READ), param(COUNT).or(Constant::Int(1))] },
        call: |values| {
            assert_ne!(values[1].int()?, i64::MAX, "overflow");
            values[0].tensor()?.copy()?.values()
        },
        ..COPY
    };
    check(&[liar], Check::WrongArguments, "overflow");
}

#[test]
fn a_list_of_what_there_are_no_values_of_is_empty() {
    const WORDS: Slot = Slot { name: "words", ty: Type::List(&Type::Str, None), ..READ };
    let params = const { &[param(READ), param(WORDS)] };
    let call = |values: &mut [Value]| {
        assert_eq!(values[1].list(1, Value::text)?.len(), 0);
        values[0].tensor()?.copy()?.values()
    };
    let report = opcheck(&[Operator { params, call, ..COPY }]).unwrap();
    assert!(report.uncalled.is_empty(), "{report}");
}

#[test]
fn calls_are_made_anew_without_defaults() {
    let params = const { &[param(READ), param(COUNT).or(Constant::Int(1))] };
    let call = |values: &mut [Value]| values[0].tensor()?.copy()?.values();
    let operators = [Operator { params, call, ..COPY }];
    let calls = Opcheck::new(&operators).seeds(4).calls(&operators[0]);
    assert_eq!(calls.len(), 4);
    let [one, other] = [calls[0].values().unwrap(), calls[0].values().unwrap()];
    assert_eq!(one.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["x"]);
    let storage = |made: &[(&str, Value)]| made[0].1.tensor().unwrap().storage().cloned().unwrap();
    assert!(!storage(&one).is_same(&storage(&other)));
}

#[test]
fn results_are_those_of_the_schema() {
    let none = Operator { call: |_| Ok(Results::new()), ..COPY };
    check(&[none], Check::Results, "returns 0 values, declared are 1");
    let number = Operator { call: |_| 1.5.values(), ..COPY };
    check(&[number], Check::Results, "returns Float(1.5), declared is Tensor");
    let elsewhere =
        Operator { call: |values| values[0].tensor()?.to_device(Device::Meta)?.values(), ..COPY };
    check(&[elsewhere], Check::Results, "returns a tensor on the meta device");
}

#[test]
fn writing_is_declared() {
    let liar = Operator {
        call: |values| {
            let copy = values[0].tensor()?.copy()?;
            if copy.device() == Device::Cpu {
                values[0].tensor_mut()?.fill(0.into())?;
            }
            copy.values()
        },
        ..COPY
    };
    check(&[liar], Check::Mutation, "writes to `x`, which is declared as `Tensor`");
}

#[test]
fn writing_is_done_in_place() {
    let liar = Operator {
        call: |values| {
            let x = values[0].tensor_mut()?;
            *x = x.copy()?;
            Ok(Results::new())
        },
        ..COPY_IN_PLACE
    };
    check(&[liar], Check::Mutation, "gives `x` new memory instead of writing to the one");
}

#[test]
fn views_are_declared() {
    let liar = Operator { call: |values| values[0].tensor()?.clone().values(), ..COPY };
    check(&[liar], Check::Aliasing, "returns memory of `x`, which no alias set declares");
    let honest = Operator { params: const { &[param(VIEW)] }, results: &[VIEW], ..liar };
    opcheck(&[honest]).unwrap();
}

#[test]
fn strides_do_not_matter() {
    let liar = Operator {
        call: |values| {
            let x = values[0].tensor()?;
            let is_usual = x.is_contiguous() || x.device() == Device::Meta;
            let copy = x.copy()?;
            let zeros = Tensor::zeroed(x.shape(), x.dtype(), x.device())?;
            (if is_usual { copy } else { zeros }).values()
        },
        ..COPY
    };
    check(&[liar], Check::Strides, "gives something else than with contiguous tensors");
}

#[test]
fn out_receives_the_result() {
    let copy = Operator { out: Some("lie.out"), ..COPY };
    let never =
        Operator { call: |values| values[1].tensor_mut().map(|_| Results::new()), ..COPY_TO_OUT };
    check(&[copy, never], Check::Out, "`lie.out` receives float32, shape [0]");
    let fails: fn(&mut [Value]) -> Result<Results> =
        |values| values[1].tensor_mut()?.set_shape(&[-1]).map(|()| Results::new());
    let report = Opcheck::new(&[copy, Operator { call: fails, ..COPY_TO_OUT }]).report();
    assert!(
        report.problems.iter().all(|it| it.check == Check::Out && it.text.contains("fails with"))
    );
    assert!(!report.is_ok());
}

#[test]
fn in_place_is_the_same_computation() {
    let copy = Operator { in_place: Some("lie_"), ..COPY };
    let other = Operator {
        call: |values| {
            let x = values[0].tensor_mut()?;
            if x.device() == Device::Cpu {
                x.fill(0.into())?;
            }
            Ok(Results::new())
        },
        ..COPY_IN_PLACE
    };
    check(&[copy, other], Check::InPlace, "`lie_` writes something else than `lie` returns");
}

#[test]
fn meta_says_what_the_computation_gives() {
    let wider = Operator {
        call: |values| {
            let x = values[0].tensor()?;
            let is_meta = x.device() == Device::Meta;
            (if is_meta { x.to_dtype(DType::Float64)? } else { x.copy()? }).values()
        },
        ..COPY
    };
    check(
        &[wider],
        Check::Meta,
        "on meta the result is float64, shape [2, 2]; on cpu it is float32",
    );
    let reading = Operator {
        call: |values| {
            let x = values[0].tensor()?;
            view::select(x, 0, 0)?
                .storage()
                .ok_or(opwright_runtime::Error::runtime("no elements"))?;
            x.copy()?.values()
        },
        ..COPY
    };
    check(&[reading], Check::Meta, "on meta it fails with: no elements");
    let cpu = Operator {
        call: |values| {
            let x = values[0].tensor()?;
            Tensor::zeroed(x.shape(), x.dtype(), Device::Cpu)?.values()
        },
        ..COPY
    };
    check(&[cpu], Check::Meta, "on meta it returns a tensor on the CPU");
}

#[test]
fn threads_do_not_matter() {
    let liar = Operator {
        call: |values| {
            let x = values[0].tensor()?;
            let mut result = x.copy()?;
            if x.device() == Device::Cpu && x.dtype() != DType::Bool {
                result.fill((get_num_threads() as i64).into())?;
            }
            result.values()
        },
        ..COPY
    };
    check(&[liar], Check::Threads, "gives something else than with one thread");
}

#[test]
fn random_numbers_start_anew() {
    let random = Operator {
        call: |values| {
            let draw = Generator::default_cpu().reserve(1).unit_f64(0);
            let x = values[0].tensor()?;
            Tensor::filled(x.shape(), draw.into(), x.dtype(), x.device())?.values()
        },
        ..COPY
    };
    opcheck(&[random]).unwrap();
}

#[test]
fn operators_are_chosen_by_name() {
    let add = Operator { name: "plus.Tensor", ..COPY };
    let all = [add, Operator { name: "plus.Scalar", ..COPY }, Operator { name: "minus", ..COPY }];
    let count = |name| Opcheck::new(&all).only(name).run().map(|it| it.operators);
    assert_eq!(count("plus").unwrap(), 2);
    assert_eq!(count("plus.Scalar").unwrap(), 1);
    let error = count("minsu").unwrap_err();
    assert_eq!(error.report().unknown, ["there is no operator `minsu`; did you mean `minus`?"]);
    assert!(error.to_string().ends_with("1 problem"));
}

#[test]
fn reports_are_readable() {
    let liar = Operator { call: |_| Ok(Results::new()), ..COPY };
    let error = opcheck(&[liar]).unwrap_err();
    let text = format!("{error:?}");
    assert_eq!(text, error.to_string());
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("1 operators, "), "{text}");
    assert_eq!(lines[1], "lie: results: returns 0 values, declared are 1");
    assert!(lines[2].starts_with("    lie(x=Tensor(float32, shape [2, 2])), and "), "{text}");
    assert_eq!(lines[3], "1 problem");
}

#[test]
fn what_takes_nothing_is_reported() {
    let call = |_: &mut [Value]| Err(opwright_runtime::Error::runtime("never"));
    let report: Report = Opcheck::new(&[Operator { call, ..COPY }]).report();
    assert_eq!(report.uncalled, ["lie(Tensor x) -> Tensor"]);
    let text = Slot { ty: Type::Str, ..READ };
    let params: &'static [Param] = Box::leak(Box::new([param(text)]));
    let spelled = |values: &mut [Value]| (values[0].text()? == "yes").values();
    let results: &'static [Slot] = &[Slot { ty: Type::Bool, ..READ }];
    let operator = Operator { params, results, call: spelled, ..COPY };
    assert_eq!(Opcheck::new(&[operator]).report().uncalled.len(), 1);
    assert!(Opcheck::new(&[operator]).words(&["yes"]).report().uncalled.is_empty());
}

/// An operator whose number has to be in a range, and a call of it.
fn ranged(slot: Slot, call: fn(&mut [Value]) -> Result<Results>) -> Operator {
    let params: &'static [Param] = Box::leak(Box::new([param(READ), param(slot)]));
    Operator { params, call, ..COPY }
}

fn between(values: &mut [Value], least: f64, greatest: f64) -> Result<Results> {
    let number = values[1].float()?;
    opwright_runtime::ensure!((least..=greatest).contains(&number), Value, "{number}");
    values[0].tensor()?.copy()?.values()
}

#[test]
fn numbers_of_declared_ranges_are_tried() {
    let rate = Slot { name: "rate", ty: Type::Float, ..READ };
    let operator = ranged(rate, |values| between(values, 31.25, 31.5));
    assert_eq!(Opcheck::new(&[operator]).report().uncalled.len(), 1);
    let declared = Param::new(rate).within(Constant::Float(31.25), Constant::Float(31.5));
    let params: &'static [Param] = Box::leak(Box::new([param(READ), declared]));
    let report = opcheck(&[Operator { params, ..operator }]).unwrap();
    assert!(report.uncalled.is_empty());
}

#[test]
fn a_declared_range_is_obeyed() {
    let rate = Slot { name: "rate", ty: Type::Float, ..READ };
    let operator = ranged(rate, |values| between(values, 0.0, 2.0));
    let declared = Param::new(rate).within(Constant::Float(0.0), Constant::Float(1.0));
    let params: &'static [Param] = Box::leak(Box::new([param(READ), declared]));
    let error = opcheck(&[Operator { params, ..operator }]).unwrap_err();
    let text = "wrong arguments: takes `rate` out of its declared range, 0.0 to 1.0";
    assert!(error.to_string().contains(text), "{error}");
}

#[test]
fn unusual_numbers_are_tried_last() {
    let rate = Slot { name: "rate", ty: Type::Float, ..READ };
    opcheck(&[ranged(rate, |values| between(values, 4.0, 30.0))]).unwrap();
    let report = Opcheck::new(&[ranged(rate, |values| between(values, 4.0, 30.0))]).report();
    assert!(report.uncalled.is_empty());
}

const COUNT: Slot = Slot { name: "count", ty: Type::Int, ..READ };

/// An operator that does something as often as its argument says.
fn repeating(call: fn(&mut [Value]) -> Result<Results>) -> Operator {
    Operator { params: const { &[param(READ), param(COUNT)] }, call, ..COPY }
}

fn count(values: &mut [Value], each: impl Fn(i64)) -> Result<Results> {
    for step in 0..values[1].int()? {
        each(std::hint::black_box(step));
    }
    values[0].tensor()?.copy()?.values()
}

#[test]
fn a_call_that_takes_too_long_is_interrupted() {
    let operator = repeating(|values| count(values, |_| interrupt::check()));
    let start = Instant::now();
    let report = Opcheck::new(&[operator]).time_limit(Duration::from_millis(300)).run().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let expected = "lie(x=Tensor(float32, shape [2, 2]), count=9223372036854775807) \
                    takes longer than 300ms";
    assert_eq!(report.left, [expected]);
    assert!(report.to_string().contains(&format!("interrupted: {expected}")), "{report}");
    assert!(report.calls["small"] > 0, "{report}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_call_that_takes_too_much_memory_is_interrupted() {
    let operator = repeating(|values| {
        let mut steps = Vec::new();
        for step in 0..values[1].int()? {
            steps.push([step; 16]);
            if step % 1000 == 0 {
                // On a fast machine there is twice as much before anybody looks.
                std::thread::sleep(Duration::from_millis(1));
                interrupt::check();
            }
        }
        values[0].tensor()?.copy()?.values()
    });
    let report = Opcheck::new(&[operator]).memory_limit(64 << 20).run().unwrap();
    assert_eq!(report.left.len(), 1, "{report}");
    assert!(report.left[0].ends_with("takes more than 64 MiB of memory"), "{report}");
}

/// Set for a process that may end.
const MAY_END: &str = "OPCHECK_MAY_END";

/// Runs one test of this file in a process of its own.
fn alone(test: &str) -> Output {
    let program = std::env::current_exe().unwrap();
    Command::new(program).args(["--exact", test]).env(MAY_END, "1").output().unwrap()
}

#[test]
fn a_call_that_does_not_hear_is_named() {
    if std::env::var_os(MAY_END).is_some() {
        let operators = [repeating(|values| count(values, |_| ()))];
        let opcheck = Opcheck::new(&operators).time_limit(Duration::from_millis(100));
        let report = opcheck.show_calls().report();
        unreachable!("{report}");
    }
    let output = alone("a_call_that_does_not_hear_is_named");
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    let call = "lie(x=Tensor(float32, shape [2, 2]), count=9223372036854775807)";
    assert!(text.contains(&format!("opcheck: {call}\n    takes longer than 100ms")), "{text}");
    assert!(text.contains("interrupt::check()"), "{text}");
    let shown = "opcheck: lie(x=Tensor(float32, shape [2, 2]), count=-9223372036854775808)\n";
    assert!(text.contains(shown), "{text}");
}

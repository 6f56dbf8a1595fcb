//! Functions of graphs of a few operators, whose rows are written by hand.

mod rows;

use std::any::Any;
use std::fmt;
use std::panic::panic_any;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

use opwright_graph::rewrite::{Level, Rewriter};
use opwright_graph::{
    Apply, Custom, Event, ExecutionError, Function, FunctionSpec, GraphError, Host, InputSpec,
    Instrument, Mode, NodeArgument, OperatorTables, OutputSpec, Results, Variable, Violation,
    custom, replaced, row,
};
use opwright_runtime::iterate::inner_loop;
use opwright_runtime::op::{
    Calculates, ElementLoop, Native, NativeType, Operator, Param, Slot, Type as OpType, Value,
};
use opwright_runtime::resolve::Accepts;
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::types::{Clash, Coerce, Plain, Refusal, TensorType, Type, TypeRef};
use opwright_runtime::{DType, Error, Result, Spec, Tensor, iterate};
use smallvec::smallvec;

use crate::rows::{ADD, OTHER, PLAIN, TENSOR, binary};

/// A product that has no loop.
static MUL: Operator = Operator {
    name: "mul.Tensor",
    schema: "mul.Tensor(Tensor self, Tensor other) -> Tensor",
    params: &[TENSOR, OTHER],
    call: |values| binary(values, |a, b| a * b),
    ..PLAIN
};

static VIEW: Operator = Operator {
    name: "view",
    schema: "view(Tensor(a) self) -> Tensor(a)",
    params: &[Param::new(Slot::new("self", OpType::Tensor).sharing("a"))],
    results: &[Slot::new("", OpType::Tensor).sharing("a")],
    call: |values| Ok(smallvec![values[0].clone()]),
    ..PLAIN
};

/// What an Op of a test does.
type Do = fn(&[Value]) -> Result<Results, GraphError>;

/// What cannot be said of operators: they end in ways of their own, hold the host, or lie.
struct Does {
    name: &'static str,
    does: Do,
    is_held: bool,
}

impl fmt::Display for Does {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Custom for Does {
    fn same(&self, _: &dyn Custom) -> bool {
        false
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        (self.does)(inputs)
    }

    fn is_held(&self) -> bool {
        self.is_held
    }
}

fn does(name: &'static str, input: &Variable, does: Do) -> Variable {
    held(name, input, does, false)
}

fn held(name: &'static str, input: &Variable, does: Do, is_held: bool) -> Variable {
    let op = Arc::new(Does { name, does, is_held });
    let types = vec![input.ty().clone()];
    named(Variable::output(custom(op, vec![input.clone()], types, None), 0), name)
}

fn fails(_: &[Value]) -> Result<Results, GraphError> {
    Err(Error::value("no").into())
}

fn panics(_: &[Value]) -> Result<Results, GraphError> {
    panic_any("oh")
}

fn named(variable: Variable, name: &str) -> Variable {
    variable.label().rename(Some(name));
    variable
}

fn call(op: &'static Operator, inputs: &[&Variable], name: &str) -> Variable {
    let mut used: Vec<Variable> = Vec::new();
    let mut arguments = Vec::new();
    for input in inputs {
        let at = used.iter().position(|it| it == *input).unwrap_or_else(|| {
            used.push((*input).clone());
            used.len() - 1
        });
        arguments.push(NodeArgument::Input(at));
    }
    let built = row(op, used, arguments, None).expect("a node");
    named(Variable::output(built.node, 0), name)
}

fn number(name: &str) -> Variable {
    Variable::new(Arc::new(Plain::Double), Some(name))
}

fn vector(name: &str) -> Variable {
    Variable::new(TensorType::new(DType::Float64, [None]).shared(), Some(name))
}

/// Gives values, notes events and results; refuses an input or a result if told so.
#[derive(Default)]
struct Tester {
    values: Vec<Value>,
    results: Vec<Value>,
    events: Vec<String>,
    refused: Option<usize>,
    kept: Option<usize>,
    threshold: Option<usize>,
    releases: usize,
}

impl Tester {
    fn new(values: impl IntoIterator<Item = Value>) -> Tester {
        Tester { values: values.into_iter().collect(), ..Tester::default() }
    }
}

impl Host for Tester {
    fn accept(&mut self, input: usize) -> Result<Value, GraphError> {
        if self.refused == Some(input) {
            return Err(Refusal::Type("no".to_owned()).into());
        }
        Ok(self.values[input].clone())
    }

    fn emit(&mut self, output: usize, value: Value) -> Result<(), GraphError> {
        if self.kept == Some(output) {
            return Err(Error::runtime("nobody takes it").into());
        }
        self.results.push(value);
        Ok(())
    }

    fn observes(&self) -> bool {
        true
    }

    fn event(&mut self, event: Event, name: &str) -> Result<(), GraphError> {
        self.events.push(format!("{} {name}", event.name()));
        Ok(())
    }
}

/// The same without events, which lets go of long work.
struct Quiet(Tester);

impl Host for Quiet {
    fn accept(&mut self, input: usize) -> Result<Value, GraphError> {
        self.0.accept(input)
    }

    fn emit(&mut self, output: usize, value: Value) -> Result<(), GraphError> {
        self.0.emit(output, value)
    }

    fn threshold(&self) -> usize {
        self.0.threshold.unwrap_or(usize::MAX)
    }

    fn released(&mut self, run: &mut (dyn FnMut() + Send)) {
        self.0.releases += 1;
        run();
    }
}

fn floats(numbers: &[f64]) -> Vec<Value> {
    numbers.iter().copied().map(Value::Float).collect()
}

fn rewriter(level: Level) -> Rewriter {
    Rewriter::new(OperatorTables::new(&[]), &[], level)
}

fn function(inputs: &[&Variable], outputs: &[&Variable], mode: Mode) -> Function {
    let given =
        |it: &&Variable| InputSpec { variable: (*it).clone(), is_lent: false, is_mutable: false };
    let wanted = |it: &&Variable| OutputSpec { variable: (*it).clone(), is_lent: false };
    let spec = FunctionSpec {
        inputs: inputs.iter().map(given).collect(),
        outputs: outputs.iter().map(wanted).collect(),
        updates: Vec::new(),
        mode,
    };
    Function::new(spec, &rewriter(Level::None)).expect("a function")
}

/// `(x + y) * z`, perhaps with something behind it.
fn example(then: Option<Do>) -> (Function, [Variable; 3]) {
    let [x, y, z] = ["x", "y", "z"].map(number);
    let a = call(&ADD, &[&x, &y], "a");
    let mut b = call(&MUL, &[&a, &z], "b");
    if let Some(then) = then {
        b = does("c", &b, then);
    }
    (function(&[&x, &y, &z], &[&b], Mode::default()), [x, y, z])
}

const UNTIL_MUL: &str =
    "extract x, extract y, extract z, init a, init b, code add, code mul, sync b";

#[test]
fn events_come_in_the_order_of_the_block() {
    let (function, _) = example(None);
    let mut host = Tester::new(floats(&[1.0, 2.0, 3.0]));
    function.call(&mut host).expect("a call");
    let end = "cleanup b, cleanup a, cleanup z, cleanup y, cleanup x";
    assert_eq!(host.events.join(", "), format!("{UNTIL_MUL}, {end}"));
    assert!(matches!(host.results[..], [Value::Float(9.0)]));
}

#[test]
fn a_refused_input_ends_with_what_was_entered() {
    let (function, _) = example(None);
    let mut host = Tester { refused: Some(1), ..Tester::new(floats(&[1.0, 2.0, 3.0])) };
    let stopped = function.call(&mut host).expect_err("a refusal");
    assert_eq!((stopped.input, stopped.node), (Some(1), None));
    assert_eq!(host.events.join(", "), "extract x, extract y, cleanup y, cleanup x");
}

#[test]
fn a_node_that_fails_or_panics_hands_nothing_out() {
    for then in [fails as Do, panics] {
        let (function, _) = example(Some(then));
        let mut host = Tester::new(floats(&[1.0, 2.0, 3.0]));
        let stopped = function.call(&mut host).expect_err("a failure");
        assert_eq!(stopped.node, Some(2));
        let all = "extract x, extract y, extract z, init a, init b, init c, code add, code mul, \
                   code c, cleanup c, cleanup b, cleanup a, cleanup z, cleanup y, cleanup x";
        assert_eq!(host.events.join(", "), all);
        assert!(host.results.is_empty());
    }
}

#[test]
fn a_result_that_nobody_takes_is_left_like_others() {
    let (function, _) = example(None);
    let mut host = Tester { kept: Some(0), ..Tester::new(floats(&[1.0, 2.0, 3.0])) };
    function.call(&mut host).expect_err("a failure");
    let end = "cleanup b, cleanup a, cleanup z, cleanup y, cleanup x";
    assert_eq!(host.events.join(", "), format!("{UNTIL_MUL}, {end}"));
}

#[test]
fn each_node_can_be_a_block() {
    let [x, y, z] = ["x", "y", "z"].map(number);
    let a = call(&ADD, &[&x, &y], "a");
    let b = call(&MUL, &[&a, &z], "b");
    let mode = Mode { per_node: true, ..Mode::default() };
    let mut host = Tester::new(floats(&[1.0, 2.0, 3.0]));
    function(&[&x, &y, &z], &[&b], mode).call(&mut host).expect("a call");
    let first = "extract x, extract y, init a, code add, sync a, cleanup a, cleanup y, cleanup x";
    let second = "extract a, extract z, init b, code mul, sync b, cleanup b, cleanup z, cleanup a";
    assert_eq!(host.events.join(", "), format!("{first}, {second}"));
    assert!(matches!(host.results[..], [Value::Float(9.0)]));
}

/// How many of these live.
static LIVING: AtomicIsize = AtomicIsize::new(0);

struct Counted;

impl Counted {
    fn new() -> Counted {
        LIVING.fetch_add(1, Ordering::SeqCst);
        Counted
    }
}

impl Clone for Counted {
    fn clone(&self) -> Counted {
        Counted::new()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        LIVING.fetch_sub(1, Ordering::SeqCst);
    }
}

impl NativeType for Counted {
    const NAME: &'static str = "Counted";
}

/// The type of what is counted.
#[derive(Debug)]
struct CountedType;

impl fmt::Display for CountedType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Counted")
    }
}

impl Type for CountedType {
    fn equals(&self, other: &dyn Type) -> bool {
        (other as &dyn Any).is::<CountedType>()
    }

    fn hash_code(&self) -> u64 {
        1
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        Ok(other.clone())
    }

    fn accepts(&self) -> Accepts {
        Accepts::NOTHING
    }

    fn init(&self) -> Value {
        counted()
    }

    fn has(&self, value: &Value) -> bool {
        matches!(value, Value::Native(_))
    }

    fn accept(&self, value: Value, _: Coerce) -> Result<Value, Refusal> {
        Ok(value)
    }

    fn same(&self, _: &Value, _: &Value) -> bool {
        true
    }

    fn deep_copy(&self, _: &Value) -> Result<Value> {
        Ok(counted())
    }
}

fn counted() -> Value {
    Value::Native(Native::new(Counted::new()))
}

fn fresh(_: &[Value]) -> Result<Results, GraphError> {
    Ok(smallvec![counted()])
}

/// Its own input and the results that are not computed yet live, and nothing else.
fn looks(_: &[Value]) -> Result<Results, GraphError> {
    assert_eq!(LIVING.load(Ordering::SeqCst), 2);
    Ok(smallvec![counted()])
}

#[test]
fn every_value_is_dropped_once_and_as_soon_as_nobody_reads_it() {
    for last in [looks as Do, fails, panics] {
        let x = Variable::new(Arc::new(CountedType), Some("x"));
        let first = does("first", &x, fresh);
        let second = does("second", &first, fresh);
        let third = does("third", &second, last);
        let function = Function::planned(vec![x], vec![third], Vec::new());
        let mut host = Quiet(Tester::new([]));
        host.0.values = vec![Value::None];
        let done = function.call(&mut host);
        assert_eq!(done.is_ok(), last as usize == looks as Do as usize);
        drop((host, done));
        assert_eq!(LIVING.load(Ordering::SeqCst), 0);
    }
}

fn two() -> Tensor {
    Tensor::from_slice(&[2], &[1.0, 2.0]).expect("a tensor")
}

fn shares(a: &Value, b: &Tensor) -> bool {
    overlaps(a.tensor().expect("a tensor"), b) != Overlap::No
}

/// What a call with one tensor returns.
fn returned(function: &Function, given: &Tensor) -> Vec<Value> {
    let mut host = Quiet(Tester::new([Value::Tensor(given.clone())]));
    function.call(&mut host).expect("a call");
    host.0.results
}

#[test]
fn results_are_the_callers_alone() {
    let x = vector("x");
    let view = call(&VIEW, &[&x], "view");
    let sum = call(&ADD, &[&x, &x], "sum");
    let part = call(&VIEW, &[&sum], "part");
    let made = function(&[&x], &[&x, &view, &sum, &part, &sum], Mode::default());
    let given = two();
    let results = returned(&made, &given);
    for (at, result) in results.iter().enumerate() {
        assert!(!shares(result, &given), "{at}");
        for other in &results[..at] {
            assert!(!shares(other, result.tensor().expect("a tensor")), "{at}");
        }
    }
}

#[test]
fn what_both_sides_lend_is_handed_through() {
    let x = vector("x");
    let spec = FunctionSpec {
        inputs: vec![InputSpec { variable: x.clone(), is_lent: true, is_mutable: false }],
        outputs: vec![OutputSpec { variable: x, is_lent: true }],
        updates: Vec::new(),
        mode: Mode::default(),
    };
    let made = Function::new(spec, &rewriter(Level::None)).expect("a function");
    let given = two();
    assert!(returned(&made, &given)[0].tensor().expect("a tensor").is_same(&given));
    assert_eq!(made.handed_through(0), Some(0));
}

#[test]
fn updates_are_stored_together_and_only_if_the_call_succeeds() {
    let ty = TensorType::new(DType::Float64, [None]).shared();
    let x = vector("x");
    let start = Value::Tensor(two());
    let shared = |name| Variable::shared(ty.clone(), start.clone(), Coerce::Natural, Some(name));
    let (s, t) = (shared("s"), shared("t"));
    let made = |output: &Variable| {
        let spec = FunctionSpec {
            inputs: vec![InputSpec { variable: x.clone(), is_lent: false, is_mutable: false }],
            outputs: vec![OutputSpec { variable: output.clone(), is_lent: false }],
            updates: vec![(s.clone(), call(&ADD, &[&s, &x], "s2")), (t.clone(), x.clone())],
            mode: Mode::default(),
        };
        Function::new(spec, &rewriter(Level::Safe)).expect("a function")
    };
    let value = |it: &Variable| it.as_shared().expect("it is shared").value();
    let given = Tensor::from_slice(&[2], &[10.0, 20.0]).expect("a tensor");
    let mut host = Quiet(Tester::new([Value::Tensor(given.clone())]));
    made(&does("fails", &x, fails)).call(&mut host).expect_err("a failure");
    assert_eq!(value(&s).tensor().unwrap().to_vec::<f64>().unwrap(), [1.0, 2.0]);
    returned(&made(&s), &given);
    assert_eq!(value(&s).tensor().unwrap().to_vec::<f64>().unwrap(), [11.0, 22.0]);
    assert_eq!(value(&t).tensor().unwrap().to_vec::<f64>().unwrap(), [10.0, 20.0]);
    assert!(!shares(&value(&t), &given));
}

#[test]
fn what_takes_long_is_let_go_of_once_for_each_stretch() {
    let x = vector("x");
    let one = call(&ADD, &[&x, &x], "one");
    let two_ = call(&MUL, &[&one, &x], "two");
    let host_op = held("held", &two_, |it| Ok(smallvec![it[0].clone()]), true);
    let last = call(&ADD, &[&host_op, &x], "last");
    let made = Function::planned(vec![x], vec![last], Vec::new());
    for (threshold, releases) in [(1, 2), (1000, 0)] {
        let mut host = Quiet(Tester::new([Value::Tensor(two())]));
        host.0.threshold = Some(threshold);
        made.call(&mut host).expect("a call");
        assert_eq!(host.0.releases, releases);
    }
}

#[test]
fn results_can_go_to_where_the_last_ones_are() {
    let x = vector("x");
    let sum = call(&ADD, &[&x, &x], "sum");
    let made = function(&[&x], &[&sum], Mode { reuse: true, ..Mode::default() });
    let first = returned(&made, &two());
    let second = returned(&made, &Tensor::from_slice(&[2], &[5.0, 6.0]).expect("a tensor"));
    assert!(shares(&first[0], second[0].tensor().expect("a tensor")));
    assert_eq!(first[0].tensor().unwrap().to_vec::<f64>().unwrap(), [10.0, 12.0]);
    made.free();
    let third = returned(&made, &two());
    assert!(!shares(&first[0], third[0].tensor().expect("a tensor")));
}

#[test]
fn calls_are_noted() {
    let x = vector("x");
    let sum = call(&ADD, &[&x, &x], "sum");
    let made =
        function(&[&x], &[&sum], Mode { instrument: Instrument::Profile, ..Mode::default() });
    returned(&made, &two());
    returned(&made, &two());
    let noted = made.profile().expect("a profile").nodes();
    assert_eq!((noted[0].calls, noted[0].bytes), (2, Some(16)));
}

#[test]
fn one_variable_stands_for_another() {
    let [x, y] = ["x", "y"].map(number);
    let sum = call(&ADD, &[&x, &y], "sum");
    let now = replaced(&[sum.clone(), x.clone()], &[(y.clone(), x.clone())]).expect("a graph");
    assert!(now[1] == x && now[0] != sum);
    let made = Function::planned(vec![x], vec![now[0].clone()], Vec::new());
    let mut host = Quiet(Tester::new(floats(&[2.0])));
    made.call(&mut host).expect("a call");
    assert!(matches!(host.0.results[..], [Value::Float(4.0)]));
}

#[track_caller]
fn check_debug(expected: Violation, does_what: Do) {
    let x = vector("x");
    let made = does("lies", &x, does_what);
    let made = function(&[&x], &[&made], Mode { instrument: Instrument::Debug, ..Mode::default() });
    let mut host = Quiet(Tester::new([Value::Tensor(two())]));
    let ExecutionError { failure, .. } = *made.call(&mut host).expect_err("what is wrong");
    assert!(matches!(failure, GraphError::Violation(bad, _) if bad == expected), "{failure:?}");
}

#[test]
fn the_debug_mode_finds_what_is_wrong() {
    static CALLS: AtomicIsize = AtomicIsize::new(0);
    check_debug(Violation::View, |it| Ok(smallvec![it[0].clone()]));
    check_debug(Violation::Type, |_| Ok(smallvec![Value::Float(1.0)]));
    check_debug(Violation::Write, |it| {
        let copy = it[0].tensor()?.copy()?;
        it[0].tensor()?.clone().fill(9.0.into())?;
        Ok(smallvec![Value::Tensor(copy)])
    });
    check_debug(Violation::Result, |it| {
        let mut copy = it[0].tensor()?.copy()?;
        copy.fill((CALLS.fetch_add(1, Ordering::SeqCst) as f64).into())?;
        Ok(smallvec![Value::Tensor(copy)])
    });
}

#[test]
fn the_debug_mode_lets_through_what_is_right() {
    let x = vector("x");
    let sum = call(&ADD, &[&x, &x], "sum");
    let view = call(&VIEW, &[&sum], "view");
    let made = function(&[&x], &[&view], Mode { instrument: Instrument::Debug, ..Mode::default() });
    assert_eq!(returned(&made, &two())[0].tensor().unwrap().to_vec::<f64>().unwrap(), [2.0, 4.0]);
}

static NEG: Operator = Operator {
    name: "neg",
    schema: "neg(Tensor self) -> Tensor",
    params: &[TENSOR],
    in_place: Some("neg_"),
    out: Some("neg.out"),
    call: |values| {
        let a = values[0].tensor()?;
        let mut out = Spec::elementwise(&[a])?.allocate()?;
        if !out.device().is_meta() {
            iterate::unary(a, &mut out, |it: f64| -it)?;
        }
        Ok(smallvec![Value::Tensor(out)])
    },
    inner_loop: Some(&ElementLoop {
        calculates: Calculates::InResult,
        make: |_, _, then| inner_loop::unary(|it: f64| -it, then),
    }),
    ..PLAIN
};

static FORMS: &[Operator] = &[
    NEG,
    Operator {
        name: "neg.out",
        schema: "neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
        params: &[TENSOR, Param::new(Slot::new("out", OpType::Tensor).written("a")).out()],
        results: &[Slot::new("", OpType::Tensor).written("a")],
        call: |values| {
            CALLS[1].fetch_add(1, Ordering::Relaxed);
            let given = values[0].tensor()?.clone();
            iterate::unary(&given, values[1].tensor_mut()?, |it: f64| -it)?;
            Ok(Results::new())
        },
        ..PLAIN
    },
    Operator {
        name: "neg_",
        schema: "neg_(Tensor(a!) self) -> Tensor(a!)",
        params: &[Param::new(Slot::new("self", OpType::Tensor).written("a"))],
        results: &[Slot::new("", OpType::Tensor).written("a")],
        call: |values| {
            CALLS[0].fetch_add(1, Ordering::Relaxed);
            let given = values[0].tensor()?.clone();
            iterate::unary(&given, values[0].tensor_mut()?, |it: f64| -it)?;
            Ok(Results::new())
        },
        ..PLAIN
    },
];

/// How often the form was called that writes to its argument, and the one that writes elsewhere.
static CALLS: [AtomicIsize; 2] = [const { AtomicIsize::new(0) }; 2];

#[test]
fn results_go_to_memory_that_nobody_needs_any_more() {
    static TABLES: &[&[Operator]] = &[FORMS];
    let x = vector("x");
    // Four temporaries, of which the first is read twice.
    let first = call(&FORMS[0], &[&x], "first");
    let second = call(&FORMS[0], &[&first], "second");
    let third = call(&MUL, &[&first, &second], "third");
    let fourth = call(&FORMS[0], &[&third], "fourth");
    let spec = FunctionSpec {
        inputs: vec![InputSpec { variable: x, is_lent: false, is_mutable: false }],
        outputs: vec![OutputSpec { variable: fourth, is_lent: false }],
        updates: Vec::new(),
        mode: Mode::default(),
    };
    let rewriter = Rewriter::new(OperatorTables::new(TABLES), &[], Level::None);
    let made = Function::new(spec, &rewriter).expect("a function");
    let given = Tensor::from_slice(&[1000], &[2.0; 1000]).expect("a tensor");
    let counts = || [0, 1].map(|at: usize| CALLS[at].load(Ordering::Relaxed));
    let run = || {
        let mut host = Plainly { given: vec![Value::Tensor(given.clone())], ..Plainly::default() };
        made.call(&mut host).expect("a result");
        let [Value::Tensor(result)] = host.results.as_slice() else { panic!("one result") };
        assert_eq!(result.to_vec::<f64>().expect("numbers"), [4.0; 1000]);
        assert_eq!(overlaps(result, &given), Overlap::No);
    };
    run();
    assert_eq!(counts(), [1, 0], "the last node alone had memory to write to");
    run();
    assert_eq!(counts(), [2, 2], "two others had that of the first call");
    made.free();
    run();
    assert_eq!(counts(), [3, 2]);
    let memory: Vec<bool> = made.memory().map(|it| it.in_place_of.is_empty()).collect();
    assert_eq!(memory, [false, true, true, false]);
}

/// Gives values and takes them.
#[derive(Default)]
struct Plainly {
    given: Vec<Value>,
    results: Vec<Value>,
}

impl Host for Plainly {
    fn accept(&mut self, input: usize) -> std::result::Result<Value, GraphError> {
        Ok(self.given[input].clone())
    }

    fn emit(&mut self, _: usize, value: Value) -> std::result::Result<(), GraphError> {
        self.results.push(value);
        Ok(())
    }
}

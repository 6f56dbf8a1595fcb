//! Rewrites of graphs of a few operators, whose rows are written by hand.

mod rows;

use std::slice::from_ref;
use std::sync::Arc;

use opwright_graph::rewrite::{Level, Replacement, RewriteRule, Rewriter, parsed};
use opwright_graph::{
    Function, GraphError, Host, NodeArgument, OperatorTables, Variable, fuse, row,
};
use opwright_runtime::iterate::inner_loop;
use opwright_runtime::op::{Calculates, ElementLoop, Operator, Results, Rewrite, Value};
use opwright_runtime::types::{Plain, TensorType, TypeRef};
use opwright_runtime::{DType, Result, Spec, Tensor, iterate};
use smallvec::smallvec;

use crate::rows::{ADD, OTHER, PLAIN, TENSOR, binary};

fn unary(values: &mut [Value], f: impl Fn(f64) -> f64 + Sync) -> Result<Results> {
    let a = values[0].tensor()?;
    let mut out = Spec::elementwise(&[a])?.allocate()?;
    if !out.device().is_meta() {
        iterate::unary(a, &mut out, f)?;
    }
    Ok(smallvec![Value::Tensor(out)])
}

static OPERATORS: &[Operator] = &[
    ADD,
    Operator {
        name: "mul.Tensor",
        schema: "mul.Tensor(Tensor self, Tensor other) -> Tensor",
        params: &[TENSOR, OTHER],
        call: |values| binary(values, |a, b| a * b),
        inner_loop: Some(&ElementLoop {
            calculates: Calculates::InResult,
            make: |_, _, then| inner_loop::binary(|a: f64, b: f64| a * b, then),
        }),
        ..PLAIN
    },
    Operator {
        name: "neg",
        schema: "neg(Tensor self) -> Tensor",
        params: &[TENSOR],
        call: |values| unary(values, |a| -a),
        inner_loop: Some(&ElementLoop {
            calculates: Calculates::InResult,
            make: |_, _, then| inner_loop::unary(|a: f64| -a, then),
        }),
        ..PLAIN
    },
    // It does not say which loop it runs.
    Operator {
        name: "wait",
        schema: "wait(Tensor self) -> Tensor",
        params: &[TENSOR],
        call: |values| unary(values, |a| a + 1.0),
        ..PLAIN
    },
];

static TABLES: &[&[Operator]] = &[OPERATORS];

const REWRITES: &[Rewrite] = &[
    Rewrite { name: "one", pattern: "mul(x, 1)", with: "x", when: &[], approximate: false },
    Rewrite {
        name: "twice",
        pattern: "add(x, x)",
        with: "mul.Tensor(x, 2)",
        when: &[],
        approximate: false,
    },
    Rewrite {
        name: "more",
        pattern: "add(mul(x, n), x)",
        with: "mul.Tensor(x, add.Tensor(n, 1))",
        when: &["constant(n)"],
        approximate: true,
    },
];

fn vector(extent: Option<i64>) -> Variable {
    Variable::new(TensorType::new(DType::Float64, [extent]).shared(), Some("x"))
}

fn number(value: i64) -> Variable {
    let ty: TypeRef = Arc::new(Plain::Int64);
    Variable::constant(ty, Value::Int(value), None)
}

fn call(name: &str, args: &[&Variable]) -> Variable {
    let of = OperatorTables::new(TABLES).find(name).expect("a row");
    let mut inputs: Vec<Variable> = Vec::new();
    let arguments = args.iter().map(|&it| {
        let known = inputs.iter().position(|known| known == it);
        NodeArgument::Input(known.unwrap_or_else(|| {
            inputs.push(it.clone());
            inputs.len() - 1
        }))
    });
    let arguments = arguments.collect();
    Variable::output(row(of, inputs, arguments, None).expect("a node").node, 0)
}

fn simpler(x: &Variable, y: Variable, level: Level) -> Variable {
    let rules: Vec<Arc<RewriteRule>> =
        REWRITES.iter().map(|it| Arc::new(RewriteRule::of(it).expect("a rule"))).collect();
    let rewriter = Rewriter::new(OperatorTables::new(TABLES), &rules, level);
    let done = rewriter.run(from_ref(x), vec![y]).expect("no rule fails");
    assert!(done.is_done);
    done.outputs.into_iter().next().expect("an output")
}

fn ops(x: &Variable, y: &Variable) -> Vec<String> {
    let nodes = opwright_graph::nodes(from_ref(x), from_ref(y));
    nodes.iter().map(|it| it.op().to_string()).collect()
}

struct Call<'a>(&'a Tensor, Option<Tensor>);

impl Host for Call<'_> {
    fn accept(&mut self, _: usize) -> Result<Value, GraphError> {
        Ok(Value::Tensor(self.0.clone()))
    }

    fn emit(&mut self, _: usize, value: Value) -> Result<(), GraphError> {
        self.1 = value.tensor().ok().cloned();
        Ok(())
    }
}

fn value(x: &Variable, y: &Variable, of: &Tensor) -> Vec<f64> {
    let mut call = Call(of, None);
    let function = Function::planned(vec![x.clone()], vec![y.clone()], Vec::new());
    assert!(function.call(&mut call).is_ok());
    call.1.expect("a result").to_vec().expect("numbers")
}

#[test]
fn sums_of_one_variable_are_products() {
    let x = vector(None);
    let mut sum = call("add.Tensor", &[&x, &x]);
    for _ in 0..30 {
        sum = call("add.Tensor", &[&sum, &x]);
    }
    let of = Tensor::from_slice(&[2], &[0.5, -3.0]).unwrap();
    let product = simpler(&x, sum.clone(), Level::Full);
    assert_eq!(ops(&x, &product), ["mul.Tensor"]);
    assert_eq!(value(&x, &product, &of), value(&x, &sum, &of));
    // What rounds otherwise is left alone.
    assert_eq!(ops(&x, &simpler(&x, sum.clone(), Level::Safe)).len(), 31);
    assert_eq!(ops(&x, &simpler(&x, sum, Level::None)).len(), 31);
}

#[test]
fn names_that_stand_for_constants_stand_for_nothing_else() {
    let (x, n) = (vector(None), vector(None));
    let sum = call("add.Tensor", &[&call("mul.Tensor", &[&x, &n]), &x]);
    assert_eq!(ops(&x, &simpler(&x, sum, Level::Full)), ["mul.Tensor", "add.Tensor"]);
}

#[test]
fn what_does_the_same_is_computed_once_and_constants_at_once() {
    let x = vector(None);
    let a = call("neg", &[&x]);
    let b = call("neg", &[&x]);
    let two = call("add.Tensor", &[&number(1), &number(1)]);
    let y = call("mul.Tensor", &[&call("mul.Tensor", &[&a, &b]), &two]);
    let y = simpler(&x, y, Level::Safe);
    assert_eq!(ops(&x, &y), ["neg", "mul.Tensor", "mul.Tensor"]);
    let of = Tensor::from_slice(&[2], &[0.5, -3.0]).unwrap();
    assert_eq!(value(&x, &y, &of), [0.5, 18.0]);
}

#[test]
fn a_rule_changes_no_type() {
    let x = vector(Some(1));
    let wide = vector(Some(3));
    // `1` is no constant here, but a tensor that stretches the other.
    let y = call("mul.Tensor", &[&x, &wide]);
    assert_eq!(ops(&x, &simpler(&x, y, Level::Full)), ["mul.Tensor"]);
    assert_eq!(simpler(&x, call("mul.Tensor", &[&x, &number(1)]), Level::Full), x);
}

#[test]
fn rules_of_the_host_may_not_change_types() {
    struct BlockError;
    impl opwright_graph::rewrite::Replace for BlockError {
        fn replace(
            &self,
            _: &opwright_graph::rewrite::Bindings,
        ) -> Result<Option<Variable>, GraphError> {
            Ok(Some(number(1)))
        }
    }
    let rule = RewriteRule::new(
        "wrong",
        parsed("neg(a)").unwrap(),
        Replacement::Host(Arc::new(BlockError)),
        false,
    );
    let x = vector(None);
    let rewriter = Rewriter::new(OperatorTables::new(TABLES), &[Arc::new(rule)], Level::Full);
    let Err(GraphError::Op(error)) = rewriter.run(from_ref(&x), vec![call("neg", &[&x])]) else {
        panic!("it is refused");
    };
    assert_eq!(
        error.message(),
        "rewrite 'wrong': neg.0 is TensorType(float64, (?,)), its replacement int64"
    );
}

#[test]
fn chains_are_run_block_by_block() {
    let x = vector(None);
    let a = call("mul.Tensor", &[&x, &number(3)]);
    let b = call("add.Tensor", &[&a, &x]);
    let y = call("mul.Tensor", &[&call("neg", &[&b]), &a]);
    let [fused] = fuse(from_ref(&x), vec![y.clone()]).try_into().expect("an output");
    assert_eq!(ops(&x, &fused), ["fused{mul.Tensor, add.Tensor, neg, mul.Tensor}"]);
    for count in [0, 1, 255, 256, 257, 100_000] {
        let numbers: Vec<f64> = (0..count).map(|it| f64::from(it) * 0.37 - 5.0).collect();
        let of = Tensor::from_vec(&[i64::from(count)], numbers).unwrap();
        assert_eq!(value(&x, &fused, &of), value(&x, &y, &of), "{count}");
    }
}

#[test]
fn what_others_want_is_written_by_the_chain() {
    let x = vector(None);
    let a = call("neg", &[&x]);
    let y = call("mul.Tensor", &[&call("neg", &[&a]), &a]);
    let outputs = fuse(from_ref(&x), vec![a.clone(), y.clone()]);
    assert_eq!(ops(&x, &outputs[0]), ["fused{neg, neg, mul.Tensor}"]);
    assert_eq!(outputs[0].owner().unwrap().0.id(), outputs[1].owner().unwrap().0.id());
    for count in [3, 5000] {
        let of = Tensor::from_vec(&[count], (0..count).map(|it| it as f64).collect()).unwrap();
        assert_eq!(value(&x, &outputs[0], &of), value(&x, &a, &of));
        assert_eq!(value(&x, &outputs[1], &of), value(&x, &y, &of));
    }
}

#[test]
fn chains_never_wait_for_each_other() {
    let x = vector(None);
    let other = |it: &Variable| call("wait", &[it]);
    let a = call("neg", &[&x]);
    let b = call("add.Tensor", &[&other(&a), &x]);
    // Between `a` and `c` is one that does not fit.
    let c = call("add.Tensor", &[&other(&b), &a]);
    let d = call("mul.Tensor", &[&c, &b]);
    let outputs = fuse(from_ref(&x), vec![d.clone(), b.clone(), a.clone()]);
    let nodes = opwright_graph::nodes(from_ref(&x), &outputs);
    let names: Vec<String> = nodes.iter().map(|it| it.op().to_string()).collect();
    assert_eq!(names, ["neg", "wait", "add.Tensor", "wait", "fused{add.Tensor, mul.Tensor}"]);
    let of = Tensor::from_vec(&[5000], (0..5000).map(f64::from).collect()).unwrap();
    for (fused, apart) in outputs.iter().zip([&d, &b, &a]) {
        assert_eq!(value(&x, fused, &of), value(&x, apart, &of));
    }
}

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }
}

#[test]
fn graphs_give_the_same_with_chains_and_without() {
    for seed in 1..200_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let x = vector(None);
        let mut all = vec![x.clone(), number(3), number(-1)];
        for _ in 0..5 + dice.roll(30) {
            let name = ["add.Tensor", "mul.Tensor", "neg", "wait"][dice.roll(4)];
            let near = all.len().min(6);
            let mut args = vec![all[all.len() - 1 - dice.roll(near)].clone()];
            if name.ends_with("Tensor") {
                args.push(all[dice.roll(all.len())].clone());
            }
            if args.iter().all(|it| it.as_constant().is_some()) {
                args[0] = x.clone();
            }
            all.push(call(name, &args.iter().collect::<Vec<_>>()));
        }
        let mut wanted = vec![all[all.len() - 1].clone()];
        for _ in 0..dice.roll(4) {
            wanted.push(all[3 + dice.roll(all.len() - 3)].clone());
        }
        let fused = fuse(from_ref(&x), wanted.clone());
        for count in [0, 1, 1024, 3000] {
            let numbers: Vec<f64> = (0..count).map(|it| it as f64 * 1e-3 - 1.0).collect();
            let of = Tensor::from_vec(&[count as i64], numbers).unwrap();
            for (fused, apart) in fused.iter().zip(&wanted) {
                let bits = |it: &Variable| -> Vec<u64> {
                    value(&x, it, &of).into_iter().map(f64::to_bits).collect()
                };
                assert_eq!(bits(fused), bits(apart), "seed {seed}, {count} elements");
            }
        }
    }
}

#[test]
fn patterns_say_what_parameters_get() {
    let rule = RewriteRule::of(&Rewrite {
        name: "scaled",
        pattern: "add.Tensor(x, other=mul(y, 2))",
        with: "add.Tensor(other=y, self=x)",
        when: &[],
        approximate: false,
    });
    let rewriter =
        Rewriter::new(OperatorTables::new(TABLES), &[Arc::new(rule.unwrap())], Level::Full);
    let x = vector(None);
    let twice = call("mul.Tensor", &[&x, &number(2)]);
    let done = rewriter.run(from_ref(&x), vec![call("add.Tensor", &[&x, &twice])]).unwrap();
    assert_eq!(ops(&x, &done.outputs[0]), ["add.Tensor"]);
    // The other way round it is another call.
    let done = rewriter.run(from_ref(&x), vec![call("add.Tensor", &[&twice, &x])]).unwrap();
    assert_eq!(ops(&x, &done.outputs[0]).len(), 2);
}

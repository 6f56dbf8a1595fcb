//! The debug mode on forms that differ: chains, and blocks of a back end.

mod rows;

use std::fmt;
use std::slice::from_ref;
use std::sync::Arc;

use opwright_graph::rewrite::{Level, Rewriter};
use opwright_graph::{
    Apply, Custom, Function, FunctionSpec, GraphError, Host, InputSpec, Instrument, Mode,
    NodeArgument, OperatorTables, OutputSpec, Results, Variable, Violation, custom, row,
};
use opwright_runtime::iterate::inner_loop;
use opwright_runtime::op::{Calculates, ElementLoop, Operator, Value};
use opwright_runtime::types::TensorType;
use opwright_runtime::{DType, Result, Tensor};
use smallvec::smallvec;

use crate::rows::{ADD, PLAIN, TENSOR};

/// Its loop computes something else than its call.
static LIES: Operator = Operator {
    name: "lies",
    schema: "lies(Tensor self) -> Tensor",
    params: &[TENSOR],
    call: |values| {
        let a = values[0].tensor()?;
        Ok(smallvec![Value::Tensor(a.copy()?)])
    },
    inner_loop: Some(&ElementLoop {
        calculates: Calculates::InResult,
        make: |_, _, then| inner_loop::unary(|it: f64| it + 1.0, then),
    }),
    ..PLAIN
};

/// What a back end makes of a node: it adds to its input.
struct Adds(f64);

impl fmt::Display for Adds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("adds")
    }
}

impl Custom for Adds {
    fn same(&self, _: &dyn Custom) -> bool {
        false
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        let given = inputs[0].tensor()?;
        let sums: Vec<f64> = given.to_vec::<f64>()?.iter().map(|it| it + self.0).collect();
        Ok(smallvec![Value::Tensor(Tensor::from_vec(given.shape(), sums)?)])
    }
}

/// Gives one tensor and forgets what comes.
struct One(Tensor);

impl Host for One {
    fn accept(&mut self, _: usize) -> Result<Value, GraphError> {
        Ok(Value::Tensor(self.0.clone()))
    }

    fn emit(&mut self, _: usize, _: Value) -> Result<(), GraphError> {
        Ok(())
    }
}

fn vector() -> Variable {
    Variable::new(TensorType::new(DType::Float64, [None]).shared(), Some("x"))
}

fn call(op: &'static Operator, input: &Variable) -> Variable {
    let arguments = op.params.iter().map(|_| NodeArgument::Input(0)).collect();
    Variable::output(row(op, vec![input.clone()], arguments, None).expect("a node").node, 0)
}

fn spec(x: &Variable, y: Variable, fused: bool) -> FunctionSpec {
    FunctionSpec {
        inputs: vec![InputSpec { variable: x.clone(), is_lent: false, is_mutable: false }],
        outputs: vec![OutputSpec { variable: y, is_lent: false }],
        updates: Vec::new(),
        mode: Mode { instrument: Instrument::Debug, fused, ..Mode::default() },
    }
}

fn called(function: &Function, count: i64) -> Result<(), String> {
    let given = Tensor::from_vec(&[count], vec![1.0; count as usize]).expect("a tensor");
    let stopped = function.call(&mut One(given)).err();
    match stopped.map(|it| it.failure) {
        None => Ok(()),
        Some(GraphError::Violation(Violation::Result, text)) => Err(text),
        Some(other) => panic!("{other:?}"),
    }
}

fn rewriter() -> Rewriter {
    Rewriter::new(OperatorTables::new(&[]), &[], Level::None)
}

#[test]
fn a_chain_that_differs_from_its_operators_is_named() {
    let x = vector();
    let y = call(&LIES, &call(&ADD, &x));
    for count in [3, 5000] {
        let function = Function::new(spec(&x, y.clone(), true), &rewriter()).expect("a function");
        let text = called(&function, count).expect_err("what differs");
        assert_eq!(
            text,
            "fused{add.Tensor, lies}(x) gives another result than one after the other"
        );
        // Whoever fuses nothing is told nothing of it.
        let apart = Function::new(spec(&x, y.clone(), false), &rewriter()).expect("a function");
        assert_eq!(called(&apart, count), Ok(()));
    }
}

#[test]
fn a_block_that_differs_from_its_node_is_named() {
    for (more, expected) in [
        (2.0, Ok(())),
        (3.0, Err("adds(x) gives another result than C code of the same".to_owned())),
    ] {
        let x = vector();
        let node = custom(Arc::new(Adds(2.0)), vec![x.clone()], vec![x.ty().clone()], None);
        let y = Variable::output(node, 0);
        let mut asked = 0;
        let mut back_end = |given: &[Variable], wanted: &[Variable]| {
            asked += 1;
            assert!(given == from_ref(&x) && wanted == from_ref(&y));
            let types = vec![x.ty().clone()];
            let block = custom(Arc::new(Adds(more)), given.to_vec(), types, None);
            Ok(vec![Variable::output(block, 0)])
        };
        let spec = spec(&x, y.clone(), false);
        let function = Function::with_back_end(spec, &rewriter(), Some(&mut back_end));
        let function = function.expect("a function");
        assert_eq!(asked, 1);
        assert_eq!(called(&function, 3), expected);
    }
}

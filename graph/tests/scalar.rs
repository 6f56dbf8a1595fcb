//! Functions of numbers alone: by instructions that are declared, and by the loops of operators.

mod rows;

use std::sync::Arc;

use opwright_graph::scalar::ir::Opcode;
use opwright_graph::scalar::{Instruction, declare};
use opwright_graph::{Function, GraphError, Host, NodeArgument, Variable, row};
use opwright_runtime::iterate::inner_loop;
use opwright_runtime::op::{Calculates, ElementLoop, Operator, Value};
use opwright_runtime::types::{Plain, TypeRef};

use crate::rows::{ADD, OTHER, PLAIN, TENSOR, binary};

static SUM: Operator = ADD;

/// An operator that is no instruction, and that panics for one number.
static PRODUCT: Operator = Operator {
    name: "product.Tensor",
    schema: "product.Tensor(Tensor self, Tensor other) -> Tensor",
    params: &[TENSOR, OTHER],
    call: |values| binary(values, product),
    inner_loop: Some(&ElementLoop {
        calculates: Calculates::InResult,
        make: |_, _, then| inner_loop::binary(product, then),
    }),
    ..PLAIN
};

fn product(a: f64, b: f64) -> f64 {
    assert!(a != 13.0, "an unlucky number");
    a * b
}

/// Numbers, and what is made of them.
struct NumberPolicy {
    given: [f64; 2],
    made: Vec<Value>,
}

impl Host for NumberPolicy {
    fn number(&mut self, input: usize) -> Option<f64> {
        Some(self.given[input])
    }

    fn accept(&mut self, input: usize) -> Result<Value, GraphError> {
        Ok(Value::Float(self.given[input]))
    }

    fn emit(&mut self, _: usize, value: Value) -> Result<(), GraphError> {
        self.made.push(value);
        Ok(())
    }
}

fn call(operator: &'static Operator, a: &Variable, b: &Variable) -> Variable {
    let arguments = vec![NodeArgument::Input(0), NodeArgument::Input(1)];
    let built = row(operator, vec![a.clone(), b.clone()], arguments, None).expect("a node");
    Variable::output(built.node, 0)
}

/// `(x + y) * y + x`, `x + y` and a constant.
fn example() -> Function {
    declare([(&SUM, Instruction::One(Opcode::FAdd))]);
    let ty: TypeRef = Arc::new(Plain::Double);
    let [x, y] = ["x", "y"].map(|it| Variable::new(ty.clone(), Some(it)));
    let sum = call(&SUM, &x, &y);
    let last = call(&SUM, &call(&PRODUCT, &sum, &y), &x);
    let constant = Variable::constant(ty, Value::Float(0.5), None);
    Function::planned(vec![x, y], vec![last, constant, sum], Vec::new())
}

#[test]
fn instructions_and_loops_have_the_bits_of_the_operators() {
    let function = example();
    let numbers = [0.0, -0.0, 1.5, -2.25, 1e308, f64::INFINITY, f64::NAN];
    for (x, y) in numbers.iter().flat_map(|x| numbers.map(|y| (*x, y))) {
        let mut host = NumberPolicy { given: [x, y], made: Vec::new() };
        function.call(&mut host).expect("numbers");
        let [Value::Float(last), Value::Float(constant), Value::Float(sum)] = host.made[..] else {
            panic!("three real numbers, not {:?}", host.made);
        };
        let alike = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        assert!(alike(sum, x + y) && alike(last, (x + y) * y + x), "{x} {y}: {last} {sum}");
        assert_eq!(constant, 0.5);
    }
}

#[test]
fn a_panic_of_a_loop_is_a_failure_of_its_node() {
    let function = example();
    let mut host = NumberPolicy { given: [6.0, 7.0], made: Vec::new() };
    let stopped = function.call(&mut host).expect_err("a panic");
    assert!(matches!(stopped.failure, GraphError::Unwound(_)));
}

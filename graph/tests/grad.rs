//! Gradients of graphs of a row that is written by hand: by a formula, and by running it recorded.

use std::sync::Arc;

use opwright_graph::grad::{Calculus, Request, grad};
use opwright_graph::{
    Event, Function, GraphError, Host, NodeArgument, Op, OperatorTables, Variable, row, view,
};
use opwright_runtime::autograd::{BackwardCtx, CustomFunction, ForwardCtx, PLAIN};
use opwright_runtime::op::{
    Formula, Formulas, Gradient, Operator, Param, Returned, Slot, Tree, Type, Value,
};
use opwright_runtime::types::{Plain, TensorType, TypeRef};
use opwright_runtime::{DType, Device, ErrorKind, Generator, Result, Tensor, iterate};

/// The product of two tensors.
struct Times;

fn times(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    Ok(Times.apply(&[a, b])?.remove(0))
}

impl CustomFunction for Times {
    fn forward(&mut self, ctx: &mut ForwardCtx, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        ctx.save_for_backward(inputs);
        if inputs.iter().any(|it| it.device().is_meta()) {
            let shape = inputs[0].shape();
            return Ok(vec![Tensor::allocate(shape, DType::Float64, Device::Meta)?]);
        }
        let mut out = inputs[0].copy()?;
        iterate::binary(inputs[0], inputs[1], &mut out, |a: f64, b: f64| a * b)?;
        Ok(vec![out])
    }

    fn backward(
        &self,
        ctx: &BackwardCtx<'_>,
        gradients: &[Option<Tensor>],
    ) -> Result<Vec<Option<Tensor>>> {
        let saved = ctx.saved_tensors()?;
        let Some(gradient) = &gradients[0] else { return Ok(vec![None, None]) };
        Ok(vec![Some(times(gradient, &saved[1])?), Some(times(gradient, &saved[0])?)])
    }
}

const RECORDED: Operator = Operator {
    name: "times",
    schema: "times(Tensor a, Tensor b) -> Tensor",
    params: &[Param::new(Slot::new("a", Type::Tensor)), Param::new(Slot::new("b", Type::Tensor))],
    results: &[Slot::new("", Type::Tensor)],
    tags: &[],
    functional: None,
    in_place: None,
    out: None,
    call: |values| {
        let (a, b) = (values[0].tensor()?, values[1].tensor()?);
        times(a, b)?.values()
    },
    types: None,
    inner_loop: None,
    reduction: None,
    gradient: Gradient::Composed,
    formulas: None,
};

static BY_RECORDING: Operator = RECORDED;

static BY_FORMULA: Operator = Operator { formulas: Some(formulas), ..RECORDED };

fn formulas() -> &'static Formulas {
    static FORMULAS: Formulas = Formulas(&[
        Formula { params: &[0], tree: Tree::Call(&BY_FORMULA, &[Tree::Grad(0), Tree::Param(1)]) },
        Formula { params: &[1], tree: Tree::Call(&BY_FORMULA, &[Tree::Param(0), Tree::Grad(0)]) },
    ]);
    &FORMULAS
}

static UNWRITTEN: Operator = Operator { gradient: Gradient::NotImplemented, ..RECORDED };
static FLAT: Operator = Operator { gradient: Gradient::None, ..RECORDED };

/// The product, times a number that is drawn.
static DRAWN: Operator = Operator {
    tags: &["nondeterministic_seeded"],
    call: |values| {
        let (a, b) = (values[0].tensor()?, values[1].tensor()?);
        if a.device().is_meta() {
            return times(a, b)?.values();
        }
        let drawn = Tensor::from_slice(&[], &[Generator::default_cpu().reserve(1).unit_f64(0)])?;
        times(&times(a, b)?, &drawn)?.values()
    },
    ..RECORDED
};

const CALCULUS: Calculus = Calculus {
    arithmetic: PLAIN,
    sum: None,
    rows: OperatorTables::new(&[]),
    rules: &[],
    ops: None,
};

fn number(name: &str) -> Variable {
    Variable::new(TensorType::new(DType::Float64, []).shared(), Some(name))
}

fn product(of: &'static Operator, a: &Variable, b: &Variable) -> Variable {
    let arguments = vec![NodeArgument::Input(0), NodeArgument::Input(1)];
    let built = row(of, vec![a.clone(), b.clone()], arguments, None).expect("a product");
    Variable::output(built.node, 0)
}

/// The gradients of a cost; fails where the cost does not depend on a variable.
fn gradients(cost: &Variable, wrt: &[&Variable]) -> std::result::Result<Vec<Variable>, GraphError> {
    let wrt: Vec<Variable> = wrt.iter().copied().cloned().collect();
    let request = Request { cost: Some(cost), wrt: &wrt, known: &[], constant: &[], place: None };
    let found = grad(&request, CALCULUS)?;
    assert!(found.disconnected.is_empty(), "{:?}", found.disconnected);
    Ok(found.gradients)
}

fn refusal(found: std::result::Result<Vec<Variable>, GraphError>) -> (ErrorKind, String) {
    match found {
        Err(GraphError::Op(error)) => (error.kind(), error.message().to_owned()),
        other => panic!("an error of an operator, not {other:?}"),
    }
}

struct Caller(Vec<Value>, Vec<f64>);

impl Host for Caller {
    fn accept(&mut self, input: usize) -> std::result::Result<Value, GraphError> {
        Ok(self.0[input].clone())
    }

    fn emit(&mut self, _: usize, value: Value) -> std::result::Result<(), GraphError> {
        let number = match value {
            Value::Tensor(it) => it.to_scalar()?.to_f64()?,
            other => other.float()?,
        };
        self.1.push(number);
        Ok(())
    }

    fn event(&mut self, _: Event, _: &str) -> std::result::Result<(), GraphError> {
        Ok(())
    }
}

fn run(outputs: Vec<Variable>, given: &[(&Variable, f64)]) -> Vec<f64> {
    let inputs = given.iter().map(|(it, _)| (*it).clone()).collect();
    let value = |it: &(&Variable, f64)| match it.0.ty().downcast::<Plain>() {
        Some(_) => Value::Float(it.1),
        None => Value::Tensor(Tensor::from_slice(&[], &[it.1]).expect("room")),
    };
    let mut caller = Caller(given.iter().map(value).collect(), Vec::new());
    let done = Function::planned(inputs, outputs, Vec::new()).call(&mut caller);
    if let Err(stopped) = done {
        panic!("{:?}", stopped.failure);
    }
    caller.1
}

#[test]
fn gradients_of_any_order_are_right() {
    for of in [&BY_RECORDING, &BY_FORMULA] {
        let (x, y) = (number("x"), number("y"));
        let xy = product(of, &x, &y);
        let cost = product(of, &xy, &x);
        let given = [(&x, 2.0), (&y, 3.0)];
        let first = gradients(&cost, &[&x, &y]).unwrap();
        assert_eq!(run(first.clone(), &given), [12.0, 4.0]);
        let second = gradients(&first[0], &[&x, &y]).unwrap();
        assert_eq!(run(second.clone(), &given), [6.0, 4.0]);
        let third = gradients(&second[1], &[&x]).unwrap();
        assert_eq!(run(third, &given), [2.0]);
    }
}

#[test]
fn formulas_make_nodes_of_rows() {
    let (x, y) = (number("x"), number("y"));
    let op = |of| {
        let found = gradients(&product(of, &x, &y), &[&x]).unwrap();
        found[0].owner().expect("a node").0.op().to_string()
    };
    assert_eq!((op(&BY_FORMULA), op(&BY_RECORDING)), ("times".to_owned(), "vjp".to_owned()));
}

#[test]
fn one_tensor_stands_for_two_variables() {
    let (x, y) = (number("x"), number("y"));
    let found = gradients(&product(&BY_RECORDING, &x, &y), &[&x, &y]).unwrap();
    let tensor = Tensor::from_slice(&[], &[5.0]).unwrap();
    tensor.set_requires_grad(true).unwrap();
    let value = Value::Tensor(tensor.clone());
    let mut caller = Caller(vec![value.clone(), value], Vec::new());
    assert!(Function::planned(vec![x, y], found, Vec::new()).call(&mut caller).is_ok());
    assert_eq!(caller.1, [5.0, 5.0]);
    assert!(tensor.grad().is_none());
}

#[test]
fn what_was_drawn_is_drawn_again() {
    let (x, y) = (number("x"), number("y"));
    let cost = product(&DRAWN, &x, &y);
    let first = gradients(&cost, &[&x, &y]).unwrap();
    let second = gradients(&first[0], &[&y]).unwrap();
    let outputs = [&[cost][..], &first, &second].concat();
    let given = [(&x, 2.0), (&y, 3.0)];
    let found = run(outputs.clone(), &given);
    let drawn = found[0] / 6.0;
    assert_eq!(found, [6.0 * drawn, 3.0 * drawn, 2.0 * drawn, drawn]);
    assert_ne!(run(outputs, &given)[0], found[0]);
}

#[test]
fn a_view_hands_gradients_on() {
    let x = number("x");
    let cost = product(&BY_FORMULA, &view(&x, None), &x);
    let found = gradients(&cost, &[&x]).unwrap();
    assert_eq!(run(found, &[(&x, 3.0)]), [6.0]);
}

#[test]
fn numbers_have_gradients() {
    let double: TypeRef = Arc::new(Plain::Double);
    let (x, y) = (Variable::new(double.clone(), Some("x")), Variable::new(double, Some("y")));
    let cost = product(&BY_FORMULA, &x, &y);
    assert!(cost.ty().downcast::<Plain>().is_some());
    let found = gradients(&product(&BY_FORMULA, &cost, &x), &[&x, &y]).unwrap();
    assert_eq!(run(found, &[(&x, 2.0), (&y, 3.0)]), [12.0, 4.0]);
}

#[test]
fn equal_nodes_are_told() {
    let (x, y) = (number("x"), number("y"));
    let node = || {
        let found = gradients(&product(&BY_RECORDING, &x, &y), &[&x]).unwrap();
        found[0].owner().expect("a node").0.clone()
    };
    let (a, b) = (node(), node());
    let (Op::Custom(a), Op::Custom(b)) = (a.op(), b.op()) else { panic!("both are vjp") };
    assert!(a.same(&**b));
    assert_eq!(a.settings(), [("of".to_owned(), "times".to_owned())]);
    assert_eq!(a.views(0), [0, 1, 2]);
}

#[test]
fn what_has_no_gradient_is_refused() {
    let (x, y) = (number("x"), number("y"));
    let (kind, text) = refusal(gradients(&product(&UNWRITTEN, &x, &y), &[&x]));
    assert_eq!(kind, ErrorKind::NotImplemented);
    assert!(text.contains("`times` is not implemented"), "{text}");
    let flat = product(&FLAT, &x, &y);
    let request = Request { cost: Some(&flat), wrt: &[x], known: &[], constant: &[], place: None };
    assert_eq!(grad(&request, CALCULUS).expect("zeros").disconnected, [0]);
}

#[test]
fn costs_are_numbers() {
    let vector = Variable::new(TensorType::new(DType::Float64, [None]).shared(), Some("v"));
    let (kind, text) = refusal(gradients(&vector, &[&vector]));
    assert_eq!(kind, ErrorKind::Type);
    assert!(text.contains("a cost has no dimensions, and v is"), "{text}");
    let whole = Variable::new(TensorType::new(DType::Int64, []).shared(), Some("n"));
    let (kind, text) = refusal(gradients(&whole, &[]));
    assert_eq!(kind, ErrorKind::Value);
    assert!(text.starts_with("cost: n is"), "{text}");
    let (_, text) = refusal(gradients(&number("x"), &[&whole]));
    assert!(text.starts_with("wrt: n is"), "{text}");
    let request = Request { cost: None, wrt: &[], known: &[], constant: &[], place: None };
    assert!(grad(&request, CALCULUS).is_err());
}

#[test]
fn known_gradients_and_constants() {
    let (x, y, seed) = (number("x"), number("y"), number("seed"));
    let cost = product(&BY_FORMULA, &x, &y);
    let known = [(cost.clone(), seed.clone())];
    let wrt = [x.clone()];
    let request = Request { cost: None, wrt: &wrt, known: &known, constant: &[], place: None };
    let found = grad(&request, CALCULUS).expect("a gradient").gradients;
    assert_eq!(run(found, &[(&y, 3.0), (&seed, 2.0)]), [6.0]);
    let squared = product(&BY_FORMULA, &cost, &x);
    let constant = [cost];
    let (cost, known) = (Some(&squared), &[]);
    let request = Request { cost, wrt: &wrt, known, constant: &constant, place: None };
    let found = grad(&request, CALCULUS).expect("a gradient").gradients;
    assert_eq!(run(found, &[(&x, 2.0), (&y, 3.0)]), [6.0]);
}

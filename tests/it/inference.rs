//! Inference is sound: with extents hidden, the types that are inferred have the results that
//! operators give.

use std::collections::BTreeMap;
use std::fmt::Write;

use opwright_graph::infer::{Inferred, infer};
use opwright_graph::{NodeArgument, Variable};
use opwright_ops::OPERATORS;
use opwright_runtime::DType;
use opwright_runtime::op::{Operator, Param, Value};
use opwright_runtime::types::{TensorType, TypeRef};

use opwright_tests::opcheck::opcheck;

/// Which extents are hidden: a coin for each, always the same ones.
struct Coin(u64);

impl Coin {
    fn is_heads(&mut self) -> bool {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 63 == 1
    }
}

/// The arguments of a call with variables in the place of tensors.
struct Masked<'a> {
    coin: &'a mut Coin,
    inputs: Vec<Variable>,
}

impl Masked<'_> {
    fn argument(&mut self, value: &Value) -> NodeArgument {
        match value {
            Value::Tensor(it) if it.ndim() == 0 && is_read(it.dtype()) => {
                // Its value says how large a result is: it is known.
                let ty = TensorType::of(it).shared();
                self.input(Variable::constant(ty, value.clone(), None))
            }
            Value::Tensor(it) => {
                let extents = it.shape().iter();
                let shape: Vec<_> =
                    extents.map(|it| (!self.coin.is_heads()).then_some(*it)).collect();
                self.input(Variable::new(TensorType::new(it.dtype(), shape).shared(), None))
            }
            Value::List(items) if !value.tensors().is_empty() => {
                NodeArgument::List(items.iter().map(|it| self.argument(it)).collect())
            }
            value => NodeArgument::Value(value.clone()),
        }
    }

    fn input(&mut self, variable: Variable) -> NodeArgument {
        self.inputs.push(variable);
        NodeArgument::Input(self.inputs.len() - 1)
    }
}

fn is_read(dtype: DType) -> bool {
    dtype.is_integral()
}

#[derive(Default)]
struct Tally {
    inferred: usize,
    refused: BTreeMap<&'static str, String>,
    refusals: usize,
    unsound: Vec<String>,
}

impl Tally {
    fn call(&mut self, row: &'static Operator, mut values: Vec<Value>, coin: &mut Coin) {
        let mut masked = Masked { coin, inputs: Vec::new() };
        let arguments: Vec<NodeArgument> = values.iter().map(|it| masked.argument(it)).collect();
        let Ok(results) = (row.call)(&mut values) else { return };
        match infer(row, &masked.inputs, &arguments) {
            Ok(Inferred { types, lists }) => {
                self.inferred += 1;
                if !fit(&types, &lists, &results) {
                    self.unsound.push(format!("{}: {types:?} of {:?}", row.name, masked.inputs));
                }
            }
            Err(error) => {
                self.refusals += 1;
                self.refused.entry(row.name).or_insert_with(|| error.to_string());
            }
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{} calls inferred, {} refused, {} unsound\n",
            self.inferred,
            self.refusals,
            self.unsound.len()
        );
        for (name, error) in &self.refused {
            writeln!(text, "{name}: {error}").expect("a string takes everything");
        }
        for unsound in &self.unsound {
            writeln!(text, "unsound: {unsound}").expect("a string takes everything");
        }
        text
    }
}

/// Whether values are of the types of results.
fn fit(types: &[TypeRef], lists: &[Option<usize>], results: &[Value]) -> bool {
    let mut flat = Vec::new();
    for (list, result) in lists.iter().zip(results) {
        match (list, result) {
            (Some(count), Value::List(items)) if items.len() == *count => flat.extend(items),
            (Some(_), _) => return false,
            (None, one) => flat.push(one),
        }
    }
    flat.len() == types.len() && types.iter().zip(flat).all(|(ty, value)| ty.has(value))
}

#[test]
fn inference_is_sound() {
    let opcheck = opcheck();
    let mut tally = Tally::default();
    let mut coin = Coin(7);
    let functional = |it: &&Operator| it.is_callable() && !it.mutates() && !it.results.is_empty();
    for row in OPERATORS.iter().filter(functional) {
        for arguments in opcheck.calls(row) {
            let given = arguments.values().expect("arguments fit into memory");
            let named: BTreeMap<&str, Value> = given.into_iter().collect();
            let default = |it: &Param| it.default.map_or(Value::None, |it| it.value());
            let value =
                |it: &Param| named.get(it.slot.name).cloned().unwrap_or_else(|| default(it));
            tally.call(row, row.params.iter().map(value).collect(), &mut coin);
        }
    }
    let text = tally.text();
    println!("{text}");
    assert!(tally.unsound.is_empty(), "{text}");
    assert!(tally.inferred * 100 >= (tally.inferred + tally.refusals) * 95, "{text}");
}

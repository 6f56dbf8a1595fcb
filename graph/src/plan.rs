//! What a function does, step by step.

use std::collections::HashMap;
use std::sync::Arc;

use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::Plain;
use opwright_runtime::{Result, buffer};

use crate::apply::Apply;
use crate::argument::Argument;
use crate::failure::Failure;
use crate::fit::{Numbers, fit};
use crate::frame::Frame;
use crate::op::{Op, Values};
use crate::variable::{Key, Variable};

/// The slots of a frame, and the nodes that fill them.
pub(crate) struct Plan {
    /// The variables of the slots, in the order in which they are entered: those given, those
    /// shared, those computed.
    pub(crate) slots: Vec<Variable>,
    /// How many slots are shared variables, behind those that are given.
    pub(crate) shared: usize,
    /// The nodes in order.
    pub(crate) steps: Vec<Step>,
}

/// A node that runs.
pub(crate) struct Step {
    pub(crate) node: Arc<Apply>,
    arguments: Vec<Source>,
    /// The first slot of its results.
    first: usize,
    numbers: Numbers,
    /// Slots that nobody reads any more.
    pub(crate) dying: Vec<usize>,
}

/// Where an argument comes from.
enum Source {
    Slot(usize, Option<Type>),
    Value(Value),
    List(Vec<Source>),
}

impl Plan {
    /// For what computes `wanted` from `given`.
    pub(crate) fn new(given: &[Variable], shared: &[Variable], nodes: &[Arc<Apply>]) -> Plan {
        let mut slots: Vec<Variable> = given.iter().chain(shared).cloned().collect();
        slots.extend(nodes.iter().flat_map(Apply::results));
        let at: HashMap<Key, usize> =
            slots.iter().enumerate().rev().map(|(at, it)| (it.key(), at)).collect();
        let steps = nodes.iter().map(|node| Step::new(node, &at)).collect();
        Plan { slots, shared: shared.len(), steps }
    }
}

impl Step {
    fn new(node: &Arc<Apply>, slots: &HashMap<Key, usize>) -> Step {
        let first = slots[&Variable::output(node.clone(), 0).key()];
        let (arguments, numbers) = match node.op() {
            Op::Row(row) => {
                let numbers = numbers_of(node, row);
                let pairs = node.arguments().iter().zip(row.params);
                let sources = pairs.map(|(argument, param)| {
                    Source::of(argument, node.inputs(), slots, param.slot.ty, numbers)
                });
                (sources.collect(), numbers)
            }
            Op::Custom(_) => {
                let sources = node.inputs().iter().map(|it| Source::of_input(it, slots, None));
                (sources.collect(), Numbers::GiveWay)
            }
        };
        Step { node: node.clone(), arguments, first, numbers, dying: Vec::new() }
    }

    /// Computes the results and puts them into their slots.
    pub(crate) fn run(&self, frame: &mut Frame) -> Result<(), Failure> {
        let mut values = Vec::with_capacity(self.arguments.len());
        for argument in &self.arguments {
            values.push(argument.value(frame, self.numbers)?);
        }
        let results = match self.node.op() {
            Op::Row(row) => flat((row.call)(&mut values)?),
            Op::Custom(op) => op.perform(&self.node, &values)?,
        };
        for (at, result) in results.into_iter().enumerate() {
            frame.put(self.first + at, self.number(result)?);
        }
        self.dying.iter().for_each(|slot| frame.put(*slot, Value::None));
        Ok(())
    }

    /// A result of numbers is a number.
    fn number(&self, result: Value) -> Result<Value> {
        match (self.numbers, result) {
            (Numbers::Count, Value::Tensor(it)) => Ok(it.to_scalar()?.into()),
            (_, result) => Ok(result),
        }
    }
}

/// What numbers are among the arguments of a node of a row.
pub(crate) fn numbers_of(node: &Apply, row: &Operator) -> Numbers {
    let all = node.outputs().iter().zip(row.results).all(|(output, result)| {
        result.ty == Type::Tensor && output.ty().downcast::<Plain>().is_some()
    });
    if all { Numbers::Count } else { Numbers::GiveWay }
}

/// Lists of tensors are so many results.
pub(crate) fn flat(results: Vec<Value>) -> Values {
    let mut flat = Values::new();
    for result in results {
        match result {
            Value::List(items) if matches!(items.first(), Some(Value::Tensor(_))) => {
                flat.extend(items);
            }
            one => flat.push(one),
        }
    }
    flat
}

/// Of a list the type of an element.
fn element(ty: Type) -> Type {
    match ty {
        Type::Optional(inner) => element(*inner),
        Type::List(element, _) => *element,
        ty => ty,
    }
}

impl Source {
    fn of(
        argument: &Argument,
        inputs: &[Variable],
        slots: &HashMap<Key, usize>,
        ty: Type,
        numbers: Numbers,
    ) -> Source {
        match argument {
            Argument::Input(at) => match inputs[*at].as_constant() {
                // What cannot be made of it now is reported when it is wanted.
                Some(value) => match fit(value.clone(), &ty, numbers) {
                    Ok(value) => Source::Value(value),
                    Err(_) => Source::Value(value.clone()),
                },
                None => Source::of_input(&inputs[*at], slots, Some(ty)),
            },
            Argument::Value(value) => Source::Value(value.clone()),
            Argument::List(items) => {
                let element = element(ty);
                let items = items.iter().map(|it| Source::of(it, inputs, slots, element, numbers));
                Source::List(items.collect())
            }
        }
    }

    fn of_input(input: &Variable, slots: &HashMap<Key, usize>, ty: Option<Type>) -> Source {
        match (input.as_constant(), slots.get(&input.key())) {
            (Some(value), _) => Source::Value(value.clone()),
            (None, Some(slot)) => Source::Slot(*slot, ty),
            (None, None) => Source::Value(Value::None),
        }
    }

    fn value(&self, frame: &Frame, numbers: Numbers) -> Result<Value> {
        match self {
            Source::Slot(slot, Some(ty)) => fit(frame.get(*slot).clone(), ty, numbers),
            Source::Slot(slot, None) => Ok(frame.get(*slot).clone()),
            Source::Value(value) => Ok(value.clone()),
            Source::List(items) => {
                buffer::try_collected(items.iter().map(|it| it.value(frame, numbers)))
                    .map(Value::List)
            }
        }
    }
}

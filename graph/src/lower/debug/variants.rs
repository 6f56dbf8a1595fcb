//! Variants that the debug mode compares: unfused chains, compiled nodes.

use std::ops::Range;
use std::sync::Arc;

use opwright_runtime::Result;
use opwright_runtime::op::Value;

use crate::lower::fuse::chains;
use crate::model::apply::Apply;
use crate::model::error::{GraphError, Violation};
use crate::model::op::Results;
use crate::model::variable::Variable;
use crate::run::error::ExecutionError;
use crate::run::function::Function;
use crate::run::host::Host;

/// What stands for variables that are to be computed of others: so many of the same types.
pub type BackEnd<'a> =
    dyn FnMut(&[Variable], &[Variable]) -> Result<Vec<Variable>, GraphError> + 'a;

/// The chains of a graph, each with its operators one after the other.
pub(super) struct Chains {
    /// What gives all that the chains are given.
    before: Function,
    each: Vec<Chain>,
}

struct Chain {
    node: Arc<Apply>,
    given: Range<usize>,
    joined: Function,
    apart: Function,
}

impl Chains {
    /// Those of a graph, if it has any.
    pub(super) fn of(inputs: &[Variable], outputs: &[Variable]) -> Option<Chains> {
        let mut all: Vec<Variable> = Vec::new();
        let each: Vec<Chain> = chains(inputs, outputs)
            .into_iter()
            .map(|(node, stands_for)| {
                let given = node.inputs().to_vec();
                let first = all.len();
                all.extend(given.iter().cloned());
                let joined = Function::planned(given.clone(), node.results(), Vec::new());
                let apart = Function::planned(given, stands_for, Vec::new());
                Chain { node, given: first..all.len(), joined, apart }
            })
            .collect();
        let before = Function::planned(inputs.to_vec(), all, Vec::new());
        (!each.is_empty()).then_some(Chains { before, each })
    }

    /// Compares both forms of each.
    pub(super) fn compare(&self, given: &[&Value]) -> Result<(), GraphError> {
        // What fails does so again when the nodes run one by one.
        let Ok(values) = computed(&self.before, given) else { return Ok(()) };
        for chain in &self.each {
            let given: Vec<&Value> = values[chain.given.clone()].iter().collect();
            let Ok(expected) = computed(&chain.apart, &given) else { continue };
            let found = computed(&chain.joined, &given).map_err(|it| it.failure)?;
            if differing(chain.apart.outputs(), &expected, &found).is_some() {
                let text = format!("{} gives another result than one after the other", chain.node);
                return Err(GraphError::Violation(Violation::Result, text));
            }
        }
        Ok(())
    }
}

/// What a back end made of a node.
pub(super) struct Compiled {
    function: Function,
    /// For each of its inputs the argument of the node that it is.
    places: Vec<usize>,
}

impl Compiled {
    /// That of a node, if there is one.
    pub(super) fn of(
        node: &Arc<Apply>,
        back_end: &mut BackEnd<'_>,
    ) -> Result<Option<Compiled>, GraphError> {
        let mut given: Vec<Variable> = Vec::new();
        let mut places = Vec::new();
        for (at, input) in node.inputs().iter().enumerate() {
            if input.as_constant().is_none() && !given.contains(input) {
                given.push(input.clone());
                places.push(at);
            }
        }
        let results = node.results();
        let made = back_end(&given, &results)?;
        let function = (made != results).then(|| Function::planned(given, made, Vec::new()));
        Ok(function.map(|function| Compiled { function, places }))
    }

    /// Its results for the arguments of the node.
    pub(super) fn run(&self, arguments: &[Value]) -> Result<Results, GraphError> {
        let given = self.places.iter().map(|it| arguments[*it].clone()).collect();
        let mut host = ValueHost { given, results: Vec::new() };
        self.function.call(&mut host).map_err(|it| it.failure)?;
        Ok(host.results.into_iter().collect())
    }
}

/// What a function gives for copies of these.
pub(super) fn computed(
    function: &Function,
    given: &[&Value],
) -> Result<Vec<Value>, Box<ExecutionError>> {
    let pairs = function.inputs().iter().zip(given);
    let given = pairs.map(|(variable, value)| variable.ty().deep_copy(value));
    let given = given.collect::<Result<_>>().map_err(GraphError::from)?;
    let mut host = ValueHost { given, results: Vec::new() };
    function.call(&mut host)?;
    Ok(host.results)
}

/// The first of several variables of which there are different values.
pub(super) fn differing(of: &[Variable], expected: &[Value], found: &[Value]) -> Option<usize> {
    let pairs = of.iter().zip(expected.iter().zip(found));
    pairs.into_iter().position(|(variable, (a, b))| !variable.ty().close(a, b))
}

/// Gives a function values, and takes those that it gives.
struct ValueHost {
    given: Vec<Value>,
    results: Vec<Value>,
}

impl Host for ValueHost {
    fn accept(&mut self, input: usize) -> Result<Value, GraphError> {
        Ok(std::mem::replace(&mut self.given[input], Value::None))
    }

    fn emit(&mut self, _output: usize, value: Value) -> Result<(), GraphError> {
        self.results.push(value);
        Ok(())
    }
}

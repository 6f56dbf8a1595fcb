//! The debug mode: every node runs alone, on copies, and is compared with its declaration.

mod variants;

use std::collections::HashMap;
use std::sync::Arc;

use opwright_runtime::op::{Operator, Value};
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::types::{Coerce, TensorType, Type, TypeRef};
use opwright_runtime::{Result, Tensor};

pub use self::variants::BackEnd;
use self::variants::{Chains, Compiled, computed, differing};
use crate::lower::alias::viewed;
use crate::model::apply::Apply;
use crate::model::error::{GraphError, Violation};
use crate::model::op::{Op, Results};
use crate::model::variable::Variable;
use crate::rewrite::Rewriter;
use crate::run::error::ExecutionError;
use crate::run::frame::{Frame, StepArguments};
use crate::run::function::Function;
use crate::run::observer::NodeObserver;
use crate::run::plan::ExecutionPlan;
use crate::run::step::NodeStep;

/// What a function in debug mode looks at.
pub(crate) struct Debug {
    rewriter: Rewriter,
    inputs: Vec<Variable>,
    /// The graph as it was built, and as it was made simpler.
    built: Vec<Variable>,
    functions: Option<Box<[Function; 2]>>,
    /// What would run as one.
    chains: Option<Box<Chains>>,
    /// What a back end made of nodes, by their numbers.
    compiled: HashMap<u64, Compiled>,
}

impl Debug {
    pub(crate) fn new(
        rewriter: &Rewriter,
        inputs: &[Variable],
        built: &[Variable],
        simple: &[Variable],
        fused: bool,
    ) -> Result<Debug, GraphError> {
        let planned =
            |outputs: &[Variable]| Function::planned(inputs.to_vec(), outputs.to_vec(), Vec::new());
        let is_same = built == simple;
        let functions = (!is_same).then(|| Box::new([planned(built), planned(simple)]));
        let functions = functions.filter(|it| it[0].nodes().all(|it| is_deterministic(it.op())));
        let debug = Debug {
            rewriter: rewriter.clone(),
            inputs: inputs.to_vec(),
            built: built.to_vec(),
            functions,
            chains: if fused { Chains::of(inputs, simple).map(Box::new) } else { None },
            compiled: HashMap::new(),
        };
        debug.check_hashes()?;
        Ok(debug)
    }

    /// Lets a back end make what it can of each node.
    pub(crate) fn compile<'a>(
        &mut self,
        nodes: impl Iterator<Item = &'a Arc<Apply>>,
        back_end: &mut BackEnd<'_>,
    ) -> Result<(), GraphError> {
        for node in nodes {
            if let Some(made) = Compiled::of(node, back_end)? {
                self.compiled.insert(node.id(), made);
            }
        }
        Ok(())
    }

    /// Equal types have equal hashes.
    fn check_hashes(&self) -> Result<(), GraphError> {
        let planned = Function::planned(self.inputs.clone(), self.built.clone(), Vec::new());
        let slots = &planned.plan.slots;
        for (at, one) in slots.iter().enumerate() {
            for other in &slots[..at] {
                let (a, b) = (one.ty(), other.ty());
                if a.equals(&**b) && a.hash_code() != b.hash_code() {
                    return Err(GraphError::Violation(
                        Violation::Type,
                        format!("{a} and {b} are equal, but not their hashes"),
                    ));
                }
            }
        }
        Ok(())
    }

    fn compare_rewritten(&self, given: &[&Value]) -> Result<(), GraphError> {
        let Some(functions) = &self.functions else { return Ok(()) };
        let Ok(expected) = computed(&functions[0], given) else { return Ok(()) };
        let Ok(found) = computed(&functions[1], given) else { return Ok(()) };
        let Some(at) = differing(&self.built, &expected, &found) else { return Ok(()) };
        let culprit = self.culprit(given, &expected);
        let culprit =
            culprit.map_or_else(|| "a rewrite".to_owned(), |it| format!("rewrite '{it}'"));
        Err(GraphError::Violation(
            Violation::Rewrite,
            format!("{culprit} changes the value of {}", self.built[at]),
        ))
    }

    /// The rule that alone changes what comes out.
    fn culprit(&self, given: &[&Value], expected: &[Value]) -> Option<String> {
        self.rewriter.each().find_map(|(name, alone)| {
            let outputs = alone.run(&self.inputs, self.built.clone()).ok()?.outputs;
            let function = Function::planned(self.inputs.clone(), outputs, Vec::new());
            let found = computed(&function, given).ok()?;
            differing(&self.built, expected, &found).map(|_| name)
        })
    }

    fn looked_at(&self, step: &NodeStep, given: &StepArguments) -> Result<Results, GraphError> {
        let types = ValueTypes::of(step);
        let compiled = self.compiled.get(&step.node.id());
        let run = |passed: &mut [Value]| match compiled {
            Some(only) if !step.node.op().performs() => only.run(passed),
            _ => strictly(step, passed),
        };
        let results = checked(step, &types, given, &run)?;
        if is_deterministic(step.node.op()) {
            let mut again = types.copies(given)?;
            compare(step, &results, &run(&mut again)?, "another call")?;
            if let Some(compiled) = compiled {
                let found = checked(step, &types, given, &|it| compiled.run(it))?;
                compare(step, &results, &found, "C code")?;
            }
            if let Op::Row(row) = step.node.op() {
                self.compare_forms(step, row, &types, given, &results)?;
            }
        }
        Ok(results)
    }

    /// Compares with the forms of an operator that write.
    fn compare_forms(
        &self,
        step: &NodeStep,
        row: &Operator,
        types: &ValueTypes<'_>,
        given: &StepArguments,
        results: &Results,
    ) -> Result<(), GraphError> {
        let [Value::Tensor(result)] = results.as_slice() else { return Ok(()) };
        for name in [row.in_place, row.out].into_iter().flatten() {
            let Some(form) = self.rewriter.rows().find(name) else { continue };
            let mut passed = types.copies(given)?;
            let Some(values) = arguments(row, form, &mut passed, result)? else { continue };
            let mut values = values;
            // What cannot be written to says so; that is no other result.
            if (form.call)(&mut values).is_err() {
                continue;
            }
            let written = form.params.iter().position(|it| it.slot.writes);
            if let Some(written) = written {
                let found = Results::from_iter([values.swap_remove(written)]);
                compare(step, results, &found, name)?;
            }
        }
        Ok(())
    }
}

impl NodeObserver for Debug {
    /// Compares what the graph gives that was made simpler with what was built.
    fn entered(&self, frame: &Frame) -> Result<(), GraphError> {
        let given: Vec<&Value> = (0..self.inputs.len()).map(|it| frame.get(it)).collect();
        self.compare_rewritten(&given)?;
        self.chains.as_ref().map_or(Ok(()), |it| it.compare(&given))
    }

    /// Runs a node and looks at what it does.
    fn run(
        &self,
        _at: usize,
        step: &NodeStep,
        _plan: &ExecutionPlan,
        frame: &mut Frame,
    ) -> Result<(), Box<ExecutionError>> {
        let given = match step.arguments(frame) {
            Ok(given) => given,
            Err(error) => return Err(step.stopped(error.into(), &[])),
        };
        match self.looked_at(step, &given) {
            Ok(results) => {
                step.put(results, frame);
                Ok(())
            }
            Err(failure) => Err(step.stopped(failure, &given)),
        }
    }

    /// Whether a value that is handed out is one of its type.
    fn emitted(&self, ty: &TypeRef, value: &Value) -> Result<(), GraphError> {
        match ty.accept(value.clone(), Coerce::Strict) {
            Ok(_) => Ok(()),
            Err(refusal) => Err(GraphError::Violation(
                Violation::Type,
                format!("{ty} refuses a result: {refusal}"),
            )),
        }
    }
}

/// The results of a run on copies, which writes to nothing that it should not, and whose results are
/// of their types.
fn checked(
    step: &NodeStep,
    types: &ValueTypes<'_>,
    given: &StepArguments,
    run: &dyn Fn(&mut [Value]) -> Result<Results, GraphError>,
) -> Result<Results, GraphError> {
    let mut passed = types.copies(given)?;
    let results = run(&mut passed)?;
    for (at, value) in given.iter().enumerate() {
        let may_write = matches!(step.node.op(), Op::Custom(op) if op.destroys(at));
        if !may_write && !types.same(at, value, &passed[at]) {
            let text = format!("{} writes to its argument {at} and does not say so", step.node);
            return Err(GraphError::Violation(Violation::Write, text));
        }
    }
    for (at, result) in results.iter().enumerate() {
        let ty = step.node.outputs()[at].ty();
        if !ty.has(result) {
            return Err(GraphError::Violation(
                Violation::Type,
                format!("{} gives no {ty}", step.node),
            ));
        }
        check_views(step, types, at, result, &passed)?;
    }
    Ok(results)
}

/// The arguments of a form that writes to its first tensor, or to one that is passed for that; none
/// if its first tensor has no room for the result.
fn arguments(
    row: &Operator,
    form: &Operator,
    passed: &mut [Value],
    result: &Tensor,
) -> Result<Option<Vec<Value>>> {
    let mut values = Vec::new();
    for param in form.params {
        let at = row.params.iter().position(|it| it.slot.name == param.slot.name);
        let value = match at {
            Some(at) if !param.is_out => std::mem::replace(&mut passed[at], Value::None),
            _ => Value::Tensor(Tensor::zeroed(result.shape(), result.dtype(), result.device())?),
        };
        if param.slot.writes && !param.is_out {
            let fits = matches!(&value, Value::Tensor(it)
                if it.shape() == result.shape() && it.dtype() == result.dtype());
            if !fits {
                return Ok(None);
            }
        }
        values.push(value);
    }
    Ok(Some(values))
}

fn strictly(step: &NodeStep, values: &mut [Value]) -> Result<Results, GraphError> {
    let Op::Custom(op) = step.node.op() else { return step.call(values) };
    match op.perform_strictly(&step.node, values) {
        Err(GraphError::Refused(refusal)) => {
            Err(GraphError::Violation(Violation::Type, format!("{}: {refusal}", step.node)))
        }
        done => done,
    }
}

fn compare(
    step: &NodeStep,
    expected: &Results,
    found: &Results,
    what: &str,
) -> Result<(), GraphError> {
    let outputs = step.node.outputs().iter();
    for (output, (a, b)) in outputs.zip(expected.iter().zip(found)) {
        if !output.ty().close(a, b) {
            let text = format!("{} gives another result than {what} of the same", step.node);
            return Err(GraphError::Violation(Violation::Result, text));
        }
    }
    Ok(())
}

fn check_views(
    step: &NodeStep,
    types: &ValueTypes<'_>,
    output: usize,
    result: &Value,
    passed: &[Value],
) -> Result<(), GraphError> {
    let declared = viewed(&step.node, output);
    for (at, value) in passed.iter().enumerate() {
        let may = match step.node.op() {
            Op::Custom(_) => declared.contains(&at),
            // Operands that are no inputs are values, whose memory nobody else has.
            Op::Row(row) => !row.results.iter().all(|it| !it.sets.meet(row.params[at].slot.sets)),
        };
        if !may && types.alias(at, result, value) {
            let text = format!(
                "result {output} of {} shares memory with argument {at} and does not say so",
                step.node
            );
            return Err(GraphError::Violation(Violation::View, text));
        }
    }
    Ok(())
}

fn is_deterministic(op: &Op) -> bool {
    match op {
        Op::Row(row) => !row.is_random(),
        Op::Custom(_) => true,
    }
}

/// The types of what a node is called with.
struct ValueTypes<'a>(&'a NodeStep);

impl<'a> ValueTypes<'a> {
    fn of(step: &'a NodeStep) -> ValueTypes<'a> {
        ValueTypes(step)
    }

    /// Of what is no operator; the values of operators speak for themselves.
    fn get(&self, at: usize) -> Option<&'a TypeRef> {
        match self.0.node.op() {
            Op::Custom(_) => self.0.node.inputs().get(at).map(Variable::ty),
            Op::Row(_) => None,
        }
    }

    fn copies(&self, values: &[Value]) -> Result<Vec<Value>> {
        let pairs = values.iter().enumerate();
        pairs
            .map(|(at, value)| self.get(at).map_or_else(|| copied(value), |it| it.deep_copy(value)))
            .collect()
    }

    fn same(&self, at: usize, a: &Value, b: &Value) -> bool {
        self.get(at).map_or_else(|| same(a, b), |it| it.same(a, b))
    }

    fn alias(&self, at: usize, result: &Value, value: &Value) -> bool {
        let pairs = result.tensors();
        let mut others = value.tensors().into_iter();
        let overlap = others.any(|b| pairs.iter().any(|a| overlaps(a, b) != Overlap::No));
        overlap || self.get(at).is_some_and(|it| it.aliases(result, value))
    }
}

/// A value with tensors of its own.
fn copied(value: &Value) -> Result<Value> {
    Ok(match value {
        // A number in the place of a tensor still gives way to the dtypes of tensors.
        Value::Tensor(it) if it.is_wrapped_number() => {
            Value::Tensor(it.copy_in_layout()?.with_wrapped_number(true)?)
        }
        Value::Tensor(it) => Value::Tensor(it.copy_in_layout()?),
        Value::List(items) => Value::List(items.iter().map(copied).collect::<Result<_>>()?),
        other => other.clone(),
    })
}

/// Whether the tensors in two values are equal.
fn same(a: &Value, b: &Value) -> bool {
    let (a, b) = (a.tensors(), b.tensors());
    let same = |a: &Tensor, b: &Tensor| {
        TensorType::of(a).same(&Value::Tensor(a.clone()), &Value::Tensor(b.clone()))
    };
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same(a, b))
}

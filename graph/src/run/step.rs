//! Steps: one node of an execution plan.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::{Plain, TensorType};
use opwright_runtime::{Result, Tensor, autograd, buffer};
use smallvec::{SmallVec, smallvec};

use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::model::error::GraphError;
use crate::model::fit::{NumberPolicy, fit};
use crate::model::op::{Custom, Op, Results, SmallPath};
use crate::model::operator_tables::OperatorTables;
use crate::model::rng_replay;
use crate::model::variable::{Variable, VariableKey, is_exclusive, is_like_fresh};
use crate::run::error::ExecutionError;
use crate::run::frame::{Frame, StepArguments, may_meet};
use crate::run::scalar_loop::ScalarLoop;
use crate::run::variants::Variants;

/// A node that runs.
pub(crate) struct NodeStep {
    pub(crate) node: Arc<Apply>,
    /// The name of what it does, in events.
    pub(crate) name: String,
    kind: StepKind,
    arguments: Vec<StepSource>,
    /// The first slot of its results.
    pub(crate) first: usize,
    /// Results that nobody reads.
    unread: SmallVec<[usize; 1]>,
    /// How many elements its results have at least.
    known: usize,
    /// Its forms that write to memory which is there.
    forms: Option<Variants>,
    fast_path: Option<Arc<dyn SmallPath>>,
    /// The arguments that it writes to.
    destroyed: SmallVec<[usize; 1]>,
    /// The memory of arguments is kept for others.
    keeps: bool,
}

/// Where the result of a node goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// The inputs whose memory it may take, if nobody else has it.
    pub in_place_of: Vec<usize>,
    /// Whether it may go to the memory of a temporary that is read no more.
    pub recycles: bool,
    /// The inputs that are read for the last time.
    pub ends: Vec<usize>,
}

enum StepKind {
    /// A number of numbers.
    Loop(ScalarLoop),
    Row(&'static Operator, NumberPolicy),
    /// It says what it draws.
    Drawing(&'static Operator, NumberPolicy),
    Custom(Arc<dyn Custom>),
}

/// Where an argument comes from.
enum StepSource {
    Slot {
        slot: usize,
        ty: Option<Type>,
        /// Whether nobody reads it afterwards.
        is_last: bool,
        /// Whether it may be written to though others have it.
        is_mutable: bool,
    },
    Value(Value),
    List(Vec<StepSource>),
}

impl NodeStep {
    /// A node whose results go to the slots from `first` on.
    pub(crate) fn new(
        node: &Arc<Apply>,
        first: usize,
        slots: &HashMap<VariableKey, usize>,
    ) -> NodeStep {
        let known = node.outputs().iter().map(|it| elements(&**it.ty())).sum();
        let slot = |at: usize| slots.get(&node.inputs()[at].key()).copied();
        let (kind, arguments) = match node.op() {
            Op::Row(row) => {
                let numbers = numbers_of(row, node);
                let inner =
                    (numbers == NumberPolicy::Count).then(|| ScalarLoop::of(row, node, &slot));
                let pairs = node.arguments().iter().zip(row.params);
                let sources = pairs.map(|(argument, param)| {
                    StepSource::of(argument, node.inputs(), slots, param.slot.ty, numbers)
                });
                let kind = match inner.flatten() {
                    Some(inner) => StepKind::Loop(inner),
                    None if rng_replay::is_noted(row) => StepKind::Drawing(row, numbers),
                    None => StepKind::Row(row, numbers),
                };
                (kind, sources.collect())
            }
            Op::Custom(op) => {
                let sources = node.inputs().iter().map(|it| StepSource::of_input(it, slots, None));
                (StepKind::Custom(op.clone()), sources.collect())
            }
        };
        let destroyed = match node.op() {
            Op::Row(_) => SmallVec::new(),
            Op::Custom(op) => (0..node.inputs().len()).filter(|it| op.destroys(*it)).collect(),
        };
        let fast_path = match node.op() {
            Op::Row(_) => None,
            Op::Custom(op) => op.fast_path(),
        };
        NodeStep {
            node: node.clone(),
            name: node.op().base_name(),
            kind,
            arguments,
            first,
            unread: SmallVec::new(),
            known,
            forms: None,
            fast_path,
            destroyed,
            keeps: false,
        }
    }

    /// Looks for forms that write to memory which is there; whether there are any.
    pub(crate) fn find_forms(&mut self, rows: &OperatorTables) -> bool {
        if let StepKind::Row(row, NumberPolicy::GiveWay) = &self.kind {
            self.forms = Variants::of(row, &self.node, rows);
        }
        self.forms.is_some()
    }

    /// Whether a result is not there: nobody reads it, or the operator gave none.
    pub(crate) fn leaves_out(&self, slot: usize, value: &Value) -> bool {
        let may_be_none = !matches!(self.kind, StepKind::Custom(_)) || self.unread.contains(&slot);
        may_be_none && matches!(value, Value::None)
    }

    /// Keeps the memory of arguments that are read no more.
    pub(crate) fn keep_memory(&mut self) {
        self.keeps = self.has_tensors();
    }

    /// Lets it write to the values of these slots, if it is the last to read them.
    pub(crate) fn lend(&mut self, slots: &[usize]) {
        for argument in &mut self.arguments {
            if let StepSource::Slot { slot, is_mutable, .. } = argument {
                *is_mutable = slots.contains(slot);
            }
        }
    }

    /// Where its result goes.
    pub(crate) fn memory(&self) -> MemoryUse {
        let mut memory = MemoryUse::default();
        let forms = self.forms.as_ref();
        let arguments = self.node.arguments().iter().zip(&self.arguments);
        for (at, (argument, source)) in arguments.enumerate() {
            let (NodeArgument::Input(input), true) = (argument, source.is_last()) else { continue };
            if forms.is_some_and(|it| it.may_write_to(at)) {
                memory.in_place_of.push(*input);
            }
            memory.ends.push(*input);
        }
        memory.recycles = forms.is_some_and(Variants::has_out);
        memory
    }

    /// Notes where slots are read last, coming from the end: `needed` are those that are read later.
    pub(crate) fn end_lives(&mut self, needed: &mut [bool]) {
        let results = self.first..self.first + self.node.outputs().len();
        self.unread = results.filter(|it| !needed[*it]).collect();
        if !matches!(self.kind, StepKind::Loop(_)) {
            self.arguments.iter_mut().rev().for_each(|it| it.end_life(needed));
        }
        self.arguments.iter().for_each(|it| it.mark(needed));
    }

    /// Whether the host must be held while it runs.
    pub(crate) fn is_held(&self) -> bool {
        matches!(&self.kind, StepKind::Custom(op) if op.is_held())
    }

    /// Whether it tells itself what happens in it.
    pub(crate) fn tells(&self) -> bool {
        matches!(&self.kind, StepKind::Custom(op) if op.tells())
    }

    /// Whether it has to do with tensors.
    pub(crate) fn has_tensors(&self) -> bool {
        !matches!(self.kind, StepKind::Loop(_))
    }

    /// How many elements it reads and writes, as far as that is known before it runs.
    pub(crate) fn work(&self, frame: &Frame) -> usize {
        let mut work = ElementCount::default();
        if self.has_tensors() {
            self.arguments.iter().for_each(|it| it.count(frame, &mut work));
        }
        work.total().saturating_add(self.known)
    }

    /// Computes the results and puts them into their slots.
    #[inline]
    pub(crate) fn run(&self, frame: &mut Frame) -> Result<(), Box<ExecutionError>> {
        if let StepKind::Loop(inner) = &self.kind {
            return match inner.run(frame) {
                Ok(result) => {
                    frame.put(self.first, result);
                    Ok(())
                }
                Err(error) => Err(self.stopped(error.into(), &self.copies(frame))),
            };
        }
        let mut values = match self.arguments(frame) {
            Ok(values) => values,
            Err(error) => return Err(self.stopped(error.into(), &self.copies(frame))),
        };
        let done = match self.fast(&mut values, frame) {
            Ok(Some(result)) => Ok(smallvec![Value::Tensor(result)]),
            Ok(None) => self.call(&mut values),
            Err(error) => Err(error.into()),
        };
        match done {
            Ok(results) => {
                self.put(results, frame);
                if self.keeps {
                    values.into_iter().for_each(|it| frame.pool.end(it));
                }
                Ok(())
            }
            Err(failure) => Err(self.stopped(failure, &values)),
        }
    }

    /// Its loop, if it makes a number of numbers.
    pub(crate) fn number_loop(&self) -> Option<&ScalarLoop> {
        match &self.kind {
            StepKind::Loop(inner) => Some(inner),
            StepKind::Row(..) | StepKind::Drawing(..) | StepKind::Custom(_) => None,
        }
    }

    /// The result by a fast path: that of few elements, or buffer reuse.
    #[inline]
    fn fast(&self, values: &mut StepArguments, frame: &mut Frame) -> Result<Option<Tensor>> {
        match &self.fast_path {
            Some(fast_path) => fast_path.run(values),
            None => self.reusing(values, frame),
        }
    }

    /// The result, computed in memory that is there, if there is any for it.
    #[inline]
    fn reusing(&self, values: &mut StepArguments, frame: &mut Frame) -> Result<Option<Tensor>> {
        let Some(forms) = &self.forms else { return Ok(None) };
        if autograd::is_inference() {
            return Ok(None);
        }
        for at in 0..values.len() {
            if self.arguments[at].is_last()
                && let Value::Tensor(it) = &values[at]
                && forms.may_write_to(at)
                && forms.fits(it, values)
                && (is_exclusive(it) || self.is_lent(at, values, frame))
            {
                return forms.in_place(at, values).map(Some);
            }
        }
        let pooled =
            if frame.pool.is_empty() { None } else { forms.pooled(values, &mut frame.pool) };
        Ok(pooled)
    }

    /// Whether an argument is the caller's, who lets it be written to, and no other value that is
    /// there has its memory.
    fn is_lent(&self, at: usize, values: &[Value], frame: &Frame) -> bool {
        let (StepSource::Slot { is_mutable: true, .. }, Value::Tensor(tensor)) =
            (&self.arguments[at], &values[at])
        else {
            return false;
        };
        let mut others = values.iter().enumerate().filter(|(other, _)| *other != at);
        is_like_fresh(tensor)
            && !others.any(|(_, it)| may_meet(it, tensor))
            && !frame.has_part_of(tensor)
    }

    /// Copies of the arguments that it writes to, unless they are its own.
    fn protect(&self, values: &mut StepArguments, frame: &Frame) -> Result<()> {
        for &at in &self.destroyed {
            let is_own = self.arguments[at].is_last()
                && match &values[at] {
                    Value::Tensor(it) => it.is_alone() || self.is_lent(at, values, frame),
                    _ => false,
                };
            if !is_own {
                values[at] = self.node.inputs()[at].ty().deep_copy(&values[at])?;
            }
        }
        Ok(())
    }

    /// What it is called with.
    pub(crate) fn arguments(&self, frame: &mut Frame) -> Result<StepArguments> {
        let numbers = self.numbers();
        let mut values = StepArguments::new();
        for argument in &self.arguments {
            values.push(argument.value(frame, numbers)?);
        }
        if !self.destroyed.is_empty() {
            self.protect(&mut values, frame)?;
        }
        Ok(values)
    }

    /// Calls it.
    pub(crate) fn call(&self, values: &mut [Value]) -> Result<Results, GraphError> {
        match &self.kind {
            StepKind::Row(row, numbers) => Ok(results((row.call)(values)?, *numbers)?),
            StepKind::Drawing(row, numbers) => {
                Ok(rng_replay::noted(|| results((row.call)(values)?, *numbers))?)
            }
            StepKind::Custom(op) => op.perform(&self.node, values),
            // Who asks for it so wants the operator itself.
            StepKind::Loop(_) => match self.node.op() {
                Op::Row(row) => Ok(results((row.call)(values)?, NumberPolicy::Count)?),
                Op::Custom(op) => op.perform(&self.node, values),
            },
        }
    }

    /// Puts results into their slots.
    pub(crate) fn put(&self, results: Results, frame: &mut Frame) {
        for (at, result) in results.into_iter().enumerate().take(self.node.outputs().len()) {
            frame.put(self.first + at, result);
        }
        self.unread.iter().for_each(|slot| frame.put(*slot, Value::None));
    }

    fn numbers(&self) -> NumberPolicy {
        match &self.kind {
            StepKind::Loop(_) => NumberPolicy::Count,
            StepKind::Row(_, numbers) | StepKind::Drawing(_, numbers) => *numbers,
            StepKind::Custom(_) => NumberPolicy::GiveWay,
        }
    }

    /// Its arguments, which stay where they are.
    fn copies(&self, frame: &Frame) -> StepArguments {
        self.arguments.iter().map(|it| it.peek(frame)).collect()
    }

    /// Why it ended, with what it was called with.
    #[cold]
    pub(crate) fn stopped(&self, failure: GraphError, values: &[Value]) -> Box<ExecutionError> {
        ExecutionError::new(failure).with_values(&self.node, values)
    }
}

/// The results of a node all of whose inputs are constants; none if it fails.
pub(crate) fn evaluate(node: &Arc<Apply>) -> Option<Results> {
    let step = NodeStep::new(node, 0, &HashMap::new());
    let mut frame = Frame::default();
    node.outputs().iter().for_each(|_| frame.enter(Value::None));
    let run = || autograd::recording(false, || step.run(&mut frame));
    // A panic is one when the function runs, too.
    catch_unwind(AssertUnwindSafe(run)).ok()?.ok()?;
    Some((0..node.outputs().len()).map(|slot| frame.take(slot)).collect())
}

/// How many elements a tensor of this type has, if that is known.
fn elements(ty: &dyn opwright_runtime::types::Type) -> usize {
    let Some(tensor) = ty.downcast::<TensorType>() else { return 0 };
    let mut extents = tensor.shape().iter().map(|it| it.map(|it| it as usize));
    extents.try_fold(1_usize, |all, it| Some(all.saturating_mul(it?))).unwrap_or(0)
}

/// Where all results are numbers, numbers are as good as tensors.
pub(crate) fn numbers_of(row: &Operator, node: &Apply) -> NumberPolicy {
    let counts = node.outputs().iter().zip(row.results).all(|(output, result)| {
        result.ty == Type::Tensor && output.ty().downcast::<Plain>().is_some()
    });
    if counts { NumberPolicy::Count } else { NumberPolicy::GiveWay }
}

/// A result of numbers is a number.
fn results(mut results: Results, numbers: NumberPolicy) -> Result<Results> {
    if numbers == NumberPolicy::Count {
        for result in &mut results {
            if let Value::Tensor(it) = result {
                *result = it.to_scalar()?.into();
            }
        }
        return Ok(results);
    }
    Ok(flat(results))
}

/// Lists of tensors are so many results.
pub(crate) fn flat(results: Results) -> Results {
    let is_list = |it: &Value| matches!(it, Value::List(items) if matches!(items.first(), Some(Value::Tensor(_))));
    if !results.iter().any(is_list) {
        return results;
    }
    let mut flat = Results::new();
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

/// Elements that are counted.
#[derive(Default)]
struct ElementCount<'a> {
    sum: usize,
    product: usize,
    shape: Option<&'a [i64]>,
    spreads: bool,
}

/// So many elements take milliseconds, whatever is done with them.
const LONG: usize = 1 << 22;

impl<'a> ElementCount<'a> {
    fn add(&mut self, tensor: &'a Tensor) {
        let count = tensor.numel();
        self.sum = self.sum.saturating_add(count);
        self.product = self.product.max(1).saturating_mul(count);
        self.spreads |= *self.shape.get_or_insert(tensor.shape()) != tensor.shape();
    }

    /// All of them; very many if operands of different shapes may make many of few.
    fn total(&self) -> usize {
        if self.spreads && self.product >= LONG { usize::MAX } else { self.sum }
    }
}

/// Of a list the type of an element.
fn element(ty: Type) -> Type {
    match ty {
        Type::Optional(inner) => element(*inner),
        Type::List(element, _) => *element,
        ty => ty,
    }
}

impl StepSource {
    fn of(
        argument: &NodeArgument,
        inputs: &[Variable],
        slots: &HashMap<VariableKey, usize>,
        ty: Type,
        numbers: NumberPolicy,
    ) -> StepSource {
        match argument {
            NodeArgument::Input(at) => match inputs[*at].as_constant() {
                // What cannot be made of it now is reported when it is wanted.
                Some(value) => match fit(value.clone(), &ty, numbers) {
                    Ok(value) => StepSource::Value(value),
                    Err(_) => StepSource::Value(value.clone()),
                },
                None => StepSource::of_input(&inputs[*at], slots, Some(ty)),
            },
            NodeArgument::Value(value) => StepSource::Value(value.clone()),
            NodeArgument::List(items) => {
                let element = element(ty);
                let items =
                    items.iter().map(|it| StepSource::of(it, inputs, slots, element, numbers));
                StepSource::List(items.collect())
            }
        }
    }

    fn of_input(
        input: &Variable,
        slots: &HashMap<VariableKey, usize>,
        ty: Option<Type>,
    ) -> StepSource {
        match (slots.get(&input.key()), input.as_constant()) {
            (Some(slot), _) => {
                StepSource::Slot { slot: *slot, ty, is_last: false, is_mutable: false }
            }
            (None, Some(value)) => StepSource::Value(value.clone()),
            (None, None) => StepSource::Value(Value::None),
        }
    }

    fn is_last(&self) -> bool {
        matches!(self, StepSource::Slot { is_last: true, .. })
    }

    fn end_life(&mut self, needed: &mut [bool]) {
        match self {
            StepSource::Slot { slot, is_last, .. } => {
                *is_last = !needed[*slot];
                needed[*slot] = true;
            }
            StepSource::Value(_) => {}
            StepSource::List(items) => items.iter_mut().rev().for_each(|it| it.end_life(needed)),
        }
    }

    fn mark(&self, needed: &mut [bool]) {
        match self {
            StepSource::Slot { slot, .. } => needed[*slot] = true,
            StepSource::Value(_) => {}
            StepSource::List(items) => items.iter().for_each(|it| it.mark(needed)),
        }
    }

    #[inline]
    fn value(&self, frame: &mut Frame, numbers: NumberPolicy) -> Result<Value> {
        match self {
            StepSource::Slot { slot, ty, is_last, .. } => {
                let value = if *is_last { frame.take(*slot) } else { frame.get(*slot).clone() };
                match ty {
                    Some(Type::Tensor) if matches!(value, Value::Tensor(_)) => Ok(value),
                    Some(ty) => fit(value, ty, numbers),
                    None => Ok(value),
                }
            }
            StepSource::Value(value) => Ok(value.clone()),
            StepSource::List(items) => {
                buffer::try_collected(items.iter().map(|it| it.value(frame, numbers)))
                    .map(Value::List)
            }
        }
    }

    fn peek(&self, frame: &Frame) -> Value {
        match self {
            StepSource::Slot { slot, .. } => frame.get(*slot).clone(),
            StepSource::Value(value) => value.clone(),
            StepSource::List(items) => Value::List(items.iter().map(|it| it.peek(frame)).collect()),
        }
    }

    fn count<'a>(&'a self, frame: &'a Frame, work: &mut ElementCount<'a>) {
        match self {
            StepSource::Slot { slot, .. } => {
                if let Value::Tensor(it) = frame.get(*slot) {
                    work.add(it);
                }
            }
            StepSource::Value(Value::Tensor(it)) => work.add(it),
            StepSource::Value(_) => {}
            StepSource::List(items) => items.iter().for_each(|it| it.count(frame, work)),
        }
    }
}

//! Optimizers: parameters, what is remembered of them, and the operator of a step.

use opwright_runtime as rt;
use opwright_runtime::autograd::recording;
use opwright_runtime::{Result, Tensor, buffer, ensure};

/// How parameters are changed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OptimizerRule {
    Sgd { momentum: f64, dampening: f64, weight_decay: f64, nesterov: bool },
    Adam { beta1: f64, beta2: f64, eps: f64, weight_decay: f64, amsgrad: bool },
}

/// Parameters that are changed by one rule.
#[derive(Debug)]
pub struct Optimizer {
    rule: OptimizerRule,
    lr: f64,
    parameters: Vec<OptimizedParameter>,
}

/// A tensor that is learnt, and what is remembered of it after its first step.
#[derive(Debug)]
struct OptimizedParameter {
    tensor: Tensor,
    memory: Vec<Tensor>,
    step: Option<Tensor>,
}

impl OptimizerRule {
    fn check(self) -> Result<()> {
        match self {
            OptimizerRule::Sgd { momentum, dampening, weight_decay, nesterov } => {
                not_negative("momentum", momentum)?;
                not_negative("weight_decay", weight_decay)?;
                ensure!(
                    !nesterov || (momentum > 0.0 && dampening == 0.0),
                    Value,
                    "argument 'nesterov' needs a momentum, and a dampening of zero"
                );
                Ok(())
            }
            OptimizerRule::Adam { beta1, beta2, eps, weight_decay, amsgrad: _ } => {
                not_negative("eps", eps)?;
                not_negative("weight_decay", weight_decay)?;
                for (name, beta) in [("beta1", beta1), ("beta2", beta2)] {
                    let fits = (0.0..1.0).contains(&beta);
                    ensure!(fits, Value, "argument '{name}' is {beta}, expected 0 <= {name} < 1");
                }
                Ok(())
            }
        }
    }

    /// How many tensors are remembered of a parameter.
    fn memories(self) -> usize {
        match self {
            OptimizerRule::Sgd { momentum, .. } => usize::from(momentum != 0.0),
            OptimizerRule::Adam { amsgrad, .. } => 2 + usize::from(amsgrad),
        }
    }
}

fn not_negative(name: &str, value: f64) -> Result<()> {
    // What is not a number compares false.
    ensure!(
        value >= 0.0,
        Value,
        "argument '{name}' is {value}, expected a number that is not less than 0"
    );
    Ok(())
}

impl Optimizer {
    pub(crate) fn new(rule: OptimizerRule, lr: f64) -> Result<Optimizer> {
        ensure!(
            cfg!(feature = "ops"),
            NotImplemented,
            "this library was built without the operators that change parameters"
        );
        rule.check()?;
        not_negative("lr", lr)?;
        Ok(Optimizer { rule, lr, parameters: Vec::new() })
    }

    /// Without parameters there is nothing to learn, and somebody forgot to add them.
    fn has_parameters(&self) -> Result<()> {
        let message = "argument 'optimizer' has no parameters: add some first";
        ensure!(!self.parameters.is_empty(), Value, "{message}");
        Ok(())
    }

    pub(crate) fn set_lr(&mut self, lr: f64) -> Result<()> {
        not_negative("lr", lr)?;
        self.lr = lr;
        Ok(())
    }

    /// Adds all of these parameters, or none.
    pub(crate) fn add(&mut self, tensors: &[&Tensor]) -> Result<()> {
        ensure!(!tensors.is_empty(), Value, "argument 'parameters' is empty, expected tensors");
        for (at, tensor) in tensors.iter().enumerate() {
            let place = format_args!("element {at} of argument 'parameters'");
            let dtype = tensor.dtype();
            ensure!(dtype.is_floating(), Type, "{place} is {dtype}, expected a floating dtype");
            ensure!(tensor.is_leaf(), Value, "{place} is the result of a recorded call");
            let mut others = self.parameters.iter().map(|it| &it.tensor);
            let is_twice = others.any(|it| it.is_same(tensor))
                || tensors[..at].iter().any(|it| it.is_same(tensor));
            ensure!(!is_twice, Value, "{place} is there already");
        }
        buffer::extend(
            &mut self.parameters,
            tensors.iter().map(|it| OptimizedParameter {
                tensor: (*it).clone(),
                memory: Vec::new(),
                step: None,
            }),
        )
    }

    pub(crate) fn zero_grad(&self) -> Result<()> {
        self.has_parameters()?;
        self.parameters.iter().try_for_each(|it| it.tensor.set_grad(None))
    }

    /// Changes the parameters that have gradients.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.has_parameters()?;
        recording(false, || self.step_unrecorded())
    }

    fn step_unrecorded(&mut self) -> Result<()> {
        let (rule, lr) = (self.rule, self.lr);
        let with_grad = self.parameters.iter_mut().filter_map(|it| Some((it.tensor.grad()?, it)));
        let (known, fresh): (Vec<_>, Vec<_>) = with_grad.partition(|(_, it)| it.step.is_some());
        for (chosen, is_first) in [(fresh, true), (known, false)] {
            if !chosen.is_empty() {
                stepped(rule, lr, chosen, is_first)?;
            }
        }
        Ok(())
    }
}

/// Zeros, as many as are remembered.
fn forgotten(rule: OptimizerRule, parameter: &OptimizedParameter) -> Result<Vec<Tensor>> {
    let OptimizedParameter { tensor, .. } = parameter;
    let zeros = (0..rule.memories())
        .map(|_| Tensor::zeroed(tensor.shape(), tensor.dtype(), tensor.device()));
    buffer::try_collected(zeros)
}

/// A step for parameters all of which, or none, are at their first one. What is refused leaves
/// nothing behind.
fn stepped(
    rule: OptimizerRule,
    lr: f64,
    chosen: Vec<(Tensor, &mut OptimizedParameter)>,
    is_first: bool,
) -> Result<()> {
    let mut lists = Lists::default();
    for (gradient, parameter) in &chosen {
        let memory = match is_first {
            true => forgotten(rule, parameter)?,
            false => parameter.memory.clone(),
        };
        let count = match &parameter.step {
            Some(step) => step.to_scalar()?.to_f64()?,
            None => 0.0,
        };
        let count = rt::Scalar::Float(count + 1.0);
        buffer::push(&mut lists.parameters, parameter.tensor.clone())?;
        buffer::push(&mut lists.gradients, gradient.clone())?;
        buffer::push(&mut lists.memories, memory)?;
        buffer::push(&mut lists.steps, Tensor::from_scalar(count, rt::DType::Float64)?)?;
    }
    lists.run(rule, lr, is_first)?;
    let Lists { memories, steps, .. } = lists;
    for (((_, parameter), memory), step) in chosen.into_iter().zip(memories).zip(steps) {
        (parameter.memory, parameter.step) = (memory, Some(step));
    }
    Ok(())
}

/// What the operator of a step takes.
#[derive(Default)]
struct Lists {
    parameters: Vec<Tensor>,
    gradients: Vec<Tensor>,
    memories: Vec<Vec<Tensor>>,
    steps: Vec<Tensor>,
}

impl Lists {
    #[cfg(not(feature = "ops"))]
    fn run(&mut self, _: OptimizerRule, _: f64, _: bool) -> Result<()> {
        rt::fail!(NotImplemented, "there is no operator for a step");
    }

    #[cfg(feature = "ops")]
    fn run(&mut self, rule: OptimizerRule, lr: f64, is_first: bool) -> Result<()> {
        use opwright_ops::ops::{_fused_adam_, _fused_sgd_};

        let mut parameters: Vec<&mut Tensor> = self.parameters.iter_mut().collect();
        let mut gradients: Vec<&mut Tensor> = self.gradients.iter_mut().collect();
        let mut memories: [Vec<&mut Tensor>; 3] = Default::default();
        for memory in &mut self.memories {
            memory.iter_mut().zip(&mut memories).for_each(|(it, list)| list.push(it));
        }
        let [one, two, three] = &mut memories;
        let (parameters, gradients) = (&mut parameters[..], &mut gradients[..]);
        match rule {
            OptimizerRule::Sgd { momentum, dampening, weight_decay, nesterov } => {
                _fused_sgd_::Default_::call(
                    parameters,
                    gradients,
                    one,
                    weight_decay,
                    momentum,
                    lr,
                    dampening,
                    nesterov,
                    false,
                    is_first,
                    None,
                    None,
                )
            }
            OptimizerRule::Adam { beta1, beta2, eps, weight_decay, amsgrad } => {
                let steps: Vec<&Tensor> = self.steps.iter().collect();
                _fused_adam_::Default_::call(
                    parameters,
                    gradients,
                    one,
                    two,
                    three,
                    &steps,
                    lr,
                    beta1,
                    beta2,
                    weight_decay,
                    eps,
                    amsgrad,
                    false,
                    None,
                    None,
                )
            }
        }
    }
}

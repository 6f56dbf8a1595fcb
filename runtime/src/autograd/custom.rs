//! Custom functions: a forward and a backward pass written in Rust.

use std::any;
use std::borrow::Cow;
use std::sync::Arc;

use super::edges::Edges;
use super::node::{Call, Gradients, Header};
use super::node::{Metadata, Node};
use super::outcome::Outcome;
use super::recording;
use super::saved::SavedTensor;
use crate::{Result, Tensor, ensure};

/// A function of tensors that brings its own gradient. What else it is given, and what it keeps for
/// its gradient beside tensors, are its fields.
///
/// ```
/// use opwright_runtime::autograd::{BackwardCtx, CustomFunction, ForwardCtx};
/// use opwright_runtime::{Result, Tensor, iterate};
///
/// /// The product with a number.
/// struct Scaled(f64);
///
/// impl CustomFunction for Scaled {
///     fn forward(&mut self, _: &mut ForwardCtx, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
///         Ok(vec![times(inputs[0], self.0)?])
///     }
///
///     fn backward(
///         &self,
///         _: &BackwardCtx<'_>,
///         gradients: &[Option<Tensor>],
///     ) -> Result<Vec<Option<Tensor>>> {
///         let [Some(gradient)] = gradients else { return Ok(vec![None]) };
///         Ok(vec![Some(times(gradient, self.0)?)])
///     }
/// }
///
/// fn times(tensor: &Tensor, factor: f64) -> Result<Tensor> {
///     let mut out = tensor.copy()?;
///     iterate::unary(tensor, &mut out, |it: f64| it * factor)?;
///     Ok(out)
/// }
///
/// let x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// x.set_requires_grad(true)?;
/// let y = Scaled(3.0).apply(&[&x])?.remove(0);
/// assert_eq!(y.to_vec::<f64>()?, [3.0, 6.0]);
/// let made = y.grad_fn().expect("a recorded call");
/// assert_eq!(made.node.name(), "ScaledBackward");
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
///
/// What the function calls is not recorded, but what its gradient calls is, if the pass is: the
/// gradient has one as well then, if it is made of operators.
pub trait CustomFunction: Sized + Send + Sync + 'static {
    /// Calculates the outputs. It may write to an input if it [says
    /// so](ForwardCtx::mark_dirty).
    ///
    /// # Errors
    ///
    /// Whatever it refuses.
    fn forward(&mut self, ctx: &mut ForwardCtx, inputs: &[&Tensor]) -> Result<Vec<Tensor>>;

    /// The gradients of the inputs, in their order; none for an input that has none.
    ///
    /// A gradient of an output to which none came is zeros, or none after
    /// [`set_materialize_grads(false)`](ForwardCtx::set_materialize_grads).
    ///
    /// # Errors
    ///
    /// Whatever it refuses; those of [`BackwardCtx::saved_tensors`].
    fn backward(
        &self,
        ctx: &BackwardCtx<'_>,
        gradients: &[Option<Tensor>],
    ) -> Result<Vec<Option<Tensor>>>;

    /// What people call its nodes: the name of the type and `Backward`.
    fn name(&self) -> Cow<'static, str> {
        let path = any::type_name::<Self>();
        let path = path.split_once('<').map_or(path, |(before, _)| before);
        let name = path.rsplit_once("::").map_or(path, |(_, name)| name);
        format!("{name}Backward").into()
    }

    /// Calls the function, and records the call if an input requires gradients.
    ///
    /// # Errors
    ///
    /// Those of `forward`; `Runtime` if it marks a tensor dirty that is no input, that it does not
    /// return, or that nobody may write to.
    fn apply(self, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        apply(self, inputs)
    }
}

/// What a function says while it runs.
pub struct ForwardCtx {
    needs_input_grad: Vec<bool>,
    saved: Vec<Tensor>,
    dirty: Vec<Tensor>,
    non_differentiable: Vec<Tensor>,
    materializes: bool,
}

impl ForwardCtx {
    /// Whether an input requires gradients.
    pub fn needs_input_grad(&self, input: usize) -> bool {
        self.needs_input_grad.get(input).is_some_and(|it| *it)
    }

    /// Keeps inputs, outputs or other tensors for the gradient, in the place of what was kept
    /// before.
    pub fn save_for_backward(&mut self, tensors: &[&Tensor]) {
        self.saved = tensors.iter().copied().cloned().collect();
    }

    /// Says which inputs were written to; each of them has to be returned.
    pub fn mark_dirty(&mut self, inputs: &[&Tensor]) {
        self.dirty = inputs.iter().copied().cloned().collect();
    }

    /// Says which outputs have no gradients.
    pub fn mark_non_differentiable(&mut self, outputs: &[&Tensor]) {
        self.non_differentiable = outputs.iter().copied().cloned().collect();
    }

    /// Says whether zeros stand for gradients that are absent; they do if nobody says anything.
    pub fn set_materialize_grads(&mut self, materializes: bool) {
        self.materializes = materializes;
    }
}

/// What a function knows of its call when a pass asks for gradients.
pub struct BackwardCtx<'a> {
    node: &'a Arc<dyn Node>,
    saved: &'a [SavedTensor],
    wanted: &'a dyn Fn(usize) -> bool,
}

impl BackwardCtx<'_> {
    /// The tensors that were saved, with their histories.
    ///
    /// # Errors
    ///
    /// `Runtime` if an earlier pass has released them, or if one was written to since.
    pub fn saved_tensors(&self) -> Result<Vec<Tensor>> {
        let saved = self.saved.iter().filter_map(|it| it.unpack(self.node).transpose());
        saved.collect()
    }

    /// Whether somebody wants the gradient of an input.
    pub fn needs_input_grad(&self, input: usize) -> bool {
        (self.wanted)(input)
    }
}

/// A recorded call.
struct CustomNode<F> {
    header: Header,
    name: Cow<'static, str>,
    function: F,
    saved: Vec<SavedTensor>,
    materializes: bool,
}

fn apply<F: CustomFunction>(mut function: F, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
    let edges = Edges::new().to_all(inputs);
    let mut ctx = ForwardCtx {
        needs_input_grad: inputs.iter().map(|it| it.requires_grad()).collect(),
        saved: Vec::new(),
        dirty: Vec::new(),
        non_differentiable: Vec::new(),
        materializes: true,
    };
    let header = edges.is_any().then(|| Header::new(edges));
    let returned = recording(false, || function.forward(&mut ctx, inputs))?;
    let name = function.name();
    let inputs: Vec<Tensor> = inputs.iter().copied().cloned().collect();
    let outcome = Outcome {
        name: &name,
        inputs: &inputs,
        dirty: &ctx.dirty,
        non_differentiable: &ctx.non_differentiable,
        outputs: returned.into_iter().map(Some).collect(),
    };
    let Some(header) = header else {
        return Ok(outcome.unrecorded()?.into_iter().flatten().collect());
    };
    let outputs = outcome.recorded()?;
    let saved = ctx.saved.iter().map(|it| outputs.save(it)).collect::<Result<_>>()?;
    let node: Arc<dyn Node> = Arc::new(CustomNode {
        header: header.with_metadata(outputs.metadata()),
        name: name.clone(),
        function,
        saved,
        materializes: ctx.materializes,
    });
    Ok(outputs.record(&node)?.into_iter().flatten().collect())
}

/// The gradients of outputs, with zeros for those that are absent.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn materialized(gradients: Gradients, outputs: &[Metadata]) -> Result<Gradients> {
    let pairs = gradients.into_iter().zip(outputs);
    let filled = pairs.map(|(gradient, output)| match gradient {
        Some(gradient) => Ok(Some(gradient)),
        None => output.zeros().map(Some),
    });
    filled.collect()
}

impl<F: CustomFunction> Node for CustomNode<F> {
    fn header(&self) -> &Header {
        &self.header
    }

    fn name(&self) -> Cow<'static, str> {
        self.name.clone()
    }

    fn backward(&self, mut call: Call<'_>) -> Result<Gradients> {
        let gradients = call.own_gradients()?;
        let gradients = match self.materializes {
            true => materialized(gradients, self.header.outputs())?,
            false => gradients,
        };
        let ctx = BackwardCtx { node: call.node, saved: &self.saved, wanted: call.wanted };
        let given = self.function.backward(&ctx, &gradients)?;
        ensure!(
            given.len() == self.header.next().len(),
            Runtime,
            "the function of {} gives {} gradients for {} inputs",
            self.name,
            given.len(),
            self.header.next().len()
        );
        Ok(given.into_iter().collect())
    }

    fn release(&self) {
        self.saved.iter().for_each(SavedTensor::release);
    }
}

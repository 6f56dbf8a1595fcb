//! Multi-gradient hooks: one function for the gradients of several tensors.

use std::sync::{Arc, Weak};

use opwright_runtime::autograd::{
    GradientHooks, HookContext, LeafHooks, Node, TensorHook, WeakHooks, is_same,
};
use opwright_runtime::lock::Lock;
use opwright_runtime::{Result, Tensor};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::hooks::{Handle, callable, called, hooks_of, number};
use crate::object;
use crate::object::failure::exception;

/// A function of Python that sees the gradients of several tensors.
struct Multi {
    function: Py<PyAny>,
    /// Whether it is called for the first gradient of a pass, and not when all are there.
    is_any: bool,
    tensors: Vec<Watched>,
    passes: Lock<Vec<Progress>>,
}

/// A tensor, which is not kept alive.
enum Watched {
    Leaf(Weak<LeafHooks>),
    Result(Weak<dyn Node>),
}

impl Watched {
    fn node(&self) -> Option<Arc<dyn Node>> {
        match self {
            Watched::Leaf(it) => it.upgrade()?.node(),
            Watched::Result(it) => it.upgrade(),
        }
    }
}

/// What has come in a pass.
struct Progress {
    pass: Weak<()>,
    gradients: Vec<Option<Tensor>>,
    /// How many are still to come.
    left: usize,
}

/// What to call the function with.
enum Due {
    One(Tensor),
    All(Vec<Option<Tensor>>),
}

impl Multi {
    /// Notes the gradient of a tensor.
    fn arrived(&self, at: usize, gradient: &Tensor, context: &HookContext<'_>) -> Option<Due> {
        let mut passes = self.passes.lock();
        passes.retain(|it| it.pass.strong_count() > 0);
        let is_this = |it: &Progress| Weak::as_ptr(&it.pass) == Arc::as_ptr(context.pass());
        let known = passes.iter().position(is_this);
        if self.is_any {
            if known.is_none() {
                let pass = Arc::downgrade(context.pass());
                passes.push(Progress { pass, gradients: Vec::new(), left: 0 });
            }
            return known.is_none().then(|| Due::One(gradient.clone()));
        }
        let known = known.unwrap_or_else(|| {
            passes.push(self.begun(at, context));
            passes.len() - 1
        });
        let progress = &mut passes[known];
        progress.gradients[at] = Some(gradient.clone());
        progress.left = progress.left.saturating_sub(1);
        (progress.left == 0).then(|| Due::All(passes.swap_remove(known).gradients))
    }

    /// A pass that comes to the first of the tensors.
    fn begun(&self, at: usize, context: &HookContext<'_>) -> Progress {
        let own = self.tensors[at].node();
        let takes_part = |(other, it): (usize, &Watched)| {
            let Some(node) = it.node() else { return other == at };
            // Of the outputs of one call all are there when the first is.
            let is_own = own.as_ref().is_some_and(|own| is_same(own, &node));
            other == at || is_own || (context.is_awaited)(&node)
        };
        Progress {
            pass: Arc::downgrade(context.pass()),
            gradients: vec![None; self.tensors.len()],
            left: self.tensors.iter().enumerate().filter(|it| takes_part(*it)).count(),
        }
    }

    fn call(&self, due: Due) -> Result<()> {
        let due = due.own()?;
        called(|py| {
            match due {
                Due::One(gradient) => {
                    self.function.call1(py, (object::same(py, gradient)?,))?;
                }
                Due::All(gradients) => {
                    let objects = gradients.into_iter().map(|it| match it {
                        Some(gradient) => object::same(py, gradient),
                        None => Ok(py.None().into_bound(py)),
                    });
                    let objects = objects.collect::<PyResult<Vec<_>>>()?;
                    self.function.call1(py, (PyList::new(py, objects)?,))?;
                }
            }
            Ok(())
        });
        Ok(())
    }
}

impl Due {
    /// The same for a function that may write to it, while the pass goes on with what it has.
    fn own(self) -> Result<Due> {
        let one = |it: Tensor| if it.requires_grad() { Ok(it) } else { it.copy() };
        Ok(match self {
            Due::One(gradient) => Due::One(one(gradient)?),
            Due::All(all) => {
                let own = all.into_iter().map(|it| it.map(one).transpose());
                Due::All(own.collect::<Result<_>>()?)
            }
        })
    }
}

/// Has a function see the gradients of several tensors when all are there, or the first one.
#[pyfunction(name = "_register_multi_grad_hook")]
pub(super) fn register(
    tensors: Vec<Bound<'_, PyAny>>,
    function: &Bound<'_, PyAny>,
    is_any: bool,
) -> PyResult<Handle> {
    let all: Vec<GradientHooks> = tensors.iter().map(hooks_of).collect::<PyResult<_>>()?;
    let watched = all.iter().zip(&tensors).filter_map(|(hooks, tensor)| match hooks {
        GradientHooks::Leaf(it) => Some(Watched::Leaf(Arc::downgrade(it))),
        GradientHooks::Result(_) => {
            let edge = object::tensor_of(tensor)?.grad_fn()?;
            Some(Watched::Result(Arc::downgrade(&edge.node)))
        }
    });
    let (tensors, function) = (watched.collect(), callable(function)?);
    let multi = Arc::new(Multi { function, is_any, tensors, passes: Lock::default() });
    let id = number();
    let weak: Vec<WeakHooks> = all.iter().map(GradientHooks::downgrade).collect();
    let handle = Handle::new(id, move |id| {
        for hooks in weak.iter().filter_map(WeakHooks::upgrade) {
            hooks.registry().remove(id);
        }
    });
    for (at, hooks) in all.iter().enumerate() {
        let multi = multi.clone();
        let hook: TensorHook =
            Arc::new(move |gradient: Option<&Tensor>, context: &HookContext<'_>| {
                if let Some(due) = gradient.and_then(|it| multi.arrived(at, it, context)) {
                    multi.call(due)?;
                }
                Ok(None)
            });
        if let Err(error) = hooks.registry().add(id, hook, std::ptr::null_mut()) {
            handle.remove();
            return Err(exception(&error));
        }
    }
    Ok(handle)
}

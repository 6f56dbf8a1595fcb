//! Variables: inputs, constants, shared values and outputs of nodes.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::lock::Lock;
use opwright_runtime::op::Value;
use opwright_runtime::tensor::Storage;
use opwright_runtime::types::{Coerce, TypeRef};
use opwright_runtime::{Device, Result, Tensor};

use crate::model::apply::Apply;
use crate::model::label::Label;

/// A value that is not there yet, that never changes, or that functions update.
///
/// It is a handle: equal are handles of one variable.
#[derive(Clone)]
pub struct Variable(VariableKind);

/// What tells variables from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariableKey(usize, usize);

#[derive(Clone)]
enum VariableKind {
    Leaf(Arc<Leaf>),
    Output(Arc<Apply>, usize),
}

struct Leaf {
    ty: TypeRef,
    label: Label,
    content: LeafContent,
}

enum LeafContent {
    Input,
    Constant(Value),
    Shared(SharedValue),
}

/// Held while several shared variables are read, or written, as one.
static TOGETHER: Lock<()> = Lock::new(());

/// The value of a shared variable.
pub struct SharedValue {
    value: Lock<Value>,
    coerce: Coerce,
    update: Lock<Option<Variable>>,
}

impl SharedValue {
    /// The value.
    pub fn value(&self) -> Value {
        self.value.lock().clone()
    }

    /// How loosely it takes values.
    pub fn coerce(&self) -> Coerce {
        self.coerce
    }

    /// Copies a tensor into the memory of the one that is there, if that has its shape and nobody
    /// else has it; whether it does.
    ///
    /// # Errors
    ///
    /// Those of copying.
    pub fn refill(&self, value: &Value) -> Result<bool> {
        let Value::Tensor(new) = value else { return Ok(false) };
        let fits = |it: &Tensor| {
            it.shape() == new.shape() && it.dtype() == new.dtype() && is_exclusive(it)
        };
        // To copy takes long, so that nothing is locked meanwhile: who asks gets the old value, which is
        // taken out of the variable and nobody else's, or waits for none.
        let taken = {
            let mut held = self.value.lock();
            match &*held {
                Value::Tensor(old) if fits(old) => std::mem::replace(&mut *held, value.clone()),
                _ => return Ok(false),
            }
        };
        let Value::Tensor(mut old) = taken else { return Ok(false) };
        old.copy_from(new)?;
        self.store(Value::Tensor(old));
        Ok(true)
    }

    /// Puts another one in its place.
    pub fn store(&self, value: Value) {
        let old = {
            let mut held = self.value.lock();
            std::mem::replace(&mut *held, value)
        };
        // Outside of the lock: what it drops may run code of the host.
        drop(old);
    }

    /// The values of several, as a call leaves them: with all of its updates, or with none.
    pub(crate) fn values<'a>(all: impl Iterator<Item = &'a SharedValue>) -> Vec<Value> {
        let _together = TOGETHER.lock();
        all.map(SharedValue::value).collect()
    }

    /// Puts values into several at once.
    pub(crate) fn store_all<'a>(all: impl Iterator<Item = (&'a SharedValue, Value)>) {
        let mut old = Vec::new();
        {
            let _together = TOGETHER.lock();
            for (shared, value) in all {
                let mut held = shared.value.lock();
                old.push(std::mem::replace(&mut *held, value));
            }
        }
        // Outside of the locks, as in `store`.
        drop(old);
    }

    /// What functions that use it update it to, unless they say otherwise.
    pub fn default_update(&self) -> Option<Variable> {
        self.update.lock().clone()
    }

    /// Says that.
    pub fn set_default_update(&self, update: Option<Variable>) {
        let old = {
            let mut held = self.update.lock();
            std::mem::replace(&mut *held, update)
        };
        drop(old);
    }
}

impl Variable {
    fn leaf(ty: TypeRef, name: Option<&str>, content: LeafContent) -> Variable {
        Variable(VariableKind::Leaf(Arc::new(Leaf { ty, label: Label::new(name), content })))
    }

    /// A variable that a function is given.
    pub fn new(ty: TypeRef, name: Option<&str>) -> Variable {
        Variable::leaf(ty, name, LeafContent::Input)
    }

    /// One that never changes; `value` is of the type.
    pub fn constant(ty: TypeRef, value: Value, name: Option<&str>) -> Variable {
        Variable::leaf(ty, name, LeafContent::Constant(value))
    }

    /// One that functions may update; `value` is of the type, and other values are taken as `coerce`
    /// says.
    pub fn shared(ty: TypeRef, value: Value, coerce: Coerce, name: Option<&str>) -> Variable {
        let shared = SharedValue { value: Lock::new(value), coerce, update: Lock::new(None) };
        Variable::leaf(ty, name, LeafContent::Shared(shared))
    }

    /// A result of a node.
    ///
    /// # Panics
    ///
    /// If the index is out of range.
    pub fn output(apply: Arc<Apply>, index: usize) -> Variable {
        assert!(index < apply.outputs().len(), "output index out of range");
        Variable(VariableKind::Output(apply, index))
    }

    /// Its type.
    pub fn ty(&self) -> &TypeRef {
        match &self.0 {
            VariableKind::Leaf(leaf) => &leaf.ty,
            VariableKind::Output(apply, index) => apply.outputs()[*index].ty(),
        }
    }

    /// What people call it.
    pub fn label(&self) -> &Label {
        match &self.0 {
            VariableKind::Leaf(leaf) => &leaf.label,
            VariableKind::Output(apply, index) => apply.outputs()[*index].label(),
        }
    }

    /// The node that it is a result of, and which of its results it is.
    pub fn owner(&self) -> Option<(&Arc<Apply>, usize)> {
        match &self.0 {
            VariableKind::Leaf(_) => None,
            VariableKind::Output(apply, index) => Some((apply, *index)),
        }
    }

    /// Its value, if that never changes.
    pub fn as_constant(&self) -> Option<&Value> {
        match &self.0 {
            VariableKind::Leaf(leaf) => match &leaf.content {
                LeafContent::Constant(value) => Some(value),
                LeafContent::Input | LeafContent::Shared(_) => None,
            },
            VariableKind::Output(..) => None,
        }
    }

    /// Its value, if functions may update it.
    pub fn as_shared(&self) -> Option<&SharedValue> {
        match &self.0 {
            VariableKind::Leaf(leaf) => match &leaf.content {
                LeafContent::Shared(shared) => Some(shared),
                LeafContent::Input | LeafContent::Constant(_) => None,
            },
            VariableKind::Output(..) => None,
        }
    }

    /// Whether a function has to be given it.
    pub fn is_input(&self) -> bool {
        matches!(&self.0, VariableKind::Leaf(leaf) if matches!(leaf.content, LeafContent::Input))
    }

    /// The node, if nobody else holds it: graphs are dropped without recursion.
    pub(crate) fn into_owner(self) -> Option<Arc<Apply>> {
        match self.0 {
            VariableKind::Leaf(_) => None,
            VariableKind::Output(apply, _) => Some(apply),
        }
    }

    /// What tells it from others, as long as it lives.
    pub fn key(&self) -> VariableKey {
        match &self.0 {
            VariableKind::Leaf(leaf) => VariableKey(Arc::as_ptr(leaf).addr(), usize::MAX),
            VariableKind::Output(apply, index) => VariableKey(Arc::as_ptr(apply).addr(), *index),
        }
    }
}

impl PartialEq for Variable {
    fn eq(&self, other: &Variable) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Variable {}

/// Its name; `exp.0` for a result, `<TypeName>` for what has no name.
impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.label().name() {
            return f.write_str(&name);
        }
        match self.owner() {
            Some((apply, index)) => write!(f, "{}.{index}", apply.op()),
            None => write!(f, "<{}>", self.ty()),
        }
    }
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whether a tensor is memory that may be written to for another result: nobody else has it, it lies
/// in order, and it is what a fresh tensor would be.
pub(crate) fn is_exclusive(tensor: &Tensor) -> bool {
    tensor.is_alone() && is_like_fresh(tensor)
}

/// Whether a tensor lies in order, and is what a fresh one would be.
pub(crate) fn is_like_fresh(tensor: &Tensor) -> bool {
    let covers = |it: &Storage| it.bytes() == tensor.numel() * tensor.dtype().size();
    tensor.storage().is_some_and(covers)
        && tensor.base().is_none()
        && tensor.is_contiguous()
        && tensor.device() == Device::Cpu
        && !tensor.is_wrapped_number()
        && !tensor.is_inference()
        && !tensor.requires_grad()
}

//! Labels and call sites: what variables and nodes are called, and where they were made.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use opwright_runtime::lock::Lock;

/// A name, if there is one, and what the host finds its object by.
#[derive(Default)]
pub struct Label {
    name: Lock<Option<Arc<str>>>,
    object: Lock<Option<Arc<dyn Any + Send + Sync>>>,
}

impl Label {
    /// A name.
    pub fn new(name: Option<&str>) -> Label {
        Label { name: Lock::new(name.map(Arc::from)), object: Lock::default() }
    }

    /// The name.
    pub fn name(&self) -> Option<Arc<str>> {
        self.name.lock().clone()
    }

    /// Gives it another name, or none.
    pub fn rename(&self, name: Option<&str>) {
        *self.name.lock() = name.map(Arc::from);
    }

    /// What the host put here to find its object again.
    pub fn object(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.object.lock().clone()
    }

    /// Puts it here.
    pub fn set_object(&self, object: Arc<dyn Any + Send + Sync>) {
        *self.object.lock() = Some(object);
    }
}

/// A line of the user's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The file.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub line: u32,
    /// The function that it is in.
    pub function: Arc<str>,
}

/// `train.py:17 in loss`.
impl fmt::Display for CallSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} in {}", self.file, self.line, self.function)
    }
}

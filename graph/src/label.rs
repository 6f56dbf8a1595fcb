//! What people call a variable.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// A name, if there is one, and what the host finds its object by.
#[derive(Default)]
pub struct Label {
    name: Mutex<Option<Arc<str>>>,
    object: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
}

impl Label {
    /// A name.
    pub fn new(name: Option<&str>) -> Label {
        Label { name: Mutex::new(name.map(Arc::from)), object: Mutex::default() }
    }

    /// The name.
    pub fn name(&self) -> Option<Arc<str>> {
        self.name.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Gives it another name, or none.
    pub fn rename(&self, name: Option<&str>) {
        *self.name.lock().unwrap_or_else(PoisonError::into_inner) = name.map(Arc::from);
    }

    /// What the host put here to find its object again.
    pub fn object(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.object.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts it here.
    pub fn set_object(&self, object: Arc<dyn Any + Send + Sync>) {
        *self.object.lock().unwrap_or_else(PoisonError::into_inner) = Some(object);
    }
}

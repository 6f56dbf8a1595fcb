//! One object for each type, as long as somebody holds it.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use opwright_runtime::lock::{Guard, Lock};
use opwright_runtime::types::TypeRef;
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};

/// Equal types are one key.
struct Key(TypeRef);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash_code());
    }
}

/// Weak references to the objects.
#[derive(Default)]
struct TypeObjects {
    references: HashMap<Key, Py<PyWeakrefReference>>,
    /// With how many to look next for those that nobody holds.
    full: usize,
}

static OBJECTS: Lock<Option<TypeObjects>> = Lock::new(None);

fn objects() -> Guard<'static, Option<TypeObjects>> {
    OBJECTS.lock()
}

/// The object of a type, which `make` makes if there is none. Types whose equality runs code of
/// Python do not come here.
///
/// # Errors
///
/// What `make` raises.
pub(super) fn object<'py>(
    py: Python<'py>,
    ty: &TypeRef,
    make: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let find = || {
        let objects = objects();
        let known = objects.as_ref().and_then(|it| it.references.get(&Key(ty.clone())));
        known.map(|it| it.clone_ref(py))
    };
    let living = |it: Option<Py<PyWeakrefReference>>| it.and_then(|it| it.bind(py).upgrade());
    if let Some(object) = living(find()) {
        return Ok(object);
    }
    let made = make()?;
    // Another thread may have been faster while it was made.
    if let Some(object) = living(find()) {
        return Ok(object);
    }
    let reference = PyWeakrefReference::new(&made)?.unbind();
    let gone = {
        let mut objects = objects();
        let objects = objects.get_or_insert_default();
        let before = objects.references.insert(Key(ty.clone()), reference);
        (before, objects.sweep(py))
    };
    // Not while others wait.
    drop(gone);
    Ok(made)
}

impl TypeObjects {
    /// Takes out references to what is gone, once there are twice as many as there were last time.
    fn sweep(&mut self, py: Python<'_>) -> Vec<(Key, Py<PyWeakrefReference>)> {
        const FEW: usize = 256;
        if self.references.len() < self.full.max(FEW) {
            return Vec::new();
        }
        let is_gone = |it: &Py<PyWeakrefReference>| it.bind(py).upgrade().is_none();
        let gone = self.references.extract_if(|_, it| is_gone(it)).collect();
        self.full = 2 * self.references.len();
        gone
    }
}

//! Objects that types and programs name, under numbers.
//!
//! They live as long as the process: modules, classes and functions, of which a program that is
//! compiled may be asked at any time.

use std::collections::HashMap;

use opwright_jit::types::Obj;
use opwright_runtime::lock::Lock;
use pyo3::prelude::*;

#[derive(Default)]
struct Objects {
    list: Vec<Py<PyAny>>,
    numbers: HashMap<usize, u32>,
}

static OBJECTS: Lock<Option<Objects>> = Lock::new(None);

/// The number of an object.
pub(super) fn number(object: &Bound<'_, PyAny>) -> Obj {
    let mut objects = OBJECTS.lock();
    let objects = objects.get_or_insert_with(Objects::default);
    let address = object.as_ptr().addr();
    if let Some(number) = objects.numbers.get(&address) {
        return Obj(*number);
    }
    let number = u32::try_from(objects.list.len()).unwrap_or(u32::MAX);
    objects.list.push(object.clone().unbind());
    objects.numbers.insert(address, number);
    Obj(number)
}

/// The object of a number.
pub(super) fn object(py: Python<'_>, number: Obj) -> Bound<'_, PyAny> {
    let objects = OBJECTS.lock();
    let found = objects.as_ref().and_then(|it| it.list.get(number.0 as usize));
    found.map_or_else(|| py.None().into_bound(py), |it| it.bind(py).clone())
}

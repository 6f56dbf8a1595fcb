//! Objects that types and programs name, under numbers.
//!
//! A number stands for its object as long as somebody keeps it: classes and types, which are looked
//! for at any time, for good ([`keep`]); whatever else a compilation meets, as long as the program that
//! it makes ([`Kept`]). A number that nobody keeps any more is given to another object, so nothing that
//! outlives a program may name what that alone keeps.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use opwright_jit::types::Obj;
use opwright_runtime::lock::Lock;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use crate::raw::Visitor;

#[derive(Default)]
struct Objects {
    list: Vec<ObjectRow>,
    /// The numbers of the objects at addresses: each is kept, so that no other object gets there.
    numbers: HashMap<usize, u32>,
    /// Numbers that stand for nothing.
    free: Vec<u32>,
}

/// What a number stands for.
struct ObjectRow {
    /// The object, to which each of those that keep it has a reference.
    address: usize,
    keepers: u32,
    /// Whether one of them keeps it for good.
    is_for_good: bool,
}

static OBJECTS: Lock<Option<Objects>> = Lock::new(None);

impl Objects {
    /// The number of an object, which somebody is about to keep.
    fn number(&mut self, object: &Bound<'_, PyAny>) -> Obj {
        let address = object.as_ptr().expose_provenance();
        if let Some(number) = self.numbers.get(&address) {
            return Obj(*number);
        }
        let row = ObjectRow { address, keepers: 0, is_for_good: false };
        let number = match self.free.pop() {
            Some(number) => {
                self.list[number as usize] = row;
                number
            }
            None => {
                self.list.push(row);
                u32::try_from(self.list.len() - 1).unwrap_or(u32::MAX)
            }
        };
        self.numbers.insert(address, number);
        Obj(number)
    }

    fn forget(&mut self, number: Obj) {
        let row = &mut self.list[number.0 as usize];
        row.keepers -= 1;
        if row.keepers == 0 {
            self.numbers.remove(&row.address);
            self.free.push(number.0);
        }
    }
}

/// The number of an object that lives as long as the process from now on.
pub(super) fn keep(object: &Bound<'_, PyAny>) -> Obj {
    let mut objects = OBJECTS.lock();
    let objects = objects.get_or_insert_default();
    let number = objects.number(object);
    let row = &mut objects.list[number.0 as usize];
    if !row.is_for_good {
        row.is_for_good = true;
        row.keepers += 1;
        // A reference that is never given back.
        let _ = object.clone().into_ptr();
    }
    number
}

/// The object of a number that somebody keeps; `None` for others.
pub(super) fn object(py: Python<'_>, number: Obj) -> Bound<'_, PyAny> {
    let objects = OBJECTS.lock();
    let found = objects.as_ref().and_then(|it| it.list.get(number.0 as usize));
    let Some(row) = found.filter(|it| it.keepers > 0) else { return py.None().into_bound(py) };
    let object = std::ptr::with_exposed_provenance_mut::<PyObject>(row.address);
    // SAFETY: whoever keeps the object has a reference to it, and gives that back only after the row
    // says so, which waits for the lock.
    unsafe { Bound::from_borrowed_ptr(py, object) }
}

/// The objects that a compilation has met, as long as what it made.
#[derive(Default)]
pub(super) struct Kept(BTreeMap<Obj, Py<PyAny>>);

impl Kept {
    fn number(&mut self, object: &Bound<'_, PyAny>) -> Obj {
        let mut objects = OBJECTS.lock();
        let objects = objects.get_or_insert_default();
        let number = objects.number(object);
        self.0.entry(number).or_insert_with(|| {
            objects.list[number.0 as usize].keepers += 1;
            object.clone().unbind()
        });
        number
    }

    /// Tells the garbage collector of the objects.
    pub(super) fn traverse(&self, visitor: &mut Visitor) {
        for object in self.0.values() {
            // SAFETY: an object to which there is a reference here that nobody else tells of.
            unsafe { visitor.see(object.as_ptr()) };
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(objects) = OBJECTS.lock().as_mut() {
            self.0.keys().for_each(|number| objects.forget(*number));
        }
        // The references go after the lock: what is freed may run anything.
    }
}

/// What keeps the objects of a compilation while it runs.
#[derive(Default)]
pub(super) struct Keeper(RefCell<Kept>);

impl Keeper {
    /// The number of an object, which is kept.
    pub(super) fn number(&self, object: &Bound<'_, PyAny>) -> Obj {
        self.0.borrow_mut().number(object)
    }

    /// All of them, for what was made.
    pub(super) fn into_kept(self) -> Kept {
        self.0.into_inner()
    }
}

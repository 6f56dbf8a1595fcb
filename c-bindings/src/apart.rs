//! Arguments of functions that write to some of them: one handle may be passed twice.
//!
//! An input that is also written to is lent as another handle of the same tensor, so that no
//! reference to what is written to is left.

use std::ops::Deref;

use opwright_runtime as rt;
use opwright_runtime::{Result, buffer};
use smallvec::SmallVec;

use crate::call::CallNames;
use crate::handle::{Handle, Pointee, Tensor};

/// Which handles are written to.
#[derive(Debug)]
pub struct Apart {
    call: CallNames,
    /// Sorted.
    written: SmallVec<[usize; 4]>,
}

/// A tensor, or another handle of it.
#[derive(Debug)]
pub enum Lent<'a> {
    /// As it was passed.
    Passed(&'a rt::Tensor),
    /// It is written to, too.
    Copied(rt::Tensor),
}

impl Deref for Lent<'_> {
    type Target = rt::Tensor;

    fn deref(&self) -> &rt::Tensor {
        match self {
            Lent::Passed(it) => it,
            Lent::Copied(it) => it,
        }
    }
}

/// Tensors, some of which may be other handles of what was passed.
#[derive(Debug)]
pub struct LentList<'a, R> {
    refs: Refs<'a, R>,
    /// What some of the references lead to.
    _copies: Vec<rt::Tensor>,
}

#[derive(Debug)]
enum Refs<'a, R> {
    Passed(&'a [R]),
    Mixed(Vec<R>),
}

impl<R> LentList<'_, R> {
    /// The list.
    pub fn refs(&self) -> &[R] {
        match &self.refs {
            Refs::Passed(it) => it,
            Refs::Mixed(it) => it,
        }
    }
}

impl CallNames {
    /// For functions that write to some of their arguments.
    pub fn apart(self) -> Apart {
        Apart::new(self)
    }
}

/// What is written to is read first. Each fails as those of [`CallNames`].
#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
#[expect(clippy::missing_safety_doc, reason = "pointers are what the header says of them")]
impl Apart {
    pub(crate) fn new(call: CallNames) -> Apart {
        Apart { call, written: SmallVec::new() }
    }

    /// Something to write to; what is no tensor is the only one of its type among the arguments.
    pub unsafe fn written<'a, T: Pointee>(
        &mut self,
        handle: *mut Handle<T>,
        at: usize,
    ) -> Result<&'a mut T> {
        match self.written.binary_search(&handle.addr()) {
            Ok(_) => return Err(self.call.twice(at)),
            Err(place) => self.written.insert(place, handle.addr()),
        }
        // SAFETY: no other argument that is written to is this handle, and those that are only read
        // become other handles.
        unsafe { self.call.written(handle, at) }
    }

    /// The same, or nothing.
    pub unsafe fn optional_written<'a>(
        &mut self,
        handle: *mut Tensor,
        at: usize,
    ) -> Result<Option<&'a mut rt::Tensor>> {
        if handle.is_null() {
            return Ok(None);
        }
        // SAFETY: as there.
        unsafe { self.written(handle, at) }.map(Some)
    }

    /// A list of them.
    pub unsafe fn all_written<'a>(
        &mut self,
        handles: *const *mut Tensor,
        len: usize,
        at: usize,
    ) -> Result<Vec<&'a mut rt::Tensor>> {
        // SAFETY: as many handles as that can be read.
        let handles = unsafe { self.call.slice(handles, len, at) }?;
        self.written.try_reserve(len).map_err(|_| rt::Error::memory("not enough memory"))?;
        self.written.extend(handles.iter().map(|it| it.addr()));
        self.written.sort_unstable();
        if self.written.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(self.call.twice(at));
        }
        buffer::try_collected(handles.iter().enumerate().map(|(element, handle)| {
            // SAFETY: no other argument or element that is written to is this handle.
            let written = unsafe { self.call.written(*handle, at) };
            written.map_err(|_| self.call.no_element(at, element, rt::Tensor::NOUN))
        }))
    }

    /// A tensor that is only read.
    pub unsafe fn tensor<'a>(&self, handle: *const Tensor, at: usize) -> Result<Lent<'a>> {
        if self.is_written(handle) {
            return Ok(Lent::Copied(self.copied(handle)));
        }
        // SAFETY: it is NULL or a handle.
        unsafe { self.call.object(handle, at) }.map(Lent::Passed)
    }

    /// The same, or nothing.
    pub unsafe fn optional<'a>(
        &self,
        handle: *const Tensor,
        at: usize,
    ) -> Result<Option<Lent<'a>>> {
        if handle.is_null() {
            return Ok(None);
        }
        // SAFETY: as there.
        unsafe { self.tensor(handle, at) }.map(Some)
    }

    /// A list of them.
    pub unsafe fn tensors<'a>(
        &self,
        handles: *const *const Tensor,
        len: usize,
        at: usize,
    ) -> Result<LentList<'a, &'a rt::Tensor>> {
        // SAFETY: as many handles as that can be read.
        let given = unsafe { self.call.slice(handles, len, at) }?;
        if !given.iter().any(|it| self.is_written(*it)) {
            // SAFETY: as above.
            let refs = Refs::Passed(unsafe { self.call.objects(handles, len, at) }?);
            return Ok(LentList { refs, _copies: Vec::new() });
        }
        let mut copies = self.room_for_copies(given)?;
        let refs = buffer::try_collected(given.iter().map(|it| match self.is_written(*it) {
            true => Ok(self.copied_to(&mut copies, *it)),
            // SAFETY: it is NULL or a handle.
            false => unsafe { self.call.object(*it, at) },
        }))?;
        Ok(LentList { refs: Refs::Mixed(refs), _copies: copies })
    }

    /// A list, any element of which may be absent.
    pub unsafe fn elements<'a>(
        &self,
        handles: *const *const Tensor,
        len: usize,
        at: usize,
    ) -> Result<LentList<'a, Option<&'a rt::Tensor>>> {
        // SAFETY: as many handles as that can be read.
        let given = unsafe { self.call.slice(handles, len, at) }?;
        if !given.iter().any(|it| self.is_written(*it)) {
            // SAFETY: as above.
            let refs = Refs::Passed(unsafe { self.call.elements(handles, len, at) }?);
            return Ok(LentList { refs, _copies: Vec::new() });
        }
        let mut copies = self.room_for_copies(given)?;
        let refs = buffer::try_collected(given.iter().map(|it| match self.is_written(*it) {
            true => Ok(Some(self.copied_to(&mut copies, *it))),
            // SAFETY: it is NULL or a handle.
            false => unsafe { self.call.optional(*it, at) },
        }))?;
        Ok(LentList { refs: Refs::Mixed(refs), _copies: copies })
    }

    fn is_written(&self, handle: *const Tensor) -> bool {
        self.written.binary_search(&handle.addr()).is_ok()
    }

    fn copied(&self, handle: *const Tensor) -> rt::Tensor {
        // SAFETY: what is written to was found to be a handle, and nobody writes to it yet.
        unsafe { (*handle).0.clone() }
    }

    fn room_for_copies(&self, given: &[*const Tensor]) -> Result<Vec<rt::Tensor>> {
        let count = given.iter().filter(|it| self.is_written(**it)).count();
        let mut copies = Vec::new();
        copies.try_reserve_exact(count).map_err(|_| rt::Error::memory("not enough memory"))?;
        Ok(copies)
    }

    /// A reference to another handle, which is good as long as the list, as that never grows.
    fn copied_to<'a>(&self, copies: &mut Vec<rt::Tensor>, handle: *const Tensor) -> &'a rt::Tensor {
        debug_assert!(copies.len() < copies.capacity());
        copies.push(self.copied(handle));
        // SAFETY: there is room for it, so that it stays where it is until the list goes, and the
        // list goes with the references.
        unsafe { &*copies.as_ptr().add(copies.len() - 1) }
    }
}

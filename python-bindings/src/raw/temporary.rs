//! Objects that nobody but the interpreter's stack holds.

use pyo3::ffi;
use pyo3::prelude::*;

/// Whether there is one reference to an object.
pub(crate) fn is_held_once(object: Borrowed<'_, '_, PyAny>) -> bool {
    // SAFETY: an object that is held is asked.
    unsafe { ffi::Py_REFCNT(object.as_ptr()) == 1 }
}

/// Whether nobody will see an operand of Python's syntax after the call that takes it.
///
/// It is a value that an expression made on the way, and the interpreter itself called: code in C may
/// hold an operand by the one reference that it lends to the call, and look at it afterwards. To find
/// out who called takes some microseconds.
///
/// False where that cannot be known.
pub(crate) fn is_temporary(operand: Borrowed<'_, '_, PyAny>) -> bool {
    is_held_once(operand) && callers::is_unique(&operand) && callers::are_interpreter()
}

#[cfg(any(all(target_os = "linux", target_env = "gnu"), target_os = "macos"))]
mod callers {
    use std::cell::Cell;
    use std::ffi::{CStr, c_int, c_void};
    use std::mem::{MaybeUninit, transmute};
    use std::ptr;
    use std::sync::OnceLock;

    use pyo3::ffi;
    use pyo3::prelude::*;

    /// The loop of the interpreter.
    const EVALUATION: &CStr = c"_PyEval_EvalFrameDefault";

    /// So many calls may be between that and this file, and so many seldom are: each takes time.
    const MOST: usize = 24;
    const USUAL: usize = 12;

    type Question = unsafe extern "C" fn(*mut ffi::PyObject) -> c_int;

    /// Whether an object with one reference has it on the stack: from 3.14 on, a variable lends its
    /// own without counting, and the interpreter says so.
    pub(super) fn is_unique(operand: &Bound<'_, PyAny>) -> bool {
        static QUESTION: OnceLock<Option<Question>> = OnceLock::new();
        // To ask takes longer than all else here: the version is a text.
        static COUNTS_ALL: OnceLock<bool> = OnceLock::new();
        let question = QUESTION.get_or_init(|| {
            let name = c"PyUnstable_Object_IsUniqueReferencedTemporary";
            // SAFETY: the function of this name takes an object and gives an `int`.
            unsafe {
                let address = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
                (!address.is_null()).then(|| transmute::<*mut c_void, Question>(address))
            }
        });
        match question {
            // SAFETY: an object that is held is asked, and the GIL is.
            Some(ask) => unsafe { ask(operand.as_ptr()) != 0 },
            None => *COUNTS_ALL.get_or_init(|| operand.py().version_info() < (3, 14)),
        }
    }

    /// What an instruction belongs to.
    #[derive(Clone, Copy, PartialEq)]
    enum Place {
        /// This library.
        Here,
        /// The interpreter's, but for its loop.
        Python,
        /// The loop of the interpreter.
        Evaluation,
    }

    /// What is known of so many groups of instructions of a thread.
    const GROUPS: usize = 16;

    /// Those of a group that were asked for last.
    type Group = [Option<(usize, Place)>; 4];

    thread_local! {
        /// Instructions and their places. To search the symbols of a library takes microseconds;
        /// neither of the two that are kept here is ever unloaded.
        static PLACES: [Cell<Group>; GROUPS] = const { [const { Cell::new([None; 4]) }; GROUPS] };
    }

    /// Whether this library was called by the interpreter, and that by its own loop.
    pub(super) fn are_interpreter() -> bool {
        let mut frames = [ptr::null_mut(); MOST];
        let is_interpreter = is_interpreter(&mut frames[..USUAL]);
        is_interpreter.or_else(|| self::is_interpreter(&mut frames)).unwrap_or(false)
    }

    /// Whether it was, if the calls that there is room for tell.
    #[inline(never)]
    fn is_interpreter(room: &mut [*mut c_void]) -> Option<bool> {
        // SAFETY: there is room for as many.
        let count = unsafe { libc::backtrace(room.as_mut_ptr(), room.len() as c_int) };
        let places = room[..count as usize].iter().map(|it| place(it.cast_const()));
        for place in places.skip_while(|&it| it == Some(Place::Here)) {
            match place {
                Some(Place::Evaluation) => return Some(true),
                Some(Place::Python) => {}
                Some(Place::Here) | None => return Some(false),
            }
        }
        None
    }

    /// The place of an instruction, if it is one of the three.
    fn place(instruction: *const c_void) -> Option<Place> {
        let address = instruction.addr();
        PLACES.with(|places| {
            let group = &places[group_of(address)];
            let mut known = group.get();
            if let Some((_, place)) = known.iter().flatten().find(|it| it.0 == address) {
                return Some(*place);
            }
            let place = search(instruction)?;
            known.rotate_right(1);
            known[0] = Some((address, place));
            group.set(known);
            Some(place)
        })
    }

    /// Fibonacci hashing, as instructions of one library differ in their low bits alone.
    fn group_of(address: usize) -> usize {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        ((address as u64).wrapping_mul(GOLDEN) >> (u64::BITS - GROUPS.ilog2())) as usize
    }

    fn search(instruction: *const c_void) -> Option<Place> {
        let library = library(instruction);
        let here = self::library(search as *const c_void)?;
        let python = self::library(ffi::PyNumber_Add as *const c_void)?;
        if here == python {
            None
        } else if library == Some(here) {
            Some(Place::Here)
        } else if library == Some(python) {
            Some(if is_evaluation(instruction) { Place::Evaluation } else { Place::Python })
        } else {
            None
        }
    }

    /// Where the library that has an instruction begins.
    fn library(instruction: *const c_void) -> Option<usize> {
        found(instruction).map(|it| it.dli_fbase.addr())
    }

    fn is_evaluation(instruction: *const c_void) -> bool {
        let name = found(instruction).map_or(ptr::null(), |it| it.dli_sname);
        // SAFETY: a name that was found is a string of the library, which stays loaded.
        !name.is_null() && unsafe { CStr::from_ptr(name) } == EVALUATION
    }

    fn found(instruction: *const c_void) -> Option<libc::Dl_info> {
        let mut found = MaybeUninit::uninit();
        // SAFETY: it is written if something was found.
        unsafe { (libc::dladdr(instruction, found.as_mut_ptr()) != 0).then(|| found.assume_init()) }
    }
}

#[cfg(not(any(all(target_os = "linux", target_env = "gnu"), target_os = "macos")))]
mod callers {
    use pyo3::prelude::*;

    pub(super) fn is_unique(_: &Bound<'_, PyAny>) -> bool {
        false
    }

    pub(super) fn are_interpreter() -> bool {
        false
    }
}

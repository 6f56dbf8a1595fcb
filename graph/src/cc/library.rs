//! Loaded block libraries, and the C ABI between host and block.

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

use opwright_jit::cc::{self, CompileError, LibrarySource};
use opwright_runtime::lock::{Lazy, Lock};

/// What the host does for blocks; the same as `opw_host` in `block.h`.
#[repr(C)]
pub struct HostTable {
    /// Reads a tensor: object, dtype, rank, extents (−1 where any will do), and where to put it.
    pub tensor:
        unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const i64, *mut CTensor) -> c_int,
    /// Makes one: dtype, rank, shape, and where to put it.
    pub empty: unsafe extern "C" fn(*const c_char, c_int, *const i64, *mut CTensor) -> c_int,
}

/// The same as `opw_tensor` in `block.h`.
#[repr(C)]
pub struct CTensor {
    /// The first element.
    pub data: *mut c_void,
    /// The name of the dtype.
    pub dtype: *const c_char,
    /// How many dimensions there are.
    pub ndim: c_int,
    /// The extents.
    pub shape: [i64; 64],
    /// How many bytes lie between elements.
    pub strides: [i64; 64],
    /// The host's object, which is held.
    pub owner: *mut c_void,
}

/// The same as `opw_observer` in `block.h`.
#[repr(C)]
pub struct CObserver {
    /// Is told what happens: an event, and the number of its variable or node.
    pub event: unsafe extern "C" fn(*mut c_void, c_int, c_int) -> c_int,
    /// What it is called with first.
    pub context: *mut c_void,
}

/// The same as `opw_table` in `block.h`.
#[repr(C)]
struct Table {
    key: *const c_char,
    create: unsafe extern "C" fn() -> *mut c_void,
    destroy: unsafe extern "C" fn(*mut c_void),
    run: unsafe extern "C" fn(*mut c_void, *mut *mut c_void, *const CObserver) -> c_int,
}

type EntryPoint = unsafe extern "C" fn(*const HostTable) -> *const Table;

/// The code of a block. It stays in memory: functions of it may have been handed out.
pub struct BlockLibrary {
    entry: EntryPoint,
    table: Lazy<Option<&'static Table>>,
    code: Arc<cc::LoadedLibrary>,
}

// SAFETY: the table is constant data of a library that stays loaded, and what its functions need
// of the host is a condition of calling them.
unsafe impl Send for BlockLibrary {}
// SAFETY: nothing is changed through a shared reference but by the once-cell.
unsafe impl Sync for BlockLibrary {}

impl BlockLibrary {
    /// The state of a function, after what the block's members do once per process was done; null if
    /// one of both failed, and the host knows why.
    ///
    /// # Safety
    ///
    /// The host is held, and `host` lives as long as the process.
    pub unsafe fn start(&self, host: &'static HostTable) -> *mut c_void {
        let begin = || {
            // SAFETY: `entry` is the block's entry, which is told what it wants to know of the host.
            let table = unsafe { (self.entry)(host).as_ref() };
            // Not `get_or_init`: what is done once may let others run, who come here, too. The
            // library looks itself whether it was done.
            *self.table.get_or_init(|| table)
        };
        match self.table.get().copied().unwrap_or_else(begin) {
            // SAFETY: the block was begun, and the host is held.
            Some(table) => unsafe { (table.create)() },
            None => std::ptr::null_mut(),
        }
    }

    /// Ends a state.
    ///
    /// # Safety
    ///
    /// The host is held, and `state` is one of [`BlockLibrary::start`] that nobody uses.
    pub unsafe fn destroy(&self, state: *mut c_void) {
        if let Some(Some(table)) = self.table.get() {
            // SAFETY: the state came from the same table.
            unsafe { (table.destroy)(state) };
        }
    }

    /// Runs the block: 0, or what failed, see [`Block::failed`](super::Block::failed).
    ///
    /// # Safety
    ///
    /// The host is held; `state` is one of [`BlockLibrary::start`], `storage` has a list of one object
    /// for each variable that crosses the boundary; `observer` is null or points to one.
    pub unsafe fn run(
        &self,
        state: *mut c_void,
        storage: *mut *mut c_void,
        observer: *const CObserver,
    ) -> i32 {
        match self.table.get() {
            // SAFETY: as above, and the arguments are what the caller says.
            Some(Some(table)) => unsafe { (table.run)(state, storage, observer) },
            _ => -1,
        }
    }

    /// What it is found by.
    pub fn key(&self) -> &str {
        self.code.key()
    }
}

/// The block of a source: one for all who want it, since what is done once per process is done by
/// its table.
pub(super) fn load(source: &LibrarySource) -> Result<Arc<BlockLibrary>, CompileError> {
    static KNOWN: Lock<Option<HashMap<String, Arc<BlockLibrary>>>> = Lock::new(None);
    // SAFETY: what runs when it is loaded are constructors in the text that the user wrote, which is
    // what the user wants to run.
    let code = unsafe { cc::load(source) }?;
    if let Some(library) = KNOWN.lock().as_ref().and_then(|it| it.get(code.key())) {
        return Ok(library.clone());
    }
    let entry = code.symbol(c"opw_entry_1")?;
    // SAFETY: `entry.h`, which is part of every block, defines this function, of this type.
    let entry = unsafe { std::mem::transmute::<NonNull<c_void>, EntryPoint>(entry) };
    let library = Arc::new(BlockLibrary { entry, table: Lazy::new(), code });
    let mut known = KNOWN.lock();
    Ok(known.get_or_insert_default().entry(library.key().to_owned()).or_insert(library).clone())
}

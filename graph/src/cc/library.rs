//! Compiled blocks in memory.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use opwright_runtime::lock::{Lazy, Lock, Turn};

use super::cache::{self, Content, Unfinished};
use super::source::Source;
use super::wrong::Wrong;

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

type Entry = unsafe extern "C" fn(*const HostTable) -> *const Table;

/// The code of a block. It stays in memory: functions of it may have been handed out.
pub struct Library {
    entry: Entry,
    table: Lazy<Option<&'static Table>>,
    key: String,
}

// SAFETY: the table is constant data of a library that stays loaded, and what its functions need
// of the host is a condition of calling them.
unsafe impl Send for Library {}
// SAFETY: nothing is changed through a shared reference but by the once-cell.
unsafe impl Sync for Library {}

impl Library {
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
    /// The host is held, and `state` is one of [`Library::start`] that nobody uses.
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
    /// The host is held; `state` is one of [`Library::start`], `storage` has a list of one object
    /// for each variable that crosses the border; `observer` is null or points to one.
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
        &self.key
    }
}

/// A library, once there is one; who wants the same meanwhile waits for the turn.
#[derive(Default)]
struct Slot {
    turn: Turn,
    library: Lazy<Arc<Library>>,
}

/// The library of a source: from memory, from the cache, or compiled.
pub(super) fn load(source: &Source) -> Result<Arc<Library>, Wrong> {
    static KNOWN: Lock<Option<HashMap<String, Arc<Slot>>>> = Lock::new(None);
    let key = key(source);
    let slot = {
        let mut known = KNOWN.lock();
        known.get_or_insert_default().entry(key.clone()).or_default().clone()
    };
    let known = || slot.library.get().cloned();
    if let Some(library) = known() {
        return Ok(library);
    }
    let _turn = slot.turn.take();
    if let Some(library) = known() {
        return Ok(library);
    }
    let library = Arc::new(found(source, &key)?);
    Ok(slot.library.get_or_init(|| library).clone())
}

fn key(source: &Source) -> String {
    let path = source.compiler.path.to_string_lossy();
    let mut parts = vec![source.text.as_str(), &path, &source.compiler.version];
    parts.extend([source.abi.as_str(), env!("CARGO_PKG_VERSION"), std::env::consts::ARCH]);
    parts.extend(source.flags.iter().map(String::as_str));
    parts.extend(source.libraries.iter().map(|it| it.text.as_str()));
    match &source.versions {
        Some(versions) => parts.extend(versions.iter().map(String::as_str)),
        None => parts.push("of this process"),
    }
    Content { parts }.key()
}

/// Opens what is kept, or compiles it; what cannot be opened is made anew.
fn found(source: &Source, key: &str) -> Result<Library, Wrong> {
    let kept = source.versions.is_some();
    if kept
        && let Ok(entry) = cache::entry(key)
        && entry.symlink_metadata().is_ok()
    {
        if let Some(library) = known(&entry.join(FILE), key) {
            return Ok(library);
        }
        cache::remove(&entry);
    }
    let (folder, kept) = Unfinished::new(kept)?;
    let made = made(source, key, folder.path(), kept);
    if !kept {
        // On other systems a file that is open cannot be removed with its folder, and stays.
        return made;
    }
    // A cache that is full, or that somebody empties meanwhile, keeps nobody from compiling.
    if made.is_err() && !folder.takes_more() {
        return self::made(source, key, Unfinished::new(false)?.0.path(), false);
    }
    // Opened before it gets its name, so that what is kept can be opened.
    let library = made?;
    if let (Ok(()), Ok(entry)) = (cache::seal(&folder.path().join(FILE)), cache::entry(key)) {
        // Who cannot keep it can use it.
        let _ = folder.finish(&entry);
    }
    Ok(library)
}

/// Why a library was not opened.
enum Unopened {
    /// The system did not load it.
    Refused(String),
    /// It is none of the block.
    Wrong(String),
}

impl Unopened {
    fn wrong(error: &libloading::Error) -> Unopened {
        Unopened::Wrong(described(error))
    }
}

const FILE: &str = if cfg!(windows) { "block.dll" } else { "block.so" };

/// What is kept of a block, if it is what this user once made.
fn known(file: &Path, key: &str) -> Option<Library> {
    match cache::is_whole(file) {
        // Nobody else can write to the folders on the way, so this is the file that was read.
        Ok(true) => open(file, key).or_else(|it| elsewhere(file, key, it)).ok(),
        Ok(false) => None,
        Err(error) => {
            cache::not_used(&error);
            None
        }
    }
}

/// Compiles and opens it.
fn made(source: &Source, key: &str, folder: &Path, kept: bool) -> Result<Library, Wrong> {
    let log = compile(source, key, folder)?;
    let file = folder.join(FILE);
    let opened = open(&file, key);
    let opened = if kept { opened.or_else(|it| elsewhere(&file, key, it)) } else { opened };
    opened.map_err(|it| unloadable(&it, &log))
}

/// A copy in the temporary folder: where the cache lies, files may not be run (`noexec`).
fn elsewhere(file: &Path, key: &str, error: Unopened) -> Result<Library, Unopened> {
    if matches!(error, Unopened::Wrong(_)) {
        return Err(error);
    }
    let Ok((folder, _)) = Unfinished::new(false) else { return Err(error) };
    let copy = folder.path().join(FILE);
    if fs::copy(file, &copy).is_err() {
        return Err(error);
    }
    open(&copy, key).map_err(|_| error)
}

fn compile(source: &Source, key: &str, folder: &Path) -> Result<String, Wrong> {
    let file = folder.join(source.compiler.file_name());
    let written = |it: io::Error| Wrong::compile(format_args!("{}: {it}", file.display()), "");
    fs::write(&file, &source.text).map_err(written)?;
    let mut flags = source.flags.clone();
    flags.push(format!("-DOPW_KEY=\"{key}\""));
    let log = source.compiler.run(&flags, &file, &folder.join(FILE), &source.libraries)?;
    // It is there to be read.
    let _ = fs::write(folder.join("log"), &log);
    Ok(log)
}

#[cold]
fn unloadable(error: &Unopened, log: &str) -> Wrong {
    let (Unopened::Refused(error) | Unopened::Wrong(error)) = error;
    Wrong::compile(format_args!("the compiled block cannot be loaded: {error}"), log)
}

fn open(path: &Path, key: &str) -> Result<Library, Unopened> {
    // SAFETY: loading runs the constructors of a library that was made of the text that the user
    // wrote, which is what the user wants to run.
    let library = unsafe { open_now(path) };
    let library = library.map_err(|it| Unopened::Refused(described(&it)))?;
    // SAFETY: every block has this function, of this type.
    let entry = unsafe { library.get::<Entry>(b"opw_entry_1\0") }.map(|it| *it);
    let entry = entry.map_err(|it| Unopened::wrong(&it))?;
    // SAFETY: every block has this array of characters, which ends in zero.
    let own = unsafe { library.get::<*const c_char>(b"opw_key_1\0") }.map(|it| *it);
    let own = own.map_err(|it| Unopened::wrong(&it))?;
    // SAFETY: the pointer is a constant of the library, which is loaded.
    let own = unsafe { CStr::from_ptr(own) };
    if own.to_bytes() != key.as_bytes() {
        return Err(Unopened::Wrong("it was made of something else".to_owned()));
    }
    std::mem::forget(library);
    Ok(Library { entry, table: Lazy::new(), key: key.to_owned() })
}

fn described(error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}

/// Opened so that what is missing is found now, not when it is called.
///
/// # Safety
///
/// As that of `libloading::Library::new`.
#[cfg(unix)]
unsafe fn open_now(path: &Path) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: it is the caller's to know what the library does when it is loaded.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
}

#[cfg(not(unix))]
unsafe fn open_now(path: &Path) -> Result<libloading::Library, libloading::Error> {
    // SAFETY: it is the caller's to know what the library does when it is loaded.
    unsafe { libloading::Library::new(path) }
}

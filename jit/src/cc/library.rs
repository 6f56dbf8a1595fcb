//! Compiled text in memory.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::{Arc, Weak};
use std::{fs, io};

use opwright_runtime::lock::{Lock, Turn};

use super::cache::{self, CacheKey, Unfinished};
use super::compiler::{Compiler, Linked};
use super::error::CompileError;

/// A text, and all that its machine code depends on: two that are the same are one library.
pub struct LibrarySource {
    /// The text. It exports the array of characters `opw_key_1` with the value of the macro
    /// `OPW_KEY`, by which a library is known to be of this source.
    pub text: String,
    /// What compiles it.
    pub compiler: Compiler,
    /// What is passed to the compiler besides the files, beginning with [`Compiler::flags`].
    pub flags: Vec<String>,
    /// What it is linked with.
    pub libraries: Vec<Linked>,
    /// The versions of what the text uses and does not contain. Without them the library is for this
    /// process only, and is not kept.
    pub versions: Option<Vec<String>>,
    /// What tells the binary interface that the text was written for from others.
    pub abi: String,
}

/// The code of a source, which is unloaded when nobody has it any more. What [`load`] gives stays in
/// memory: functions of it may have been handed out.
pub struct LoadedLibrary {
    library: ManuallyDrop<libloading::Library>,
    key: String,
}

impl LoadedLibrary {
    /// The address of a function or a variable that the text exports; it is valid as long as the
    /// library is loaded.
    ///
    /// # Errors
    ///
    /// It exports none of this name.
    pub fn symbol(&self, name: &CStr) -> Result<NonNull<c_void>, CompileError> {
        found_in(&self.library, name).map_err(|it| unloadable(&it, ""))
    }

    /// What it is found by: the same for the same source only.
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl Drop for LoadedLibrary {
    fn drop(&mut self) {
        let _section = LOADING.lock();
        // SAFETY: it is dropped once, and used by nobody else: addresses in it are those of who had it.
        unsafe { ManuallyDrop::drop(&mut self.library) };
    }
}

/// A library, once there is one; who wants the same meanwhile waits for the turn.
#[derive(Default)]
struct PendingLibrary {
    turn: Turn,
    library: Lock<Loaded>,
}

/// Whether a library is in memory.
#[derive(Default)]
enum Loaded {
    /// It never was.
    #[default]
    Not,
    /// As long as somebody has it.
    Lent(Weak<LoadedLibrary>),
    /// For good.
    Kept(Arc<LoadedLibrary>),
}

impl Loaded {
    fn library(&self) -> Option<Arc<LoadedLibrary>> {
        match self {
            Loaded::Not => None,
            Loaded::Lent(library) => library.upgrade(),
            Loaded::Kept(library) => Some(library.clone()),
        }
    }
}

/// The libraries of sources, by their keys.
static KNOWN: Lock<Option<HashMap<String, Arc<PendingLibrary>>>> = Lock::new(None);

/// A fork waits while libraries are loaded and unloaded: a child could do neither if the system's lock
/// stayed held in it.
static LOADING: Lock<()> = Lock::new(());

/// The library of a source: from memory, from the cache, or compiled. Who asks for one that another
/// thread is compiling waits for it.
///
/// ```no_run
/// use opwright_jit::cc::{Compiler, LibrarySource, load};
///
/// let compiler = Compiler::find(None, true)?;
/// let mut flags = compiler.flags();
/// flags.push("-O3".to_owned());
/// let exported = "__attribute__((visibility(\"default\")))";
/// let text = format!(
///     "{exported} const char opw_key_1[] = OPW_KEY;\n{exported} int answer(void) {{ return 42; }}\n"
/// );
/// let (libraries, versions, abi) = (Vec::new(), Some(Vec::new()), String::new());
/// let source = LibrarySource { text, compiler, flags, libraries, versions, abi };
/// // SAFETY: the text runs nothing when it is loaded.
/// let library = unsafe { load(&source) }?;
/// let answer = library.symbol(c"answer")?;
/// // SAFETY: the text says that this is the type of `answer`.
/// let answer: extern "C" fn() -> i32 = unsafe { std::mem::transmute(answer) };
/// assert_eq!(answer(), 42);
/// # Ok::<(), opwright_jit::cc::CompileError>(())
/// ```
///
/// # Errors
///
/// What the compiler, the linker or the loader says; there is no temporary folder.
///
/// # Safety
///
/// What the text and its libraries run when they are loaded, such as constructors, is sound.
pub unsafe fn load(source: &LibrarySource) -> Result<Arc<LoadedLibrary>, CompileError> {
    let (slot, library) = of_source(source)?;
    *slot.library.lock() = Loaded::Kept(library.clone());
    Ok(library)
}

/// As [`load`], but the library is unloaded when nobody has it any more.
///
/// # Errors
///
/// As for [`load`].
///
/// # Safety
///
/// As for [`load`].
#[cfg(feature = "functions")]
pub(super) unsafe fn lend(source: &LibrarySource) -> Result<Arc<LoadedLibrary>, CompileError> {
    of_source(source).map(|(_, library)| library)
}

fn of_source(
    source: &LibrarySource,
) -> Result<(Arc<PendingLibrary>, Arc<LoadedLibrary>), CompileError> {
    let key = key(source);
    let slot = slot(&key);
    let known = || slot.library.lock().library();
    if let Some(library) = known() {
        return Ok((slot.clone(), library));
    }
    let _turn = slot.turn.take();
    if let Some(library) = known() {
        return Ok((slot.clone(), library));
    }
    let library = Arc::new(found(source, &key)?);
    *slot.library.lock() = Loaded::Lent(Arc::downgrade(&library));
    Ok((slot.clone(), library))
}

/// The slot of a key; those of libraries that are gone go.
fn slot(key: &str) -> Arc<PendingLibrary> {
    let mut known = KNOWN.lock();
    let known = known.get_or_insert_default();
    if let Some(slot) = known.get(key) {
        return slot.clone();
    }
    // Who has a slot is about to fill it.
    known.retain(|_, it| Arc::strong_count(it) > 1 || it.library.lock().library().is_some());
    known.entry(key.to_owned()).or_default().clone()
}

fn key(source: &LibrarySource) -> String {
    let path = source.compiler.path.to_string_lossy();
    let mut parts = vec![source.text.as_str(), &path, &source.compiler.version];
    parts.extend([source.abi.as_str(), env!("CARGO_PKG_VERSION"), std::env::consts::ARCH]);
    parts.extend(source.flags.iter().map(String::as_str));
    parts.extend(source.libraries.iter().map(|it| it.name.as_str()));
    match &source.versions {
        Some(versions) => parts.extend(versions.iter().map(String::as_str)),
        None => parts.push("of this process"),
    }
    CacheKey { parts }.key()
}

/// Opens what is kept, or compiles it; what cannot be opened is made anew.
fn found(source: &LibrarySource, key: &str) -> Result<LoadedLibrary, CompileError> {
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
    /// It is none of the source.
    Foreign(String),
}

impl Unopened {
    fn foreign(error: &libloading::Error) -> Unopened {
        Unopened::Foreign(described(error))
    }
}

const FILE: &str = if cfg!(windows) { "block.dll" } else { "block.so" };

/// What is kept of a source, if it is what this user once made.
fn known(file: &Path, key: &str) -> Option<LoadedLibrary> {
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
fn made(
    source: &LibrarySource,
    key: &str,
    folder: &Path,
    kept: bool,
) -> Result<LoadedLibrary, CompileError> {
    let log = compile(source, key, folder)?;
    let file = folder.join(FILE);
    let opened = open(&file, key);
    let opened = if kept { opened.or_else(|it| elsewhere(&file, key, it)) } else { opened };
    opened.map_err(|it| unloadable(&it, &log))
}

/// A copy in the temporary folder: where the cache lies, files may not be run (`noexec`).
fn elsewhere(file: &Path, key: &str, error: Unopened) -> Result<LoadedLibrary, Unopened> {
    if matches!(error, Unopened::Foreign(_)) {
        return Err(error);
    }
    let Ok((folder, _)) = Unfinished::new(false) else { return Err(error) };
    let copy = folder.path().join(FILE);
    if fs::copy(file, &copy).is_err() {
        return Err(error);
    }
    open(&copy, key).map_err(|_| error)
}

fn compile(source: &LibrarySource, key: &str, folder: &Path) -> Result<String, CompileError> {
    let file = folder.join(source.compiler.file_name());
    let written =
        |it: io::Error| CompileError::failed(format_args!("{}: {it}", file.display()), "");
    fs::write(&file, &source.text).map_err(written)?;
    let mut flags = source.flags.clone();
    flags.push(format!("-DOPW_KEY=\"{key}\""));
    let log = source.compiler.run(&flags, &file, &folder.join(FILE), &source.libraries)?;
    // It is there to be read.
    let _ = fs::write(folder.join("log"), &log);
    Ok(log)
}

/// What the compiler writes of a source as assembly.
#[cfg(feature = "functions")]
pub(super) fn assembly(source: &LibrarySource) -> Result<String, CompileError> {
    let (folder, _) = Unfinished::new(false)?;
    let file = folder.path().join(source.compiler.file_name());
    let listing = folder.path().join("block.s");
    let failed = |it: io::Error| CompileError::failed(format_args!("{}: {it}", file.display()), "");
    fs::write(&file, &source.text).map_err(failed)?;
    let mut flags = source.flags.clone();
    flags.extend(["-S", "-fno-asynchronous-unwind-tables", "-DOPW_KEY=\"\""].map(str::to_owned));
    source.compiler.run(&flags, &file, &listing, &[])?;
    fs::read_to_string(&listing).map_err(failed)
}

#[cold]
fn unloadable(error: &Unopened, log: &str) -> CompileError {
    let (Unopened::Refused(error) | Unopened::Foreign(error)) = error;
    CompileError::failed(format_args!("the compiled block cannot be loaded: {error}"), log)
}

fn open(path: &Path, key: &str) -> Result<LoadedLibrary, Unopened> {
    // SAFETY: the file was made of a source of `load`, whose caller vouches for what it runs when it
    // is loaded: it was compiled just now, or nobody but the user can have written it.
    let library = unsafe { open_now(path) };
    let library = library.map_err(|it| Unopened::Refused(described(&it)))?;
    let own = found_in(&library, c"opw_key_1")?.cast::<c_char>();
    // SAFETY: every source exports an array of characters by this name, which ends in zero, and the
    // library is loaded.
    let own = unsafe { CStr::from_ptr(own.as_ptr()) };
    if own.to_bytes() != key.as_bytes() {
        return Err(Unopened::Foreign("it was made of something else".to_owned()));
    }
    Ok(LoadedLibrary { library: ManuallyDrop::new(library), key: key.to_owned() })
}

fn found_in(library: &libloading::Library, name: &CStr) -> Result<NonNull<c_void>, Unopened> {
    // SAFETY: nothing is read through the address, which has the size of a pointer.
    let address = unsafe { library.get::<*mut c_void>(name) }.map(|it| *it);
    let address = address.map_err(|it| Unopened::foreign(&it))?;
    NonNull::new(address).ok_or_else(|| Unopened::Foreign(format!("{name:?} is null")))
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

    let _section = LOADING.lock();
    // SAFETY: it is the caller's to know what the library does when it is loaded.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
}

#[cfg(not(unix))]
unsafe fn open_now(path: &Path) -> Result<libloading::Library, libloading::Error> {
    // SAFETY: it is the caller's to know what the library does when it is loaded.
    unsafe { libloading::Library::new(path) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{CompileError, Compiler, LibrarySource, load};

    #[test]
    fn text_becomes_functions() {
        let compiler = match Compiler::find(None, true) {
            Ok(it) => it,
            // Machines without one have no C back end.
            Err(CompileError::NoCompiler(_)) => return,
            Err(other) => panic!("{other}"),
        };
        let exported = "__attribute__((visibility(\"default\")))";
        let text = format!(
            "{exported} const char opw_key_1[] = OPW_KEY;\n\
             {exported} int answer(void) {{ return 42; }}\n"
        );
        let flags = compiler.flags();
        let (libraries, versions, abi) = (Vec::new(), None, String::new());
        let source = LibrarySource { text, compiler, flags, libraries, versions, abi };
        // SAFETY: the text runs nothing when it is loaded.
        let library = unsafe { load(&source) }.expect("a text without mistakes");
        let answer = library.symbol(c"answer").expect("it is exported");
        // SAFETY: the text says that this is the type of `answer`.
        let answer: extern "C" fn() -> i32 = unsafe { std::mem::transmute(answer) };
        assert_eq!(answer(), 42);
        assert!(library.symbol(c"question").is_err());
        // SAFETY: as is said above of the same text.
        let again = unsafe { load(&source) }.expect("it is known");
        assert!(Arc::ptr_eq(&library, &again));
    }

    #[test]
    #[cfg(feature = "functions")]
    fn what_is_lent_is_unloaded() {
        let Ok(compiler) = Compiler::find(None, true) else { return };
        let exported = "__attribute__((visibility(\"default\")))";
        let text = format!("{exported} const char opw_key_1[] = OPW_KEY;\n");
        let flags = compiler.flags();
        let (libraries, versions, abi) = (Vec::new(), None, String::new());
        let source = LibrarySource { text, compiler, flags, libraries, versions, abi };
        // SAFETY: the text runs nothing when it is loaded.
        let library = unsafe { super::lend(&source) }.expect("a text without mistakes");
        // SAFETY: as above.
        let again = unsafe { super::lend(&source) }.expect("it is known");
        assert!(Arc::ptr_eq(&library, &again));
        let gone = Arc::downgrade(&library);
        drop((library, again));
        assert!(gone.upgrade().is_none());
        // SAFETY: as above.
        let kept = Arc::downgrade(&unsafe { load(&source) }.expect("it is loaded again"));
        assert!(kept.upgrade().is_some());
        // SAFETY: as above.
        assert!(unsafe { super::lend(&source) }.is_ok());
        assert!(kept.upgrade().is_some());
    }

    #[test]
    fn mistakes_are_what_the_compiler_says() {
        let Ok(compiler) = Compiler::find(None, true) else { return };
        let flags = compiler.flags();
        let text = "#line 1 \"my text\"\nint f(void) { return a; }\n".to_owned();
        let (libraries, versions, abi) = (Vec::new(), None, String::new());
        let source = LibrarySource { text, compiler, flags, libraries, versions, abi };
        // SAFETY: the text is not compiled, so that nothing is loaded.
        let Err(error) = (unsafe { load(&source) }) else { panic!("`a` is unknown") };
        assert!(error.to_string().starts_with("my text, line 1: "), "{error}");
    }
}

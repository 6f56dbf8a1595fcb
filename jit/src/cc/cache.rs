//! On-disk cache of compiled libraries, and its keys.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{env, fs, io};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::error::CompileError;
use super::trust;

/// The key of a compiled library: its text, and all that its code depends on.
pub(super) struct CacheKey<'a> {
    pub(super) parts: Vec<&'a str>,
}

impl CacheKey<'_> {
    /// The same for the same content only.
    pub(super) fn key(&self) -> String {
        let mut hash = Sha256::new();
        for part in &self.parts {
            // With its length, so that no two lists of parts look alike.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        text(hash)
    }
}

fn text(hash: Sha256) -> String {
    hash.finalize().iter().map(|it| format!("{it:02x}")).collect()
}

/// The name of the file that says what the compiled library is.
const SEAL: &str = "sha256";

fn hash_of(bytes: &[u8]) -> String {
    text(Sha256::new_with_prefix(bytes))
}

/// Notes beside a file what it is, and lets nobody else write to either.
pub(super) fn seal(file: &Path) -> io::Result<()> {
    let noted = file.with_file_name(SEAL);
    fs::write(&noted, hash_of(&fs::read(file)?))?;
    #[cfg(unix)]
    for (path, mode) in [(file, 0o700), (&*noted, 0o600)] {
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    }
    Ok(())
}

/// Whether a file is still what was noted: one that was cut off must not come into memory, where it
/// would end the process.
///
/// # Errors
///
/// Others than the user may have made it.
pub(super) fn is_whole(file: &Path) -> io::Result<bool> {
    let missing = |it: io::Error| match it.kind() {
        io::ErrorKind::NotFound => Ok(Vec::new()),
        _ => Err(it),
    };
    let noted = trust::read(&file.with_file_name(SEAL)).or_else(missing)?;
    let own = trust::read(file).or_else(missing)?;
    Ok(noted == hash_of(&own).as_bytes())
}

/// Removes what is not used, from a folder that is the user's own.
pub(super) fn remove(entry: &Path) {
    if entry.parent().is_some_and(|it| trust::folder(it).is_ok()) {
        let _ = fs::remove_dir_all(entry);
    }
}

/// What is said of the cache: each text once, and once only.
static NOTES: Mutex<(BTreeSet<String>, Vec<String>)> = Mutex::new((BTreeSet::new(), Vec::new()));

/// Says of what is kept that it is not used.
pub(super) fn not_used(error: &io::Error) {
    let text = format!("what is kept of compiled blocks is not used: {error}");
    let mut notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    if notes.0.insert(text.clone()) {
        notes.1.push(text);
    }
}

/// What there was to say of the cache since this was asked, for the host to warn of.
pub fn take_notes() -> Vec<String> {
    std::mem::take(&mut NOTES.lock().unwrap_or_else(PoisonError::into_inner).1)
}

/// The folder of all compiled libraries: `OPWRIGHT_CACHE`, or the user's folder of caches.
///
/// # Errors
///
/// The environment names none, and there is no home.
pub fn directory() -> io::Result<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    // What a program finds depends on no folder that it happens to run in.
    let absolute = |name: &str| set(name).filter(|it| it.is_absolute());
    let home = || absolute(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
    let own = set("OPWRIGHT_CACHE");
    let found = own.or_else(|| {
        let base = if cfg!(windows) {
            absolute("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            home().map(|it| it.join("Library/Caches"))
        } else {
            // Its specification: a path that is not absolute is to be ignored.
            absolute("XDG_CACHE_HOME").or_else(|| home().map(|it| it.join(".cache")))
        };
        base.map(|it| it.join("opwright"))
    });
    let missing = || io::Error::new(io::ErrorKind::NotFound, "set OPWRIGHT_CACHE to a folder");
    std::path::absolute(found.ok_or_else(missing)?.join("c"))
}

/// Removes all compiled libraries, and returns how many there were.
///
/// # Errors
///
/// A folder cannot be removed.
pub fn clean() -> io::Result<usize> {
    let folder = directory()?;
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let mut removed = 0;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Nothing else is touched, whatever the variable names.
        let is_ours = name.starts_with(UNFINISHED) || is_key(&name);
        if is_ours && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
            removed += usize::from(is_key(&name));
        }
    }
    Ok(removed)
}

const UNFINISHED: &str = "unfinished-";

/// More bytes than what is compiled mostly has.
const ROOM: usize = 1 << 20;

fn is_key(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|it| it.is_ascii_hexdigit())
}

/// The folder of one library.
pub(super) fn entry(key: &str) -> io::Result<PathBuf> {
    Ok(directory()?.join(key))
}

/// A folder that is renamed when it is complete.
pub(super) struct Unfinished(TempDir);

impl Unfinished {
    /// In the cache, or for this process only if `kept` is false or there is no cache.
    pub(super) fn new(kept: bool) -> Result<(Unfinished, bool), CompileError> {
        if kept {
            match made() {
                Ok(folder) => return Ok((Unfinished(folder), true)),
                Err(error) if error.raw_os_error().is_none() => not_used(&error),
                Err(_) => {}
            }
        }
        let folder = tempfile::Builder::new().prefix("opwright-").tempdir();
        let folder = folder.and_then(|it| trust::temporary(it.path()).map(|()| it));
        let none = |it| {
            CompileError::failed(
                format_args!("no temporary folder: {it}, or set TMPDIR to another"),
                "",
            )
        };
        Ok((Unfinished(folder.map_err(none)?), false))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Whether it is there and has room.
    pub(super) fn takes_more(&self) -> bool {
        fs::write(self.0.path().join("room"), vec![0; ROOM]).is_ok()
    }

    /// Gives it its name; if another process was faster, what that one made.
    pub(super) fn finish(self, entry: &Path) -> io::Result<()> {
        match fs::rename(self.0.path(), entry) {
            Ok(()) => {
                let _ = self.0.keep();
                Ok(())
            }
            Err(_) if entry.is_dir() => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn made() -> io::Result<TempDir> {
    let folder = directory()?;
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // First what is there: nothing is made in the folder of somebody else.
    let there = folder.ancestors().find(|it| it.symlink_metadata().is_ok());
    trust::way(there.unwrap_or(&folder))?;
    builder.create(&folder)?;
    trust::folder(&folder)?;
    remove_abandoned(&folder);
    tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(folder)
}

/// No compiler takes that long.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Removes what processes left that ended while they compiled.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            continue;
        }
        let changed = entry.metadata().and_then(|it| it.modified());
        let age = changed.ok().and_then(|it| it.elapsed().ok());
        if age.is_some_and(|it| it > ABANDONED) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::SystemTime;

    use super::{ABANDONED, CacheKey, UNFINISHED, is_key, remove_abandoned};

    #[test]
    fn what_is_abandoned_goes() {
        let folder = tempfile::tempdir().unwrap();
        let names = [format!("{UNFINISHED}old"), format!("{UNFINISHED}new"), "other".to_owned()];
        for name in &names {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        for name in [&names[0], &names[2]] {
            let long_ago = SystemTime::now() - 2 * ABANDONED;
            File::open(folder.path().join(name)).unwrap().set_modified(long_ago).unwrap();
        }
        remove_abandoned(folder.path());
        let left = names.map(|it| folder.path().join(it).exists());
        assert_eq!(left, [false, true, true]);
    }

    #[test]
    fn keys_tell_lists_of_parts_apart() {
        let key = |parts: &[&str]| CacheKey { parts: parts.to_vec() }.key();
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["ab"]), key(&["ab"]));
        assert!(is_key(&key(&[])));
        assert!(!is_key("photos"));
    }
}

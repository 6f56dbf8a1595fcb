//! Trust in a compiled library before it is loaded: nobody but its user can have put it there.
//!
//! Every folder on the way is looked at, from the root down: it belongs to the user or to root, and
//! nobody else may write to it. Where others may, entries are safe only if the folder is sticky, and
//! the next one is looked at in turn. Once a folder is found to be so, nobody else can put another
//! one in its place, so what was checked is what is used. Links are not followed.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

/// The whole of a file that only its user can have written.
///
/// # Errors
///
/// The folder, or the file, is somebody else's, a link, or can be written by others.
pub(super) fn read(file: &Path) -> io::Result<Vec<u8>> {
    folder(file.parent().unwrap_or(Path::new("/")))?;
    let mut opened = open(file)?;
    os::is_own_file(file, &opened.metadata()?)?;
    let mut bytes = Vec::new();
    opened.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether all folders on the way are the user's or root's alone.
///
/// # Errors
///
/// Says which is not, why, and what helps.
pub(super) fn folder(path: &Path) -> io::Result<()> {
    each_folder(path, os::is_safe)
}

/// The same of folders in which one is yet to be made: the last may be sticky.
///
/// # Errors
///
/// As [`folder`].
pub(super) fn way(path: &Path) -> io::Result<()> {
    each_folder(path, |it| os::is_safe(it).map(|_| true))
}

/// Whether nobody else can exchange folders on the way, whoever they belong to: what a temporary
/// folder needs, which is made for this process alone.
///
/// # Errors
///
/// As [`folder`].
pub(super) fn temporary(path: &Path) -> io::Result<()> {
    each_folder(&path.canonicalize()?, os::is_fixed)
}

fn each_folder(path: &Path, is_safe: fn(&Path) -> io::Result<bool>) -> io::Result<()> {
    let mut at = std::path::PathBuf::new();
    let mut safe = true;
    for component in path.components() {
        at.push(component);
        if matches!(component, Component::Prefix(_)) {
            continue;
        }
        safe = is_safe(&at)?;
    }
    // What lies in a sticky folder is safe, but anybody may put something there.
    if safe { Ok(()) } else { Err(refused(path, "others may write to it", "chmod go-w")) }
}

#[cold]
fn refused(path: &Path, why: &str, help: &str) -> io::Error {
    let text = format!("{}: {why}; {help}", path.display());
    io::Error::new(io::ErrorKind::PermissionDenied, text)
}

fn open(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NOFOLLOW | libc::O_NONBLOCK,
    );
    options.open(file).map_err(|it| match file.is_symlink() {
        true => refused(file, "it is a link", "links are not followed"),
        false => it,
    })
}

#[cfg(unix)]
mod os {
    use std::fs::Metadata;
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use super::refused;

    const WRITTEN_BY_OTHERS: u32 = 0o022;
    const STICKY: u32 = 0o1000;

    fn user() -> u32 {
        // SAFETY: the call takes nothing, and cannot fail.
        unsafe { libc::geteuid() }
    }

    /// Whether a folder can be written by nobody else; false for one that is sticky.
    pub(super) fn is_safe(path: &Path) -> io::Result<bool> {
        let mut metadata = path.symlink_metadata()?;
        if metadata.is_symlink() {
            // The system's own, such as `/tmp` and `/var` of macOS and `/home` of FreeBSD.
            if path.parent() != Some(Path::new("/")) || metadata.uid() != 0 {
                return Err(refused(path, "it is a link", "name the folder that it leads to"));
            }
            let target = path.canonicalize()?;
            super::way(&target)?;
            metadata = path.metadata()?;
        }
        if ![0, user()].contains(&metadata.uid()) {
            let why = format!("it belongs to user {}", metadata.uid());
            return Err(refused(path, &why, "name a folder of your own"));
        }
        is_kept(path, &metadata)
    }

    /// Whether others cannot put something else into the place of what lies in a folder.
    pub(super) fn is_fixed(path: &Path) -> io::Result<bool> {
        is_kept(path, &path.symlink_metadata()?).map(|_| true)
    }

    fn is_kept(path: &Path, metadata: &Metadata) -> io::Result<bool> {
        if !metadata.is_dir() {
            return Err(refused(path, "it is no folder", "name one"));
        }
        match (metadata.mode() & WRITTEN_BY_OTHERS, metadata.mode() & STICKY) {
            (0, _) => Ok(true),
            (_, 0) => Err(refused(path, "others may write to it", "chmod go-w")),
            _ => Ok(false),
        }
    }

    /// Whether an open file is one of the user that nobody else can write.
    pub(super) fn is_own_file(path: &Path, metadata: &Metadata) -> io::Result<()> {
        if !metadata.is_file() {
            return Err(refused(path, "it is no file", "it is made anew"));
        }
        if metadata.uid() != user() {
            let why = format!("it belongs to user {}", metadata.uid());
            return Err(refused(path, &why, "it is made anew"));
        }
        if metadata.mode() & WRITTEN_BY_OTHERS != 0 {
            return Err(refused(path, "others may write to it", "it is made anew"));
        }
        Ok(())
    }
}

#[cfg(not(unix))]
mod os {
    use std::fs::Metadata;
    use std::io;
    use std::path::Path;

    // Folders of a user's profile are the user's alone by the system's lists of access.
    pub(super) fn is_safe(path: &Path) -> io::Result<bool> {
        match path.symlink_metadata()?.is_symlink() {
            true => Err(super::refused(path, "it is a link", "name the folder that it leads to")),
            false => Ok(true),
        }
    }

    pub(super) fn is_fixed(_: &Path) -> io::Result<bool> {
        Ok(true)
    }

    pub(super) fn is_own_file(path: &Path, metadata: &Metadata) -> io::Result<()> {
        match metadata.is_file() {
            true => Ok(()),
            false => Err(super::refused(path, "it is no file", "it is made anew")),
        }
    }
}

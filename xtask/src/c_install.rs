//! `cargo xtask c --install PREFIX`: the library for C where compilers, pkg-config and CMake look for it.
//!
//! ```text
//! PREFIX/include/opwright.h
//! PREFIX/lib/libopwright.{so,a}
//! PREFIX/lib/pkgconfig/opwright.pc
//! PREFIX/lib/cmake/opwright/
//! PREFIX/share/licenses/opwright/
//! ```
//!
//! With `DESTDIR` the files go below that folder, as for `make install`, and are told to lie below the prefix alone.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::ProcessResult;
use crate::project::Project;
use crate::stage;

/// What was built and is not handed out lies beside these.
const FOLDERS: [&str; 2] = ["include", "lib"];

/// Copies what was put together below a folder of the target directory, and the licences. Returns all files in order.
///
/// # Errors
///
/// If one cannot be written; the message names it.
pub(crate) fn copy(project: &Project, built: &Path, prefix: &Path) -> ProcessResult<Vec<PathBuf>> {
    let mut copied = Vec::new();
    for folder in FOLDERS {
        tree(&built.join(folder), &prefix.join(folder), &mut copied)?;
    }
    let licences = prefix.join("share/licenses/opwright");
    made(&licences)?;
    for licence in stage::LICENCES {
        one(&project.path(licence), &licences.join(licence), &mut copied)?;
    }
    Ok(copied)
}

/// Where files of a prefix go while a package is made of them.
pub(crate) fn staged(stage: Option<&Path>, prefix: &Path) -> PathBuf {
    let Some(stage) = stage else { return prefix.to_owned() };
    let parts = prefix.components().filter(|it| matches!(it, std::path::Component::Normal(_)));
    stage.join(parts.collect::<PathBuf>())
}

/// What a user says so that the library is found below a prefix. Compilers and loaders look below the usual ones by themselves.
pub(crate) fn advice(prefix: &Path) -> String {
    let lib = prefix.join("lib");
    let (lib, prefix) = (lib.display(), prefix.display());
    let loader = if cfg!(target_os = "macos") { "DYLD_LIBRARY_PATH" } else { "LD_LIBRARY_PATH" };
    match prefix.to_string().as_str() {
        "/usr" | "/usr/local" if cfg!(target_os = "linux") => {
            "run `ldconfig` once, so that programs find the library\n".to_owned()
        }
        _ => format!(
            "\
pkg-config: export PKG_CONFIG_PATH={lib}/pkgconfig
CMake:      cmake -DCMAKE_PREFIX_PATH={prefix}
programs:   export {loader}={lib}, or link with -Wl,-rpath,{lib}
"
        ),
    }
}

fn tree(from: &Path, to: &Path, copied: &mut Vec<PathBuf>) -> ProcessResult<()> {
    made(to)?;
    let mut entries = fs::read_dir(from)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => tree(&entry.path(), &to, copied)?,
            false => one(&entry.path(), &to, copied)?,
        }
    }
    Ok(())
}

fn made(folder: &Path) -> ProcessResult<()> {
    fs::create_dir_all(folder).map_err(|error| not_written(folder, &error).into())
}

/// A link stays one. A program that runs keeps the file that it has.
fn one(from: &Path, to: &Path, copied: &mut Vec<PathBuf>) -> ProcessResult<()> {
    if fs::symlink_metadata(to).is_ok() {
        fs::remove_file(to).map_err(|error| not_written(to, &error))?;
    }
    let written = match fs::read_link(from) {
        Ok(target) => link(&target, to),
        Err(_) => fs::copy(from, to).map(drop),
    };
    written.map_err(|error| not_written(to, &error))?;
    copied.push(to.to_owned());
    Ok(())
}

#[cfg(unix)]
fn link(target: &Path, to: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, to)
}

#[cfg(not(unix))]
fn link(target: &Path, to: &Path) -> std::io::Result<()> {
    let from = to.parent().unwrap_or(to).join(target);
    fs::copy(from, to).map(drop)
}

fn not_written(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write `{}`: {error}", path.display())
}

#[test]
fn packages_are_made_below_another_folder() {
    let usr = Path::new("/usr/local");
    assert_eq!(staged(None, usr), usr);
    assert_eq!(staged(Some(Path::new("/tmp/stage")), usr), Path::new("/tmp/stage/usr/local"));
    assert!(advice(Path::new("/opt/ow")).contains("PKG_CONFIG_PATH=/opt/ow/lib/pkgconfig"));
}

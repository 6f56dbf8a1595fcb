//! Storages over files.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::Storage;
use super::mapping::Mapping;
use super::moving::Holder;
use crate::tensor::shared::Shared;
use crate::{Error, Result, ensure};

impl Storage {
    /// The first bytes of a file, or all of it. If it `writes_through`, the file is made if it is
    /// not there, extended if it is too short, and what is written to the storage goes to it;
    /// otherwise the file stays as it is.
    ///
    /// The file must not become shorter while it is in use: the system ends a process that touches
    /// what is no longer there.
    ///
    /// # Errors
    ///
    /// `Runtime` if there is no such file, if it is too short, or if the system refuses.
    pub fn map_file(path: &Path, writes_through: bool, bytes: Option<usize>) -> Result<Storage> {
        let refused = |what: &str, error: std::io::Error| {
            Error::runtime(format_args!("cannot {what} `{}`: {error}", path.display()))
        };
        // Pipes and devices would wait, or have no size.
        let is_other = fs::metadata(path).is_ok_and(|it| !it.is_file());
        ensure!(!is_other, Runtime, "cannot map `{}`: it is no file", path.display());
        let file = opened(path, writes_through).map_err(|it| refused("open", it))?;
        let there = file.metadata().map_err(|it| refused("look at", it))?.len();
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => usize::try_from(there).map_err(Error::runtime)?,
        };
        if there < bytes as u64 {
            ensure!(
                writes_through,
                Runtime,
                "the file `{}` has {there} bytes, and {bytes} are to be mapped",
                path.display()
            );
            file.set_len(bytes as u64).map_err(|it| refused("extend", it))?;
        }
        if bytes == 0 {
            return Storage::zeroed(0);
        }
        let mapping = Mapping::of_file(&file, bytes, writes_through);
        Storage::of_mapping(mapping.map_err(|it| refused("map", it))?, bytes, writes_through)
    }

    fn of_mapping(mapping: Mapping, bytes: usize, writes_through: bool) -> Result<Storage> {
        let start = mapping.start();
        // SAFETY: so many bytes are mapped to be read and written until the mapping is dropped.
        let mut storage = unsafe { Storage::foreign(start, bytes, Box::new(mapping), true) }?;
        let rare = Shared::get_mut(&mut storage.0).and_then(|it| it.rare.get_mut());
        let rare = rare.expect("a new storage has one handle, and foreign memory an owner");
        rare.holder = Holder::File;
        rare.is_shared = AtomicBool::new(writes_through);
        Ok(storage)
    }
}

fn opened(path: &Path, writes_through: bool) -> std::io::Result<File> {
    if !writes_through {
        return File::open(path);
    }
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

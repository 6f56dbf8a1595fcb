//! Paths of the project.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::progress;

/// The project, by the folder of its workspace.
pub(crate) struct Project {
    root: PathBuf,
}

impl Project {
    /// The project that this program was built from.
    pub(crate) fn find() -> Self {
        // Cargo sets the variable at run time too, which also holds after the folder was moved.
        let package = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package.parent().expect("a package of the workspace").to_owned();
        Self { root }
    }

    /// The folder of the workspace.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the folder of the workspace.
    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Where cargo builds.
    pub(crate) fn target(&self) -> PathBuf {
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.path("target"), |it| self.path(it))
    }

    /// Where cargo builds crates that are not of this workspace. A folder of
    /// its own: the library of the Python side has one file name, whatever its
    /// features, and theirs must not take the place of the module's.
    pub(crate) fn other_target(&self) -> PathBuf {
        self.target().join("other")
    }

    /// Cargo, the same that runs this program, in the folder of the workspace.
    /// Who watches sees how far it is.
    pub(crate) fn cargo(&self) -> Command {
        let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        if !progress::is_watched() {
            command.env("CARGO_TERM_QUIET", "true");
        }
        command
    }
}

//! The module with debug assertions and checks of overflow, also in the crates that it uses.

use std::path::PathBuf;

use crate::process::ProcessResult;
use crate::project::Project;
use crate::venv::Venv;
use crate::{develop, downstream};

/// Builds it and installs it into a folder of its own, which is returned.
///
/// # Errors
///
/// If it cannot be built.
pub(crate) fn install(project: &Project, venv: &Venv) -> ProcessResult<PathBuf> {
    let folder = project.target().join("soak-checked");
    let wheel = develop::build_checked(project, venv, &folder.join("wheels"))?;
    let site = folder.join("site");
    downstream::install(venv, &wheel, &site)?;
    Ok(site)
}

//! `cargo xtask demo`: the module at work, then an operator added to a small crate.

use crate::process::{self, Result};
use crate::project::Project;
use crate::{develop, downstream};

/// Builds and installs the module, runs the example, adds operators to a copy of a small crate.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project) -> Result<()> {
    let venv = develop::run(project)?;
    println!("\nClassifying handwritten digits with opwright, and with numpy beside it\n");
    process::run(venv.python().arg(project.path("examples/digits.py")))?;
    println!("\nAdding an operator to a small crate, by one YAML entry and one annotated function");
    downstream::run(project, &venv)
}

//! `cargo xtask demo`: the module at work, then an operator added to a small crate.

use std::time::Instant;

use crate::process::{self, Result};
use crate::progress;
use crate::project::Project;
use crate::{develop, downstream};

/// Builds and installs the module, runs the examples, adds operators to a copy of a small crate.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project) -> Result<()> {
    let start = Instant::now();
    println!(
        "1 of 4: building opwright, and installing it into .venv; this takes minutes at first\n"
    );
    let venv = develop::run(project)?;
    println!(
        "\n2 of 4: classifying handwritten digits and training a model with opwright, and with \
         numpy beside it\n"
    );
    process::run(venv.python().arg(project.path("examples/digits.py")))?;
    println!("\n3 of 4: training the same model with a step that is compiled from a graph\n");
    let picture = project.target().join("step.svg");
    process::run(venv.python().arg(project.path("examples/graph.py")).arg(picture))?;
    println!(
        "\n4 of 4: adding operators to a small crate, by a YAML entry and annotated functions"
    );
    downstream::run(project, &venv)?;
    println!("\n{SHOWN} ({})", progress::seconds(start.elapsed()));
    Ok(())
}

/// What the demo has shown, if nothing failed.
const SHOWN: &str = "shown: opwright classifies digits as numpy does and trains a model with \
                     gradients that nobody wrote by hand, call by call and compiled, and \
                     operators that were added to a crate by an entry and by annotated functions \
                     are functions of Python";

//! `cargo xtask c`: the library for C, built or tested.

use crate::c_library::{self, Profile};
use crate::c_programs;
use crate::process::ProcessResult;
use crate::project::Project;
use crate::tally::Tally;

/// Builds the library, puts everything into `target/c`, and what is printed for Go into its package; or builds another one with checks, and
/// runs programs against that.
///
/// # Errors
///
/// If it cannot be built or written, or a program fails.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    match args {
        [] => {}
        ["--test"] => {
            let mut tally = Tally::default();
            c_programs::run(project, None, &mut tally)?;
            tally.skipped.iter().for_each(|it| println!("skipped: {it}"));
            println!("{} passed", tally.passed);
            return Ok(());
        }
        [unexpected, ..] => {
            return Err(format!("`c` takes `--test` alone, but got `{unexpected}`").into());
        }
    }
    let installed = c_library::install(project, Profile::Release, "c")?;
    println!("{}", installed.folder.display());
    Ok(())
}

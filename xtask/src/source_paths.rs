//! The paths that panics of a release say: those of crates and of the project, not of the machine
//! that builds.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project::Project;

/// Flags that the environment has for every crate, split by this character.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
const SEPARATOR: &str = "\u{1f}";

/// Has a program that builds a release remap the prefixes of sources.
pub(crate) fn remap<'a>(project: &Project, program: &'a mut Command) -> &'a mut Command {
    let mut flags = flags_of_environment();
    // Of several prefixes that fit, rustc takes the last one.
    let prefixes = [
        (project.root().to_owned(), "opwright"),
        (project.target(), "target"),
        (registry(), "crates"),
    ];
    flags.extend(prefixes.iter().map(|(from, to)| flag(from, to)));
    program.env(FLAGS, flags.join(SEPARATOR))
}

fn flag(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
}

/// What a user asks of rustc for everything that is built.
fn flags_of_environment() -> Vec<String> {
    let split = |text: String, separator: &str| -> Vec<String> {
        text.split(separator).filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    match env::var(FLAGS) {
        Ok(encoded) => split(encoded, SEPARATOR),
        Err(_) => env::var("RUSTFLAGS").map_or_else(|_| Vec::new(), |it| split(it, " ")),
    }
}

/// Where cargo unpacks crates.
fn registry() -> PathBuf {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|it| it.join(".cargo")));
    home.unwrap_or_default().join("registry/src")
}

#[test]
fn sources_go_by_the_names_of_their_crates() {
    let project = Project::find();
    let mut command = Command::new("cargo");
    remap(&project, &mut command);
    let (_, flags) = command.get_envs().next().expect("a variable");
    let flags = flags.expect("a value").to_str().expect("text").to_owned();
    let root = project.root().display();
    assert!(flags.split(SEPARATOR).any(|it| it == format!("--remap-path-prefix={root}=opwright")));
    assert!(flags.ends_with("registry/src=crates"), "{flags}");
}

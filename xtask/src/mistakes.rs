//! Mistakes in another crate: its build ends with all of them, each at its place.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::ProcessResult;
use crate::project::Project;
use crate::venv::Venv;
use crate::{develop, downstream};

const FOLDER: &str = "tests/downstream/mistakes";

/// What happens with `report.txt`.
pub(crate) enum Expected {
    /// It must say what the build says.
    Compared,
    /// What the build says is written to it.
    Written,
}

/// Adds the mistakes of `tests/downstream/mistakes` to the scratch copy that
/// [`downstream::run`] built, and compares what its build says with `report.txt`.
///
/// # Errors
///
/// If the build succeeds, says something else, or touches what an earlier build generated.
pub(crate) fn run(project: &Project, venv: &Venv, expected: Expected) -> ProcessResult<()> {
    let scratch = downstream::scratch(project);
    for (file, mistakes) in
        [("native_functions.yaml", "native_functions.yaml"), ("src/lib.rs", "kernels.rs")]
    {
        let text = fs::read_to_string(project.path(FOLDER).join(mistakes))?;
        downstream::append(&scratch.join(file), &text)?;
    }
    let generated = generated_files(project)?;
    let report = report(project, venv, &scratch)?;
    if generated_files(project)? != generated {
        return Err("a build that failed changed what an earlier one generated".into());
    }
    let path = project.path(FOLDER).join("report.txt");
    match expected {
        Expected::Compared => compare(&path, &report),
        Expected::Written => Ok(fs::write(path, report)?),
    }
}

/// Builds a copy without its build script, which is told in one error of ours.
///
/// # Errors
///
/// If it is built, or told otherwise.
pub(crate) fn no_build_script(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let scratch = project.path("target/demo/scriptless");
    downstream::copy(project, &scratch)?;
    fs::remove_file(scratch.join("build.rs"))?;
    // Of a crate with `links`, cargo says the same before it looks at the sources.
    let manifest = scratch.join("Cargo.toml");
    let lines = fs::read_to_string(&manifest)?;
    let lines: Vec<&str> = lines.lines().filter(|it| !it.starts_with("links")).collect();
    fs::write(&manifest, lines.join("\n"))?;
    let text = told(project, venv, &scratch)?;
    let errors: Vec<&str> = text.lines().filter(|it| it.starts_with("error")).collect();
    match errors[..] {
        [ours, _] if ours.contains("no build script has written the operators") => Ok(()),
        _ => Err(format!("a crate without a build script is told:\n{text}").into()),
    }
}

/// A type of the crate that has nothing of what it needs.
const BARE: &str = "
/// A type without traits.
#[native_type]
pub struct Bare;

#[native_op(\"strip(Bare of, Bare? other=None) -> (Bare, int)\")]
fn strip(_of: &Bare, _other: Option<&Bare>) -> Result<(Bare, i64)> {
    Ok((Bare, 1))
}
";

/// Builds a copy with a type that lacks its traits, which is told at its name, once for each.
///
/// # Errors
///
/// If it is built, or told otherwise.
pub(crate) fn no_traits(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let scratch = project.path("target/demo/traitless");
    downstream::copy(project, &scratch)?;
    downstream::append(&scratch.join("src/quantizer.rs"), BARE)?;
    let text = told(project, venv, &scratch)?;
    let lines: Vec<&str> = text.lines().collect();
    let errors = lines.iter().zip(lines.iter().skip(1)).filter(|(it, _)| it.starts_with("error["));
    let errors: Vec<_> = errors.collect();
    let (lacks, place) = (["`Bare: Clone`", "values of `Bare`"], "src/quantizer.rs:");
    let is_told = |wanted: &&str| {
        errors.iter().filter(|(it, at)| it.contains(wanted) && at.contains(place)).count() == 1
    };
    if errors.len() == lacks.len() && lacks.iter().all(is_told) && !text.contains("other types") {
        return Ok(());
    }
    Err(format!("a type without its traits is told:\n{text}").into())
}

/// What a build of a copy says, for which all else was built for its tests.
fn told(project: &Project, venv: &Venv, scratch: &Path) -> ProcessResult<String> {
    let mut cargo = venv.cargo(project);
    cargo.args(["build", "--quiet"]).current_dir(scratch);
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "none").env("CARGO_TARGET_DIR", project.other_target());
    Ok(String::from_utf8(cargo.output()?.stderr)?)
}

/// What the build script says.
fn report(project: &Project, venv: &Venv, scratch: &Path) -> ProcessResult<String> {
    let output = develop::maturin(project, venv, scratch, "dev").output()?;
    let text = String::from_utf8(output.stderr)?;
    if output.status.success() {
        return Err("a crate with mistakes was built".into());
    }
    let after = text.split_once("--- stderr\n").map(|(_, after)| after);
    let after = after.ok_or_else(|| format!("the build failed for another reason:\n{text}"))?;
    // Cargo indents what a build script says, and goes on without.
    let lines = after.lines().take_while(|it| it.is_empty() || it.starts_with("  "));
    let lines: Vec<&str> = lines.map(|it| it.strip_prefix("  ").unwrap_or(it)).collect();
    Ok(format!("{}\n", lines.join("\n").trim_end()))
}

/// What the build scripts of the crate wrote, with their paths.
fn generated_files(project: &Project) -> ProcessResult<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(project.other_target().join("debug/build"))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("my_ops-") {
            let path = entry.path().join("out/generated.rs");
            if path.exists() {
                files.push((path.clone(), fs::read_to_string(path)?));
            }
        }
    }
    files.sort();
    if files.is_empty() { Err("no earlier build of `my_ops`".into()) } else { Ok(files) }
}

fn compare(path: &Path, report: &str) -> ProcessResult<()> {
    if fs::read_to_string(path).unwrap_or_default() == report {
        return Ok(());
    }
    let path = path.display();
    Err(format!("the build says something else than {path}:\n{report}").into())
}

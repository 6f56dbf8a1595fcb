//! The project as it is packed: a copy in which each crate has what it takes in from above itself, a
//! README and the licences, as nothing goes into a package that does not lie below its manifest.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::workspace::{self, WorkspacePackage};

/// What crates take in from above themselves.
const CARRIED: &str = include_str!("../packages/carried.txt");

/// What the page of a crate says that has none of its own.
const README: &str = include_str!("../packages/README.md.in");

/// The licences, one of which whoever uses the project chooses.
pub(crate) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Copies the project, and puts into each crate what belongs to its package.
///
/// # Errors
///
/// If a file cannot be copied, or what is carried is not there.
pub(crate) fn stage(project: &Project, staged: &Path) -> ProcessResult<()> {
    copy(project.root(), &["."], staged)?;
    let lines = CARRIED.lines().filter(|it| !it.starts_with('#'));
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [to, from, patterns @ ..] = &words[..] else {
            return Err(format!("`{line}` names no two folders").into());
        };
        copy(&project.path(from), patterns, &staged.join(to))?;
    }
    let repository = workspace::said(project.root(), "repository")?;
    for package in workspace::packages(project)? {
        let folder = staged.join(&package.folder);
        for licence in LICENCES {
            fs::copy(project.path(licence), folder.join(licence))?;
        }
        let page = folder.join("README.md");
        if !page.exists() {
            fs::write(page, readme(&package, &repository))?;
        }
    }
    Ok(())
}

fn readme(package: &WorkspacePackage, repository: &str) -> String {
    let filled = README.replace("@NAME@", &package.name);
    filled.replace("@DESCRIPTION@", &package.description).replace("@REPOSITORY@", repository)
}

/// Copies the files of a folder that git knows by these patterns, or would know.
fn copy(folder: &Path, patterns: &[&str], to: &Path) -> ProcessResult<()> {
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "--"]).args(patterns);
    let files = process::output(git.current_dir(folder))?;
    let files = files.lines().filter(|it| folder.join(it).is_file());
    let mut count = 0;
    for file in files {
        let (from, to) = (folder.join(file), to.join(file));
        fs::create_dir_all(to.parent().unwrap_or(&to))?;
        fs::copy(from, to)?;
        count += 1;
    }
    let nothing = || format!("there is no file {} in {}", patterns.join(" "), folder.display());
    if count == 0 { Err(nothing().into()) } else { Ok(()) }
}

#[test]
fn what_is_staged_can_be_packed_crate_by_crate() {
    let project = Project::find();
    let staged = project.target().join("tmp/staged");
    let _ = fs::remove_dir_all(&staged);
    stage(&project, &staged).expect("the project is staged");
    for package in workspace::packages(&project).expect("manifests") {
        let folder = staged.join(&package.folder);
        for file in ["README.md", "Cargo.toml"].into_iter().chain(LICENCES) {
            assert!(folder.join(file).is_file(), "{} has no {file}", package.folder);
        }
        let page = fs::read_to_string(folder.join("README.md")).expect("a page");
        assert!(
            page.starts_with(&format!("# {}\n", package.name)) && !page.contains('@'),
            "{page}"
        );
    }
    for file in ["ops/native_functions.yaml", "codegen/written/go/doc.go", "module/rows"] {
        assert!(staged.join(file).exists(), "{file}");
    }
    fs::remove_dir_all(staged).expect("it can be removed");
}

#[test]
fn the_wheel_has_the_licences_of_the_project() {
    let project = Project::find();
    for licence in LICENCES {
        let read = |folder: &str| fs::read_to_string(project.path(folder).join(licence)).ok();
        assert!(read("").is_some() && read("") == read("python-bindings"), "{licence}");
    }
}

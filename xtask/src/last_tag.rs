//! Operators of the reference module against those of the last tag.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::summary::Summary;
use crate::workspace::said;

/// What a tag of the crates is called, as a pattern of git.
const TAGS: &str = "v[0-9]*";

/// Fails if callers of the last tag break, and the version says nothing of it.
pub(crate) fn check(project: &Project, summary: &mut Summary) {
    const NAME: &str = "operators against the last tag";
    match last_tag(project) {
        Some(tag) => summary.check(NAME, || compare(project, &tag)),
        None => summary.skip(NAME, &format!("no commit before this one has a tag `{TAGS}`")),
    }
}

fn last_tag(project: &Project) -> Option<String> {
    let mut git = Command::new("git");
    git.args(["describe", "--tags", "--abbrev=0", "--match", TAGS]).current_dir(project.root());
    let output = git.output().ok().filter(|it| it.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn compare(project: &Project, tag: &str) -> ProcessResult<()> {
    let folder = checked_out(project, tag)?;
    let mut diff = project.cargo();
    diff.args(["run", "--package", "opwright-cli", "--", "diff"]);
    let compared = process::run(diff.arg(folder.join("ops")).arg(project.path("ops")));
    if compared.is_err() && may_break(&said(&folder, "version")?, &said(project.root(), "version")?)
    {
        println!("the version has changed since `{tag}` as one that breaks callers does");
        return Ok(());
    }
    compared
}

/// A folder with the files of a tag.
fn checked_out(project: &Project, tag: &str) -> ProcessResult<PathBuf> {
    let folder = project.target().join("last-tag");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let index = project.target().join("last-tag-index");
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(args).current_dir(project.root()).env("GIT_INDEX_FILE", &index);
        git
    };
    process::run(&mut git(&["read-tree", tag]))?;
    let prefix = format!("--prefix={}/", folder.display());
    process::run(&mut git(&["checkout-index", "--all", "--force", &prefix]))?;
    Ok(folder)
}

/// Whether callers of one version expect no other one to serve them: the major number differs, or
/// before 1.0 the minor one.
fn may_break(old: &str, new: &str) -> bool {
    let of = |version: &str| {
        let parts: Vec<String> = version.split('.').take(2).map(str::to_owned).collect();
        let is_first = parts.first().is_some_and(|it| it == "0");
        parts.into_iter().take(if is_first { 2 } else { 1 }).collect::<Vec<_>>()
    };
    of(old) != of(new)
}

#[test]
fn versions_say_what_may_break() {
    assert!(
        may_break("0.1.0", "0.2.0") && may_break("1.4.0", "2.0.0") && may_break("0.9.0", "1.0.0")
    );
    assert!(!may_break("0.1.0", "0.1.5") && !may_break("1.4.0", "1.5.0"));
}

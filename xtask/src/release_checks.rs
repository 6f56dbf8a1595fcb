//! Checks before a release: whatever is in the way of one is said at once.

use std::fs;
use std::process::Command;

use crate::packages;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::workspace;

/// A commit that is looked at, and the version that it would be.
pub(crate) struct ReleaseCandidate<'a> {
    project: &'a Project,
    version: String,
}

impl<'a> ReleaseCandidate<'a> {
    /// What is checked out.
    ///
    /// # Errors
    ///
    /// If the workspace says no version.
    pub(crate) fn find(project: &'a Project) -> ProcessResult<Self> {
        Ok(Self { project, version: workspace::said(project.root(), "version")? })
    }

    /// Its version.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The tag by which it is released.
    pub(crate) fn tag(&self) -> String {
        format!("v{}", self.version)
    }

    /// What the changelog says of the version.
    ///
    /// # Errors
    ///
    /// If it says nothing.
    pub(crate) fn notes(&self) -> ProcessResult<String> {
        let changelog = fs::read_to_string(self.project.path("CHANGELOG.md"))?;
        let notes = section(&changelog, &self.version).map(str::to_owned);
        notes.ok_or_else(|| self.no_notes().into())
    }

    fn no_notes(&self) -> String {
        let version = &self.version;
        format!(
            "`CHANGELOG.md` says nothing of {version}; give it a section `## [{version}] - DATE`"
        )
    }

    /// Everything that is in the way of releasing it; `is_tagged` if it has to have its tag.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or git does not run.
    pub(crate) fn problems(&self, is_tagged: bool) -> ProcessResult<Vec<String>> {
        let mut problems = Vec::new();
        if !self.git(&["status", "--porcelain"])?.is_empty() {
            problems.push("there are changes that are not committed".to_owned());
        }
        let others = workspace::other_versions(self.project, &self.version)?;
        problems.extend(others.iter().map(|name| {
            format!("`Cargo.toml` asks for another version of `{name}` than {}", self.version)
        }));
        if self.notes().is_err() {
            problems.push(self.no_notes());
        }
        if !packages::is_recorded(self.project)? {
            let way_out = "run `cargo xtask packages` and commit its record";
            problems
                .push(format!("manifests have changed since the packages were built; {way_out}"));
        }
        problems.extend(self.misplaced()?);
        problems.extend(self.mistagged(is_tagged)?);
        Ok(problems)
    }

    /// The repository is not the one that packages would name.
    fn misplaced(&self) -> ProcessResult<Option<String>> {
        let repository = workspace::said(self.project.root(), "repository")?;
        let remotes = self.git(&["remote", "--verbose"])?;
        let is_there = remotes.split_whitespace().any(|it| is_same_place(it, &repository));
        Ok((!is_there).then(|| {
            format!("no remote is `{repository}`, which packages would name; see `repository` in `Cargo.toml`")
        }))
    }

    fn mistagged(&self, is_tagged: bool) -> ProcessResult<Option<String>> {
        let tag = self.tag();
        let exists = !self.git(&["tag", "--list", &tag])?.is_empty();
        let is_here = self.git(&["tag", "--points-at", "HEAD"])?.lines().any(|it| it == tag);
        Ok(match (exists, is_here, is_tagged) {
            (true, false, _) => Some(format!("`{tag}` is another commit; raise the version")),
            (false, _, true) => {
                Some(format!("the commit has no tag `{tag}`; `git tag {tag}` gives it"))
            }
            _ => None,
        })
    }

    fn git(&self, args: &[&str]) -> ProcessResult<String> {
        process::output(Command::new("git").args(args).current_dir(self.project.root()))
    }
}

/// The text below the heading of a version, unless there is none.
fn section<'a>(changelog: &'a str, version: &str) -> Option<&'a str> {
    let heading = format!("\n## [{version}]");
    let (_, rest) = changelog.split_once(&heading)?;
    let (_, text) = rest.split_once('\n')?;
    let text = text.split("\n## [").next()?.trim();
    (!text.is_empty()).then_some(text)
}

/// Whether git would find at an address, which may be one for SSH, what browsers find at a page.
fn is_same_place(address: &str, page: &str) -> bool {
    let place = page.trim_start_matches("https://").trim_end_matches('/');
    let address = address.trim_end_matches('/').trim_end_matches(".git").replace(':', "/");
    let before = address.strip_suffix(place);
    before.is_some_and(|it| it.is_empty() || it.ends_with(['/', '@']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_end_at_the_next_version() {
        let text =
            "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2030-01-01\n\n- b\n\n## [0.1.0]\n- a\n";
        assert_eq!(section(text, "0.2.0"), Some("- b"));
        assert_eq!(section(text, "0.1.0"), Some("- a"));
        assert_eq!(section(text, "Unreleased"), None);
        assert_eq!(section(text, "0.3.0"), None);
    }

    #[test]
    fn addresses_of_git_are_compared_with_pages() {
        let page = "https://example.org/a/b";
        for same in
            ["https://example.org/a/b.git", "git@example.org:a/b", "ssh://git@example.org/a/b"]
        {
            assert!(is_same_place(same, page), "{same}");
        }
        for other in ["https://example.org/a/c", "/home/a/b", "https://notexample.org/a/b"] {
            assert!(!is_same_place(other, page), "{other}");
        }
    }

    #[test]
    fn all_that_is_in_the_way_is_said_at_once() {
        let project = Project::find();
        let version = "0.0.0-never".to_owned();
        let candidate = ReleaseCandidate { project: &project, version };
        let problems = candidate.problems(true).expect("git runs").join("\n");
        for told in [
            "`CHANGELOG.md` says nothing of 0.0.0-never",
            "another version of `opwright-runtime`",
            "the commit has no tag `v0.0.0-never`",
        ] {
            assert!(problems.contains(told), "{problems}");
        }
    }
}

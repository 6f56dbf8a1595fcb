//! The packages of the workspace, of what their manifests say, and the order in which they are
//! published.
//!
//! The manifests are read line by line, as they are all written alike: reading TOML would make this
//! program wait for crates that nothing else of it needs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::process::ProcessResult;
use crate::project::Project;

/// A package of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorkspacePackage {
    /// Where its manifest stands.
    pub(crate) folder: String,
    pub(crate) name: String,
    pub(crate) description: String,
    /// Whether it goes to the registry.
    pub(crate) is_published: bool,
    /// The packages of the workspace that it depends on, for its tests, too: the registry wants all of
    /// them to be there.
    uses: BTreeSet<String>,
}

impl WorkspacePackage {
    fn of(folder: &str, manifest: &str) -> ProcessResult<Self> {
        let said = |key| {
            let value = value(manifest, key);
            value.ok_or_else(|| format!("`{folder}/Cargo.toml` says no `{key}`"))
        };
        Ok(Self {
            folder: folder.to_owned(),
            name: said("name")?.to_owned(),
            description: said("description")?.to_owned(),
            is_published: !manifest.lines().any(|it| it == "publish = false"),
            uses: manifest.lines().filter_map(dependency).map(str::to_owned).collect(),
        })
    }
}

/// The packages of the workspace, in the order of its manifest.
///
/// # Errors
///
/// If a manifest cannot be read, or lacks something.
pub(crate) fn packages(project: &Project) -> ProcessResult<Vec<WorkspacePackage>> {
    let manifest = fs::read_to_string(project.path("Cargo.toml"))?;
    let members = manifest.split_once("\nmembers = [\n").and_then(|it| it.1.split_once("\n]"));
    let (members, _) = members.ok_or("`Cargo.toml` lists no members")?;
    let folders = members.lines().map(|it| it.trim().trim_matches([',', '"']));
    let package = |folder: &str| {
        let manifest = fs::read_to_string(project.path(folder).join("Cargo.toml"))?;
        WorkspacePackage::of(folder, &manifest)
    };
    folders.map(package).collect()
}

/// Those that are published, each after those that it depends on.
///
/// # Errors
///
/// If they depend on each other in a circle.
pub(crate) fn in_order(packages: &[WorkspacePackage]) -> ProcessResult<Vec<&WorkspacePackage>> {
    let mut left: Vec<&WorkspacePackage> = packages.iter().filter(|it| it.is_published).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let names: BTreeSet<&str> = left.iter().map(|it| it.name.as_str()).collect();
        let waits =
            |it: &&WorkspacePackage| it.uses.iter().any(|used| names.contains(used.as_str()));
        let (waiting, ready): (Vec<_>, Vec<_>) = left.iter().copied().partition(waits);
        if ready.is_empty() {
            let names: Vec<&str> = names.into_iter().collect();
            return Err(format!("`{}` depend on each other", names.join("`, `")).into());
        }
        order.extend(ready);
        left = waiting;
    }
    Ok(order)
}

/// What the manifest of the workspace at `root` says of all packages, such as their `version`.
///
/// # Errors
///
/// If it says nothing.
pub(crate) fn said(root: &Path, key: &str) -> ProcessResult<String> {
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let value = value(&manifest, key).map(str::to_owned);
    value.ok_or_else(|| format!("the workspace says no `{key}`").into())
}

/// The dependencies of ours that the manifest of the workspace says another version of.
///
/// # Errors
///
/// If it cannot be read.
pub(crate) fn other_versions(project: &Project, version: &str) -> ProcessResult<Vec<String>> {
    let manifest = fs::read_to_string(project.path("Cargo.toml"))?;
    let ours = manifest.lines().filter_map(|it| Some((dependency(it)?, it)));
    let is_other = |line: &str| !line.contains(&format!("version = \"{version}\""));
    Ok(ours.filter(|it| is_other(it.1)).map(|it| it.0.to_owned()).collect())
}

/// The first `key = "value"` of a manifest.
fn value<'a>(manifest: &'a str, key: &str) -> Option<&'a str> {
    let value = |it: &'a str| it.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"');
    manifest.lines().find_map(value)
}

/// The package of ours that a line makes a dependency.
fn dependency(line: &str) -> Option<&str> {
    let end = line.find(['.', ' '])?;
    let (name, rest) = line.split_at(end);
    let is_one = rest.starts_with(".workspace") || rest.starts_with(" = {");
    (name.starts_with("opwright-") && is_one).then_some(name)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::process;

    #[test]
    fn what_is_published_comes_after_what_it_depends_on() {
        let packages = packages(&Project::find()).expect("manifests");
        let order = in_order(&packages).expect("an order");
        let published = packages.iter().filter(|it| it.is_published).count();
        assert_eq!((order.len(), packages.len() - published), (published, 4));
        for (index, package) in order.iter().enumerate() {
            let before: Vec<&str> = order[..index].iter().map(|it| it.name.as_str()).collect();
            let uses = package.uses.iter().filter(|it| **it != "opwright-tests");
            for used in uses {
                assert!(before.contains(&used.as_str()), "{} needs {used}", package.name);
            }
        }
        assert!(order.iter().any(|it| it.name == "opwright"));
    }

    #[test]
    fn circles_are_named() {
        let one = |name: &str, uses: &str| {
            let text = format!("name = \"{name}\"\ndescription = \"\"\n{uses}.workspace = true\n");
            WorkspacePackage::of(name, &text).expect("a package")
        };
        let circle = [one("opwright-a", "opwright-b"), one("opwright-b", "opwright-a")];
        let error = in_order(&circle).expect_err("a circle").to_string();
        assert_eq!(error, "`opwright-a`, `opwright-b` depend on each other");
    }

    #[test]
    fn dependencies_are_told_from_features() {
        assert_eq!(dependency("opwright-jit.workspace = true"), Some("opwright-jit"));
        assert_eq!(dependency("opwright-jit = { workspace = true }"), Some("opwright-jit"));
        assert_eq!(dependency("cc = [\"opwright-jit/cc\"]"), None);
    }

    #[test]
    fn every_published_package_says_what_registries_show() {
        let project = Project::find();
        let packages = packages(&project).expect("manifests");
        for package in packages.iter().filter(|it| it.is_published) {
            let path = project.path(&package.folder).join("Cargo.toml");
            let manifest = fs::read_to_string(path).expect("a manifest");
            for key in ["license", "authors", "repository", "homepage", "keywords"] {
                let line = format!("{key}.workspace = true");
                assert!(manifest.lines().any(|it| it == line), "{}: no `{line}`", package.name);
            }
            assert!(manifest.contains("\ncategories"), "{}", package.name);
            let is_library = project.path(&package.folder).join("src/lib.rs").exists();
            let is_documented = manifest.contains("[package.metadata.docs.rs]\n");
            assert_eq!(is_library, is_documented, "{}", package.name);
            assert!(!package.description.ends_with('.'), "{}", package.description);
        }
    }

    #[test]
    fn addresses_are_told_once() {
        let project = Project::find();
        let files =
            process::output(Command::new("git").arg("ls-files").current_dir(project.root()));
        let files = files.expect("git runs");
        for key in ["repository", "homepage"] {
            let address = said(project.root(), key).expect("an address");
            let place = address.trim_start_matches("https://").trim_end_matches('/');
            for file in files.lines().filter(|it| *it != "Cargo.toml") {
                let Ok(text) = fs::read_to_string(project.path(file)) else { continue };
                // Files in Go have to name their module.
                let text = text.replace(&format!("{place}/go"), "");
                assert!(!text.contains(place), "`{file}` names `{place}`");
            }
        }
    }
}

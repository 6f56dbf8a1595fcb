//! Artifacts of builds in the folder that cargo builds in.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::artifact;

/// The file that describes the operators of `opwright-ops`, as the last build of the crate in
/// this directory left it, if one has.
pub(crate) fn operators_to_take(directory: &Path) -> Option<PathBuf> {
    let targets = targets(directory);
    // `debug/build`, or for another platform `<triple>/debug/build`.
    let profiles = targets.iter().flat_map(|it| below(it)).flat_map(|it| below(&it).chain([it]));
    let scripts = profiles.flat_map(|it| below(&it.join("build")));
    let files = scripts.filter(|it| is_of(it, "opwright-ops")).filter_map(|it| {
        let file = it.join("out").join(artifact::FILE);
        Some((fs::metadata(&file).ok()?.modified().ok()?, file))
    });
    files.max().map(|(_, file)| file)
}

/// The variables by which users say where cargo builds.
const VARIABLES: [&str; 3] =
    ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_BUILD_BUILD_DIR"];

/// Where cargo may have built the crate in a directory: where a variable or a file of settings says,
/// and beside the lock file. A relative path is meant from where cargo was called.
fn targets(directory: &Path) -> Vec<PathBuf> {
    let Ok(directory) = directory.canonicalize() else { return Vec::new() };
    let mut targets = Vec::new();
    for target in VARIABLES.into_iter().filter_map(env::var_os) {
        targets.extend(env::current_dir().map(|it| it.join(&target)));
        targets.push(directory.join(&target));
    }
    for around in directory.ancestors() {
        let settings = ["config.toml", "config"].map(|it| around.join(".cargo").join(it));
        let texts = settings.iter().filter_map(|it| fs::read_to_string(it).ok());
        targets.extend(texts.filter_map(|it| target_dir(&it)).map(|it| around.join(it)));
    }
    let locked = directory.ancestors().find(|it| it.join("Cargo.lock").exists());
    targets.extend(locked.map(|it| it.join("target")));
    targets.sort();
    targets.dedup();
    targets
}

/// What a file of settings says below `[build]`.
fn target_dir(settings: &str) -> Option<String> {
    let mut is_build = false;
    settings.lines().map(str::trim).find_map(|line| {
        if line.starts_with('[') {
            is_build = line == "[build]";
        }
        let key = if is_build { "target-dir" } else { "build.target-dir" };
        let value = line.strip_prefix(key)?.trim_start().strip_prefix('=')?.trim();
        let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        Some(value[1..].split(quote).next()?.to_owned())
    })
}

/// The directories in a directory.
fn below(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|it| it.path()).filter(|it| it.is_dir())
}

/// Whether a folder belongs to the build script of this package: `<package>-<hash>`.
fn is_of(folder: &Path, package: &str) -> bool {
    let name = folder.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    name.rsplit_once('-').is_some_and(|(name, _)| name == package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_say_where_cargo_builds() {
        let said = |it: &str| target_dir(it);
        assert_eq!(
            said("[build]\njobs = 2\ntarget-dir = \"/a b/t\" # there"),
            Some("/a b/t".to_owned())
        );
        assert_eq!(said("build.target-dir='t'"), Some("t".to_owned()));
        assert_eq!(said("[env]\ntarget-dir = \"t\""), None);
    }

    #[test]
    fn a_folder_that_settings_name_is_looked_in() {
        let root = env::temp_dir().join(format!("opwright-built-{}", std::process::id()));
        let out = root.join("elsewhere/debug/build/opwright-ops-0123/out");
        fs::create_dir_all(&out).expect("a folder");
        fs::create_dir_all(root.join(".cargo")).expect("a folder");
        fs::write(out.join(artifact::FILE), "").expect("a file");
        let settings = "[build]\ntarget-dir = \"elsewhere\"\n";
        fs::write(root.join(".cargo/config.toml"), settings).expect("a file");
        let found = operators_to_take(&root);
        assert!(found.is_some_and(|it| it.ends_with("out/operators.json")));
        fs::remove_dir_all(root).expect("it is there");
    }
}

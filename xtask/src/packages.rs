//! The crates as they would be published: packed, unpacked elsewhere, and built there as crates of
//! the registry, by a crate that `opwright new` writes; and the module, of its source distribution.
//!
//! `cargo package` could build what it has packed, too. Here that is left to the crate and the command,
//! which together are made of all packages.
//!
//! All of it is compiled for this alone, so the checks of every day leave it out as long as no manifest
//! is another one than when it last succeeded: [`RECORD`] says which these were.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::deny;
use crate::develop;
use crate::downstream;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::sdist;
use crate::stage;
use crate::venv::Venv;
use crate::workspace;

/// The crate that is made, and the operators that it takes in.
const CRATE: &str = "taking_ops";
const TAKEN: &str = "add,sum,max,where,linalg_norm";

/// The manifests with which the packages were built last, and their hashes: `cargo xtask packages`
/// writes it.
const RECORD: &str = "xtask/packages/built.txt";

/// The packages are built, licences and sources compared, and it is noted of which manifests.
///
/// # Errors
///
/// As [`run`] and [`deny::run`].
pub(crate) fn record(project: &Project) -> ProcessResult<()> {
    let venv = Venv::ensure(project)?;
    run(project, &venv)?;
    deny::run(project)?;
    Ok(fs::write(project.path(RECORD), manifests(project)?)?)
}

/// Whether the manifests are those of which the packages were built last.
///
/// # Errors
///
/// If git does not run.
pub(crate) fn is_recorded(project: &Project) -> ProcessResult<bool> {
    Ok(fs::read_to_string(project.path(RECORD)).unwrap_or_default() == manifests(project)?)
}

/// The manifests of the workspace, and what says of which crates it may be built, with their hashes, as
/// git has them.
fn manifests(project: &Project) -> ProcessResult<String> {
    let mut paths = ["Cargo.lock", "Cargo.toml", "deny.toml"].map(str::to_owned).to_vec();
    for folder in entries(project.root())? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if folder.join("Cargo.toml").is_file() && !OUTSIDE.contains(&&*name) {
            paths.push(format!("{name}/Cargo.toml"));
        }
    }
    paths.sort();
    let mut git = Command::new("git");
    git.arg("hash-object").args(&paths).current_dir(project.root());
    let hashes = process::output(&mut git)?;
    let lines = hashes.lines().zip(&paths).map(|(hash, path)| format!("{hash} {path}\n"));
    Ok(lines.collect())
}

/// Folders with a manifest of their own that are no part of the workspace.
const OUTSIDE: [&str; 3] = ["benches", "examples", "target"];

/// Packs all crates, builds the command and a crate with operators taken in from what was packed, and
/// calls the operators of the crate; then the module from its source distribution, and calls that.
///
/// # Errors
///
/// If a step fails, or something was built from a file of the project.
pub(crate) fn run(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let registry = LocalRegistry::make(project, venv)?;
    let manifest = |package: &str| registry.package(package).join("Cargo.toml");
    let mut build = registry.cargo(project, venv);
    process::run(build.args(["build", "--manifest-path"]).arg(manifest("opwright-cli")))?;
    registry.opwright(&["new", CRATE, "--operators", TAKEN])?;
    let mut test = registry.cargo(project, venv);
    process::run(test.arg("test").current_dir(registry.home.join(CRATE)))?;
    registry.call(project, venv)?;
    registry.opwright(&["check", "--crate", CRATE])?;
    registry.module(project, venv)?;
    registry.is_apart(project)?;
    registry.remove()
}

/// The packages, unpacked in a folder away from the project, and what is built from them.
struct LocalRegistry {
    home: PathBuf,
    target: PathBuf,
}

impl LocalRegistry {
    /// Packs the crates, and unpacks them beside those that they depend on.
    fn make(project: &Project, venv: &Venv) -> ProcessResult<Self> {
        let home = env::temp_dir().join(format!("opwright-packages-{}", std::process::id()));
        let registry = LocalRegistry { home, target: project.target().join("packages") };
        // Cargo takes it for granted that a version of a package never changes.
        registry.remove()?;
        let staged = registry.home.join("project");
        stage::stage(project, &staged)?;
        let mut package = project.cargo();
        package.current_dir(&staged);
        package.args(["package", "--workspace", "--no-verify", "--allow-dirty"]);
        let all = workspace::packages(project)?;
        let unpublished = all.iter().filter(|it| !it.is_published);
        package.args(unpublished.flat_map(|it| ["--exclude", &it.name]));
        process::run(package.arg("--target-dir").arg(&registry.target))?;
        let sources = registry.home.join("sources");
        let mut vendor = project.cargo();
        vendor.args(["vendor", "--quiet", "--locked", "--versioned-dirs"]);
        process::run(vendor.arg(&sources))?;
        let mut unpack = venv.python();
        unpack.arg(project.path("xtask/packages/unpack.py"));
        process::run(unpack.arg(registry.target.join("package")).arg(&sources))?;
        registry.replace_registry(&sources)?;
        Ok(registry)
    }

    /// Tells cargo in the folder that these are the crates of the registry, and that there is no
    /// network.
    fn replace_registry(&self, sources: &Path) -> ProcessResult<()> {
        let config = self.home.join(".cargo/config.toml");
        let text = format!(
            "[source.crates-io]\nreplace-with = \"packages\"\n\n\
             [source.packages]\ndirectory = {:?}\n\n\
             [net]\noffline = true\n",
            sources.display().to_string()
        );
        fs::create_dir_all(config.parent().unwrap_or(&self.home))?;
        Ok(fs::write(config, text)?)
    }

    /// Where a package is unpacked: `sources/opwright-cli-0.1.0`.
    fn package(&self, name: &str) -> PathBuf {
        self.home.join("sources").join(format!("{name}-{}", env!("CARGO_PKG_VERSION")))
    }

    /// Cargo in the folder.
    fn cargo(&self, project: &Project, venv: &Venv) -> Command {
        let mut cargo = venv.cargo(project);
        cargo.current_dir(&self.home).env("CARGO_TARGET_DIR", &self.target);
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "none");
        cargo
    }

    /// The command, as it was packed.
    fn opwright(&self, args: &[&str]) -> ProcessResult<()> {
        let program = self.target.join("debug/opwright").with_extension(env::consts::EXE_EXTENSION);
        let mut opwright = Command::new(program);
        opwright.current_dir(&self.home).env("CARGO_TARGET_DIR", &self.target);
        process::run(opwright.args(args))
    }

    /// Builds the module of the crate, and calls its operators in Python.
    fn call(&self, project: &Project, venv: &Venv) -> ProcessResult<()> {
        let folder = self.home.join(CRATE);
        let mut maturin = develop::maturin_to(&self.target, venv, &folder, "dev");
        maturin.current_dir(&folder);
        let wheel = develop::wheel_of(&mut maturin, &self.home.join("wheels"))?;
        let site = self.home.join("site");
        downstream::install(venv, &wheel, &site)?;
        let script = project.path("xtask/demo/taken.py");
        process::run(venv.python().env("PYTHONPATH", site).arg(script))
    }

    /// Builds the reference module of the source distribution, unpacked here, and calls it.
    fn module(&self, project: &Project, venv: &Venv) -> ProcessResult<()> {
        let packed = sdist::make(venv, &self.home.join("project"), &self.home.join("sdist"))?;
        let unpacked = self.home.join("unpacked");
        let mut unpack = venv.python();
        unpack.args(["-m", "tarfile", "--filter", "data", "--extract"]).arg(packed);
        process::run(unpack.arg(&unpacked))?;
        let folder = unpacked.join(format!("opwright-{}", env!("CARGO_PKG_VERSION")));
        let mut maturin = develop::maturin_to(&self.target, venv, &folder, "dev");
        let wheel = develop::wheel_of(&mut maturin, &self.home.join("wheels-of-sdist"))?;
        let site = self.home.join("site-of-sdist");
        downstream::install(venv, &wheel, &site)?;
        // Before the module that the environment may have.
        let script = project.path("xtask/packages/installed.py");
        process::run(venv.python().env("PYTHONPATH", site).arg(script))
    }

    /// Looks at what cargo has noted of the files that went into the build.
    fn is_apart(&self, project: &Project) -> ProcessResult<()> {
        let folder = self.target.join("debug");
        let scripts = entries(&folder.join("build"))?;
        let scripts = scripts.iter().map(|it| it.join("output")).filter(|it| it.exists());
        let notes = entries(&folder.join("deps"))?;
        let notes = notes.into_iter().filter(|it| it.extension().is_some_and(|it| it == "d"));
        let ours = |text: &str| {
            let mut words = text.split([' ', '=', '\n']);
            let is_ours = |it: &&str| Path::new(it).starts_with(project.root());
            let is_built = |it: &&str| Path::new(it).starts_with(&self.target);
            words.find(|it| is_ours(it) && !is_built(it)).map(str::to_owned)
        };
        let mut count = 0;
        for note in scripts.chain(notes) {
            count += 1;
            if let Some(file) = ours(&String::from_utf8_lossy(&fs::read(&note)?)) {
                return Err(format!("{} was built from {file}", note.display()).into());
            }
        }
        if count == 0 { Err("cargo has noted nothing of what it built".into()) } else { Ok(()) }
    }

    fn remove(&self) -> ProcessResult<()> {
        for folder in [&self.home, &self.target] {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
        }
        Ok(())
    }
}

fn entries(folder: &Path) -> ProcessResult<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|it| it.map(|it| it.path()));
    Ok(paths.collect::<std::io::Result<_>>()?)
}

//! Forms of the module that notice its mistakes, each installed into a folder of its own.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::{self, Result};
use crate::project::Project;
use crate::venv::Venv;
use crate::{develop, downstream};

/// A form of the module.
pub(crate) struct Instrumented {
    site: PathBuf,
    environment: Vec<(&'static str, String)>,
}

impl Instrumented {
    /// Built with debug assertions and checks of overflow, also in the crates that it uses.
    ///
    /// # Errors
    ///
    /// If it cannot be built.
    pub(crate) fn with_assertions(project: &Project, venv: &Venv) -> Result<Self> {
        let folder = project.target().join("instrumented/assertions");
        let wheel = develop::build_checked(project, venv, &folder.join("wheels"), |_| ())?;
        let site = folder.join("site");
        downstream::install(venv, &wheel, &site)?;
        Ok(Self { site, environment: Vec::new() })
    }

    /// The same, with a look at every access to memory; none where the nightly
    /// compiler or the C compiler's part of it is missing.
    ///
    /// # Errors
    ///
    /// If it cannot be built.
    pub(crate) fn with_addresses(project: &Project, venv: &Venv) -> Result<Option<Self>> {
        let (Some(host), Some(runtime)) = (nightly_host(), sanitizer_runtime()) else {
            return Ok(None);
        };
        let folder = project.target().join("instrumented/addresses");
        let wheel = develop::build_checked(project, venv, &folder.join("wheels"), |maturin| {
            maturin.env("RUSTUP_TOOLCHAIN", "nightly").env_remove("CARGO").env_remove("RUSTC");
            maturin.env("RUSTFLAGS", "-Zsanitizer=address");
            // Naming the target keeps build scripts and macros as they are.
            maturin.args(["--target", &host]).arg("--target-dir").arg(folder.join("build"));
        })?;
        let site = folder.join("site");
        downstream::install(venv, &wheel, &site)?;
        let environment = vec![
            ("LD_PRELOAD", runtime),
            // The interpreter keeps some memory until its end, and objects in pools of its own.
            ("ASAN_OPTIONS", "detect_leaks=0".to_owned()),
            ("PYTHONMALLOC", "malloc".to_owned()),
        ];
        Ok(Some(Self { site, environment }))
    }

    /// Pytest over this form of the module.
    pub(crate) fn pytest(&self, project: &Project, venv: &Venv) -> Command {
        let mut pytest = venv.module("pytest");
        pytest.args(["--quiet", "--color=no", "--timeout", "3600"]).current_dir(project.root());
        pytest.env("PYTHONPATH", &self.site).envs(self.environment.iter().cloned());
        pytest
    }
}

/// What the nightly compiler builds for, if it is installed.
fn nightly_host() -> Option<String> {
    let mut rustc = Command::new("rustup");
    rustc.args(["run", "nightly", "rustc", "-vV"]).stderr(Stdio::null());
    let printed = rustc.output().ok().filter(|it| it.status.success())?;
    let text = String::from_utf8(printed.stdout).ok()?;
    text.lines().find_map(|it| it.strip_prefix("host: ")).map(str::to_owned)
}

/// The library that has to be there before the interpreter starts: the one
/// that comes with the compiler is for whole programs only.
fn sanitizer_runtime() -> Option<String> {
    let printed = process::output(Command::new("cc").arg("-print-file-name=libasan.so")).ok()?;
    let path = printed.trim();
    // Only the bare name comes back if there is none.
    path.starts_with('/').then(|| path.to_owned())
}

//! The Python environment `.venv` in the project's root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::interpreter;
use crate::process::{self, Result};
use crate::project::Project;

/// An environment with everything that `xtask/requirements.txt` names.
pub(crate) struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// The project's environment, made or brought up to date if need be.
    ///
    /// # Errors
    ///
    /// If there is no Python to make it with, or a package cannot be installed.
    pub(crate) fn ensure(project: &Project) -> Result<Self> {
        let venv = Self { folder: project.path(".venv") };
        if !venv.works() {
            let python = interpreter::find()?;
            eprintln!("making .venv with `{python}`");
            let mut make = Command::new(python);
            process::run(make.args(["-m", "venv", "--clear"]).arg(&venv.folder))?;
        }
        venv.install_requirements(&project.path("xtask/requirements.txt"))?;
        Ok(venv)
    }

    /// Its Python.
    pub(crate) fn python(&self) -> Command {
        let mut command = Command::new(self.program("python"));
        // What a user's shell says about Python must not change what the project does.
        command.env_remove("PYTHONHOME").env_remove("PYTHONPATH");
        command.env("PYTHONUTF8", "1");
        command
    }

    /// One of the modules installed in it, as a program.
    pub(crate) fn module(&self, name: &str) -> Command {
        let mut command = self.python();
        // `-P`: the current folder is not searched, where the crate `opwright` looks like a module.
        command.args(["-P", "-m", name]);
        command
    }

    /// Cargo, told to build against this environment's Python.
    pub(crate) fn cargo(&self, project: &Project) -> Command {
        let mut command = project.cargo();
        self.select(&mut command);
        command
    }

    /// Makes a command that builds extension modules use this environment's Python.
    pub(crate) fn select(&self, command: &mut Command) {
        // Always the same value: another one would rebuild everything that knows Python.
        command.env("PYO3_PYTHON", self.program("python"));
    }

    /// Where its Python's shared library stands, if programs can be linked with it.
    ///
    /// # Errors
    ///
    /// If its Python does not run.
    pub(crate) fn library_folder(&self) -> Result<Option<PathBuf>> {
        const PRINT_LIBRARY: &str = "\
import pathlib, sysconfig
folder, name = (sysconfig.get_config_var(it) or '' for it in ('LIBDIR', 'LDLIBRARY'))
shared = sysconfig.get_config_var('Py_ENABLE_SHARED') and pathlib.Path(folder, name).is_file()
print(folder if shared else '')";
        let printed = process::output(self.python().args(["-c", PRINT_LIBRARY]))?;
        Ok(Some(PathBuf::from(printed.trim())).filter(|it| !it.as_os_str().is_empty()))
    }

    /// Installs a wheel, unless this very wheel was the last one installed.
    ///
    /// # Errors
    ///
    /// If pip fails.
    pub(crate) fn install_wheel(&self, wheel: &Path) -> Result<()> {
        let installed = self.folder.join("opwright-installed.whl");
        if fs::read(&installed).ok() == Some(fs::read(wheel)?) {
            eprintln!("already installed");
            return Ok(());
        }
        let mut pip = self.pip("install");
        process::run(pip.args(["--no-deps", "--force-reinstall"]).arg(wheel))?;
        fs::copy(wheel, installed)?;
        Ok(())
    }

    /// `pip`, with a subcommand.
    pub(crate) fn pip(&self, subcommand: &str) -> Command {
        let mut pip = self.module("pip");
        pip.args(["--disable-pip-version-check", "--no-input", subcommand, "--quiet"]);
        pip
    }

    fn install_requirements(&self, requirements: &Path) -> Result<()> {
        let installed = self.folder.join("opwright-requirements.txt");
        if fs::read(&installed).ok() == Some(fs::read(requirements)?) {
            return Ok(());
        }
        eprintln!("installing the packages of xtask/requirements.txt into .venv");
        process::run(self.pip("install").arg("--requirement").arg(requirements))?;
        fs::copy(requirements, installed)?;
        Ok(())
    }

    /// False if it is missing, or if its Python is gone.
    fn works(&self) -> bool {
        let mut python = self.python();
        python.args(["-c", "import pip"]).stdout(Stdio::null()).stderr(Stdio::null());
        python.status().is_ok_and(|it| it.success())
    }

    fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.folder.join(folder).join(name).with_extension(std::env::consts::EXE_EXTENSION)
    }
}

//! The Python environment `.venv` in the project's root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use crate::interpreter;
use crate::process::{self, ProcessResult};
use crate::progress;
use crate::project::Project;
use crate::step_output;

/// The packages of the environment, in the folder `xtask`.
const REQUIREMENTS: &str = "requirements.txt";

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
    pub(crate) fn ensure(project: &Project) -> ProcessResult<Self> {
        let venv = Venv::made(project)?;
        venv.install_requirements(project, REQUIREMENTS)?;
        Ok(venv)
    }

    /// Does something that needs maturin alone, while the other packages are installed.
    ///
    /// # Errors
    ///
    /// As [`ensure`](Self::ensure), and what was done reports.
    pub(crate) fn ensure_beside<T>(
        project: &Project,
        build: impl FnOnce(&Self) -> ProcessResult<T>,
    ) -> ProcessResult<(Self, T)> {
        let venv = Venv::made(project)?;
        if venv.has_requirements(project, REQUIREMENTS) {
            let built = build(&venv)?;
            return Ok((venv, built));
        }
        venv.install_maturin(project)?;
        let install = || venv.install_requirements(project, REQUIREMENTS);
        let built = thread::scope(|scope| {
            // An error of another thread is its text.
            let installed = scope.spawn(|| install().map_err(|it| it.to_string()));
            let built = build(&venv);
            installed.join().expect("pip does not panic")?;
            built
        })?;
        Ok((venv, built))
    }

    /// An environment that runs.
    fn made(project: &Project) -> ProcessResult<Self> {
        let venv = Self { folder: project.path(".venv") };
        if !venv.works() {
            let python = interpreter::find()?;
            step_output::say(format_args!("making .venv with `{python}`"));
            return Venv::empty(Path::new(&python), venv.folder);
        }
        Ok(venv)
    }

    /// An environment in which nothing is installed, in the place of whatever is in the folder.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub(crate) fn empty(python: &Path, folder: PathBuf) -> ProcessResult<Self> {
        let mut make = Command::new(python);
        process::run(make.args(["-m", "venv", "--clear"]).arg(&folder))?;
        Ok(Self { folder })
    }

    /// The project's environment as it is, if a module is installed in it.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(crate) fn installed(project: &Project) -> ProcessResult<Self> {
        let venv = Self { folder: project.path(".venv") };
        match venv.wheel().exists() && venv.works() {
            true => Ok(venv),
            false => Err("there is no module in .venv; run `cargo xtask develop` first".into()),
        }
    }

    /// The wheel of the module that was installed last.
    pub(crate) fn wheel(&self) -> PathBuf {
        self.folder.join("opwright-installed.whl")
    }

    /// The folder of packages, with Go's toolchain among them.
    ///
    /// # Errors
    ///
    /// If it cannot be installed.
    pub(crate) fn go(&self, project: &Project) -> ProcessResult<PathBuf> {
        self.install_requirements(project, "go-requirements.txt")?;
        self.packages()
    }

    /// Installs the C compiler and linker for other Linux systems, and tells maturin where it is.
    ///
    /// # Errors
    ///
    /// If it cannot be installed.
    pub(crate) fn zig(&self, project: &Project, maturin: &mut Command) -> ProcessResult<()> {
        maturin.env("CARGO_ZIGBUILD_PYTHON_PATH", self.program("python"));
        self.install_requirements(project, "zig-requirements.txt")
    }

    /// The folder of packages.
    fn packages(&self) -> ProcessResult<PathBuf> {
        let print = "import sysconfig; print(sysconfig.get_path('platlib'))";
        let printed = process::output(self.python().args(["-c", print]))?;
        Ok(PathBuf::from(printed.trim()))
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

    /// The tests in a folder of the project; the slowest are named.
    pub(crate) fn pytest(&self, project: &Project, folder: &str) -> Command {
        let mut pytest = self.counted_pytest(project);
        pytest.args(["--durations=20", folder]);
        pytest
    }

    /// `pytest` in the project, each line of whose summary can be counted.
    pub(crate) fn counted_pytest(&self, project: &Project) -> Command {
        let mut pytest = self.module("pytest");
        pytest.args(["--quiet", "--color=no", "-rfEs", "--no-fold-skipped"]);
        pytest.current_dir(project.root());
        pytest
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
    pub(crate) fn library_folder(&self) -> ProcessResult<Option<PathBuf>> {
        const PRINT_LIBRARY: &str = "\
import pathlib, sysconfig
folder, name = (sysconfig.get_config_var(it) or '' for it in ('LIBDIR', 'LDLIBRARY'))
shared = sysconfig.get_config_var('Py_ENABLE_SHARED') and pathlib.Path(folder, name).is_file()
print(folder if shared else '')";
        let printed = process::output(self.python().args(["-c", PRINT_LIBRARY]))?;
        Ok(Some(PathBuf::from(printed.trim())).filter(|it| !it.as_os_str().is_empty()))
    }

    /// Installs a wheel of the reference module, unless this very wheel was the last one installed, and
    /// copies its stubs to where editors and type checkers see them beside the sources.
    ///
    /// # Errors
    ///
    /// If pip fails.
    pub(crate) fn install_wheel(&self, project: &Project, wheel: &Path) -> ProcessResult<()> {
        let installed = self.wheel();
        if fs::read(&installed).ok() == Some(fs::read(wheel)?) {
            step_output::say(format_args!("already installed"));
        } else {
            let mut pip = self.pip("install");
            process::run(pip.args(["--no-deps", "--force-reinstall"]).arg(wheel))?;
        }
        // Also where it is the same: its time says of which sources it is.
        fs::copy(wheel, installed)?;
        let package = project.path("python-bindings/python/opwright");
        copy_stubs(&self.packages()?.join("opwright"), &package)
    }

    /// `pip`, with a subcommand.
    pub(crate) fn pip(&self, subcommand: &str) -> Command {
        let mut pip = self.module("pip");
        pip.args(["--disable-pip-version-check", "--no-input", subcommand]);
        progress::quiet(&mut pip);
        pip
    }

    fn install_requirements(&self, project: &Project, file: &str) -> ProcessResult<()> {
        if self.has_requirements(project, file) {
            return Ok(());
        }
        let requirements = project.path("xtask").join(file);
        step_output::say(format_args!("installing the packages of xtask/{file} into .venv"));
        // What is imported is compiled then, and most of it never is.
        let mut pip = self.pip("install");
        pip.args(["--no-compile", "--require-hashes", "--requirement"]).arg(&requirements);
        process::run(&mut pip)?;
        fs::copy(requirements, self.installed_requirements(file))?;
        Ok(())
    }

    /// Whether the packages of a file were installed as it is now.
    fn has_requirements(&self, project: &Project, file: &str) -> bool {
        let wanted = fs::read(project.path("xtask").join(file)).ok();
        wanted.is_some() && fs::read(self.installed_requirements(file)).ok() == wanted
    }

    /// The copy of a file whose packages were installed last.
    fn installed_requirements(&self, file: &str) -> PathBuf {
        self.folder.join(format!("opwright-{file}"))
    }

    /// Installs what builds wheels, which needs no other package.
    fn install_maturin(&self, project: &Project) -> ProcessResult<()> {
        let requirements = fs::read_to_string(project.path("xtask").join(REQUIREMENTS))?;
        let file = self.folder.join("opwright-maturin.txt");
        fs::write(&file, locked(&requirements, "maturin").ok_or("maturin is not locked")?)?;
        let mut pip = self.pip("install");
        process::run(pip.arg("--require-hashes").arg("--requirement").arg(file))
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

/// Makes the stubs in a folder and those below it the same as those in another one.
fn copy_stubs(from: &Path, to: &Path) -> ProcessResult<()> {
    let is_stub = |it: &Path| it.extension().is_some_and(|it| it == "pyi");
    for entry in fs::read_dir(to).into_iter().flatten() {
        let path = entry?.path();
        if is_stub(&path) {
            fs::remove_file(path)?;
        }
    }
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_stubs(&path, &to)?;
        } else if is_stub(&path) {
            fs::create_dir_all(to.parent().unwrap_or(&to))?;
            fs::copy(path, to)?;
        }
    }
    Ok(())
}

/// The version of a package and its hashes, of a file that has those of several.
fn locked<'a>(requirements: &'a str, package: &str) -> Option<&'a str> {
    let (before, _) = requirements.split_once(&format!("\n{package}=="))?;
    let from = &requirements[before.len() + 1..];
    let next = from.match_indices('\n').find(|(at, _)| !from[at + 1..].starts_with(' '));
    Some(next.map_or(from, |(at, _)| &from[..=at]))
}

#[test]
fn a_package_is_found_with_its_hashes() {
    let text =
        "a==1 \\\n    --hash=x\nb==2 \\\n    --hash=y \\\n    --hash=z\nc==3 \\\n    --hash=u\n";
    assert_eq!(locked(text, "b"), Some("b==2 \\\n    --hash=y \\\n    --hash=z\n"));
    assert_eq!(locked(text, "c"), Some("c==3 \\\n    --hash=u\n"));
    assert_eq!(locked(text, "d"), None);
    assert!(locked(include_str!("../requirements.txt"), "maturin").is_some());
}

#[test]
fn every_package_has_one_version_and_its_hashes() {
    let text = include_str!("../requirements.txt").replace("\\\n", " ");
    let packages: Vec<&str> = text.lines().filter(|it| !it.starts_with('#')).collect();
    for package in &packages {
        assert!(package.contains("==") && package.contains("--hash=sha256:"), "{package}");
    }
    for wanted in include_str!("../requirements.in").lines().filter(|it| it.contains("==")) {
        // Of a package with extras, these are locked as packages of their own.
        let (name, version) = wanted.split_once("==").expect("a version");
        let name = name.split('[').next().unwrap_or(name);
        let start = format!("{}=={version} ", name.to_lowercase());
        assert!(packages.iter().any(|it| it.starts_with(&start)), "{wanted} is not locked");
    }
}

#[test]
fn workflows_name_actions_by_commit() {
    let folder = Project::find().path(".github/workflows");
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("a workflow");
        for (_, action) in text.lines().filter_map(|it| it.split_once("uses: ")) {
            let (_, commit) = action.split_once('@').expect("a version");
            let (commit, tag) = commit.split_once("  # v").expect("a commit, and its tag");
            assert!(commit.len() == 40 && !tag.is_empty(), "{action}");
            assert!(commit.bytes().all(|it| it.is_ascii_hexdigit()), "{action}");
        }
    }
}

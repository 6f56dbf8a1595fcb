//! Programs in C against the library: what it exports, and that they find it and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::c_downstream;
use crate::c_install;
use crate::c_library::{self, Installed, Profile, STRICT, SYSTEM_LIBRARIES, is_there};
use crate::go;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::tally::Tally;
use crate::venv::Venv;

/// Looks at each access to memory.
const SANITIZED: [&str; 2] = ["-g", "-fsanitize=address"];

/// Builds the library, and all programs against it. Where there is an environment, crates that know
/// Python are built as for it.
///
/// # Errors
///
/// What fails first.
pub(crate) fn run(project: &Project, venv: Option<&Venv>, tally: &mut Tally) -> ProcessResult<()> {
    let installed = c_library::install(project, Profile::Dev, "c-checked")?;
    let programs = Programs { project, installed };
    tally_of(tally, "exported functions", &["nm"], || programs.exports())?;
    let mut built = None;
    tally_of(tally, "a program by pkg-config", &["pkg-config"], || {
        built = Some(programs.by_pkg_config("program.c")?);
        programs.by_pkg_config("guide.c")?;
        programs.by_pkg_config("scopes.c").map(drop)
    })?;
    let tools: &[&str] = if programs.runs(&SANITIZED) { &[] } else { &["-fsanitize=address"] };
    tally_of(tally, "a program with a sanitizer", tools, || programs.with_sanitizer())?;
    tally_of(tally, "files beside numpy", &["pkg-config"], || programs.files())?;
    tally_of(tally, "a program with the archive", &[], || programs.with_archive(&[]))?;
    let tools: &[&str] = if programs.runs(&["-static"]) { &[] } else { &["-static"] };
    let static_tools: &[&str] = if tools.is_empty() { &["pkg-config"] } else { tools };
    tally_of(tally, "a program without shared libraries", tools, || {
        programs.with_archive(&["-static"])?;
        programs.with_archive(&["-static-pie"])
    })?;
    tally_of(tally, "programs by CMake", &["cmake"], || {
        programs.by_cmake(&programs.installed.folder)
    })?;
    tally_of(tally, "an installed library by pkg-config", &["pkg-config"], || {
        programs.of_prefix(&[], &[])
    })?;
    tally_of(tally, "an installed archive by pkg-config", static_tools, || {
        programs.of_prefix(&["--static"], &["-static"])
    })?;
    tally_of(tally, "an installed library by CMake", &["cmake"], || {
        programs.by_cmake(&programs.prefix()?)
    })?;
    let mut of_go = Tally::default();
    tally_of(tally, "beside the library of another crate", &["nm"], || {
        c_downstream::run(project, venv, &programs.installed, &mut of_go)
    })?;
    *tally += of_go;
    if let Some(program) = built {
        tally_of(tally, "memory of a program", &["valgrind"], || {
            let mut valgrind = Command::new("valgrind");
            valgrind.args(["--quiet", "--leak-check=full", "--show-leak-kinds=definite,indirect"]);
            valgrind.args(["--errors-for-leak-kinds=definite,indirect", "--error-exitcode=9"]);
            process::run(valgrind.arg(program))
        })?;
    }
    Ok(())
}

/// A check that passes, or that nobody makes because a tool is missing.
fn tally_of(
    tally: &mut Tally,
    name: &str,
    tools: &[&str],
    check: impl FnOnce() -> ProcessResult<()>,
) -> ProcessResult<()> {
    if let Some(tool) = tools.iter().find(|it| !is_there(it)) {
        *tally += Tally::skip(&format!("library for C: {name}: {tool} is not installed"));
        return Ok(());
    }
    check()?;
    *tally += Tally::PASS;
    Ok(())
}

struct Programs<'a> {
    project: &'a Project,
    installed: Installed,
}

impl Programs<'_> {
    fn lib(&self) -> PathBuf {
        self.installed.folder.join("lib")
    }

    fn source(&self, name: &str) -> PathBuf {
        self.project.path("tests/c").join(name)
    }

    /// The shared library exports what the header declares, and the archive too.
    fn exports(&self) -> ProcessResult<()> {
        let header = fs::read_to_string(self.installed.folder.join("include/opwright.h"))?;
        let declared = c_library::declared(&header, "ow");
        let mut shared = Command::new("nm");
        shared.args(["-D", "--defined-only"]).arg(self.lib().join("libopwright.so"));
        let mut archive = Command::new("nm");
        archive.args(["-g", "--defined-only"]).arg(self.lib().join("libopwright.a"));
        for nm in [&mut shared, &mut archive] {
            let symbols = c_library::symbols(nm)?;
            if let Some(other) = symbols.symmetric_difference(&declared).next() {
                return Err(format!("`{other}` is exported or declared, not both").into());
            }
        }
        Ok(())
    }

    /// A program that finds the shared library by pkg-config, run once.
    fn by_pkg_config(&self, name: &str) -> ProcessResult<PathBuf> {
        let program = self.compiled(name)?;
        process::run(&mut Command::new(&program))?;
        Ok(program)
    }

    /// Files that the library writes are read by numpy, and the other way round.
    fn files(&self) -> ProcessResult<()> {
        let venv = Venv::ensure(self.project)?;
        let program = self.compiled("files.c")?;
        let folder = self.installed.folder.join("written");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        process::run(Command::new(&program).arg("write").arg(&folder))?;
        process::run(venv.python().arg(self.source("files.py")).arg(&folder))?;
        process::run(Command::new(&program).arg("read").arg(&folder))
    }

    fn compiled(&self, name: &str) -> ProcessResult<PathBuf> {
        let mut pkg_config = Command::new("pkg-config");
        pkg_config.args(["--cflags", "--libs", "opwright"]);
        pkg_config.env("PKG_CONFIG_PATH", self.lib().join("pkgconfig"));
        let flags = process::output(&mut pkg_config)?;
        let program = self.installed.folder.join(name.trim_end_matches(".c"));
        let mut cc = Command::new("cc");
        cc.args(STRICT).arg("-g").arg(self.source(name)).args(flags.split_whitespace());
        cc.arg(format!("-Wl,-rpath,{}", self.lib().display()));
        process::run(cc.arg("-o").arg(&program))?;
        Ok(program)
    }

    fn with_archive(&self, options: &[&str]) -> ProcessResult<()> {
        let program = self.installed.folder.join("static");
        let mut cc = Command::new("cc");
        cc.args(STRICT).args(options).args(["-DOW_STATIC", "-Wl,--gc-sections", "-I"]);
        cc.arg(self.installed.folder.join("include")).arg(self.source("program.c"));
        cc.arg(self.lib().join("libopwright.a")).args(SYSTEM_LIBRARIES.split(' '));
        process::run(cc.arg("-o").arg(&program))?;
        process::run(&mut Command::new(&program))?;
        fs::remove_file(program)?;
        Ok(())
    }

    /// Whether the compiler finds what it needs for these options.
    fn runs(&self, options: &[&str]) -> bool {
        let (source, program) = (self.source("nothing.c"), self.installed.folder.join("nothing"));
        let mut cc = Command::new("cc");
        cc.args(options).arg(source).arg("-o").arg(&program);
        process::output(&mut cc).is_ok() && process::output(&mut Command::new(program)).is_ok()
    }

    /// A program that says what it does to memory wrongly, and what it leaves behind.
    fn with_sanitizer(&self) -> ProcessResult<()> {
        let program = self.installed.folder.join("sanitized");
        let lib = self.lib();
        let mut cc = Command::new("cc");
        cc.args(STRICT).args(SANITIZED).arg("-I").arg(self.installed.folder.join("include"));
        cc.arg(self.source("program.c")).arg("-L").arg(&lib).arg("-lopwright");
        cc.arg(format!("-Wl,-rpath,{}", lib.display()));
        process::run(cc.arg("-o").arg(&program))?;
        // Missing memory is what the program asks for.
        let mut program = Command::new(program);
        process::run(program.env("ASAN_OPTIONS", "allocator_may_return_null=1"))
    }

    /// A copy as users install it, below a folder that only they know.
    fn prefix(&self) -> ProcessResult<PathBuf> {
        let prefix = self.installed.folder.join("prefix");
        let _ = fs::remove_dir_all(&prefix);
        c_install::copy(self.project, &self.installed.folder, &prefix)?;
        Ok(prefix)
    }

    /// A program of an installed library, by what pkg-config says and nothing else.
    fn of_prefix(&self, asked: &[&str], options: &[&str]) -> ProcessResult<()> {
        let prefix = self.prefix()?;
        let mut pkg_config = Command::new("pkg-config");
        pkg_config.args(asked).args(["--cflags", "--libs", "opwright >= 0.1"]);
        pkg_config.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        let flags = process::output(&mut pkg_config)?;
        let program = prefix.join("program");
        let mut cc = Command::new("cc");
        cc.args(STRICT).args(options).arg(self.source("guide.c")).args(flags.split_whitespace());
        process::run(cc.arg("-o").arg(&program))?;
        let mut program = Command::new(program);
        go::find(&mut program, &Installed { folder: prefix });
        process::run(&mut program)
    }

    fn by_cmake(&self, prefix: &Path) -> ProcessResult<()> {
        let folder = prefix.join("cmake-build");
        self.configured("cmake", prefix, &folder)?;
        self.configured("components", prefix, &prefix.join("cmake-components"))?;
        process::run(Command::new("cmake").arg("--build").arg(&folder))?;
        for program in ["program", "static"] {
            process::run(&mut Command::new(folder.join(program)))?;
        }
        Ok(())
    }

    fn configured(&self, source: &str, prefix: &Path, folder: &Path) -> ProcessResult<()> {
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(self.source(source)).arg("-B").arg(folder);
        let prefix = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
        process::run(configure.arg(prefix))
    }
}

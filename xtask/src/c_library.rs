//! The library for C, put together as programs of other people use it.
//!
//! ```text
//! target/c/include/opwright.h
//! target/c/lib/libopwright.{so,a}
//! target/c/lib/pkgconfig/opwright.pc
//! target/c/lib/cmake/opwright/opwrightConfig.cmake
//! ```

use std::collections::BTreeSet;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::c_cmake;
use crate::go_printed;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::source_paths;
use crate::workspace;

/// How the library is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As it is handed out.
    Release,
    /// Sooner, of what the Python module was built from.
    Quick,
    /// With checks of handles, and quicker.
    Dev,
}

impl Profile {
    fn folder(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Quick => "quick",
            Profile::Dev => "debug",
        }
    }
}

/// Where a library was put together.
pub(crate) struct Installed {
    pub(crate) folder: PathBuf,
}

/// Options of C compilers by which warnings are errors.
pub(crate) const STRICT: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// What programs that link the archive need besides.
pub(crate) const SYSTEM_LIBRARIES: &str = if cfg!(target_os = "macos") {
    "-framework CoreFoundation -liconv -lSystem -lc -lm"
} else {
    "-lutil -lrt -lpthread -lm -ldl -lc"
};

/// Builds the library, and puts everything below a folder of the target directory, and what is printed
/// for Go into its package.
///
/// # Errors
///
/// If it cannot be built or written.
pub(crate) fn install(project: &Project, profile: Profile, name: &str) -> ProcessResult<Installed> {
    let version = workspace::said(project.root(), "version")?;
    let out = build(project, profile, &version)?;
    let folder = project.target().join(name);
    let (include, lib) = (folder.join("include"), folder.join("lib"));
    fs::create_dir_all(&include)?;
    fs::create_dir_all(&lib)?;
    let header = fs::read_to_string(out.join("opwright.h"))?;
    write(&include.join("opwright.h"), &header)?;
    let built = project.target().join(profile.folder());
    shared(&built, &lib, &version)?;
    let made = built.join("libopwright_c_bindings.a");
    archive(&made, &lib.join("libopwright.a"), &declared(&header, "ow"))?;
    write(&lib.join("pkgconfig/opwright.pc"), &pkg_config(&version))?;
    let cmake = lib.join("cmake/opwright");
    write(&cmake.join("opwrightConfig.cmake"), &c_cmake::config(SYSTEM_LIBRARIES))?;
    write(&cmake.join("opwrightConfigVersion.cmake"), &c_cmake::version(&version))?;
    go_printed::put(project, &out.join("go"))?;
    Ok(Installed { folder })
}

/// Builds both libraries, and returns the folder of what the build script has printed.
fn build(project: &Project, profile: Profile, version: &str) -> ProcessResult<PathBuf> {
    let cargo = |kinds: &str| {
        let mut cargo = project.cargo();
        cargo.args(["rustc", "--lib", "--package", "opwright-c-bindings", "--features", "library"]);
        cargo.args(["--crate-type", kinds]);
        match profile {
            Profile::Release => drop(source_paths::remap(project, cargo.arg("--release"))),
            Profile::Quick => drop(cargo.args(["--profile", "quick"])),
            Profile::Dev => {}
        }
        cargo
    };
    let mut both = cargo("cdylib,staticlib");
    process::build(both.arg("--").args(name_in_programs(version)))?;
    // Nothing is left to build: what is asked for is where the script's files are.
    let mut messages = cargo("cdylib,staticlib");
    messages.args(["--message-format", "json", "--"]).args(name_in_programs(version));
    let messages = process::output(&mut messages)?;
    let script = messages.lines().filter(|it| it.contains("build-script-executed"));
    let own = script.filter(|it| it.contains("c-bindings")).find_map(|it| {
        let (_, rest) = it.split_once("\"out_dir\":\"")?;
        rest.split_once('"').map(|(path, _)| PathBuf::from(path))
    });
    own.ok_or_else(|| "cargo does not say where the header is".into())
}

/// Under which name programs look for the shared library.
fn name_in_programs(version: &str) -> Vec<String> {
    let major = version.split('.').next().unwrap_or("0");
    let argument = if cfg!(target_os = "macos") {
        format!("-Wl,-install_name,@rpath/libopwright.{major}.dylib")
    } else {
        format!("-Wl,-soname,libopwright.so.{major}")
    };
    match cfg!(unix) {
        true => vec!["-C".to_owned(), format!("link-arg={argument}")],
        false => Vec::new(),
    }
}

fn shared(built: &Path, lib: &Path, version: &str) -> ProcessResult<()> {
    let made = built.join(format!("{DLL_PREFIX}opwright_c_bindings{DLL_SUFFIX}"));
    let plain = format!("{DLL_PREFIX}opwright{DLL_SUFFIX}");
    if !cfg!(target_os = "linux") {
        fs::copy(made, lib.join(plain))?;
        return Ok(());
    }
    let major = version.split('.').next().unwrap_or("0");
    let (whole, short) = (format!("{plain}.{version}"), format!("{plain}.{major}"));
    replace(&made, &lib.join(&whole))?;
    link(&whole, &lib.join(&short))?;
    link(&short, &lib.join(&plain))
}

/// A program that runs keeps the file that it has.
fn replace(from: &Path, to: &Path) -> ProcessResult<()> {
    let _ = fs::remove_file(to);
    fs::copy(from, to)?;
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, link: &Path) -> ProcessResult<()> {
    let _ = fs::remove_file(link);
    std::os::unix::fs::symlink(target, link)?;
    Ok(())
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> ProcessResult<()> {
    Ok(())
}

/// What is not there of what makes an archive one object.
pub(crate) fn missing_for_archives() -> Option<&'static str> {
    if !cfg!(target_os = "linux") {
        return Some("linker for Linux");
    }
    ["ld", "objcopy", "ar"].into_iter().find(|it| !is_there(it))
}

/// The archive that cargo has made as one object, whose other symbols nobody sees, if there are
/// tools for that.
///
/// # Errors
///
/// If one of them fails.
pub(crate) fn archive(
    made: &Path,
    archive: &Path,
    declared: &BTreeSet<String>,
) -> ProcessResult<()> {
    let object = archive.with_extension("o");
    let _ = fs::remove_file(archive);
    if missing_for_archives().is_some() {
        fs::copy(made, archive)?;
        return Ok(());
    }
    let names = archive.with_extension("names");
    let roots: Vec<String> = declared.iter().map(|it| format!("-u {it}\n")).collect();
    fs::write(&names, roots.concat())?;
    let mut ld = Command::new("ld");
    // What the linker would keep once of all libraries is in each: the other one's would be local.
    ld.args(["-r", "--gc-sections", "--force-group-allocation"]);
    process::run(ld.arg(format!("@{}", names.display())).arg(made).arg("-o").arg(&object))?;
    fs::write(&names, roots.concat().replace("-u ", ""))?;
    let mut objcopy = Command::new("objcopy");
    objcopy.arg(format!("--keep-global-symbols={}", names.display()));
    // Weak symbols of what is gone would be needed, and no longer weak.
    objcopy.args(["--strip-debug", "--strip-unneeded"]);
    // What the compiler keeps for itself is no part of a library.
    objcopy.args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"]);
    process::run(objcopy.arg(&object))?;
    process::run(Command::new("ar").arg("rcs").arg(archive).arg(&object))?;
    fs::remove_file(names)?;
    fs::remove_file(object)?;
    Ok(())
}

/// The functions that a header of names with this prefix declares.
pub(crate) fn declared(header: &str, prefix: &str) -> BTreeSet<String> {
    let mark = format!("{}_API ", prefix.to_uppercase());
    let declared = header.lines().filter_map(|it| it.strip_prefix(&mark));
    let name = |it: &str| Some(it.split_once('(')?.0.rsplit([' ', '*']).next()?.to_owned());
    declared.filter_map(name).collect()
}

/// What `nm` lists.
///
/// # Errors
///
/// If it fails.
pub(crate) fn symbols(nm: &mut Command) -> ProcessResult<BTreeSet<String>> {
    let symbols = process::output(nm)?;
    Ok(symbols.lines().filter_map(|it| it.split(' ').nth(2)).map(str::to_owned).collect())
}

/// Whether there is a C compiler at all.
pub(crate) fn has_compiler() -> bool {
    is_there("cc")
}

/// Whether a program can be started.
pub(crate) fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|it| it.success())
}

fn write(path: &Path, text: &str) -> ProcessResult<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text)?;
    Ok(())
}

fn pkg_config(version: &str) -> String {
    format!(
        "\
prefix=${{pcfiledir}}/../..
includedir=${{prefix}}/include
libdir=${{prefix}}/lib

Name: opwright
Description: Operators on tensors
Version: {version}
Cflags: -I${{includedir}}
Cflags.private: -DOW_STATIC
Libs: -L${{libdir}} -lopwright
Libs.private: {SYSTEM_LIBRARIES}
"
    )
}

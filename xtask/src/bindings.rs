//! The bindings that calls are measured against, built from `benches`: by hand in C, with nanobind,
//! and with PyO3 alone. All have the same kernel and the same allocation of results. With them come
//! a sum in C that has nothing of a tensor library, and a module of opwright's with a function of
//! eight overloads.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::venv::Venv;

/// Not in `.venv`, because only this benchmark needs it.
const NANOBIND: &str = "nanobind==3.1.0";

/// Builds all, and returns the folder that Python finds them in.
///
/// # Errors
///
/// If a compiler is missing or fails, or nanobind cannot be installed.
pub(crate) fn build(project: &Project, venv: &Venv) -> ProcessResult<PathBuf> {
    let folder = project.target().join("benches");
    fs::create_dir_all(&folder)?;
    let mut cargo = venv.cargo(project);
    cargo.args(["build", "--release", "--manifest-path"]);
    cargo.arg(project.path("benches/Cargo.toml"));
    process::run(cargo.arg("--target-dir").arg(&folder))?;
    let release = folder.join("release");
    for module in ["bench_pyo3", "bench_overloads"] {
        let library = format!("{DLL_PREFIX}{module}{DLL_SUFFIX}");
        fs::copy(release.join(library), folder.join(format!("{module}.abi3.so")))?;
    }
    let kernel = release.join("libopwright_bench_kernel.a");
    by_hand(project, venv, "bench_c", Some(&kernel), &folder)?;
    by_hand(project, venv, "bench_minimal", None, &folder)?;
    with_nanobind(project, venv, &kernel, &folder)?;
    Ok(folder)
}

fn by_hand(
    project: &Project,
    venv: &Venv,
    name: &str,
    kernel: Option<&Path>,
    folder: &Path,
) -> ProcessResult<()> {
    let mut cc = compiler("CC", "cc");
    cc.args(["-O3", "-Wall", "-Wextra", "-I"]).arg(headers(venv)?);
    cc.arg(project.path("benches/c").join(format!("{name}.c"))).args(kernel);
    process::run(link(&mut cc, &folder.join(format!("{name}.abi3.so"))))
}

fn with_nanobind(
    project: &Project,
    venv: &Venv,
    kernel: &Path,
    folder: &Path,
) -> ProcessResult<()> {
    let site = folder.join("site");
    if !site.exists() {
        process::run(venv.pip("install").arg("--target").arg(&site).arg(NANOBIND))?;
    }
    let nanobind = site.join("nanobind");
    let mut cxx = compiler("CXX", "c++");
    // As nanobind's own build does it.
    cxx.args([
        "-std=c++17",
        "-O3",
        "-DNDEBUG",
        "-fvisibility=hidden",
        "-fno-strict-aliasing",
        "-I",
    ]);
    cxx.arg(headers(venv)?);
    for include in ["include", "ext/robin_map/include"] {
        cxx.arg("-I").arg(nanobind.join(include));
    }
    cxx.arg(project.path("benches/nanobind/bench_nanobind.cpp"));
    cxx.arg(nanobind.join("src/nb_combined.cpp")).arg(kernel);
    process::run(link(&mut cxx, &folder.join("bench_nanobind.abi3.so")))
}

/// A compiler, which the environment may choose.
fn compiler(variable: &str, default: &str) -> Command {
    Command::new(std::env::var_os(variable).unwrap_or_else(|| default.into()))
}

/// Where `Python.h` stands.
fn headers(venv: &Venv) -> ProcessResult<String> {
    const PRINT: &str = "import sysconfig; print(sysconfig.get_path('include'))";
    Ok(process::output(venv.python().args(["-c", PRINT]))?.trim().to_owned())
}

fn link<'a>(compiler: &'a mut Command, module: &Path) -> &'a mut Command {
    compiler.args(["-fPIC", "-shared", "-lm", "-lpthread", "-ldl", "-o"]).arg(module)
}

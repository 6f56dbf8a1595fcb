//! `cargo xtask bench`: tables of measurements.

use std::process::Command;

use crate::develop::ModuleProfile;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::venv::Venv;
use crate::{bindings, c_bench, develop, downstream};

/// A benchmark: its name, what it measures, how it runs.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&Project, &Venv) -> ProcessResult<()>,
}

const BENCHES: [Bench; 14] = [
    Bench {
        name: "schema",
        about: "checking an operator file, against PyYAML merely loading it",
        run: schema,
    },
    Bench { name: "loops", about: "loops over elements, against hand-written ones", run: loops },
    Bench {
        name: "elementwise",
        about: "loops around element-wise kernels, against the best hand-written ones",
        run: elementwise,
    },
    Bench {
        name: "calls",
        about: "calls from Python, against other bindings and numpy",
        run: calls,
    },
    Bench {
        name: "fast_paths",
        about: "calls that take a fast path, and the same without it",
        run: fast_paths,
    },
    Bench {
        name: "structs",
        about: "structs of Rust in Python: made, read, passed to operators and to functions",
        run: structs,
    },
    Bench {
        name: "gil",
        about: "calls that release Python's lock, and what other threads gain by it",
        run: gil,
    },
    Bench {
        name: "grad",
        about: "gradients: recording, passes, steps of training; beside PyTorch if it is installed",
        run: grad,
    },
    Bench {
        name: "graph",
        about: "compiled functions, beside eager calls and numpy; PyTensor and numba if installed",
        run: graph,
    },
    Bench {
        name: "jit",
        about: "compiled Python functions: calls, first calls, run time; beside numba if installed",
        run: jit,
    },
    Bench {
        name: "kernels",
        about: "kernels, beside numpy; torch, numexpr, numba and scipy if installed",
        run: kernels,
    },
    Bench {
        name: "accuracy",
        about: "functions, beside exact results: how far they are off at most",
        run: accuracy,
    },
    Bench { name: "c", about: "calls from C, against Rust; the header", run: c_bench::run },
    Bench {
        name: "build",
        about: "modules of more and more operators: time to build and import, bytes",
        run: build,
    },
];

/// Runs the benchmarks of these names, or all.
///
/// # Errors
///
/// If a name is unknown or a benchmark fails.
pub(crate) fn run(project: &Project, names: &[&str]) -> ProcessResult<()> {
    let unknown = names.iter().find(|name| BENCHES.iter().all(|it| it.name != **name));
    if let Some(unknown) = unknown {
        let known: Vec<_> = BENCHES.iter().map(|it| it.name).collect();
        return Err(
            format!("unknown benchmark `{unknown}`; there are: {}", known.join(", ")).into()
        );
    }
    let venv = Venv::ensure(project)?;
    for Bench { name, about, run } in &BENCHES {
        if names.is_empty() || names.contains(name) {
            println!("\n{name}: {about}\n");
            run(project, &venv)?;
        }
    }
    Ok(())
}

fn build(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let mut python = venv.python();
    python.arg(project.path("xtask/bench/build.py")).arg(project.root());
    python.arg(project.path("../shared/upstream/native_functions.yaml"));
    venv.select(&mut python);
    process::run(python.arg(project.other_target().join("scale")))
}

fn schema(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let mut cargo = venv.cargo(project);
    cargo.args(["run", "--release", "--package", "opwright-schema"]);
    cargo.args(["--example", "bench"]).env("OPWRIGHT_PYTHON", venv.python().get_program());
    process::run(&mut cargo)
}

fn loops(project: &Project, _venv: &Venv) -> ProcessResult<()> {
    of_runtime(project, "loops")
}

fn elementwise(project: &Project, _venv: &Venv) -> ProcessResult<()> {
    of_runtime(project, "elementwise")
}

fn of_runtime(project: &Project, example: &str) -> ProcessResult<()> {
    let mut cargo = project.cargo();
    cargo.args(["run", "--release", "--package", "opwright-runtime"]);
    process::run(cargo.args(["--example", example]))
}

fn calls(project: &Project, venv: &Venv) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    let others = bindings::build(project, venv)?;
    let mut python = venv.python();
    python.env("PYTHONPATH", others).arg(project.path("xtask/bench/calls.py"));
    process::run(&mut python)
}

fn fast_paths(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let folder = project.target().join("bench-switched");
    let wheel = develop::build_switched(project, venv, &folder.join("wheels"))?;
    let site = folder.join("site");
    downstream::install(venv, &wheel, &site)?;
    let mut python = venv.python();
    python.env("PYTHONPATH", site).arg(project.path("tests/python/fast_paths.py"));
    process::run(&mut python)
}

fn structs(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let site = downstream::built(project, venv)?;
    let mut python = venv.python();
    process::run(python.env("PYTHONPATH", site).arg(project.path("xtask/bench/structs.py")))
}

fn gil(project: &Project, venv: &Venv) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    process::run(venv.python().arg(project.path("xtask/bench/gil.py")))
}

fn grad(project: &Project, venv: &Venv) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    process::run(&mut with_threads(project, venv, "grad", "1"))
}

fn graph(project: &Project, venv: &Venv) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    process::run(&mut with_threads(project, venv, "graphs", "1"))
}

fn jit(project: &Project, venv: &Venv) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    process::run(&mut with_threads(project, venv, "jit", "1"))
}

fn kernels(project: &Project, venv: &Venv) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    for threads in ["1", "2"] {
        process::run(with_threads(project, venv, "kernels", threads).arg(threads))?;
    }
    Ok(())
}

fn accuracy(project: &Project, venv: &Venv) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    let mut python = venv.python();
    process::run(python.arg(project.path("tests/python/accuracy.py")))
}

/// A program in which numpy and its libraries are held to so many threads, too.
fn with_threads(project: &Project, venv: &Venv, program: &str, threads: &str) -> Command {
    let mut python = venv.python();
    hold_threads(&mut python, threads);
    python.arg(project.path(format!("xtask/bench/{program}.py")));
    python
}

/// Holds numpy and its libraries to so many threads.
pub(crate) fn hold_threads(python: &mut Command, threads: &str) {
    for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
        python.env(variable, threads);
    }
    // Where threads of one library wait by computing, they take processors from all others.
    python.env("OMP_WAIT_POLICY", "PASSIVE");
}

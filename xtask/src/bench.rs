//! `cargo xtask bench`: tables of measurements.

use std::path::Path;
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
    run: BenchRun,
}

/// How a benchmark runs.
enum BenchRun {
    /// It prints what it measures.
    Printed(fn(&Project, &Venv) -> ProcessResult<()>),
    /// It can also write it to a file, which pages and plots are made of.
    Recorded(fn(&Project, &Venv, Option<&Path>) -> ProcessResult<()>),
}

/// The option that has benchmarks write the files of `docs/data`.
const RECORD: &str = "--record";

const BENCHES: [Bench; 15] = [
    Bench {
        name: "schema",
        about: "checking an operator file, against PyYAML merely loading it",
        run: BenchRun::Printed(schema),
    },
    Bench {
        name: "loops",
        about: "loops over elements, against hand-written ones",
        run: BenchRun::Printed(loops),
    },
    Bench {
        name: "elementwise",
        about: "loops around element-wise kernels, against the best hand-written ones",
        run: BenchRun::Printed(elementwise),
    },
    Bench {
        name: "calls",
        about: "calls from Python, against other bindings and numpy",
        run: BenchRun::Recorded(calls),
    },
    Bench {
        name: "fast_paths",
        about: "calls that take a fast path, and the same without it",
        run: BenchRun::Printed(fast_paths),
    },
    Bench {
        name: "structs",
        about: "structs of Rust in Python: made, read, passed to operators and to functions",
        run: BenchRun::Printed(structs),
    },
    Bench {
        name: "gil",
        about: "calls that release Python's lock, and what other threads gain by it",
        run: BenchRun::Printed(gil),
    },
    Bench {
        name: "grad",
        about: "gradients: recording, passes, steps of training; beside PyTorch if it is installed",
        run: BenchRun::Printed(grad),
    },
    Bench {
        name: "graph",
        about: "compiled functions, beside eager calls and numpy; PyTensor and numba if installed",
        run: BenchRun::Printed(graph),
    },
    Bench {
        name: "jit",
        about: "compiled Python functions: calls, first calls, run time; beside numba if installed",
        run: BenchRun::Printed(jit),
    },
    Bench {
        name: "kernels",
        about: "kernels, beside numpy; torch, numexpr, numba and scipy if installed",
        run: BenchRun::Recorded(kernels),
    },
    Bench {
        name: "accuracy",
        about: "functions, beside exact results: how far they are off at most",
        run: BenchRun::Recorded(accuracy),
    },
    Bench {
        name: "frameworks",
        about: "calls through PyTorch and JAX, if installed, beside empty ones and callbacks",
        run: BenchRun::Printed(frameworks),
    },
    Bench {
        name: "c",
        about: "calls from C, against Rust; the header",
        run: BenchRun::Printed(c_bench::run),
    },
    Bench {
        name: "build",
        about: "modules of more and more operators: time to build and import, bytes",
        run: BenchRun::Printed(build),
    },
];

/// Runs the benchmarks of these names, or all; with `--record`, those that write into `docs/data`.
///
/// # Errors
///
/// If a name is unknown or a benchmark fails.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    let (benches, is_recorded) = selected(args)?;
    let venv = Venv::ensure(project)?;
    for Bench { name, about, run } in benches {
        println!("\n{name}: {about}\n");
        let out = is_recorded.then(|| project.path(format!("docs/data/{name}.json")));
        match run {
            BenchRun::Printed(run) => run(project, &venv)?,
            BenchRun::Recorded(run) => run(project, &venv, out.as_deref())?,
        }
    }
    if is_recorded {
        println!("\n`cargo xtask bless` puts what was recorded into the pages");
    }
    Ok(())
}

/// The benchmarks that are asked for, and whether they record what they measure.
fn selected(args: &[&str]) -> ProcessResult<(Vec<&'static Bench>, bool)> {
    let is_recorded = args.contains(&RECORD);
    let known =
        || BENCHES.iter().filter(|it| !is_recorded || matches!(it.run, BenchRun::Recorded(_)));
    let names: Vec<&str> = args.iter().copied().filter(|it| *it != RECORD).collect();
    if let Some(unknown) = names.iter().find(|name| known().all(|it| it.name != **name)) {
        let known: Vec<_> = known().map(|it| it.name).collect();
        let what = if is_recorded { "benchmark that records" } else { "benchmark" };
        return Err(
            format!("no {what} is named `{unknown}`; there are: {}", known.join(", ")).into()
        );
    }
    let is_meant = |it: &&Bench| names.is_empty() || names.contains(&it.name);
    Ok((known().filter(is_meant).collect(), is_recorded))
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

fn calls(project: &Project, venv: &Venv, out: Option<&Path>) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    let others = bindings::build(project, venv)?;
    let mut python = venv.python();
    python.env("PYTHONPATH", others).arg(project.path("xtask/bench/calls.py"));
    process::run(writing(&mut python, out))
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

fn frameworks(project: &Project, venv: &Venv) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    process::run(venv.python().arg(project.path("xtask/bench/frameworks.py")))
}

fn kernels(project: &Project, venv: &Venv, out: Option<&Path>) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    let mut python = with_threads(project, venv, "kernels", "1");
    process::run(writing(python.arg("1"), out))?;
    process::run(with_threads(project, venv, "kernels", "2").arg("2"))
}

fn accuracy(project: &Project, venv: &Venv, out: Option<&Path>) -> ProcessResult<()> {
    develop::install(project, venv, ModuleProfile::Release)?;
    let mut python = venv.python();
    process::run(writing(python.arg(project.path("tests/python/accuracy.py")), out))
}

/// A program that also writes what it measures to a file, if one is named.
fn writing<'a>(python: &'a mut Command, out: Option<&Path>) -> &'a mut Command {
    match out {
        Some(out) => python.arg("--out").arg(out),
        None => python,
    }
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

#[test]
fn benchmarks_that_record_can_be_named() {
    let names = |args: &[&str]| -> Vec<_> {
        selected(args).expect("benchmarks").0.iter().map(|it| it.name).collect()
    };
    assert_eq!(names(&[]).len(), BENCHES.len());
    assert_eq!(names(&["gil", "calls"]), ["calls", "gil"]);
    assert_eq!(names(&[RECORD]), ["calls", "kernels", "accuracy"]);
    assert_eq!(names(&[RECORD, "kernels"]), ["kernels"]);
    let refused = selected(&[RECORD, "gil"]).err().expect("it writes no file").to_string();
    assert!(refused.ends_with("`gil`; there are: calls, kernels, accuracy"), "{refused}");
}

#[test]
fn each_file_of_measurements_has_a_benchmark() {
    let folder = Project::find().path("docs/data");
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let name = entry.expect("an entry").path().with_extension("");
        let name = name.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(selected(&[RECORD, &name]).is_ok(), "{name}");
    }
}

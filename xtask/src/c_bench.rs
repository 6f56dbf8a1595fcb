//! `cargo xtask bench c`: what calls from C and Go cost beside those from Rust, and what the header
//! costs its compiler.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use crate::c_library::{self, Installed, Profile};
use crate::go;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::source_paths;
use crate::venv::Venv;

/// Programs run in turn so often, so that what else the machine does hits all of them.
const TURNS: usize = 7;

/// Nanoseconds by what took them.
type Times = BTreeMap<String, Vec<f64>>;

/// What is measured of an addition of four elements: how it is shown, by which names programs know
/// it, and what it may take.
const ROWS: [BenchRow; 10] = [
    BenchRow { shown: "add of 4 elements, Rust", name: "add, Rust", goal: None },
    BenchRow { shown: "the same from C", name: "add, C", goal: Some(Goal::OfC) },
    BenchRow { shown: "from C, another program", name: "add", goal: None },
    BenchRow { shown: "from C, in scopes of 64", name: "add in a scope", goal: None },
    BenchRow { shown: "an empty call from Go", name: EMPTY, goal: None },
    BenchRow { shown: "add from Go, in scopes of 64", name: "Add/scope", goal: Some(Goal::OfGo) },
    BenchRow { shown: "from Go, with Close", name: "Add/close", goal: Some(Goal::OfGo) },
    BenchRow {
        shown: "from Go, left to the collector",
        name: "Add/cleanup",
        goal: Some(Goal::OfGo),
    },
    BenchRow { shown: "from Go, in place", name: "Add/inplace", goal: None },
    BenchRow { shown: "from Go, as in GoTorch", name: "Finalized", goal: None },
];

const EMPTY: &str = "Empty";

struct BenchRow {
    shown: &'static str,
    name: &'static str,
    goal: Option<Goal>,
}

/// What a call may take.
#[derive(Clone, Copy)]
enum Goal {
    /// 15 ns more than in Rust.
    OfC,
    /// 1.6 times as much as in C, and an empty call.
    OfGo,
}

impl Goal {
    fn most(self, times: &Times) -> Option<(f64, &'static str)> {
        Some(match self {
            Goal::OfC => (median(times, "add, Rust")? + 15.0, "Rust and 15"),
            Goal::OfGo => {
                (1.6 * median(times, "add, C")? + median(times, EMPTY)?, "1.6 times C and empty")
            }
        })
    }
}

/// # Errors
///
/// If the library or a program cannot be built or run.
pub(crate) fn run(project: &Project, _venv: &Venv) -> ProcessResult<()> {
    let installed = c_library::install(project, Profile::Release, "c")?;
    calls(project, &installed)?;
    header(&installed)
}

fn calls(project: &Project, installed: &Installed) -> ProcessResult<()> {
    let (in_rust, in_c) = (in_rust(project)?, in_c(project, installed)?);
    let in_go = match go::missing() {
        Some(missing) => Err(missing.into()),
        None => go::Toolchain::find(project),
    };
    let in_go = match in_go {
        Ok(toolchain) => Some(go::benchmarks(project, &toolchain, installed)?),
        Err(error) => {
            println!("not measured from Go: {error}");
            None
        }
    };
    let mut times = Times::new();
    for _ in 0..TURNS {
        read(&mut times, &process::output(&mut Command::new(&in_rust))?);
        read(&mut times, &process::output(&mut Command::new(&in_c))?);
        // As the others, the quickest of some rounds.
        if let Some(in_go) = &in_go {
            let mut go = Command::new(in_go);
            go.args(["-test.run", "^$", "-test.benchtime", "20000x", "-test.count", "10"]);
            go.args(["-test.bench", "^Benchmark(Empty|Add|Finalized|Refused)$"]);
            go::find(&mut go, installed);
            read(&mut times, &process::output(&mut go)?);
        }
    }
    for BenchRow { shown, name, goal } in ROWS {
        let Some(time) = median(&times, name) else { continue };
        let judged = goal.and_then(|it| it.most(&times)).map(|(most, of)| {
            let verdict = if time <= most { "met" } else { "missed" };
            format!("goal {most:6.1} ({of}): {verdict}")
        });
        println!(
            "{}",
            format!("{shown:<32}{time:7.1} ns  {}", judged.unwrap_or_default()).trim_end()
        );
    }
    for (shown, rust, c) in [("mm of 2 by 2", "mm, Rust", "mm, C")] {
        if let (Some(rust), Some(c)) = (median(&times, rust), median(&times, c)) {
            println!("{shown:<32}{rust:7.1} ns in Rust, {c:.1} ns from C");
        }
    }
    if let Some(c) = median(&times, "refused") {
        let go = median(&times, "Refused").map(|it| format!(", {it:.1} ns from Go"));
        println!("{:<32}{c:7.1} ns from C{}", "a call that is refused", go.unwrap_or_default());
    }
    Ok(())
}

fn in_rust(project: &Project) -> ProcessResult<PathBuf> {
    let mut cargo = project.cargo();
    cargo.args(["build", "--release", "--package", "opwright-c-bindings", "--features", "library"]);
    // As the libraries themselves are built, so that nothing is built twice.
    source_paths::remap(project, &mut cargo);
    process::run(cargo.args(["--example", "calls"]))?;
    Ok(project.target().join("release/examples/calls"))
}

fn in_c(project: &Project, installed: &Installed) -> ProcessResult<PathBuf> {
    let (program, lib) = (installed.folder.join("bench"), installed.folder.join("lib"));
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I"]);
    cc.arg(installed.folder.join("include")).arg(project.path("xtask/bench/c.c"));
    cc.arg("-L").arg(&lib).arg("-lopwright").arg(format!("-Wl,-rpath,{}", lib.display()));
    process::run(cc.arg("-o").arg(&program))?;
    Ok(program)
}

/// Reads what a program has printed: `add<TAB>92.1`, or in Go `BenchmarkAdd/close-2 100000 415.2 ns/op`.
/// Of several times of one name the least counts.
fn read(times: &mut Times, text: &str) {
    let mut found: BTreeMap<&str, f64> = BTreeMap::new();
    for line in text.lines() {
        let Some((name, time)) = line.split_once('\t') else { continue };
        let name = name.trim();
        let (name, time) = match name.strip_prefix("Benchmark") {
            Some(name) => (
                name.rsplit_once('-').map_or(name, |(name, _)| name),
                time.rsplit('\t').find_map(|it| it.trim().strip_suffix(" ns/op")),
            ),
            None => (name, Some(time)),
        };
        if let Some(time) = time.and_then(|it| it.trim().parse().ok()) {
            let least = found.entry(name).or_insert(f64::INFINITY);
            *least = least.min(time);
        }
    }
    for (name, time) in found {
        times.entry(name.to_owned()).or_default().push(time);
    }
}

fn median(times: &Times, name: &str) -> Option<f64> {
    let mut all = times.get(name)?.clone();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

/// How long a file takes that includes the header, and how large that is.
fn header(installed: &Installed) -> ProcessResult<()> {
    let include = installed.folder.join("include");
    let source = installed.folder.join("includes.c");
    fs::write(&source, "#include <opwright.h>\nint main(void) { return ow_version() == 0; }\n")?;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let mut cc = Command::new("cc");
        cc.arg("-I").arg(&include).arg("-c").arg(&source).arg("-o").arg(source.with_extension("o"));
        let start = Instant::now();
        process::output(&mut cc)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let text = fs::read_to_string(include.join("opwright.h"))?;
    let functions = c_library::declared(&text, "ow").len();
    let kib = text.len() as f64 / 1024.0;
    println!("a file with the header {best:.3} s; {kib:.0} KiB, {functions} functions");
    Ok(())
}

#[test]
fn times_are_read() {
    let mut times = Times::new();
    read(&mut times, "add in place\t51.5\n");
    let header = "goos: linux\nBenchmarkEmpty-2        \t  100000\t        42.10 ns/op\n";
    read(&mut times, &format!("{header}BenchmarkAdd/close\t  1\t 400 ns/op\t 48 B/op\nPASS\n"));
    read(&mut times, "add in place\t50.5\nadd in place\t40\n");
    read(&mut times, "add in place\t90\n");
    let found = ["add in place", EMPTY, "Add/close", "add"].map(|it| median(&times, it));
    assert_eq!(found, [Some(51.5), Some(42.1), Some(400.0), None]);
}

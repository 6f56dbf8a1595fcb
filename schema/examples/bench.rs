//! How long it takes to check an operator file, next to what PyYAML's C loader
//! needs merely to load it.
//!
//! ```text
//! cargo run --release --package opwright-schema --example bench [FILE]
//! ```
//!
//! Without a file, upstream's is taken if it is there, else the project's own.
//! `OPWRIGHT_PYTHON` names a Python that has PyYAML; without it, its row is
//! left out.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use opwright_diagnostics::Sources;
use opwright_schema::{Input, load};

/// How often everything is measured.
const RUNS: usize = 7;

/// Loads the file of the first argument and prints seconds, once more than the
/// second argument says.
const PYTHON: &str = "
import sys, time, yaml
text = open(sys.argv[1], encoding='utf-8').read()
for _ in range(1 + int(sys.argv[2])):
    start = time.perf_counter()
    yaml.load(text, Loader=yaml.CSafeLoader)
    print(time.perf_counter() - start)
";

fn main() -> ExitCode {
    let path = env::args_os().nth(1).map_or_else(default_file, PathBuf::from);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: cannot read `{}`: {error}", path.display());
            return ExitCode::FAILURE;
        }
    };
    let Some((operators, checked)) = check(&text) else {
        eprintln!("error: `{}` has mistakes; see `opwright check`", path.display());
        return ExitCode::FAILURE;
    };
    println!("{}: {operators} operators, {} bytes", path.display(), text.len());
    println!("{:<34} {:>12} {:>8}", format!("median of {RUNS} runs"), "time", "ratio");
    row("opwright: load, check and group", checked, checked);
    match env::var_os("OPWRIGHT_PYTHON") {
        None => println!("PyYAML: skipped, because OPWRIGHT_PYTHON is not set"),
        Some(python) => match load_in_python(Path::new(&python), &path) {
            Ok(loaded) => row("PyYAML CSafeLoader: load", loaded, checked),
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        },
    }
    ExitCode::SUCCESS
}

fn default_file() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let upstream = root.join("../../shared/upstream/native_functions.yaml");
    match upstream.exists() {
        true => upstream,
        false => root.join("../native_functions.yaml"),
    }
}

/// The number of operators, and the median time of reading them.
fn check(text: &str) -> Option<(usize, Duration)> {
    let mut times = Vec::new();
    let mut operators = 0;
    // The first run warms up, and does not count.
    for _ in 0..=RUNS {
        let start = Instant::now();
        let mut sources = Sources::new();
        let file = sources.add("native_functions.yaml", text);
        let ops = load(&sources, &Input::yaml(file)).ok()?;
        times.push(start.elapsed());
        operators = ops.overloads.len();
    }
    Some((operators, median(times.split_off(1))))
}

fn load_in_python(python: &Path, path: &Path) -> Result<Duration, String> {
    let mut command = Command::new(python);
    command.args(["-c", PYTHON]).arg(path).arg(RUNS.to_string());
    let shown = python.display();
    let output = command.output().map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{shown}` failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let seconds = printed.lines().filter_map(|it| it.parse().ok()).map(Duration::from_secs_f64);
    let seconds: Vec<Duration> = seconds.skip(1).collect();
    match seconds.len() {
        RUNS => Ok(median(seconds)),
        other => Err(format!("`{shown}` printed {other} times instead of {RUNS}")),
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn row(name: &str, time: Duration, unit: Duration) {
    let milliseconds = time.as_secs_f64() * 1e3;
    let ratio = time.as_secs_f64() / unit.as_secs_f64();
    println!("{name:<34} {milliseconds:>9.2} ms {ratio:>7.1}x");
}
